"""The Proxy of the concolic trace: answers from its value what Python insists on knowing, and notes each such answer."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import fx

from fxlint.verify.protocol import IncidentKind

if TYPE_CHECKING:
    from fxlint.verify.concolic import ConcolicTracer


class ValueProxy(fx.Proxy):
    """Any object that the concolic tracer hands around in place of a run-time value. Hashing stays by identity, as torch's Proxy has it."""

    tracer: ConcolicTracer

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array") or name in {"__cuda_array_interface__", "__dlpack__"}:  # numpy takes any answer for a protocol
            raise AttributeError(name)
        return ValueAttribute(self, name)

    def _answer(self, kind: IncidentKind) -> Any:
        self.tracer.note(kind)
        return self.tracer.value(self)

    def __len__(self) -> int:
        # list() and *proxy ask for a length hint once they have an iterator: plain tracing has raised before that.
        return len(self.tracer.value(self) if self.tracer.met(IncidentKind.ITER) else self._answer(IncidentKind.LEN))

    def __int__(self) -> int:
        return int(self._answer(IncidentKind.INT))

    def __trunc__(self) -> int:
        return int(self._answer(IncidentKind.INT))

    def __float__(self) -> float:
        return float(self._answer(IncidentKind.FLOAT))

    def __complex__(self) -> complex:
        return complex(self._answer(IncidentKind.COMPLEX))

    def __index__(self) -> int:
        return operator.index(self._answer(IncidentKind.INDEX))

    def __round__(self, digits: int | None = None) -> Any:
        return round(self._answer(IncidentKind.ROUND), digits)

    def __contains__(self, item: object) -> bool:
        value = self._answer(IncidentKind.CONTAINS)
        with self.tracer.real():
            return mapped(self.tracer.value, item) in value

    def __setitem__(self, key: Any, value: Any) -> None:
        self.tracer.note(IncidentKind.SETITEM)
        self.tracer.create_proxy("call_function", operator.setitem, (self, key, value), {})

    def __delitem__(self, key: Any) -> None:
        self.tracer.note(IncidentKind.DELITEM)
        self.tracer.create_proxy("call_function", operator.delitem, (self, key), {})

    def __format__(self, spec: str) -> str:
        if not spec:  # an f-string without a format specification traces: it shows "Proxy(x)"
            return str(self)
        return format(self._answer(IncidentKind.FORMAT), spec)

    def __reversed__(self) -> Iterator[Any]:
        count = len(self._answer(IncidentKind.REVERSED))
        return iter([operator.getitem(self, index) for index in reversed(range(count))])

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        import numpy as np

        return np.asarray(self._answer(IncidentKind.ARRAY), *args, **kwargs)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """What numpy turns a result back with: a node for the ufunc, whose value is what numpy makes of the real tensors."""
        del return_scalar
        if context is None:
            return array
        function, args, _ = context
        return self.tracer.create_proxy("call_function", function, args, {})

    def __enter__(self) -> Any:
        return self._answer(IncidentKind.WITH).__enter__()

    def __exit__(self, *error: object) -> Any:
        return self.tracer.value(self).__exit__(*error)


class ValueAttribute(ValueProxy):
    """An attribute of a ValueProxy: a node only when it is used as a value, a method call when it is called (as torch's Attribute)."""

    def __init__(self, root: ValueProxy, attr: str) -> None:
        # Not through fx.Proxy.__init__: `node` is made on demand.
        self.__dict__.update(root=root, attr=attr, tracer=root.tracer, _node=None)

    @property
    def node(self) -> fx.Node:  # type: ignore[override]  # a plain attribute in the base, as in torch's own Attribute
        """The getattr node."""
        found = self.__dict__["_node"]
        if found is None:
            found = self.tracer.create_proxy("call_function", getattr, (self.__dict__["root"], self.__dict__["attr"]), {}).node
            self.__dict__["_node"] = found
        assert isinstance(found, fx.Node)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> fx.Proxy:
        """Record a method call."""
        return self.tracer.create_proxy("call_method", self.__dict__["attr"], (self.__dict__["root"], *args), kwargs)


def mapped(change: Callable[[fx.Proxy], Any], value: Any) -> Any:
    """``value`` with ``change`` applied to each Proxy in tuples, lists, dicts and slices."""
    if isinstance(value, fx.Proxy):
        return change(value)
    if isinstance(value, torch.Size):
        return value
    if isinstance(value, tuple):
        items = [mapped(change, item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [mapped(change, item) for item in value]
    if type(value) in (dict, fx.immutable_collections.immutable_dict):
        return {key: mapped(change, item) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(mapped(change, value.start), mapped(change, value.stop), mapped(change, value.step))
    return value


def holds_proxy(value: Any) -> bool:
    """Whether a Proxy is in ``value``, where torch's argument parser would meet it."""
    if isinstance(value, fx.Proxy):
        return True
    if isinstance(value, (tuple, list)):
        return any(holds_proxy(item) for item in value)
    if isinstance(value, dict):
        return any(holds_proxy(item) for item in value.values())
    return isinstance(value, slice) and any(holds_proxy(item) for item in (value.start, value.stop, value.step))
