"""The hand-written rows of torch, and the facets of functions, methods and attributes, against the installed torch."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
import torch

from fxlint.base.event import Facet
from fxlint.library.functions import canonical, function
from fxlint.library.rows import ArgShape, Behaviour, Row
from fxlint.library.tables import table
from fxlint.library.tensors import function_result, method_result, tensor_attribute, tensor_method
from fxlint.library.torch_rows import DRAWS, TORCH_ROWS, TRANSFORMS, TUPLES
from tests.library.calling import error_of, proxy

NUMBER = ArgShape.NUMBER
# How to call them with a Proxy x (BREAKS, DISPATCHES, STATIC), where f(x) will not do.
CALLS = {
    "torch.Size": "f((x, 2))", "torch.broadcast_shapes": "f(x, (2,))",
    "torch.func.vjp": "f(torch.sin, x)", "torch.func.jvp": "f(torch.sin, (x,), (x,))",
    "torch.autograd.functional.jacobian": "f(torch.sin, x)",
    "torch._higher_order_ops.while_loop": "f(lambda y: y.sum() < 10, lambda y: (y + 1,), (x,))",
    "torch.cond": "f(x > 0, torch.sin, torch.cos, (x,))", "torch._assert": "f(x, 'text')", "torch._check": "f(x)",
    "torch.nn.utils.rnn.pad_sequence": "f([x, x])", "torch.nn.utils.rnn.pack_padded_sequence": "f(x, x, enforce_sorted=False)",
    "torch.range": "f(0, x)",
    "torch.jit.isinstance": "f(x, torch.Tensor)", "torch.finfo": "f(x.dtype)", "torch.iinfo": "f(x.dtype)",
    "torch.nn.functional.multi_head_attention_forward": "f(*[x] * 13)", "torch.overrides.has_torch_function": "f((x,))",
    "torch.get_autocast_dtype": "f('cpu')", "torch.func.grad": "f(torch.sum)(x)", "torch.distributions.Normal": "f(x, 1)",
    "torch.distributions.Categorical": "f(logits=x)", "torch.nn.utils.clip_grad_norm_": "f(x, 1.0)", "torch.autograd.grad": "f(x.sum(), x)",
    "torch.nested.nested_tensor": "f([x])", "torch.sparse_coo_tensor": "f(x, x, (2, 2))", "torch.sparse_csr_tensor": "f(x, x, x)",
    "torch.frombuffer": "f(x, dtype=torch.float)", "torch.distributions.Beta": "f(x, x)", "torch.device": "f(x.device)",
}
LEGACY = [name for name, row in TORCH_ROWS.items() if row.name.endswith("Tensor")]
# Constants that need what this machine may not have, or that change the process.
NOT_CALLED = ("torch.cuda.", "torch.distributed.", "torch.xpu.", "torch.backends.", "torch.mps.")


def imported(dotted: str) -> Any:
    """What ``from a.b import c`` gives for "a.b.c": the module counts, also where a function of its name hides it."""
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name) if module else importlib.import_module(name)


def target(dotted: str) -> Any:
    """What the name reaches when written out: attributes, and modules that must be imported first."""
    root, *rest = dotted.split(".")
    found: Any = importlib.import_module(root)
    for i, name in enumerate(rest):
        if not hasattr(found, name):
            importlib.import_module(".".join([root, *rest[: i + 1]]))
        found = getattr(found, name)
    return found


@pytest.mark.parametrize("dotted", TORCH_ROWS)
def test_the_row_names_something_of_torch(dotted: str) -> None:
    assert callable(target(dotted))


@pytest.fixture(autouse=True)
def _validated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Distributions look at their arguments, as they do unless torch.compile has been used in the process."""
    monkeypatch.setattr(torch.distributions.Distribution, "_validate_args", True)


@pytest.mark.parametrize("row", [r for r in TORCH_ROWS.values() if r.on_proxy is Behaviour.BREAKS], ids=lambda r: r.name)
def test_it_breaks(row: Row) -> None:
    if row.name.startswith("torch.cuda."):
        pytest.skip("needs a GPU build")
    text = CALLS.get(row.name, "f([x])" if row.name in LEGACY else "f(x)")
    error, _ = error_of(lambda: eval(text, {"f": target(row.name), "x": proxy(), "torch": torch}))
    assert error
    assert error.startswith(row.error)


