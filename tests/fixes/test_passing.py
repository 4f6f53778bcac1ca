"""Pieces that return, enter contexts, call layers or build results: hoisted, really traced, equal to eager; or left with a reason."""

from __future__ import annotations

import pytest

from fxlint.api import FixKind, FixRequest
from fxlint.base.event import EventKind
from fxlint.base.finding import Safety

HOIST = FixRequest(FixKind.HOIST)
TRUTH, CONTEXT, RESULT, OUTPUT, FUNCTION = (
    EventKind.PROXY_TRUTH, EventKind.CONTEXT_DROPPED, EventKind.NO_ARGUMENT_TYPE, EventKind.OUTPUT_CLASS, EventKind.FOREIGN_CALL,
)  # fmt: skip
MODEL = """\
import torch
from torch import nn


class Pair:
    def __init__(self, left, right):
        self.left = left
        self.right = right


class Named(dict):
    pass


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = 0.5
        self.fc = nn.Linear(6, 6)
        self.norm = nn.LayerNorm(6, eps=1e-3)
        self.conv = nn.Conv1d(4, 4, 3, padding=1, bias=False)
        self.odd = nn.Conv1d(4, 4, 3, padding=1, padding_mode="circular")
        self.drop = nn.Dropout(0.5)
        self.late = None
        self.late = nn.Linear(6, 6)

    def forward(self, x):
        {body}
"""

HITS = [
    # body, kind, the helper's head, what stands in forward
    (
        "if «x.sum() > self.limit»:\n    return x * 2\nreturn x",
        TRUTH,
        "def _end_of_forward(x, limit):",
        "return _end_of_forward(x, self.limit)",
    ),
    (
        "y = x + 1\nif «y.sum() > 0»:\n    return self.fc(y)\ny = y - 1  # below\nreturn self.fc(y)",
        TRUTH,
        "def _end_of_forward(y, fc_weight, fc_bias):",
        "return _end_of_forward(y, self.fc.weight, self.fc.bias)",
    ),
    ("with «torch.no_grad()»:\n    mean = x.mean()\nreturn x - mean", CONTEXT, "def _update_mean(x):", "mean = _update_mean(x)"),
    (
        "with «torch.no_grad()»:\n    y = self.norm(x)\nreturn x * y",
        CONTEXT,
        "def _update_y(norm_normalized_shape, norm_weight, norm_bias, norm_eps, x):",
        "y = _update_y(self.norm.normalized_shape, self.norm.weight, self.norm.bias, self.norm.eps, x)",
    ),
    (
        "y = self.conv(x) if «x.sum() > 0» else x\nreturn y",
        TRUTH,
        "def _compute_y(conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups, x):",
        "y = _compute_y(self.conv.weight,",
    ),
    ("«return Pair(x, x + 1)»", RESULT, "def _Pair(x, value):", "return _Pair(x, x + 1)"),
    ("out = Pair(right=x, left=self.fc(x))\n«return out»", RESULT, "def _Pair(right, left):", "out = _Pair(right=x, left=self.fc(x))"),
    ("«return Named(a=x)»", OUTPUT, "def _Named(a):", "return _Named(a=x)"),
    (
        "return «torch.cond(x.sum() > 0, lambda t: t.sin(), lambda t: t.cos(), (self.fc(x),))»",
        FUNCTION,
        "def _torch_cond(value, value_2):",
        "return _torch_cond(x.sum() > 0, (self.fc(x),))",
    ),
]

DECLINES = [
    # body, kind, part of the reason
    ("if self.limit:\n    «if x.sum() > 0:\n        return x»\nreturn -x", TRUTH, "code around it may go on"),
    ("«if x.sum() > 0:\n    return x»\nx = yield x", TRUTH, "what follows it moves with it, and it suspends"),
    ("«if x.sum() > 0:\n    return self.drop(x)»\nreturn x", TRUTH, "a `Dropout` cannot be passed to a wrapped function"),
    ("«if x.sum() > 0:\n    return self.odd(x)»\nreturn x", TRUTH, "arguments that its functional form does not take"),
    ("«if x.sum() > 0:\n    return self.late(x)»\nreturn x", TRUTH, "it calls `self.late`"),
    ("«if x.sum() > 0:\n    return self.fc(input=x)»\nreturn x", TRUTH, "more than one plain argument"),
    ("«if x.sum() > 0:\n    return self»\nreturn x", TRUTH, "it uses `self` itself"),
    ("out = Pair(x, x) if self.limit else None\n«return out»", RESULT, "where the object that is returned is built is not known"),
    ("out = Pair(x, x)\nout = Pair(out, x)\n«return out»", RESULT, "where the object that is returned is built is not known"),
    ("with «torch.no_grad()»:\n    x = self.drop(x)\nreturn x", CONTEXT, "a `Dropout` cannot be passed"),
]


