"""The argument parser of torch's C functions, as far as Proxies go: would it accept them, and would it hand the call to tracing?

A C function is recorded when its parser finds an object with ``__torch_function__`` (a Proxy is one). Where it looks depends on the
type of the parameter and on the version of torch:

* from ``LOOKS_EVERYWHERE`` on, a Proxy is accepted and found in a parameter of every type but ``PyObject*`` (the data of
  ``torch.tensor``) and ``Storage``, and as an item of a list of sizes, numbers or tensors;
* before, only in parameters of type Tensor and lists of tensors. A Proxy given as a size, a number, a dtype or a device is a TypeError.

In both, the single list of sizes of ``zeros(2, 3)`` may be spelled out, and there the parser has a gap: when the *first* of several
positional sizes is a Proxy, it is taken for the whole list, and the rest is one argument too many - but only where keyword-only
parameters follow (``expand``, ``new_zeros``, ``zeros``; not ``view`` or ``repeat``, which have none).

What changed between 2.6 (measured) and 2.13 (measured) and when is not known, so the old rule is taken to hold up to 2.12.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from fxlint.library.rows import ArgShape

LOOKS_EVERYWHERE = (2, 13)  # the first version (major, minor) of which the wide search is known

_TENSORS = frozenset({"Tensor", "TensorList"})
_UNSEEN = frozenset({"PyObject*", "Storage"})  # any object is accepted there, or none but a storage; a Proxy is not found
_TYPE = re.compile(r"^(?P<base>[A-Za-z0-9_:]+\*?)(?:\[(?P<size>\d*)\])?(?P<optional>\?)?$")
# What the parser calls its types in messages (FunctionParameter::type_name).
_WORDS = {
    "SymInt": "int", "int64_t": "int", "double": "float", "Scalar": "Number", "bool": "bool", "SymIntArrayRef": "tuple of ints",
    "IntArrayRef": "tuple of ints", "ArrayRef<double>": "tuple of floats", "ScalarType": "torch.dtype", "Device": "torch.device",
    "Layout": "torch.layout", "MemoryFormat": "torch.memory_format", "Generator": "torch.Generator", "c10::string_view": "str",
    "Tensor": "Tensor", "TensorList": "tuple of Tensors", "Storage": "torch.Storage", "PyObject*": "object",
    "ScalarList": "tuple of Scalars",
}
_INT_LISTS = frozenset({"SymIntArrayRef", "IntArrayRef"})


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a parser signature. ``type`` is the parser's word (SymIntArrayRef, Scalar, Tensor ...); ``size`` of a list whose
    length is fixed, which a single number may fill; 0 elsewhere.
    """

    name: str
    type: str
    required: bool
    keyword_only: bool
    size: int = 0


@dataclass(frozen=True, slots=True)
class Signature:
    """One overload. ``returns`` is "tensor", "list", "bool", "int", "float", "dtype", "none" or the number of outputs as text."""

    name: str
    params: tuple[Param, ...]
    returns: str = "tensor"

    def max_positional(self) -> int:
        """How many arguments may be given by position."""
        return sum(not p.keyword_only for p in self.params)

    def spelled_out(self) -> bool:
        """Whether its single positional parameter is a list of sizes, which may be given item by item."""
        return self.max_positional() == 1 and self.params[0].type in _INT_LISTS


@dataclass(frozen=True, slots=True)
class Parse:
    """What the parser does with the arguments: ``error`` is its message ("" when it accepts), ``recorded`` whether a Proxy was found."""

    error: str
    recorded: bool
    returns: str = ""


@lru_cache(maxsize=4096)
def signature(text: str) -> Signature:
    """The signature that ``text`` spells, e.g. ``"zeros(SymIntArrayRef size, *, ScalarType? dtype=None) -> tensor"``."""
    head, _, returns = text.partition(" -> ")
    name, _, inside = head.partition("(")
    params: list[Param] = []
    keyword_only = False
    for part in inside.removesuffix(")").split(", "):
        if part == "*":
            keyword_only = True
        elif part:
            kind, _, rest = part.rpartition(" ")
            param_name, equals, _default = rest.partition("=")
            matched = _TYPE.match(kind)
            base = matched["base"] if matched else kind.removesuffix("?")
            base = "TensorList" if "List<" in base else base  # the tensors of an index: c10::List<std::optional<Tensor>>
            size = int(matched["size"] or 0) if matched and matched["size"] else 0
            params.append(Param(param_name, base, not equals, keyword_only, size))
    return Signature(name, tuple(params), returns or "tensor")


def looks_everywhere(version: tuple[int, int]) -> bool:
    """Whether the parser of this torch version finds a Proxy in parameters that are not tensors."""
    return version >= LOOKS_EVERYWHERE


@dataclass(frozen=True, slots=True)
class _Fit:
    error: str
    recorded: bool


