"""``x += y`` on a Proxy: recorded as ``x = x + y``, so whoever else holds the tensor keeps the old numbers.

Others hold it where it is an input of the root (the caller does), where another local name stands for it, and where it is a view of one of
these. A view is told by its origin's note: the operations that make one mark their result with ``VIEW``.
"""

from __future__ import annotations

from fxlint.base.event import EventKind, Facet
from fxlint.interp.machine import Frame
from fxlint.interp.scopes import walk
from fxlint.interp.state import State
from fxlint.syntax import ir
from fxlint.values.join import alternatives
from fxlint.values.values import Const, Origin, Proxy, Slice, Static, Tuple, Value

VIEW = "a view"
VIEW_METHODS = frozenset(
    "view view_as transpose permute t swapaxes swapdims movedim moveaxis narrow select unsqueeze squeeze expand expand_as diagonal unfold "
    "detach flatten reshape chunk split unbind unflatten".split())
VIEW_ATTRIBUTES = frozenset({"T", "mT", "H", "mH", "data", "real", "imag"})


def is_view(base: Proxy, index: Value) -> bool:
    """Whether ``base[index]`` shares the numbers of a tensor: every index but tensors and lists does."""
    items = index.items if isinstance(index, Tuple) else (index,)
    return base.facet is Facet.TENSOR and all(
        isinstance(v, (Slice, Const)) or (isinstance(v, Static) and v.type in ("int", "slice"))
        or (isinstance(v, Proxy) and v.facet is Facet.SIZE_ITEM) for item in items for v in alternatives(item))


def note(f: Frame, st: State, stmt: ir.AugAssign, old: Proxy) -> None:
    """Emit ALIAS_LOST for an augmented assignment, where another holder of the tensor is known."""
    if old.facet is not Facet.TENSOR:
        return
    own = stmt.target.id if isinstance(stmt.target, ir.Name) else ""
    source = _source(old.origin)
    if source is None:
        return
    # A helper's caller may hold its argument no longer; the root's caller surely does.
    if source.param and f.is_root:
        f.emit(st, EventKind.ALIAS_LOST, "augmented", stmt.at, value=old, subject=stmt.target.at, detail=source.param)
        return
    for name, value in st.env.items():
        same = isinstance(value, Proxy) and value.facet is Facet.TENSOR and _source(value.origin) is source
        if same and name != own and _read_later(f, name, stmt.at):
            f.emit(st, EventKind.ALIAS_LOST, "augmented", stmt.at, value=old, subject=stmt.target.at, detail=name)
            return


def _read_later(f: Frame, name: str, at: ir.At) -> bool:
    """Whether the function reads a name after node ``at``; inside a loop, anywhere."""
    if f.info is None:
        return False
    return any(isinstance(n, ir.Name) and n.id == name and (n.at > at or bool(f.loops)) for s in f.info.func.body for n in walk(s))


def _source(origin: Origin | None) -> Origin | None:
    """The operation or the parameter that made the tensor: assignments and views are followed."""
    while origin is not None and not origin.param and origin.parent is not None and (origin.note == VIEW or origin.note.isidentifier()):
        origin = origin.parent
    return origin
