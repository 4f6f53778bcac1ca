"""Calls of torch's C functions and of concrete tensors with Proxies: is the call recorded, or is it an error, and which?

The rule is that of torch's argument parser (``fxlint.library.parser``), not a list of forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from fxlint.library.functions import signatures_of
from fxlint.library.parser import Parse, Signature, parse, signature
from fxlint.library.python_rows import CONTROL, CUDA_INTERFACE, LEN
from fxlint.library.rows import ArgShape
from fxlint.library.tables import table
from fxlint.library.tensors import method_signatures

SLICE = "TypeError: slice indices must be integers or None or have an __index__ method"
_SPLIT = "TypeError: split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not int"
_INTERPOLATE = "TypeError: expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int]"
_PROXIES = (ArgShape.PROXY, ArgShape.HOLDS_PROXY)
# Data that is read item by item, without the argument parser.
_DATA = {ArgShape.PROXY: CUDA_INTERFACE, ArgShape.HOLDS_PROXY: LEN}
# Python functions that look for a Proxy in their tensors only, and what their bodies do to one in another parameter.
_BODIES: dict[tuple[str, str, ArgShape], str] = {
    ("torch.nn.functional.interpolate", "size", ArgShape.HOLDS_PROXY): _INTERPOLATE,
    ("torch.split", "split_size_or_sections", ArgShape.PROXY): _SPLIT,
    **{(f"torch.nn.functional.{name}", "p", ArgShape.PROXY): CONTROL
       for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")},
    ("torch.Tensor.split", "split_size", ArgShape.PROXY): _SPLIT,
    ("torch.Tensor.new_tensor", "data", ArgShape.PROXY): CUDA_INTERFACE,
    ("torch.Tensor.new_tensor", "data", ArgShape.HOLDS_PROXY): LEN,
    # dtype= and requires_grad= are worse: torch takes them without a word and ignores what they stand for.
    ("torch.Tensor.new_tensor", "device", ArgShape.PROXY): "RuntimeError: unpackString: expected bytes or unicode object",
    ("torch.Tensor.norm", "dim", ArgShape.PROXY): LEN,
}

# Methods with a parser that hand no call on.
_NEVER = {"set_": "RuntimeError: not a storage 'Proxy'"}


@dataclass(frozen=True, slots=True)
class FactoryRule:
    """The overloads of one C function, and the torch version whose parser reads them."""

    name: str
    signatures: tuple[Signature, ...]
    version: tuple[int, int]


def factory(dotted: str, version: tuple[int, int]) -> FactoryRule | None:
    """The rule of a C function of torch (``torch.zeros``, ``torch.arange``, ``torch.narrow``); None for Python functions and unknown
    names.
    """
    signatures = signatures_of(dotted)
    return FactoryRule(dotted, signatures, version) if signatures else None


def _outcome(name: str, signatures: tuple[Signature, ...], positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape],
             version: tuple[int, int]) -> Parse:
    result = parse(signatures, positional, keywords, version)
    if result.error or result.recorded:
        return result
    # Accepted, but no Proxy was found: the function runs with it. Only `PyObject*` parameters let one in.
    for shape in (*positional, *keywords.values()):
        if shape in _DATA:
            error = "TypeError: dtype must be a type, str, or dtype object" if name == "type" else _DATA[shape]
            return Parse(error, recorded=False)
    return result


def factory_outcome(rule: FactoryRule, positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape]) -> Parse:
    """Whether the call is recorded, runs for real, or fails, and with which words."""
    return _outcome(rule.name.rpartition(".")[2], rule.signatures, positional, keywords, rule.version)


def factory_breaks(rule: FactoryRule, positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape]) -> str:
    """Torch's error for the call, type first ("TypeError: zeros() takes 1 positional argument but 2 were given"); "" if it traces."""
    return factory_outcome(rule, positional, keywords).error


def call_breaks(dotted: str, positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape], version: tuple[int, int]) -> str:
    """As ``factory_breaks``, for any function of torch by its canonical name; "" also where nothing is known of it.

    A Python function hands the call to tracing when a Proxy is among the parameters that it looks at; else its body runs.
    """
    return _call_breaks(dotted, positional, tuple(keywords.items()), version)


# The same calls come again and again; walking a dozen overloads costs 100 us.
@lru_cache(maxsize=8192)
def _call_breaks(
    dotted: str, positional: tuple[ArgShape, ...], named: tuple[tuple[str, ArgShape], ...], version: tuple[int, int],
) -> str:
    keywords = dict(named)
    entry = table("functions").get(dotted)
    if entry is None:
        return ""
    rule = factory(dotted, version)
    if rule is not None:
        return factory_breaks(rule, positional, keywords)
    bound = dict(zip(entry.get("parameters", ()), positional, strict=False)) | dict(keywords)
    if any(bound.get(name) in _PROXIES for name in entry.get("looks", bound)):
        return ""
    for name, shape in bound.items():
        if error := _BODIES.get((dotted, name, shape), ""):
            return error
    if inner := tuple(signature(text) for text in entry.get("inner", ())):
        known = {p.name for s in inner for p in s.params}
        # The body may rename or reorder; only a call that hands its arguments on as they are is followed.
        if set(bound) <= known:
            error = parse(inner, (), bound, version).error
            return error if "Proxy" in error else ""
    return ""


def concrete_tensor_breaks(
    method: str, positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape], version: tuple[int, int],
) -> str:
    """The error of ``tensor.method(...)`` on a concrete tensor when an argument is or holds a Proxy; "" if the call is recorded."""
    return _concrete_tensor_breaks(method, positional, tuple(keywords.items()), version)


@lru_cache(maxsize=8192)
def _concrete_tensor_breaks(
    method: str, positional: tuple[ArgShape, ...], named: tuple[tuple[str, ArgShape], ...], version: tuple[int, int],
) -> str:
    keywords = dict(named)
    signatures = method_signatures(method)
    if signatures:
        return _outcome(method, signatures, positional, keywords, version).error
    if method in _NEVER and any(shape in _PROXIES for shape in (*positional, *keywords.values())):
        return _NEVER[method]
    entry = table("methods").get(method, {})
    bound = dict(zip(entry.get("parameters", ()), positional, strict=False)) | dict(keywords)
    if any(bound.get(name) in _PROXIES for name in entry.get("looks", ())):
        return ""
    for name, shape in bound.items():
        if error := _BODIES.get((f"torch.Tensor.{method}", name, shape), ""):
            return error
    return ""


def concrete_index_breaks(items: tuple[ArgShape, ...], *, slice_has_proxy: bool) -> str:
    """The error of ``tensor[...]`` on a concrete tensor. ``items`` are the index, or the items of its tuple; slices count as PLAIN.

    An index that is a Proxy hands the call to tracing, together with any slices beside it; a Proxy inside a slice alone does not.
    """
    if any(item in _PROXIES for item in items):
        return ""
    return SLICE if slice_has_proxy else ""