def source(body: str) -> str:
    return MODEL.replace("{body}", body.replace("\n", "\n        "))


@pytest.mark.parametrize(("body", "kind", "head", "call"), HITS, ids=[row[0] for row in HITS])
def test_it_moves_traces_and_agrees(plan, load, body, kind, head, call):  # type: ignore[no-untyped-def]
    import torch
    from torch import fx

    planned = plan(source(body), HOIST, kind=kind)
    assert planned.choice.fix is not None, planned.reasons
    new = planned.texts["/p/m.py"]
    assert head in new
    assert call in new.partition("class M(")[2]
    repaired = load(new).M()
    plain = load(source(body).replace("«", "").replace("»", "")).M()
    plain.load_state_dict(repaired.state_dict())
    graph = fx.symbolic_trace(repaired)
    for x in (torch.linspace(-2, 1, 24).view(4, 6), torch.linspace(-1, 3, 24).view(4, 6)):
        wanted, got = plain(x), graph(x)
        if isinstance(wanted, torch.Tensor):
            assert torch.equal(wanted, got)
            assert wanted.requires_grad == got.requires_grad
        else:
            assert type(got).__name__ == type(wanted).__name__


@pytest.mark.parametrize(("body", "kind", "reason"), DECLINES, ids=[row[0] for row in DECLINES])
def test_it_declines(plan, body, kind, reason):  # type: ignore[no-untyped-def]
    planned = plan(source(body), HOIST, kind=kind)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]


def test_a_layer_passed_as_its_weights_is_a_guess(plan):  # type: ignore[no-untyped-def]
    body = "y = (self.fc(x) if «x.sum() > 0» else x)\nreturn y"
    assert plan(source(body), HOIST, kind=TRUTH).choice.fix.safety is Safety.UNSAFE
    assert plan(source(body.replace("self.fc(x)", "x * 2")), HOIST, kind=TRUTH).choice.fix.safety is Safety.SAFE


@pytest.mark.parametrize(
    ("body", "safety"),
    [("return «x * self.limit * np.sqrt(4)»", Safety.UNSAFE), ("return «x * np.sqrt(4)»", Safety.SAFE)],
)
def test_an_attribute_beside_a_numpy_scalar_may_be_one_too(plan, body, safety):  # type: ignore[no-untyped-def]
    text = source(body).replace("import torch\n", "import numpy as np\nimport torch\n", 1)
    assert plan(text, HOIST, kind=EventKind.NUMPY_OPERAND, subject="np.sqrt(4)").choice.fix.safety is safety


def test_the_rows_of_layers_are_what_torch_computes():  # type: ignore[no-untyped-def]
    import torch
    from torch import nn

    from fxlint.fixes.layers import FUNCTIONAL

    layers = {
        "Linear": nn.Linear(6, 3), "LayerNorm": nn.LayerNorm(6, eps=0.1), "GroupNorm": nn.GroupNorm(2, 4, eps=0.1),
        "Embedding": nn.Embedding(9, 3, padding_idx=2), "Conv1d": nn.Conv1d(4, 4, 3, padding="same", groups=2),
        "Conv2d": nn.Conv2d(4, 2, (3, 1), stride=2, dilation=(2, 1)), "Conv3d": nn.Conv3d(4, 2, 1, bias=False), "ReLU": nn.ReLU(),
        "GELU": nn.GELU(), "SiLU": nn.SiLU(), "Sigmoid": nn.Sigmoid(), "Tanh": nn.Tanh(),
    }  # fmt: skip
    shapes = {"Conv2d": (1, 4, 9, 6), "Conv3d": (1, 4, 2, 2, 2)}
    assert layers.keys() == FUNCTIONAL.keys()
    for kind, (function, attributes) in FUNCTIONAL.items():
        x = torch.arange(6) if kind == "Embedding" else torch.randn(shapes.get(kind, (2, 4, 6)))
        given = [getattr(layers[kind], attribute) for attribute in attributes]
        assert torch.equal(layers[kind](x), getattr(nn.functional, function)(x, *given)), kind
