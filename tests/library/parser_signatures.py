"""The signatures of torch's own argument parser, out of the files that the torch wheel ships (torchgen)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torchgen
import torchgen.packaged.autograd.gen_python_functions as generator
from torchgen.gen import parse_native_yaml

PACKAGED = Path(torchgen.__file__).parent / "packaged"
TEMPLATES = PACKAGED / "autograd" / "templates"
FUNCTION_PREFIX = {
    None: "torch.", "nn": "torch.nn.functional.", "fft": "torch.fft.", "linalg": "torch.linalg.", "special": "torch.special.",
    "sparse": "torch.sparse.", "nested": "torch.nested.",
}
# torch/csrc/autograd/python_torch_functions_manual.cpp is not shipped; these parsers are written by hand there.
MANUAL = {
    "torch.tensor": [
        "tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None, bool pin_memory=False, bool requires_grad=False)"],
    "torch.as_tensor": ["as_tensor(PyObject* data, *, ScalarType dtype=None, Device? device=None)"],
    "torch.asarray": ["asarray(PyObject* obj, *, ScalarType? dtype=None, Device? device=None, bool? copy=None, bool requires_grad=False)"],
    "torch.numel": ["numel(Tensor input) -> int"],
    "torch.get_device": ["get_device(Tensor input) -> int"],
    "torch.nonzero": ["nonzero(Tensor input, *, bool as_tuple=False, Tensor out=None)"],
}
# They have a parser, but never hand a call to ``__torch_function__`` for an argument that is no tensor.
NEVER_DISPATCH = frozenset({"torch.range", "set_", "map_", "map2_"})
# Python asks both operands: the parser is not what decides.
OPERATORS = frozenset({"__eq__"})


def natives() -> list[Any]:
    """All native functions that have a Python binding."""
    parsed = parse_native_yaml(str(PACKAGED / "ATen/native/native_functions.yaml"), str(PACKAGED / "ATen/native/tags.yaml"))
    return [f for f in parsed.native_functions if generator.should_generate_py_binding(f)]


def _pairs(*, method: bool) -> list[Any]:
    return list(generator.load_signatures(natives(), str(PACKAGED / "autograd/deprecated.yaml"), method=method))


def _grouped(pairs: Iterable[Any]) -> dict[str, list[tuple[str, Any]]]:
    by_name: dict[str, list[Any]] = defaultdict(list)
    for pair in pairs:
        by_name[str(pair.signature.name)].append(pair)
    return {
        name: [
            (group.signature.signature_str(skip_outputs=group.outplace is None), group.base.func)
            for group in generator.group_overloads(alike) if not group.signature.deprecated
        ]
        for name, alike in by_name.items()
    }


def functions() -> dict[str, list[tuple[str, Any]]]:
    """Dotted name -> its parser signatures in the order in which they are tried, each with the schema that it stands for."""
    found: dict[str, list[tuple[str, Any]]] = {}
    pairs = _pairs(method=False)
    for module, prefix in FUNCTION_PREFIX.items():
        chosen = [p for p in pairs if p.function.python_module == module]
        cut = f"{module}_" if module in {"fft", "linalg", "special"} else ""
        for name, signatures in _grouped(chosen).items():
            found[prefix + name.removeprefix(cut)] = signatures
    return {name: signatures for name, signatures in found.items() if name not in NEVER_DISPATCH}


def methods() -> dict[str, list[tuple[str, Any]]]:
    """Name of a Tensor method -> its parser signatures, without ``self``."""
    pairs = (p for p in _pairs(method=True) if p.function.python_module is None)
    grouped = _grouped(p for p in pairs if "method" in {v.name for v in p.function.variants})
    return {name: signatures for name, signatures in grouped.items() if name not in NEVER_DISPATCH}


def manual_methods() -> dict[str, list[str]]:
    """The methods whose parsers are written out in the template of the bindings."""
    text = (TEMPLATES / "python_variable_methods.cpp").read_text()
    found: dict[str, list[str]] = {}
    for block in re.findall(r"PythonArgParser parser\(\s*\{(.*?)\}\s*(?:,[^)]*)?\);", text, re.DOTALL):
        signatures = [s for s in re.findall(r'"([^"]+)"', block) if not s.endswith("|deprecated")]
        if signatures:
            found[signatures[0].partition("(")[0]] = signatures
    return {name: signatures for name, signatures in found.items() if name not in NEVER_DISPATCH | OPERATORS}
