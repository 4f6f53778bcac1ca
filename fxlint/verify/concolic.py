"""Tracing with real values at hand: every Proxy carries the value that the inputs give it, so one run finds every break on the path.

Where plain tracing raises (the truth of a Proxy, its length, iterating it, ...) the answer is taken from the value, the place is noted,
and the run goes on. A submodule that raises for another reason is noted too, and becomes one leaf call. What this cannot see: paths that
the example inputs do not take; what follows a number that was answered concretely (``int(x.shape[0])`` gives a plain int, so later breaks
that the Proxy would have caused do not show); a break in the root's own forward that has no answer here ends the run.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx, nn
from torch.fx import _symbolic_trace

from fxlint.verify import places
from fxlint.verify.build import Arguments, Root
from fxlint.verify.concolic_proxy import ValueProxy, mapped
from fxlint.verify.graphs import LeafTracer
from fxlint.verify.observe import copied, first_line
from fxlint.verify.protocol import Incident, IncidentKind, Place


@dataclass(frozen=True, slots=True)
class Findings:
    """What a concolic trace found. ``outcome``: "ran to the end", "ran up to: ...", "skipped: ..." or "failed: ..."."""

    outcome: str
    incidents: tuple[Incident, ...]


def _set_tracing(value: bool) -> bool:
    """Set fx's own switch and answer what it was. It is a module global up to torch 2.13, behind two functions from 2.14 on."""
    module: Any = _symbolic_trace
    if hasattr(module, "_set_is_fx_tracing"):
        before = bool(module._get_is_fx_tracing())  # noqa: SLF001 (fx has no public switch)
        module._set_is_fx_tracing(value)  # noqa: SLF001
    else:
        before = bool(module._is_fx_tracing_flag)  # noqa: SLF001
        module._is_fx_tracing_flag = value  # noqa: SLF001
    return before


