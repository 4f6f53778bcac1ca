"""Hoist and wrap: the module traces, agrees with eager, and what cannot be taken out is left with a reason."""

from __future__ import annotations

import pytest

from fxlint.api import FixKind, FixRequest
from fxlint.base.event import EventKind, Facet
from fxlint.base.finding import Safety

HOIST = FixRequest(FixKind.HOIST)
TRUTH, ITER, SET, FOREIGN, NUMBER, UNKNOWN = (
    EventKind.PROXY_TRUTH, EventKind.PROXY_ITER, EventKind.SET_ITEM, EventKind.FOREIGN_CALL, EventKind.PROXY_NUMBER, EventKind.UNKNOWN,
)  # fmt: skip
MODEL = """\
import torch
import numpy as np
from torch import nn


# A model.
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = 0.5
        self.weight = nn.Parameter(torch.ones(6))

    def forward(self, x):
        h, w = x.shape
        {body}
"""
HEAD, TAIL = MODEL.split("# A model.")

HITS = [
    # body, kind, the helper, the new body
    ("return x * «int(h * 0.7)»", NUMBER, "def _to_int(value):\n    return int(value)", "return x * _to_int(h * 0.7)"),
    ("return x * int(«h * 0.7»)", NUMBER, "def _to_int(value):\n    return int(value)", "return x * _to_int(h * 0.7)"),
    ("return x * «round(w / 4)»", NUMBER, "def _round(value):\n    return round(value)", "return x * _round(w / 4)"),
    (
        "return x + «np.cumsum(x, axis=1)»",
        FOREIGN,
        "def _np_cumsum(x, axis):\n    return np.cumsum(x, axis=axis)",
        "return x + _np_cumsum(x, axis=1)",
    ),
    (
        "return x + «np.asarray(x, dtype=np.float32)»",
        FOREIGN,
        "def _np_asarray(x):\n    return np.asarray(x, dtype=np.float32)",
        "return x + _np_asarray(x)",
    ),
    (
        "return x * (2 if «x.sum() > self.limit» else 3)",
        TRUTH,
        "def _choose(x, limit):\n    return 2 if x.sum() > limit else 3",
        "return x * _choose(x, self.limit)",
    ),
    (
        "return x * (2 if «x.sum() > 0» and h > 3 else 3)",
        TRUTH,
        "def _choose(x, h):\n    return 2 if x.sum() > 0 and h > 3 else 3",
        "return x * _choose(x, h)",
    ),
    (
        "y = x * any(«h > i» for i in (2, 3))\n        return y",
        TRUTH,
        "def _any(h):\n    return any(h > i for i in (2, 3))",
        "y = x * _any(h)\n        return y",
    ),
    ("k = max(«h», w)\n        return x * k", TRUTH, "def _max(h, w):\n    return max(h, w)", "k = _max(h, w)\n        return x * k"),
    (
        "ok = «h» in (4, 5)\n        return x * ok",
        TRUTH,
        "def _compute_ok(h):\n    return h in (4, 5)",
        "ok = _compute_ok(h)\n        return x * ok",
    ),
    (
        "y = sum([t * 2 for t in «x»])\n        return y",
        ITER,
        "def _sum(x):\n    return sum([t * 2 for t in x])",
        "y = _sum(x)\n        return y",
    ),
    (
        "if «x.sum() > 0»:\n            y = x * self.weight\n        else:\n            y = -x\n        return y",
        TRUTH,
        "def _update_y(x, weight):\n    if x.sum() > 0:\n        y = x * weight\n    else:\n        y = -x\n    return y",
        "y = _update_y(x, self.weight)\n        return y",
    ),
    (
        "if «h > 2»:\n            x = x * 2  # twice\n        return x",
        TRUTH,
        "def _update_x(h, x):\n    if h > 2:\n        x = x * 2  # twice\n    return x",
        "x = _update_x(h, x)\n        return x",
    ),
    (
        "y = x[0]\n        for row in «x»:\n            y = y + row\n        return y",
        ITER,
        "def _update_y(x, y):\n    for row in x:\n        y = y + row\n    return y",
        "y = x[0]\n        y = _update_y(x, y)\n        return y",
    ),
    (
        "a = b = x\n        while «a.sum() > 9»:\n            a, b = a / 2, b + 1\n        return a + b",
        TRUTH,
        "def _update_a_b(a, b):\n    while a.sum() > 9:\n        a, b = a / 2, b + 1\n    return a, b",
        "a = b = x\n        a, b = _update_a_b(a, b)\n        return a + b",
    ),
    (
        "x = x + 0\n        «x[0, 1:] = self.limit»\n        return x",
        SET,
        "def _set_item_of_x(x, limit):\n    x[0, 1:] = limit\n    return x",
        "x = x + 0\n        x = _set_item_of_x(x, self.limit)\n        return x",
    ),
    (
        "y = [(1 if «h > i» else 2) for i in [1, 2]]\n        return x * y[0]",
        TRUTH,
        "def _compute_y(h):\n    return [(1 if h > i else 2) for i in [1, 2]]",
        "y = _compute_y(h)\n        return x * y[0]",
    ),
    ("return x * float(«int(h * 0.7)»)", NUMBER, "def _to_float(h):\n    return float(int(h * 0.7))", "return x * _to_float(h)"),
    (
        "y = x\n        for i in range(«int(h / 2)»):\n            y = y + i\n        return y",
        NUMBER,
        "def _update_y(h, y):\n    for i in range(int(h / 2)):\n        y = y + i\n    return y",
        "y = x\n        y = _update_y(h, y)\n        return y",
    ),
    (
        "rows = []\n        for row in «x»:\n            rows.append(row / 2)\n        return torch.stack(rows)",
        ITER,
        "def _update_rows(x, rows):\n    for row in x:\n        rows.append(row / 2)\n    return rows",
        "rows = []\n        rows = _update_rows(x, rows)\n        return torch.stack(rows)",
    ),
    (
        "if «h» not in (3, 4):\n            raise ValueError(w)\n        return x * h",
        TRUTH,
        "def _check_h(h, w):\n    if h not in (3, 4):\n        raise ValueError(w)\n    return h",
        "h = _check_h(h, w)\n        return x * h",
    ),
    (
        "if «h == 3»: y = -x\n        elif h == 4: y = x * 2\n        else: raise ValueError\n        return y",
        TRUTH,
        "def _update_y(h, x):\n    if h == 3: y = -x\n    elif h == 4: y = x * 2\n    else: raise ValueError\n    return y",
        "y = _update_y(h, x)\n        return y",
    ),
    (
        "x = x + 0\n        «x[0] += 1»\n        return x",
        SET,
        "def _set_item_of_x(x):\n    x[0] += 1\n    return x",
        "x = x + 0\n        x = _set_item_of_x(x)\n        return x",
    ),
]


