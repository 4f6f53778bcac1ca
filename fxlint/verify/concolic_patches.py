"""For the time of a concolic trace: torch's C functions and Tensor methods also accept Proxies where plain tracing would not.

Whether a plain Proxy would have been dispatched is asked of torch itself: the call is tried with stand-ins that look like a Proxy and
raise as soon as torch hands the call over to them. When it does not, the call is a break, is noted, and becomes a node all the same.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx, nn

from fxlint.verify.build import Root
from fxlint.verify.concolic import ConcolicTracer
from fxlint.verify.concolic_proxy import holds_proxy, mapped
from fxlint.verify.observe import first_line
from fxlint.verify.places import is_user_file
from fxlint.verify.protocol import IncidentKind

_MISSING = object()
_FUNCTION_SCOPES = (torch, torch._C._nn, torch.fft, torch.linalg, torch.special)  # noqa: SLF001 (where F.linear and the like live)
# Switches and questions that the tracer and torch's Python code ask themselves; none takes a tensor.
_LEFT_ALONE = frozenset(
    {"is_grad_enabled", "set_grad_enabled", "is_autocast_enabled", "get_default_dtype", "is_inference_mode_enabled", "typename"}
)


class _DispatchedError(BaseException):
    """torch handed the call to the stand-in's ``__torch_function__``: a plain Proxy would have been recorded."""


class _StandIn(fx.Proxy):
    """What torch's argument parser would see of a plain Proxy."""

    def __init__(self) -> None:
        self.__dict__["node"] = None

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    @classmethod
    def __torch_function__(cls, orig_method: Any, types: Any, args: Any = None, kwargs: Any = None) -> Any:
        raise _DispatchedError


def _refusal(tracer: ConcolicTracer, function: Callable[..., Any], args: Any, kwargs: Any) -> str:
    """What torch raises where a plain Proxy would not be dispatched, or an empty text where it would."""
    try:
        with tracer.real():
            function(*mapped(lambda _: _StandIn(), args), **mapped(lambda _: _StandIn(), kwargs))
    except _DispatchedError:
        return ""
    except Exception as problem:  # noqa: BLE001 (the argument parser's TypeError, ValueError, RuntimeError)
        return first_line(problem).replace("_StandIn", "Proxy")
    return "the Proxy is not recorded"


def _accepting(tracer: ConcolicTracer, function: Callable[..., Any], kind: str) -> Callable[..., Any]:
    name = function.__name__

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if tracer.real_depth or not (holds_proxy(args) or holds_proxy(kwargs)):
            return function(*args, **kwargs)
        refusal = _refusal(tracer, function, args, kwargs)
        if refusal:
            tracer.note(IncidentKind.TORCH_ARGUMENT, refusal)
        return tracer.create_proxy(kind, name if kind == "call_method" else function, args, kwargs)

    return call


def _replacements(tracer: ConcolicTracer) -> Iterator[tuple[Any, str, Any]]:
    made: dict[int, Callable[..., Any]] = {}
    for scope in _FUNCTION_SCOPES:
        for name, function in list(vars(scope).items()):
            internal = name.startswith("_") or "torch_function" in name or name in _LEFT_ALONE
            if internal or not isinstance(function, types.BuiltinFunctionType):
                continue
            if id(function) not in made:
                made[id(function)] = _accepting(tracer, function, "call_function")
            yield scope, name, made[id(function)]
    for name in dir(torch._C.TensorBase):  # noqa: SLF001 (the class that holds the C methods)
        method = getattr(torch._C.TensorBase, name)  # noqa: SLF001
        if isinstance(method, types.MethodDescriptorType) and not name.startswith("_") and name not in vars(torch.Tensor):
            yield torch.Tensor, name, _accepting(tracer, method, "call_method")
    yield torch.Tensor, "__getitem__", _indexing(tracer)
    for name in ("finfo", "iinfo"):
        yield torch, name, _resolving(tracer, getattr(torch, name))
    yield torch, "is_tensor", _asking(tracer, torch.is_tensor)


def _indexing(tracer: ConcolicTracer) -> Callable[..., Any]:
    """``tensor[index]``: torch dispatches on a Proxy that is the index or stands in its tuple, but not on one inside a slice."""
    import operator

    original = torch.Tensor.__getitem__

    def getitem(tensor: torch.Tensor, index: Any) -> Any:
        if tracer.real_depth or not holds_proxy(index):
            return original(tensor, index)
        refusal = _refusal(tracer, original, (tensor, index), {})
        if refusal:
            tracer.note(IncidentKind.TORCH_ARGUMENT, refusal)
        return tracer.create_proxy("call_function", operator.getitem, (tensor, index), {})

    return getitem


def _resolving(tracer: ConcolicTracer, cls: type) -> Callable[..., Any]:
    """``torch.finfo(x.dtype)`` and the like: a class that takes no Proxy."""

    def make(*args: Any, **kwargs: Any) -> Any:
        if tracer.real_depth or not (holds_proxy(args) or holds_proxy(kwargs)):
            return cls(*args, **kwargs)
        refusal = _refusal(tracer, cls, args, kwargs)
        tracer.note(IncidentKind.TORCH_ARGUMENT, refusal)
        return cls(*mapped(tracer.value, args), **mapped(tracer.value, kwargs))

    return make


def _asking(tracer: ConcolicTracer, question: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def ask(value: Any) -> bool:
        if tracer.real_depth or not issubclass(type(value), fx.Proxy):
            return question(value)
        answer = question(tracer.value(value))
        if answer:
            tracer.note(IncidentKind.TYPE, "torch.is_tensor says False for the Proxy and True for the value")
        return answer

    return ask


def _isinstance(tracer: ConcolicTracer) -> Callable[[Any, Any], bool]:
    def ask(value: Any, classes: Any) -> bool:
        answer = isinstance(value, classes)
        if answer or tracer.real_depth or not issubclass(type(value), fx.Proxy):
            return answer
        real = isinstance(tracer.value(value), classes)
        if real:
            tracer.note(IncidentKind.TYPE, "isinstance says False for the Proxy and True for the value")
        return real

    return ask


@contextlib.contextmanager
def patched(tracer: ConcolicTracer, root: Root) -> Iterator[None]:
    """Carry out all replacements, and undo them at the end."""
    import sys

    undo: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, value: Any) -> None:
        undo.append((owner, name, vars(owner).get(name, _MISSING)))
        setattr(owner, name, value)

    modules = root.modules() if isinstance(root, nn.Module) else ()
    packages = {type(module).__module__.partition(".")[0] for module in modules} - {"torch"}
    packages.add((getattr(root, "__module__", None) or "").partition(".")[0])
    try:
        for owner, name, value in _replacements(tracer):
            put(owner, name, value)
        ask = _isinstance(tracer)
        for name, module in list(sys.modules.items()):  # a module's own global comes before the builtin
            own = name.partition(".")[0] in packages - {"torch", ""} and is_user_file(getattr(module, "__file__", None) or "<none>")
            if own and "isinstance" not in vars(module):
                put(module, "isinstance", ask)
        yield
    finally:
        for owner, name, value in reversed(undo):
            if value is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
