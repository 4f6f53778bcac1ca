"""Calls as people write them: the prediction against torch, and against what torch 2.6.0 did with the same text."""

from __future__ import annotations

import ast

import pytest
import torch

from fxlint.library.dispatch import call_breaks, concrete_index_breaks, concrete_tensor_breaks
from fxlint.library.functions import canonical
from fxlint.library.rows import ArgShape
from tests.library.calling import error_of, proxy

INSTALLED = (int(torch.__version__.split(".")[0]), int(torch.__version__.split(".")[1]))

# text -> whether torch 2.6.0 (measured) records it. n and m are sizes of a Proxy x, B is a concrete tensor.
FORMS: dict[str, bool] = {
    **{f"torch.{name}({arguments})": False
       for name in ("zeros", "ones", "empty", "rand", "randn")
       for arguments in (
           "n", "n, m", "n, 3", "3, n", "(n, 3)", "[3, n]", "x.shape", "size=(n, 3)", "3, device=x.device", "3, 4, dtype=x.dtype",
           "n, m, device=x.device", "(n, m), device=x.device", "3, n, 4", "n, 3, 4")},
    **dict.fromkeys((
        "torch.arange(n)", "torch.arange(0, n)", "torch.arange(0, n, 2)", "torch.arange(n, device=x.device)",
        "torch.arange(3, device=x.device)",
        "torch.arange(0, end=n)", "torch.linspace(0, 1, n)", "torch.full((n, 2), 1.0)", "torch.full((2, 2), n)", "torch.full(x.shape, 0.0)",
        "torch.full([n], 0.0, device=x.device)", "torch.eye(n)", "torch.eye(n, m)", "torch.randperm(n)", "torch.randint(n, (2,))",
        "torch.randint(0, n, (2,))", "torch.randint(0, 5, (n,))", "torch.randint(0, 5, x.shape)", "torch.normal(0.0, 1.0, (n,))",
        "torch.normal(0.0, 1.0, size=(n, 2))", "torch.tril_indices(n, n)", "torch.triu_indices(n, n, 1)", "torch.tensor(n)",
        "torch.tensor([n, m])", "torch.tensor([1.0, 2.0], device=x.device)", "torch.tensor([1.0, 2.0], dtype=x.dtype)",
        "torch.as_tensor(n)", "torch.as_tensor([1.0], device=x.device)", "torch.scalar_tensor(n)", "torch.empty_strided(x.shape, x.shape)",
        "torch.promote_types(x.dtype, torch.float64)", "torch.hann_window(n)", "torch.narrow(B, 0, 0, n)", "torch.tril(B, n)",
        "torch.roll(B, n)",
        "F.one_hot(L, n)", "F.pad(B, (0, n))",
        "B.narrow(0, 0, n)", "B.view(n, m)", "B.view(n, -1)", "B.view(-1, m)", "B.view((n, m))", "B.view(x.shape)", "B.reshape(n, m)",
        "B.reshape((n, -1))", "B.expand(n, 3, 5)", "B.expand(2, 3, m)", "B.expand((n, 3, 5))", "B.expand(n, -1, -1)", "B.repeat(n, 1)",
        "B.repeat(1, n)", "B.repeat((n, 1))", "B.tile((n, 1))", "B.new_zeros(n, 2)", "B.new_zeros((n, 2))", "B.new_full((n, 2), 1)",
        "B.new_tensor([n])", "B.to(device=x.device, dtype=x.dtype)", "B.type(x.dtype)", "B.sum(n)", "B.roll(n, 0)", "B.chunk(n)",
        "B.unsqueeze(n)", "B.transpose(0, n)", "B.topk(n)", "B.split(n)", "B[:n]", "B[:, :m]", "B[None, :n]", "B[..., :m]",
    ), False),
    **dict.fromkeys((
        "torch.linspace(0, n, 5)", "torch.numel(x)", "torch.where(B > 0, x, B)", "torch.cat([B, x])", "torch.stack((x, x))",
        "torch.sqrt(n)",
        "B[n - 1]", "B[:, m - 1]", "B[x.argmax(0)]", "B[n - 1, :2]", "B[x > 0]", "B.expand_as(x)", "B.repeat_interleave(n, 0)",
        "B.to(x.device)", "B.to(x.dtype)", "B.to(x)", "B.type_as(x)", "B.copy_(x)", "B.masked_fill(B > 3, x)", "B.masked_fill(B > 3, n)",
        "B.index_select(0, x)", "F.linear(x, B)", "F.relu(x)", "F.pad(x, (1, 2))", "F.dropout(x, 0.1)",
    ), True),
}
# Recorded, and so not an error while tracing; torch.split reports when the graph runs, the others differ only in what they hold.
RUNS_LATER = {"B.split(n)"}


def names_of(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def shape_of(node: ast.expr) -> ArgShape:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return ArgShape.NUMBER
    if not names_of(node) & {"x", "n", "m"}:
        return ArgShape.PLAIN
    return ArgShape.HOLDS_PROXY if isinstance(node, (ast.Tuple, ast.List)) else ArgShape.PROXY


def predict(text: str, version: tuple[int, int]) -> str:
    """The error that the tables give for a text of FORMS."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Subscript):
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        in_slice = any(isinstance(i, ast.Slice) and names_of(i) & {"n", "m"} for i in items)
        shapes = tuple(ArgShape.PLAIN if isinstance(i, ast.Slice) else shape_of(i) for i in items)
        return concrete_index_breaks(shapes, slice_has_proxy=in_slice)
    assert isinstance(node, ast.Call)
    positional = tuple(shape_of(a) for a in node.args)
    keywords = {k.arg or "": shape_of(k.value) for k in node.keywords}
    dotted = ast.unparse(node.func).replace("F.", "torch.nn.functional.")
    if dotted.startswith("B."):
        return concrete_tensor_breaks(dotted.removeprefix("B."), positional, keywords, version)
    return call_breaks(canonical(dotted), positional, keywords, version)


@pytest.mark.parametrize("text", FORMS)
def test_form_on_the_installed_torch(text: str) -> None:
    x = proxy()
    scope = {"torch": torch, "F": torch.nn.functional, "x": x, "n": x.shape[0], "m": x.shape[1], "B": torch.ones(3, 5),
        "L": torch.tensor([0, 1])}
    real, _ = error_of(lambda: eval(text, scope))
    said = predict(text, INSTALLED)
    if text in RUNS_LATER:
        assert said
        assert not real
        return
    assert bool(said) == bool(real), f"said {said!r}, torch says {real!r}"
    assert real.startswith(said.partition(" - got")[0].partition("(item")[0])


@pytest.mark.parametrize("text", FORMS)
def test_form_on_torch_2_6(text: str) -> None:
    assert (not predict(text, (2, 6))) == FORMS[text]


def test_the_rule_of_an_unmeasured_version_is_the_old_one() -> None:
    assert predict("torch.arange(n)", (2, 12))
    assert not predict("torch.arange(n)", (2, 14))