@pytest.mark.parametrize("dotted", TRANSFORMS)
def test_what_a_transform_gives_takes_no_proxy(dotted: str) -> None:
    function = "(lambda y: (y * y).sum())" if dotted != "torch.func.jacfwd" else "torch.sin"
    error, _ = error_of(lambda: eval(f"f({function})(x)", {"f": target(dotted), "x": proxy(), "torch": torch}))
    assert error.startswith(TRANSFORMS[dotted].partition("(")[0])


@pytest.mark.parametrize("row", [r for r in TORCH_ROWS.values() if r.on_proxy is Behaviour.DISPATCHES], ids=lambda r: r.name)
def test_it_is_recorded(row: Row) -> None:
    error, is_proxy = error_of(lambda: eval(CALLS.get(row.name, "f(x)"), {"f": target(row.name), "x": proxy(), "torch": torch}))
    assert not error
    assert is_proxy


@pytest.mark.parametrize("row", [
    r for r in TORCH_ROWS.values() if r.on_proxy is Behaviour.STATIC and not r.name.startswith(NOT_CALLED)], ids=lambda r: r.name)
def test_it_is_static(row: Row) -> None:
    outcomes = [error_of(lambda text=text: eval(text, {"f": target(row.name), "x": proxy(), "torch": torch}))
                for text in ([CALLS[row.name]] if row.name in CALLS else ["f()", "f(x)"])]
    assert any(not error and not is_proxy for error, is_proxy in outcomes)


@pytest.mark.parametrize(("dotted", "text"), [
    ("torch.autocast", "f(x.device.type)"), ("torch.amp.autocast", "f(x.device.type)"), ("torch.manual_seed", "f(x)"),
    ("torch.utils.checkpoint.checkpoint", "f(torch.sin, x, use_reentrant=False)"), ("torch.nn.Parameter", "f(x)"),
    ("torch.set_grad_enabled", "f(x.requires_grad)"), ("torch.jit.annotate", "f(int, x)"),
])
def test_what_a_proxy_does_to_contexts_effects_and_python_functions(dotted: str, text: str) -> None:
    row = function(dotted)
    assert row is not None
    with torch.enable_grad():  # one of the calls sets the mode of the process, which the end of the block restores
        error, _ = error_of(lambda: eval(text, {"f": target(dotted), "x": proxy(), "torch": torch}))
    assert error.startswith(row.error)
    assert bool(error) == bool(row.error)


@pytest.mark.parametrize("row", [r for r in TORCH_ROWS.values() if r.on_proxy is Behaviour.CONTEXT], ids=lambda r: r.name)
def test_contexts_can_be_entered_or_make_what_can(row: Row) -> None:
    found = target(row.name)
    assert hasattr(found, "__enter__") or hasattr(found, "__wrapped__") or callable(found)


def test_functions_that_dispatch_were_all_called_when_the_table_was_made() -> None:
    for dotted, entry in table("functions").items():
        row = function(dotted) if dotted else None
        if row is not None and row.on_proxy is Behaviour.DISPATCHES:
            assert entry["on"] == "dispatches" or "signatures" in entry or dotted in TORCH_ROWS, dotted
        elif row is not None and row.on_proxy is Behaviour.BREAKS and dotted not in TORCH_ROWS:
            assert entry["on"] == row.error


@pytest.mark.parametrize("dotted", ["torch.nn.functional.relu", "torch.nn.functional.softmax", "torch.einsum", "torch.linalg.norm",
    "torch.fft.rfft",
                                    "torch.special.expit", "torch.ops.aten.relu", "torch.nn.functional.interpolate"])
def test_dispatching_functions_have_rows(dotted: str) -> None:
    row = function(dotted)
    assert row is not None
    assert row.on_proxy is Behaviour.DISPATCHES


@pytest.mark.parametrize("dotted", sorted({*TUPLES, *DRAWS} - set(TORCH_ROWS)))
def test_the_sets_of_names_are_names_of_functions(dotted: str) -> None:
    row = function(dotted)
    assert row is not None
    assert row.random == (dotted in DRAWS)


@pytest.mark.parametrize(("dotted", "public"), [
    ("torch.nn.modules.linear.Linear", "torch.nn.Linear"), ("torch.nn.modules.container.ModuleList", "torch.nn.ModuleList"),
    ("torch._C._nn.gelu", "torch.nn.functional.gelu"), ("torch.functional.F.relu", "torch.nn.functional.relu"),
    ("torch.nn.modules.activation.F.gelu", "torch.nn.functional.gelu"), ("torch.functional.einsum", "torch.einsum"),
    ("torch.nn.parameter.Parameter", "torch.nn.Parameter"), ("torch.nn.functional.relu", "torch.nn.functional.relu"),
    ("torch.relu", "torch.relu"), ("my.module.relu", "my.module.relu"), ("numpy.sqrt", "numpy.sqrt"), ("torch", "torch"),
])
def test_canonical(dotted: str, public: str) -> None:
    assert canonical(dotted) == public