@pytest.mark.parametrize(("body", "kind", "helper", "new"), HITS, ids=range(len(HITS)))
def test_the_piece_becomes_a_wrapped_function_that_agrees(body, kind, helper, new, plan, load):
    import torch

    source = MODEL.replace("{body}", body)
    planned = plan(source, HOIST, kind=kind)
    assert planned.reasons == []
    text = planned.texts["/p/m.py"]
    assert text == HEAD + f"@torch.fx.wrap\n{helper}\n\n\n# A model." + TAIL.replace("{body}", new)
    before, after = load(source.replace("«", "").replace("»", "")), load(text)
    with pytest.raises(Exception):  # noqa: B017, PT011 - any error of tracing or of running the graph
        torch.fx.symbolic_trace(before.M())(torch.randn(4, 6))
    traced = torch.fx.symbolic_trace(after.M())
    traced.graph.lint()
    for seed in range(3):
        torch.manual_seed(seed)
        x = torch.randn(4, 6) - seed + 1
        got, wanted = (model(x.clone()) for model in (traced, before.M()))
        torch.testing.assert_close(got, wanted, rtol=0, atol=0)
    is_compound = helper.split("\n")[1].split()[0] in {"if", "for", "while"}
    assert planned.choice.fix.safety is (Safety.UNSAFE if is_compound else Safety.SAFE)


