"""Making the model and its inputs out of what the target names. Runs in the child."""

from __future__ import annotations

import copy
import inspect
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import nn

from fxlint.verify.load import TargetError, attribute, import_location
from fxlint.verify.places import is_user_file
from fxlint.verify.protocol import Definition

Root = nn.Module | Callable[..., Any]
Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is traced: its name, a pristine instance that is never run, and how further ones are made."""

    name: str
    pristine: Root
    make: Callable[[], Root]

    def fresh(self) -> Root:
        """An instance with the parameters of ``pristine``: a deep copy, or, where it cannot be copied, one built with the same seed."""
        if not isinstance(self.pristine, nn.Module):
            return self.pristine
        try:
            return copy.deepcopy(self.pristine)
        except Exception:  # noqa: BLE001 (any __deepcopy__ or __getstate__ of the user's may fail in its own way)
            again = self.make()
            if isinstance(again, nn.Module):
                again.train(self.pristine.training)
            return again


@dataclass(frozen=True, slots=True)
class Inputs:
    """How example arguments are made: ``first`` always, ``second`` (of another shape) where the user gives it."""

    first: Callable[[], Arguments]
    second: Callable[[], Arguments] | None


def seed_all(seed: int) -> None:
    """Seed torch, Python's random, and numpy where it is imported."""
    torch.manual_seed(seed)
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % 2**32)


def subject(module: ModuleType, dotted: str, seed: int) -> Subject:
    """The subject that ``dotted`` names in ``module`` ("" means what ``make()`` returns).

    Raises TargetError where it is no model, and whatever its constructor raises.
    """
    make = _maker(module, dotted)

    def seeded() -> Root:
        seed_all(seed)
        return make()

    pristine = seeded()
    if not callable(pristine):
        raise TargetError(f"{dotted or 'make'}() returns a {type(pristine).__name__}, not a module or a function")
    kind = type(pristine) if isinstance(pristine, nn.Module) else pristine
    return Subject(getattr(kind, "__qualname__", type(pristine).__qualname__), pristine, seeded)


def definition(root: Root) -> Definition | None:
    """Where the class of a module is defined, as the loaded modules tell; None where that is no file of the user's."""
    if not isinstance(root, nn.Module):
        return None
    cls = type(root)
    path = _file_of(cls)
    if not path:
        return None
    files = {_file_of(kind) for module in root.modules() for kind in type(module).__mro__}
    return Definition(f"{cls.__module__}.{cls.__qualname__}", path, tuple(sorted(files - {""})))


def _file_of(cls: type) -> str:
    """The file of the module that defines ``cls``, "" where that is not the user's."""
    path = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    return path if path.endswith(".py") and is_user_file(path) else ""


def _maker(module: ModuleType, dotted: str) -> Callable[[], Root]:
    make = getattr(module, "make", None)
    if not dotted:
        if not callable(make):
            raise TargetError(f"{module.__file__} defines no make(): name what to trace, as in path.py:Class or path.py:function")
        return make  # type: ignore[no-any-return]  # what make() returns is checked by the caller
    value = attribute(module, dotted)
    match value:
        case nn.Module():
            return lambda: copy.deepcopy(value)
        case type():
            return _class_maker(value, make)
        case _ if callable(value):
            return _function_maker(value)
        case _:
            raise TargetError(f"{dotted} is a {type(value).__name__}: a module class, a module, or a function is wanted")


def _class_maker(cls: type, make: object) -> Callable[[], Root]:
    if not issubclass(cls, nn.Module):
        raise TargetError(f"{cls.__qualname__} is not a torch.nn.Module")
    missing = required(cls)
    if not missing:
        return cls
    if callable(make):
        made = make

        def checked() -> Root:
            value = made()
            if isinstance(value, cls):
                return value
            raise TargetError(f"make() returns a {type(value).__name__}, not a {cls.__qualname__}")

        return checked
    wanted = ", ".join(missing)
    raise TargetError(f"{cls.__qualname__}() needs {wanted}: name a function that returns an instance, or define make() beside it")


def _function_maker(function: Callable[..., Any]) -> Callable[[], Root]:
    """A function without required parameters that returns a module is a factory; any other is traced itself."""
    if required(function):
        return lambda: function

    def called() -> Root:
        value = function()
        return value if isinstance(value, nn.Module) else function

    return called


def required(function: Callable[..., Any]) -> list[str]:
    """The names of the parameters that ``function`` must be given."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a callable written in C without a signature
        return []
    return [p.name for p in parameters if p.default is p.empty and p.kind not in kinds]


def inputs(spec: str, module: ModuleType, texts: dict[str, str]) -> Inputs | None:
    """The makers of example inputs: those that ``spec`` names, or ``inputs``/``inputs2`` of ``module``, or None.

    ``spec`` is "module:function" or "path.py:function"; the second shape comes from the function of that name with a 2 appended.
    """
    if spec:
        location, _, name = spec.rpartition(":")
        module = import_location(location, location.endswith(".py"), texts)
        first = attribute(module, name)
    else:
        name = "inputs"
        first = getattr(module, name, None)
        if first is None:
            return None
    if not callable(first):
        raise TargetError(f"{name} is a {type(first).__name__}, not a function that returns the arguments")
    second = getattr(module, f"{name}2", None)
    return Inputs(_arguments(first), _arguments(second) if callable(second) else None)


def _arguments(function: Callable[[], Any]) -> Callable[[], Arguments]:
    def make() -> Arguments:
        match function():
            case (tuple() as args, dict() as kwargs):
                return args, {str(key): value for key, value in kwargs.items()}
            case tuple() as args:
                return args, {}
            case dict() as kwargs:
                return (), {str(key): value for key, value in kwargs.items()}
            case single:
                return (single,), {}

    return make


def omitted_defaults(root: Root, arguments: Arguments | None) -> dict[str, Any]:
    """Parameters of the root that keep their default when it is called with ``arguments`` (None: all that have one), with that default.

    ``*args`` and ``**kwargs`` are not among them: held as concrete, torch 2.13 writes a graph for them that does not compile.
    """
    function = type(root).forward if isinstance(root, nn.Module) else root
    if not isinstance(function, FunctionType):
        return {}
    parameters = list(inspect.signature(function).parameters.values())[1 if isinstance(root, nn.Module) else 0 :]
    given: set[str] = set()
    if arguments is not None:
        try:
            given = set(inspect.Signature(parameters).bind(*arguments[0], **arguments[1]).arguments)
        except TypeError:  # the call itself will say so
            return {}
    return {p.name: p.default for p in parameters if p.name not in given and p.default is not p.empty}