def _refusal(sig: Signature, param: Param, position: int, shape: ArgShape) -> str:
    want = _WORDS.get(param.type, param.type)
    place = f"'{param.name}'" if param.keyword_only else f"'{param.name}' (position {position + 1})"
    found = "but found element of type Proxy at pos 0" if shape is ArgShape.HOLDS_PROXY else "not Proxy"
    return f"TypeError: {sig.name}(): argument {place} must be {want}, {found}"


def _takes(param: Param, shape: ArgShape, *, everywhere: bool) -> tuple[bool, bool]:
    """Whether the parameter accepts the argument, and whether a Proxy is found in it."""
    match shape:
        case ArgShape.PLAIN:
            return True, False
        case ArgShape.NUMBER:
            return param.type not in _TENSORS and (param.type not in _INT_LISTS or param.size > 0), False
        case ArgShape.PROXY:
            if param.type in _UNSEEN:
                return param.type == "PyObject*", False
            return (True, True) if everywhere or param.type == "Tensor" else (False, False)
        case ArgShape.HOLDS_PROXY:
            if param.type == "PyObject*":
                return True, False
            if param.type == "TensorList":
                return True, True
            listed = param.type in _INT_LISTS or param.type in {"ArrayRef<double>", "ScalarList"}
            return (True, True) if everywhere and listed else (False, False)


def _spelled(shapes: tuple[ArgShape, ...], *, everywhere: bool) -> _Fit | None:
    """The fit of sizes that are given item by item; None where the items cannot be sizes."""
    if any(s is ArgShape.HOLDS_PROXY for s in shapes):
        return None
    holds = ArgShape.PROXY in shapes
    if holds and not everywhere:
        return None
    return _Fit("", holds)


def _fit(sig: Signature, positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape], *, everywhere: bool) -> _Fit:
    """FunctionSignature::parse, step by step: parameters in order, each from the next position or from its keyword."""
    given = len(positional)
    spelled_out = sig.spelled_out()
    if given > sig.max_positional() and not spelled_out:
        return _Fit(f"TypeError: {_count(sig, given)}", recorded=False)
    at = 0
    used = 0
    recorded = False
    for param in sig.params:
        from_position = at < given
        if from_position and param.keyword_only:
            # The gap: the first size was taken for the whole list, and the others are left over.
            return _Fit(f"TypeError: {_count(sig, given)}", recorded=False)
        if from_position:
            shape = positional[at]
        elif param.name in keywords:
            shape = keywords[param.name]
            used += 1
        elif param.required:
            return _Fit(f'TypeError: {sig.name}() missing 1 required positional arguments: "{param.name}"', recorded=False)
        else:
            continue
        accepted, found = _takes(param, shape, everywhere=everywhere)
        whole = accepted and not (spelled_out and from_position and given > 1 and shape in (ArgShape.PLAIN, ArgShape.NUMBER))
        if whole:
            recorded = recorded or found
            at += from_position
            continue
        spelled = _spelled(positional, everywhere=everywhere) if spelled_out and from_position and at == 0 else None
        if spelled is None:
            return _Fit(_refusal(sig, param, at, shape), recorded=False)
        recorded = recorded or spelled.recorded
        at = given
    if used < len(keywords):
        known = {p.name for p in sig.params}
        for keyword in keywords:
            if keyword not in known:
                return _Fit(f"TypeError: {sig.name}() got an unexpected keyword argument '{keyword}'", recorded=False)
        return _Fit(f"TypeError: {sig.name}() got multiple values for an argument", recorded=False)
    return _Fit("", recorded)


def _count(sig: Signature, given: int) -> str:
    most = sig.max_positional()
    arguments = "argument" if most == 1 else "arguments"
    were = "was" if given == 1 else "were"
    return f"{sig.name}() takes {most} positional {arguments} but {given} {were} given"


def _plausible(sig: Signature, count: int) -> bool:
    least = sum(p.required for p in sig.params)
    return least <= count <= len(sig.params)


def parse(
    signatures: tuple[Signature, ...], positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape], version: tuple[int, int],
) -> Parse:
    """What the parser with these overloads does. Arguments without a Proxy are taken to fit: the code runs in eager mode.

    ``signatures`` must not be empty; a ``**keywords`` whose names are not known must not come here.
    """
    everywhere = looks_everywhere(version)
    fits = [(sig, _fit(sig, positional, keywords, everywhere=everywhere)) for sig in signatures]
    for sig, fit in fits:
        if not fit.error and fit.recorded:
            return Parse("", recorded=True, returns=sig.returns)
    for sig, fit in fits:
        if not fit.error:
            return Parse("", recorded=False, returns=sig.returns)
    count = len(positional) + len(keywords)
    plausible = [fit for sig, fit in fits if _plausible(sig, count)]
    if len(fits) == 1:
        return Parse(fits[0][1].error, recorded=False)
    if len(plausible) == 1:
        return Parse(plausible[0].error, recorded=False)
    shown = ", ".join("tuple" if s is ArgShape.HOLDS_PROXY else "Proxy" if s is ArgShape.PROXY else "..." for s in positional)
    return Parse(f"TypeError: {signatures[0].name}() received an invalid combination of arguments - got ({shown})", recorded=False)
