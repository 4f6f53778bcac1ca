"""A test for each reason that a rewrite has to decline, and near misses that must stay as they are."""

from __future__ import annotations

import pytest

from fxlint.base.event import EventKind, Facet

MODEL = """\
import torch
import math
import numpy as np
from torch import nn


def len_of(x):
    return 1


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2

    def forward(self, x, n=3):
        h, w = x.shape
        {body}
"""
T, SIZE, ITEM, NUMBER, BOOL, UNKNOWN, TUPLE = (
    Facet.TENSOR, Facet.SIZE, Facet.SIZE_ITEM, Facet.NUMBER, Facet.BOOL, Facet.UNKNOWN, Facet.TUPLE,
)  # fmt: skip

ROWS = [
    # rule, body, facet, part of the reason
    ("assert-to-torch-assert", "y = «x + 1»; return y", T, "in no assert"),
    ("assert-to-torch-assert", "assert «h» is not None, 'm'; return x", ITEM, "`is` is answered while tracing"),
    ("assert-to-torch-assert", "assert «(h, w) == (1, 2, 3)», 'm'; return x", BOOL, "different lengths"),
    ("assert-to-torch-assert", "assert «(h, w) < self.k», 'm'; return x", BOOL, "compares up to the first difference"),
    ("assert-to-torch-assert", "assert «(h, w) == f(x)», 'm'; return x", BOOL, "once for each item"),
    ("assert-to-torch-assert", "assert not «(h, w) == (1, 2)», 'm'; return x", BOOL, "is not spelled out"),
    ("assert-to-torch-assert", "assert «h» in self.sizes, 'm'; return x", ITEM, "its members are not spelled out"),
    ("assert-to-torch-assert", "assert «h» in (1, 2, 3, 4, 5), 'm'; return x", ITEM, "too long to spell out"),
    ("assert-to-torch-assert", "assert «h» in (f(1), 2), 'm'; return x", ITEM, "more than names and literals"),
    ("assert-to-torch-assert", "assert next(«x») in (1, 2), 'm'; return x", ITEM, "once for each member"),
    ("assert-to-torch-assert", "assert 1 < next(«x») < 3, 'm'; return x", ITEM, "evaluated twice"),
    ("assert-to-torch-assert", "assert 1 < «h» in (2, 3), 'm'; return x", ITEM, "a chain with `in` or `is`"),
    ("assert-to-torch-assert", "assert not 1 < «h» < 3, 'm'; return x", ITEM, "negation of a chain"),
    ("assert-to-torch-assert", "assert not «h», 'm'; return x", ITEM, "no form that fx records"),
    ("assert-to-torch-assert", "assert not «x.sum()» < 0, 'm'; return x", T, "where a NaN is compared"),
    ("assert-to-torch-assert", "assert «h» == 3 or self.k, 'm'; return x", ITEM, "may be no bool"),
    ("assert-to-torch-assert", "assert (1 if «h» else 2), 'm'; return x", ITEM, "no comparison"),
    ("assert-to-torch-assert", "assert «h == 3», str(x); return x", BOOL, "no string literal"),
    ("assert-to-torch-assert", "assert «h == 3», ('a', h); return x", BOOL, "no string literal"),
    ("assert-to-torch-assert", "assert «h == 3», b'm'; return x", BOOL, "the message is bytes"),
    ("assert-to-torch-assert", "assert «h == 3», f'{h:d}'; return x", BOOL, "by a specification"),
    ("assert-to-torch-assert", "assert «h == 3», f'{len(x)}'; return x", BOOL, "evaluated on every call"),
    ("len-to-shape", "return x * «len(x)»", TUPLE, "not known to be a tensor"),
    ("len-to-shape", "return x * «len(x)»", UNKNOWN, "not known to be a tensor"),
    ("len-to-shape", "s = x.shape; return x * «len(s)»", SIZE, "not known to be a tensor"),
    ("len-to-shape", "return x * «len(n)»", T, "`n` is `3` where it is not given"),
    ("len-to-shape", "return x * «len_of(x)»", T, "no call of `len`"),
    ("len-to-shape", "len = len_of; return x * «len(x)»", T, "another function than the builtin"),
    ("len-to-shape", "return x * «len(*x)»", T, "more than one plain argument"),
    ("int-of-division", "return x * «int(h // 2)»", ITEM, "is no quotient"),
    ("int-of-division", "return x * «int(x.sum() / 2)»", T, "is no size"),
    ("int-of-division", "return x * «int(x.max().item() / 2)»", NUMBER, "is no size"),
    ("int-of-division", "return x * «int(h / 0)»", ITEM, "the divisor is zero"),
    ("int-of-division", "return x * «int(h / 1.5)»", ITEM, "by a fraction"),
    ("int-of-division", "return x * «int(h * 0.3)»", ITEM, "rounds"),
    ("int-of-division", "return x * «int(h * 1.5)»", ITEM, "rounds"),
    ("int-of-division", "return x * «int(h / (n - 1))»", ITEM, "not known to be a whole number above zero"),
    ("int-of-division", "return x * «int(n / 2)»", UNKNOWN, "not known to be a size"),
    ("int-of-division", "return x * «int(h / 2, 10)»", ITEM, "more than one plain argument"),
    ("int-of-division", "return x * «round(h / 2)»", ITEM, "no call of `int`"),
    ("int-of-size", "return x * «int(h / 2)»", ITEM, "not known to be a whole number"),
    ("int-of-size", "return x * «int(n)»", ITEM, "not known to be a whole number"),
    ("int-of-size", "return x * «int(x.sum())»", T, "is no size"),
    ("int-of-size", "return x * «int(np.ceil(h / 2))»", ITEM, "not known to be a whole number"),
    ("float-of-size", "return x * «float(x.sum())»", T, "not known to be a size"),
    ("float-of-size", "return x * «float(n)»", UNKNOWN, "not known to be a size"),
    ("item-drop", "return x * «int(x.max())»", NUMBER, "is no `.item()`"),
    ("item-drop", "return x * «round(x.max().item())»", NUMBER, "no call of int or float"),
    ("numpy-to-torch", "return «np.cumsum(x)»", T, "no torch function is known"),
    ("numpy-to-torch", "return «np.abs(x, out=None)»", T, "keywords or stars"),
    ("numpy-to-torch", "return «np.abs(*x)»", T, "keywords or stars"),
    ("numpy-to-torch", "return «np.abs(x, x)»", T, "has no twin in torch"),
    ("numpy-to-torch", "return x * «np.exp(h)»", ITEM, "no function of math"),
    ("numpy-to-torch", "return x * «np.sqrt(h)»", UNKNOWN, "not known to be a tensor or a size"),
    ("factory-to-tuple-size", "return x + «torch.zeros((h, w))»", ITEM, "a tuple already"),
    ("factory-to-tuple-size", "return x + «torch.zeros(x.shape)»", ITEM, "a shape already"),
    ("factory-to-tuple-size", "return x + «torch.zeros(size=(h, w))»", ITEM, "no size is given by position"),
    ("factory-to-tuple-size", "return x + «torch.zeros(h, *x.shape)»", ITEM, "among other sizes"),
    ("factory-to-tuple-size", "return x + «torch.zeros(*n)»", ITEM, "not known to be a shape"),
    ("factory-to-tuple-size", "return x + «torch.linspace(0, h, 5)»", ITEM, "not all sizes"),
    ("bool-and-to-bitwise", "return x * («h» + 1)", ITEM, "is no `and`"),
    ("bool-and-to-bitwise", "if «h == 2» and w == 3: return x\n        return -x", BOOL, "truth of the whole"),
    ("bool-and-to-bitwise", "return x if «h == 2» and w == 3 else -x", BOOL, "truth of the whole"),
    ("bool-and-to-bitwise", "return x * («n» or 3)", ITEM, "may be no bool"),
    ("star-shape-to-items", "return x.sum(«x.shape»)", SIZE, "no starred argument"),
    ("star-shape-to-items", "return f(*«x.shape»)", SIZE, "needs the rank"),
    ("star-shape-to-items", "return torch.reshape(x, *«x.shape»)", SIZE, "takes one size"),
    ("star-shape-to-items", "return x.view(*n, *«x.shape»)", SIZE, "`n` is not known to be a shape"),
    ("star-shape-to-items", "s = [*«x.shape», 1]; return x.view(s)", SIZE, "may be changed later"),
    ("star-shape-to-items", "s = {*«x.shape»}; return x", SIZE, "a starred set"),
    ("setitem-to-functional", "«x[0] += 1»; return x", T, "augmented"),
    ("setitem-to-functional", "y = «x[0]»; return y", T, "no plain assignment to one item"),
    ("setitem-to-functional", "«self.buf[0] = 1»; return x", T, "no plain name"),
    ("setitem-to-functional", "«x[x > 0] = x»; return x", T, "only a literal number"),
    ("setitem-to-functional", "«x[::2] = 1»; return x", T, "a slice with a step"),
    ("setitem-to-functional", "«x[n] = 1»; return x", T, "may be a tensor, a mask"),
    ("setitem-to-functional", "«x[..., 0] = 1»; return x", T, "may be a tensor, a mask"),
    ("setitem-to-functional", "«x[0, 1] = 1»; return x", T, "from 2 dimensions"),
    ("setitem-to-functional", "«x[:] = 1»; return x", T, "from 0 dimensions"),
    ("module-to-init", "y = «x»; return y", T, "is not known"),
    ("module-to-init", "m = nn.ReLU() if n else nn.GELU(); return «m(x)»", T, "is not known"),
    ("module-to-init", "return «nn.Linear(h, 3)(x)»", T, "known in forward only"),
    ("module-to-init", "return «nn.LeakyReLU(self.slope)(x)»", T, "is not set in __init__"),
    ("module-to-init", "return «Wrapped(self)(x)»", T, "`self` itself"),
    ("if-to-where", "return x if «h > 2» else -x", BOOL, "takes no Python bool"),
    ("if-to-where", "if «x.sum() > 0»: return x\n        return -x", T, "no else arm"),
    ("if-to-where", "if «x.sum() > 0»: y = x\n        elif n: y = x\n        else: y = -x\n        return y", T, "no else arm, or an elif"),
    ("if-to-where", "if n: y = x\n        elif «x.sum() > 0»: y = x\n        else: y = -x\n        return y", T, "elif of a longer ladder"),
    ("if-to-where", "if «x.sum() > 0»: y = x\n        else: z = -x\n        return x", T, "assign one and the same name"),
    ("if-to-where", "if «x.sum() > 0»:\n            y = x  # up\n        else: y = -x\n        return y", T, "comments in the arms"),
    ("if-to-where", "return self.a(x) if «x.sum() > 0» else x", T, "not surely cheap"),
    ("if-to-where", "return None if «x.sum() > 0» else x", T, "not surely cheap"),
    ("if-to-where", "return x if not «x.sum()» else -x", T, "no form that fx records"),
    ("no-such-rule", "return «x»", T, "there is no rewrite"),
]