STARRED = [
    ("return torch.cat([«*x.split(2)»], 0)", ITER, "def _compute(x):\n    return [*x.split(2)]", "return torch.cat(_compute(x), 0)"),
    ("return torch.cat([x, «*x.split(2)»], 0)", ITER, "def _compute(x):\n    return [x, *x.split(2)]", "return torch.cat(_compute(x), 0)"),
]


@pytest.mark.parametrize(("body", "kind", "helper", "new"), STARRED)
def test_a_starred_item_takes_its_display_with_it(body, kind, helper, new, plan, load):
    test_the_piece_becomes_a_wrapped_function_that_agrees(body, kind, helper, new, plan, load)


DECLINES = [
    ("assert «h == 3»; return x", TRUTH, "use torch._assert"),
    ("for t in «x»:\n            yield t", ITER, "suspends the function"),
    ("for i in [1, 2]:\n            if «h > i»:\n                break\n        return x", TRUTH, "leaves a loop"),
    ("if «h > 2»:\n            y = self.conv(x)\n        else:\n            y = x\n        return y", TRUTH, "it calls `self.conv`"),
    ("if «h > 2»:\n            y = f(self)\n        else:\n            y = x\n        return y", TRUTH, "uses `self` itself"),
    ("if «h > 2»:\n            self.y = x\n        return x", TRUTH, "sets an attribute"),
    ("if «h > 2»:\n            print(x)\n        return x", TRUTH, "nothing that it computes is read later"),
    ("if «h > 2»:\n            y = x\n        return y", TRUTH, "`y` has no value on every path"),
    (
        "for i in [1]:\n            z = i\n        if «h > 2»:\n            x = z\n        return x",
        TRUTH,
        "`z` has no value on every path before it",
    ),
    (
        "try:\n            if «h > 2»:\n                x = -x\n        except ValueError:\n            pass\n        return x",
        TRUTH,
        "in a try statement",
    ),
    ("y = (n := h) if «h > 2» else 3\n        return x * y", TRUTH, "by :="),
    ("y = super().size() if «h > 2» else 3\n        return x * y", TRUTH, "depends on the function around it"),
    ("y = self.__limit if «h > 2» else 3\n        return x * y", TRUTH, "private name"),
    ("y = lambda q: 1 if «h > q» else 2\n        return x * y(2)", TRUTH, "comprehension or a lambda"),
    ("def g():\n            return 1 if «h > 2» else 2\n        return x * g()", TRUTH, "a function around its own"),
    ("act = f\n        y = act(x) if «h > 2» else x\n        return y", TRUTH, "`act` is called"),
    ('y = """a\nb""" if «h > 2» else 3\n        return x', TRUTH, "string of several lines"),
    ("w = h; x[0] = 1 if 2 else 3; «x[1] = h»; return x", SET, "other code stands before it"),
    ("if h: y = x\n        elif «x.sum()»: y = x\n        else: y = -x\n        return y", TRUTH, "elif of a longer ladder"),
    ("if «h > 2»:\n            import math\n        return x", TRUTH, "which names there are"),
    ("if «h > 2»:\n            def g(): ...\n        return x", TRUTH, "defines a function"),
    ("«del x[0]»\n        return x", SET, "cannot be hoisted"),
    ("with «torch.no_grad()»:\n            y = x * 2\n        return y", UNKNOWN, "entered while tracing all the same"),
    ("with «torch.autocast(x.device.type)»:\n            y = x * 2\n        return y", UNKNOWN, "entered while tracing all the same"),
]