class ConcolicTracer(LeafTracer):
    """torch's Tracer whose Proxies know their values. ``values`` maps nodes to them."""

    def __init__(self, leaf_classes: tuple[str, ...], given: dict[str, Any]) -> None:
        super().__init__(leaf_classes)
        self._given = given
        self.values: dict[fx.Node, Any] = {}
        self.real_depth = 0  # above 0: real code runs on real values, nothing is recorded
        self._incidents: dict[tuple[IncidentKind, Place | None], tuple[str, int]] = {}

    def incidents(self) -> tuple[Incident, ...]:
        """What was noted, in the order in which it was met."""
        return tuple(Incident(kind, place, detail, hits) for (kind, place), (detail, hits) in self._incidents.items())

    def met(self, kind: IncidentKind) -> bool:
        """Whether such an incident was noted at the user's place that runs now."""
        return (kind, places.of_running()) in self._incidents

    def note(self, kind: IncidentKind, detail: str = "", place: Place | None = None) -> None:
        """Note an incident at the user's line that runs now (or at ``place``); one line counts its repetitions."""
        key = kind, place or places.of_running()
        known, hits = self._incidents.get(key, (detail, 0))
        self._incidents[key] = known, hits + 1

    @contextlib.contextmanager
    def real(self) -> Iterator[None]:
        """While open, modules and functions run for real: fx's patches see that no tracing is on."""
        before = _set_tracing(False)
        self.real_depth += 1
        try:
            with torch.no_grad():
                yield
        finally:
            self.real_depth -= 1
            _set_tracing(before)

    def value(self, proxy: fx.Proxy) -> Any:
        """The value that ``proxy`` stands for."""
        return self.values[proxy.node]

    def proxy(self, node: fx.Node) -> fx.Proxy:
        """A Proxy that knows this tracer's values."""
        return ValueProxy(node, self)

    def create_proxy(self, kind: str, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *rest: Any, **more: Any) -> fx.Proxy:
        """Compute the value beside the node."""
        if kind == "placeholder":
            made = super().create_proxy(kind, target, args, kwargs, *rest, **more)
            self.values[made.node] = self._placeholder(str(target))
            return made
        real_args, real_kwargs = mapped(self.value, args), mapped(self.value, kwargs)
        with self.real():
            value = self._compute(kind, target, real_args, real_kwargs)
        made = super().create_proxy(kind, target, args, kwargs, *rest, **more)
        self.values[made.node] = value
        return made

    def create_node(self, kind: str, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *rest: Any, **more: Any) -> fx.Node:
        """Attributes that become nodes without a Proxy of their own (parameters as arguments) have a value as well."""
        node = super().create_node(kind, target, args, kwargs, *rest, **more)
        if kind == "get_attr":
            with self.real():
                self.values[node] = self._compute(kind, target, (), {})
        return node

    def _placeholder(self, target: str) -> Any:
        if target in self._given:
            return self._given[target]
        base = re.sub(r"_\d+$", "", target)  # fx numbers the names of parameters that are held concrete
        if base in self._given:
            return self._given[base]
        raise KeyError(f"no example value for the parameter {target!r}")

    def _compute(self, kind: str, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        match kind:
            case "call_function":
                return target(*args, **kwargs)
            case "call_method":
                return getattr(args[0], target)(*args[1:], **kwargs)
            case "call_module":
                return self.root.get_submodule(target)(*args, **kwargs)
            case "get_attr":
                value: Any = self.root
                for part in target.split("."):
                    value = getattr(value, part)
                return value.detach() if isinstance(value, torch.Tensor) else value
            case _:
                raise AssertionError(f"fx made a node of the kind {kind!r}")

    # What plain tracing cannot answer.

    def to_bool(self, obj: fx.Proxy) -> bool:
        """The truth of the value."""
        self.note(IncidentKind.BOOL)
        with self.real():
            return bool(self.value(obj))

    def iter(self, obj: Any) -> Iterator[Any]:
        """As many Proxies as the value has items; the keys themselves for a dict."""
        self.note(IncidentKind.ITER)
        value = self.value(obj)
        if isinstance(value, dict):
            return iter(list(value))
        if not isinstance(value, (list, tuple, torch.Tensor, range, str)):
            obj = self.create_proxy("call_function", list, (obj,), {})
            value = self.value(obj)
        return iter([obj[index] for index in range(len(value))])

    def keys(self, obj: fx.Proxy) -> Any:
        """The keys of the value, for ``**proxy``."""
        value = self.value(obj)
        if not isinstance(value, dict):
            return super().keys(obj)
        self.note(IncidentKind.KEYS)
        return list(value)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """Parameters become Proxies only while symbolic code runs."""
        return attr_val if self.real_depth else super().getattr(attr, attr_val, parameter_proxy_cache)

    def call_module(self, m: nn.Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Enter the module; one that raises becomes a leaf, and the run goes on behind it."""
        if self.real_depth:
            return forward(*args, **kwargs)
        depth = len(self.module_stack)
        try:
            return super().call_module(m, forward, args, kwargs)
        except Exception as problem:  # noqa: BLE001 (the user's code may raise anything)
            while len(self.module_stack) > depth:
                self.module_stack.popitem(last=True)
            self.note_error(problem)
            return self.create_proxy("call_module", self.path_of_module(m), args, kwargs)

    def note_error(self, problem: BaseException) -> None:
        """Note an exception at the innermost of the user's lines in its traceback."""
        chain = places.of_error(problem)
        self.note(IncidentKind.RAISED, first_line(problem), chain[-1] if chain else None)


def investigate(root: Root, arguments: Arguments, leaf_classes: tuple[str, ...], held: dict[str, Any]) -> Findings:
    """Trace ``root`` with the values of ``arguments``; parameters in ``held`` keep these values and are no Proxies."""
    import inspect

    from fxlint.verify.concolic_patches import patched

    function = type(root).forward if isinstance(root, nn.Module) else root
    args, kwargs = copied(arguments)
    try:
        bound = inspect.signature(function).bind(*((root,) if isinstance(root, nn.Module) else ()), *args, **kwargs)
    except (TypeError, ValueError) as problem:
        return Findings(f"skipped: {problem}", ())
    bound.apply_defaults()
    given: dict[str, Any] = {}
    for parameter in bound.signature.parameters.values():
        mark = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        given[mark + parameter.name] = bound.arguments[parameter.name]
    tracer = ConcolicTracer(leaf_classes, given)
    outcome = "ran to the end"
    with patched(tracer, root):
        try:
            tracer.trace(root, concrete_args=held or None)
        except BaseException as problem:  # noqa: BLE001 (SystemExit of the user's code, too)
            tracer.note_error(problem)
            outcome = f"ran up to: {first_line(problem)}"
    return Findings(outcome, tracer.incidents())