@pytest.mark.parametrize(("rule", "body", "facet", "reason"), ROWS, ids=[f"{row[0]}-{number}" for number, row in enumerate(ROWS)])
def test_the_rewrite_declines_and_says_why(rule, body, facet, reason, rewrite):
    kind = EventKind.SET_ITEM if rule.startswith("setitem") else EventKind.PROXY_NUMBER
    callee = body.partition("«np.")[2].partition("(")[0]
    planned = rewrite(MODEL.replace("{body}", body), rule, kind=kind, facet=facet, callee=f"numpy.{callee}" if callee else "")
    assert planned.choice.fix is None
    assert len(planned.reasons) == 1
    assert reason in planned.reasons[0]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import torch\nx = «len(t)»\n", None),
        ("from ops import *\ndef f(x):\n    return «len(x)»\n", "star import"),
        ("def len(x): ...\ndef f(x):\n    return «len(x)»\n", "another function than the builtin"),
    ],
)
def test_a_builtin_counts_only_where_its_name_is_its_own(source, reason, rewrite):
    planned = rewrite(source, "len-to-shape", facet=Facet.TENSOR)
    if reason is None:
        assert planned.texts["/p/m.py"] == "import torch\nx = t.shape[0]\n"
    else:
        assert reason in planned.reasons[0]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("class M:\n    def forward(self, x):\n        return «nn.ReLU()(x)»\n", "has no __init__ of its own"),
        ("def f(x):\n    return «nn.ReLU()(x)»\n", "not built in a method"),
        ("class M:\n  def __init__(me):\n    x\n  def forward(self, x):\n    return «nn.ReLU()(x)»\n", "named differently"),
        (
            "class M:\n  def __init__(self):\n    if a:\n      return\n  def forward(self, x):\n    return «nn.ReLU()(x)»\n",
            "ends on several paths",
        ),
    ],
)
def test_a_module_moves_only_into_an_init_that_is_plain(source, reason, rewrite):
    assert reason in rewrite(source, "module-to-init", facet=Facet.TENSOR).reasons[0]


def test_numpy_is_asked_for_by_its_canonical_name(rewrite):
    planned = rewrite(MODEL.replace("{body}", "return «np.abs(x)»"), "numpy-to-torch", facet=T, callee="scipy.abs")
    assert "is no numpy function" in planned.reasons[0]


def test_an_or_whose_right_side_may_raise_is_not_safe(rewrite):
    planned = rewrite(
        MODEL.replace("{body}", "assert «x.dim()» == 2 or x.shape[2] == 3, 'm'; return x"), "assert-to-torch-assert", facet=BOOL
    )
    assert planned.choice.fix.safety.value == "unsafe"
