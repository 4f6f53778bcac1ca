"""Every rewrite, as text and as a real trace: what broke traces, and computes what eager computed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fxlint.base.event import EventKind, Facet
from fxlint.base.finding import Safety

MODEL = """\
import torch
import numpy as np
from torch import nn


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2
        self.slope = 0.2

    def forward(self, x):
        h, w = x.shape
        {body}
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A body of forward with the construct marked, and what the rewrite makes of it. ``setup`` is what it adds elsewhere."""

    rule: str
    before: str
    after: str
    facet: Facet = Facet.SIZE_ITEM
    kind: EventKind = EventKind.PROXY_NUMBER
    callee: str = ""
    safety: Safety = Safety.SAFE
    breaks: bool = True


TRUTH, ITER, SET, FACTORY, FOREIGN = (
    EventKind.PROXY_TRUTH, EventKind.PROXY_ITER, EventKind.SET_ITEM, EventKind.FACTORY_SIZE, EventKind.FOREIGN_CALL,
)  # fmt: skip
LENGTH, BUILT = EventKind.PROXY_LEN, EventKind.MODULE_UNREGISTERED

HITS = [
    # assert
    Hit("assert-to-torch-assert", "«assert h == 4, 'four'»; return x", "torch._assert(h == 4, 'four'); return x", Facet.BOOL, TRUTH),
    Hit(
        "assert-to-torch-assert",
        "assert «x.dim() == 2»; return x",
        'torch._assert(x.dim() == 2, "x.dim() == 2"); return x',
        Facet.BOOL,
        TRUTH,
    ),
    Hit(
        "assert-to-torch-assert",
        "assert «h > 1» and w > 1, f'got {x.shape}'\n        return x",
        "torch._assert(h > 1, f'got {x.shape}')\n        torch._assert(w > 1, f'got {x.shape}')\n        return x",
        Facet.BOOL,
        TRUTH,
    ),
    Hit(
        "assert-to-torch-assert",
        "assert «h in (2, 4)», 'm'; return x",
        "torch._assert((h == 2) | (h == 4), 'm'); return x",
        Facet.BOOL,
        TRUTH,
    ),
    Hit(
        "assert-to-torch-assert",
        "assert «(h, w) == (4, 6)», 'm'; return x",
        "torch._assert((h == 4) & (w == 6), 'm'); return x",
        Facet.BOOL,
        TRUTH,
    ),
    Hit(
        "assert-to-torch-assert",
        "size = (4, 7); assert «(h, w) != size», 'm'; return x",
        "size = (4, 7); torch._assert((h != size[0]) | (w != size[1]), 'm'); return x",
        Facet.BOOL,
        TRUTH,
        safety=Safety.UNSAFE,
    ),
    Hit(
        "assert-to-torch-assert", "assert «1 < h < 9», 'm'; return x", "torch._assert((1 < h) & (h < 9), 'm'); return x", Facet.BOOL, TRUTH
    ),
    Hit("assert-to-torch-assert", "assert not «h == 5», 'm'; return x", "torch._assert(h != 5, 'm'); return x", Facet.BOOL, TRUTH),
    Hit(
        "assert-to-torch-assert",
        "assert «h == 3» or w == 6, 'm'; return x",
        "torch._assert((h == 3) | (w == 6), 'm'); return x",
        Facet.BOOL,
        TRUTH,
    ),
    Hit(
        "assert-to-torch-assert",
        "assert «x.shape == (4, 6)»; return x",
        'torch._assert(x.shape == (4, 6), "x.shape == (4, 6)"); return x',
        Facet.BOOL,
        TRUTH,
    ),
    # len
    Hit("len-to-shape", "return x * «len(x)»", "return x * x.shape[0]", Facet.TENSOR, LENGTH),
    Hit("len-to-shape", "return x * len(«x»)", "return x * x.shape[0]", Facet.TENSOR, LENGTH),
    Hit("len-to-shape", "return x * «len(x + 1)»", "return x * (x + 1).shape[0]", Facet.TENSOR, LENGTH),
    Hit("len-to-shape", "return x * «len(x.shape)»", "return x * x.dim()", Facet.SIZE, LENGTH),
    Hit("len-to-shape", "return x * «len(x.size())» ** 2", "return x * x.dim() ** 2", Facet.SIZE, LENGTH),
    # int and float
    Hit("int-of-division", "return x[: «int(h / 2)»]", "return x[: h // 2]"),
    Hit("int-of-division", "return x * «int(h / 2)» ** 2", "return x * (h // 2) ** 2"),
    Hit("int-of-division", "return x * (1 + «int((h + w) / 4)»)", "return x * (1 + (h + w) // 4)"),
    Hit("int-of-division", "return x * «int(x.size(0) * 0.25)»", "return x * (x.size(0) // 4)"),
    Hit("int-of-division", "return x * «int(0.5 * w)»", "return x * (w // 2)"),
    Hit("int-of-division", "return x * «int(h / 2.0)»", "return x * (h // 2)"),
    Hit("int-of-division", "return x * «int(h / self.k)»", "return x * (h // self.k)", safety=Safety.UNSAFE),
    Hit("int-of-division", "return x * «int((h - 1) / 2)»", "return x * ((h - 1) // 2)", safety=Safety.UNSAFE),
    Hit("int-of-size", "return x * «int(x.shape[0])»", "return x * x.shape[0]"),
    Hit("int-of-size", "return x * «int(h // 2 - 1)»", "return x * (h // 2 - 1)"),
    Hit("float-of-size", "return x * «float(h)»", "return x * (h * 1.0)"),
    Hit("float-of-size", "return x * (1 / «float(h)»)", "return x * (1 / h)"),
    Hit("float-of-size", "return x * «float(h)» ** -0.5", "return x * h ** -0.5"),
    Hit("item-drop", "return x[0] * «float(x.max().item())»", "return x[0] * x.max().item()", Facet.NUMBER, safety=Safety.UNSAFE),
    # calls
    Hit("numpy-to-torch", "return «np.abs(x)»", "return torch.abs(x)", Facet.TENSOR, FOREIGN, "numpy.abs"),
    Hit("numpy-to-torch", "return «np.square(x)» + 1", "return torch.square(x) + 1", Facet.TENSOR, FOREIGN, "numpy.square"),
    Hit("numpy-to-torch", "return «np.exp(x)»", "return torch.exp(x)", Facet.TENSOR, FOREIGN, "numpy.exp", Safety.UNSAFE),
    Hit(
        "factory-to-tuple-size", "return x + «torch.zeros(h, 6)»", "return x + torch.zeros((h, 6))", Facet.SIZE_ITEM, FACTORY, "torch.zeros"
    ),
    Hit(
        "factory-to-tuple-size",
        "return x + «torch.ones(h, w, dtype=x.dtype)»",
        "return x + torch.ones((h, w), dtype=x.dtype)",
        Facet.SIZE_ITEM,
        FACTORY,
        "torch.ones",
    ),
    Hit(
        "factory-to-tuple-size",
        "return x + torch.ones(4, 1).expand(«h», w)",
        "return x + torch.ones(4, 1).expand((h, w))",
        Facet.SIZE_ITEM,
        EventKind.TENSOR_ARGUMENT,
        "torch.Tensor.expand",
    ),
    # operators
    Hit("bool-and-to-bitwise", "return x * («h > 2 and w > 2»)", "return x * ((h > 2) & (w > 2))", Facet.BOOL, TRUTH),
    Hit(
        "bool-and-to-bitwise",
        "ok = «h > 2» or w > 9\n        return x * ok",
        "ok = (h > 2) | (w > 9)\n        return x * ok",
        Facet.BOOL,
        TRUTH,
    ),
    Hit("bool-and-to-bitwise", "ok = not «h == 4»\n        return x * ok", "ok = h != 4\n        return x * ok", Facet.BOOL, TRUTH),
    # shapes
    Hit("star-shape-to-items", "return x.view(*«x.shape[:-1]», 2, 3)", "return x.view(x.shape[:-1] + (2, 3))", Facet.SIZE, ITER),
    Hit("star-shape-to-items", "return x.reshape(1, *«x.shape», 1)", "return x.reshape((1,) + x.shape + (1,))", Facet.SIZE, ITER),
    Hit("star-shape-to-items", "return x.expand(«(2, *x.shape)»)", "return x.expand((2,) + x.shape)", Facet.SIZE, ITER),
    Hit("star-shape-to-items", "return x + torch.zeros(*«x.shape»)", "return x + torch.zeros(x.shape)", Facet.SIZE, ITER),
    Hit(
        "star-shape-to-items", "return x + torch.zeros([*«x.shape[:1]», 6])", "return x + torch.zeros(x.shape[:1] + (6,))", Facet.SIZE, ITER
    ),
    # items
    Hit(
        "setitem-to-functional",
        "x = x + 0\n        «x[x > 0] = 0.5»\n        return x",
        "x = x + 0\n        x = x.masked_fill(x > 0, 0.5)\n        return x",
        Facet.TENSOR,
        SET,
        safety=Safety.UNSAFE,
    ),
    Hit(
        "setitem-to-functional",
        "x = x + 0\n        «x[:, 1]» = x[:, 0]\n        return x",
        "x = x + 0\n        x = torch.select_scatter(x, x[:, 0], 1, 1)\n        return x",
        Facet.TENSOR,
        SET,
        safety=Safety.UNSAFE,
    ),
    Hit(
        "setitem-to-functional",
        "x = x + 0\n        «x[:, 1:3] = -1»\n        return x",
        "x = x + 0\n        x = torch.slice_scatter(x, torch.full_like(x[:, 1:3], -1), 1, 1, 3)\n        return x",
        Facet.TENSOR,
        SET,
        safety=Safety.UNSAFE,
    ),
    Hit(
        "setitem-to-functional",
        "x = x + 0\n        «x[-1] = 2»\n        return x",
        "x = x + 0\n        x = torch.select_scatter(x, torch.full_like(x[-1], 2), 0, -1)\n        return x",
        Facet.TENSOR,
        SET,
        safety=Safety.UNSAFE,
    ),
    # choices
    Hit(
        "if-to-where",
        "return x * 2 if «x.sum() > 0» else -x",
        "return torch.where(x.sum() > 0, x * 2, -x)",
        Facet.TENSOR,
        TRUTH,
        safety=Safety.UNSAFE,
    ),
    Hit(
        "if-to-where",
        "if «x.sum() > 0»:\n            y = x\n        else:\n            y = x.abs()\n        return y",
        "y = torch.where(x.sum() > 0, x, x.abs())\n        return y",
        Facet.TENSOR,
        TRUTH,
        safety=Safety.UNSAFE,
    ),
    Hit(
        "if-to-where",
        "if «x.max() > 9»: return x\n        else: return -x",
        "return torch.where(x.max() > 9, x, -x)",
        Facet.TENSOR,
        TRUTH,
        safety=Safety.UNSAFE,
    ),
]


@pytest.mark.parametrize("hit", HITS, ids=[f"{hit.rule}-{number}" for number, hit in enumerate(HITS)])
def test_the_text_changes_there_and_nowhere_else(hit, rewrite):
    planned = rewrite(MODEL.replace("{body}", hit.before), hit.rule, kind=hit.kind, facet=hit.facet, callee=hit.callee)
    assert planned.reasons == []
    assert planned.texts["/p/m.py"] == MODEL.replace("{body}", hit.after)
    assert planned.choice.fix.safety is hit.safety


@pytest.mark.parametrize("hit", HITS, ids=[f"{hit.rule}-{number}" for number, hit in enumerate(HITS)])
def test_the_original_breaks_and_the_rewrite_traces_and_agrees(hit, load):
    import torch

    before = load(MODEL.replace("{body}", hit.before.replace("«", "").replace("»", "")))
    after = load(MODEL.replace("{body}", hit.after))
    with pytest.raises(Exception):  # noqa: B017, PT011 - any error of tracing or of running the graph
        torch.fx.symbolic_trace(before.M())(torch.randn(4, 6))
    traced = torch.fx.symbolic_trace(after.M())
    traced.graph.lint()
    for seed in range(3):
        torch.manual_seed(seed)
        x = torch.randn(4, 6) - int(seed == 2)
        torch.testing.assert_close(traced(x.clone()), before.M()(x.clone()), rtol=1e-6 if hit.safety is Safety.UNSAFE else 0, atol=0)


def test_a_size_given_to_numpy_goes_to_math_which_is_imported_once(rewrite, load):
    import torch

    planned = rewrite(
        MODEL.replace("{body}", "return x * «np.sqrt(h)»"), "numpy-to-torch", kind=FOREIGN, facet=Facet.SIZE_ITEM, callee="numpy.sqrt"
    )
    text = planned.texts["/p/m.py"]
    assert text == MODEL.replace("{body}", "return x * math.sqrt(h)").replace(
        "from torch import nn\n", "from torch import nn\nimport math\n"
    )
    x = torch.randn(4, 6)
    assert torch.equal(torch.fx.symbolic_trace(load(text).M())(x), x * 2)


def test_a_module_built_in_forward_moves_to_init(rewrite, load):
    import torch

    source = MODEL.replace("{body}", "return «nn.LeakyReLU(self.slope)(x)»")
    planned = rewrite(source, "module-to-init", kind=BUILT, facet=Facet.TENSOR)
    text = planned.texts["/p/m.py"]
    assert text == MODEL.replace("{body}", "return self.leaky_re_lu(x)").replace(
        "        self.slope = 0.2\n", "        self.slope = 0.2\n        self.leaky_re_lu = nn.LeakyReLU(self.slope)\n"
    )
    x = torch.randn(4, 6)
    assert torch.equal(torch.fx.symbolic_trace(load(text).M())(x), load(source.replace("«", "").replace("»", "")).M()(x))
    assert planned.choice.fix.safety is Safety.SAFE


def test_a_module_with_weights_moves_only_when_asked_for(rewrite):
    planned = rewrite(
        MODEL.replace("{body}", "layer = nn.Linear(6, 6)\n        return «layer(x)»"), "module-to-init", kind=BUILT, facet=Facet.TENSOR
    )
    assert "        self.linear = nn.Linear(6, 6)\n" in planned.texts["/p/m.py"]
    assert "layer = self.linear\n" in planned.texts["/p/m.py"]
    assert planned.choice.fix.safety is Safety.UNSAFE
