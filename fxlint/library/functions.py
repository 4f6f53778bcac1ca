"""Library functions by dotted name: what a call of one does at trace time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fxlint.base.event import Facet
from fxlint.library.numpy_rows import EINOPS_ROWS, numpy_row
from fxlint.library.parser import Signature, signature
from fxlint.library.python_rows import PYTHON_ROWS
from fxlint.library.rows import Behaviour, Row
from fxlint.library.tables import table
from fxlint.library.torch_rows import DRAWS, DRAWS_NOT, TORCH_ROWS, TUPLES, VARIES

_FACETS = {
    "tensor": Facet.TENSOR, "list": Facet.TUPLE, "bool": Facet.BOOL, "int": Facet.SIZE_ITEM, "float": Facet.NUMBER, "dtype": Facet.DTYPE,
    "none": Facet.UNKNOWN, "object": Facet.UNKNOWN,
}
_MAKES = frozenset({"torch.tensor", "torch.as_tensor", "torch.asarray"})


def facet_of(returns: str) -> tuple[Facet, int | None]:
    """The facet of a result that a parser signature's ``returns`` describes, and the number of outputs where it is fixed."""
    if returns.isdigit():
        return Facet.TUPLE, int(returns)
    return _FACETS[returns], None


def common_facet(signatures: tuple[Signature, ...]) -> tuple[Facet, int | None]:
    """The facet on which all overloads agree; UNKNOWN where they do not (``torch.max(x)`` and ``torch.max(x, 0)``)."""
    found = {facet_of(s.returns) for s in signatures}
    return found.pop() if len(found) == 1 else (Facet.UNKNOWN, None)


@lru_cache(maxsize=4096)
def signatures_of(dotted: str) -> tuple[Signature, ...]:
    """The parser signatures of a C function of torch; () for Python functions and for names that are not known."""
    entry = table("functions").get(dotted)
    return tuple(signature(text) for text in entry.get("signatures", ())) if entry else ()


def _is_factory(signatures: tuple[Signature, ...]) -> bool:
    """Whether some overload makes a tensor out of no tensor: it takes a device, and no tensor by position."""
    return any(
        any(p.type == "Device" for p in s.params)
        and not any(p.type in {"Tensor", "TensorList"} and not p.keyword_only for p in s.params)
        for s in signatures
    )


def _generated(dotted: str, entry: dict[str, Any]) -> Row:
    signatures = signatures_of(dotted)
    facet, outputs = common_facet(signatures) if signatures else (Facet.TENSOR, None)
    if dotted in TUPLES:
        facet, outputs = Facet.TUPLE, TUPLES[dotted]
    elif dotted in VARIES:
        facet = Facet.UNKNOWN
    random = dotted not in DRAWS_NOT and (dotted in DRAWS or bool(entry.get("random")))
    in_place = dotted.endswith("_") and not dotted.endswith("__")
    factory = dotted in _MAKES or _is_factory(signatures)
    on: str = entry["on"]  # what a call with Proxies did: "dispatches", "static" or the error
    error = "" if signatures or on in ("dispatches", "static") else on
    behaviour = (
        Behaviour.FACTORY if factory else Behaviour.STATIC if on == "static" else Behaviour.BREAKS if error else Behaviour.DISPATCHES)
    return Row(dotted, behaviour, facet, error=error, random=random, in_place=in_place, returns_tuple=outputs)


@lru_cache(maxsize=8192)
def function(dotted: str) -> Row | None:
    """The row of a function by its canonical dotted name (see ``canonical``); None where the tables know nothing of it.

    Builtins are asked for as ``builtins.abs`` or ``abs``. Where a Proxy may go in a call of a C function is told by
    ``fxlint.library.dispatch.call``, which also knows the versions.
    """
    root, _, rest = dotted.partition(".")
    if root == "torch":
        entry = table("functions").get(dotted)
        row = TORCH_ROWS.get(dotted)
        if row is not None:
            return row
        if entry is not None:
            return _generated(dotted, entry)
        if dotted.startswith(("torch.ops.", "torch._VF.")):
            return Row(dotted, Behaviour.DISPATCHES, Facet.UNKNOWN)
        return None
    if root == "numpy" and rest:
        return numpy_row(rest)
    if root == "einops":
        return EINOPS_ROWS.get(dotted) or EINOPS_ROWS.get(f"einops.{dotted.rpartition('.')[2]}")
    return PYTHON_ROWS.get(dotted) or (PYTHON_ROWS.get(f"builtins.{dotted}") if not rest else None)


@lru_cache(maxsize=8192)
def canonical(dotted: str) -> str:
    """The public dotted name of the object that ``dotted`` reaches: ``torch.nn.modules.linear.Linear`` is ``torch.nn.Linear``.

    Aliases of torch modules count wherever they stand (``torch.functional.F.relu``). A name that is not known is given back as it is.
    """
    aliases = table("aliases")
    for _hop in range(4):  # an alias may lead to a name that is one itself
        head, tail = dotted, ""
        while head and head not in aliases:
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
        if not head:
            return dotted
        dotted = aliases[head] + tail
    return dotted