def original(value: object) -> object:
    """A function as torch defines it: torch.compile, once used in the process, puts a wrapper in the place of torch.jit.trace."""
    return getattr(value, "_torchdynamo_orig_callable", value)


def test_every_alias_reaches_the_same_object() -> None:
    wrong = [(a, b) for a, b in table("aliases").items() if a and original(imported(a)) is not original(imported(b))]
    assert wrong == []


def facet_of(value: Any) -> Facet | None:
    """The facet that a real value belongs to; None where several would do."""
    match value:
        case bool():
            return Facet.BOOL
        case torch.Tensor():
            return Facet.TENSOR
        case torch.Size():
            return Facet.SIZE
        case torch.dtype():
            return Facet.DTYPE
        case torch.device():
            return Facet.DEVICE
        case _:
            return None


def members(*, attribute: bool) -> list[str]:
    return [n for n, e in table("methods").items() if n and bool(e.get("attribute")) == attribute and not n.startswith("_")]


# Not called: they need another layout, or they read memory of their own.
SKIPPED = {"data_ptr", "storage", "untyped_storage", "backward", "retain_grad", "crow_indices", "reinforce"}


def test_facets_of_attributes() -> None:
    wrong = []
    for name in members(attribute=True):
        row = tensor_attribute(name)
        assert row is not None
        try:
            value = getattr(torch.ones(2, 2), name)
        except RuntimeError:
            continue
        found = facet_of(value)
        if found is not None and found is not row.facet and value is not None:
            wrong.append((name, row.facet, found))
    assert wrong == []


def test_facets_of_methods_that_need_no_argument() -> None:
    wrong = []
    for name in sorted(set(members(attribute=False)) - SKIPPED):
        row = tensor_method(name)
        assert row is not None
        try:
            value = getattr(torch.ones(2, 2), name)()
        except Exception:  # noqa: BLE001 - it needs arguments
            continue
        found = facet_of(value)
        facet, outputs = method_result(name, (), {})
        if isinstance(value, tuple) and not isinstance(value, torch.Size):
            fits = facet in (Facet.TUPLE, Facet.SIZE) and outputs in (None, len(value))
        else:
            fits = found is None or facet in (found, Facet.UNKNOWN) or name == "stride"
        if not fits:
            wrong.append((name, facet, outputs, type(value)))
    assert wrong == []


@pytest.mark.parametrize(("name", "arguments", "facet", "outputs"), [
    ("size", (), Facet.SIZE, None), ("size", (NUMBER,), Facet.SIZE_ITEM, None), ("max", (), Facet.TENSOR, None), ("max", (NUMBER,),
    Facet.TUPLE, 2),
    ("sum", (NUMBER,), Facet.TENSOR, None), ("split", (NUMBER,), Facet.TUPLE, None), ("item", (), Facet.NUMBER, None), ("topk", (NUMBER,),
    Facet.TUPLE, 2),
    ("chunk", (NUMBER,), Facet.TUPLE, None), ("dim", (), Facet.SIZE_ITEM, None), ("no_such_method", (), Facet.UNKNOWN, None),
    ("max", (ArgShape.PLAIN,), Facet.UNKNOWN, None),
])
def test_method_result(name: str, arguments: tuple[ArgShape, ...], facet: Facet, outputs: int | None) -> None:
    assert method_result(name, arguments, {}) == (facet, outputs)


def test_function_result_follows_the_overload() -> None:
    assert function_result("torch.max", (ArgShape.PROXY,), {}) == (Facet.TENSOR, None)
    assert function_result("torch.max", (ArgShape.PROXY, NUMBER), {}) == (Facet.TUPLE, 2)
    assert function_result("torch.max", (ArgShape.PROXY,), {"dim": NUMBER}) == (Facet.TUPLE, 2)
    assert function_result("torch.equal", (ArgShape.PROXY, ArgShape.PROXY), {}) == (Facet.BOOL, None)


@pytest.mark.parametrize(("name", "in_place"), [("add_", True), ("add", False), ("__setitem__", True), ("__getitem__", False), ("copy_",
    True)])
def test_in_place(name: str, in_place: bool) -> None:
    row = tensor_method(name)
    assert row is not None
    assert row.in_place == in_place