@pytest.mark.parametrize(("body", "kind", "reason"), DECLINES, ids=range(len(DECLINES)))
def test_what_cannot_be_taken_out_stays(body, kind, reason, plan):
    planned = plan(MODEL.replace("{body}", body), HOIST, kind=kind)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]


def test_a_constant_expression_has_nothing_to_record(plan):
    planned = plan(MODEL.replace("{body}", "y = «1 if LIMIT else 2»\n        return x"), HOIST, kind=FOREIGN)
    assert "reads no local name" in planned.reasons[0]


@pytest.mark.parametrize("operand", ["self.limit", "k", "k + 1"])
def test_a_numpy_scalar_is_no_argument(operand, plan):
    body = f"k = np.sqrt(4)\n        return «x * ({operand})»"
    planned = plan(MODEL.replace("{body}", body), HOIST, kind=EventKind.NUMPY_OPERAND, subject=operand)
    assert planned.choice.fix is None
    assert "no graph can hold it" in planned.reasons[0]


@pytest.mark.parametrize("operand", ["np.sqrt(w)", "LIMIT"])
def test_a_numpy_scalar_may_be_made_inside(operand, plan):
    planned = plan(MODEL.replace("{body}", f"return «x * {operand}»"), HOIST, kind=EventKind.NUMPY_OPERAND, subject=operand)
    assert f"return x * {operand}" in planned.texts["/p/m.py"]


def test_module_level_has_no_function_to_take_it_out_of(plan):
    assert "stands in no function" in plan("import torch\nx = «int(torch.e)»\n", HOIST).reasons[0]


def test_a_class_under_a_condition_is_left(plan):
    source = "import torch\nif torch:\n    class M:\n        def forward(self, x):\n            return «int(x)»\n"
    assert "under a condition" in plan(source, HOIST).reasons[0]


def test_a_file_that_imports_torch_too_late_is_left(plan):
    source = "class M:\n    def forward(self, x):\n        return «int(x)»\n\n\nimport torch\n"
    assert "imported below" in plan(source, HOIST).reasons[0]


def test_equal_helpers_are_shared_and_others_get_a_name_of_their_own(plan):
    first = plan(MODEL.replace("{body}", "return x * «int(h * 0.7)» * int(w * 0.3)"), HOIST)
    text = first.texts["/p/m.py"].replace("int(w * 0.3)", "«int(w * 0.3)»")
    second = plan(text, HOIST)
    assert second.texts["/p/m.py"].count("def _to_int") == 1
    assert "_to_int(h * 0.7) * _to_int(w * 0.3)" in second.texts["/p/m.py"]
    other = plan(MODEL.replace("import torch\n", "import torch\ndef _to_int(x): ...\n").replace("{body}", "return «int(h * 0.7)»"), HOIST)
    assert "def _to_int_2(value):" in other.texts["/p/m.py"]


@pytest.mark.parametrize(
    ("imports", "decorator"),
    [
        ("import torch.fx as fx\n", "@fx.wrap"),
        ("from torch.fx import wrap\n", "@wrap"),
        ("from torch import fx as tfx\n", "@tfx.wrap"),
        ("import torch as th\n", "@th.fx.wrap"),
        ('"""Doc."""\n', "\nimport torch\n\n\n@torch.fx.wrap"),
        ("from __future__ import annotations\n", "import torch\n@torch.fx.wrap"),
        ("", "import torch\n\n\n@torch.fx.wrap"),
        ("torch = None\n", "import torch as _torch\n\n\ntorch = None\n@_torch.fx.wrap"),
        ("from os import (\n    path,\n    sep,\n)\n", "import torch\n@torch.fx.wrap"),
    ],
)
def test_torch_is_spelled_as_the_file_spells_it(imports, decorator, plan):
    planned = plan(f"{imports}def forward(x):\n    return «int(x)»\n", HOIST, facet=Facet.TENSOR)
    kept = "" if imports == "torch = None\n" else imports
    assert planned.texts["/p/m.py"].startswith(f"{kept}{decorator}\ndef _to_int(x):\n")
