"""One small program under ``torch.fx``: run eagerly, traced, run again, and compared.

A program defines ``M`` (built by ``M()`` or by its own ``make()``) or a function ``f``, traced by ``fx.symbolic_trace`` or by its own
``trace(m)``; or ``use()``, which returns ``(got, wanted, args)``: two callables, of which the first handled graphs, and arguments for both.

BREAKS: the import, the trace, ``Graph.lint`` or the first run of the traced module raises. SILENT: anything else that differs from eager
execution: values, gradients, state, attributes, globals, the caller's tensors, output on stdout, warnings or logs; on two calls, with
inputs twice as long in their first dimension (where eager execution takes them), and after switching between train and eval.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import logging
import os
import random
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import torch._dynamo  # fx imports it for the text of each error of a traced module: here once, not in every child
from numpy import random as numpy_random
from torch import fx, nn
from torch.utils import _pytree as pytree

from fxlint.api import Outcome

from .agree import difference, proxies_in

PREAMBLE = "import torch\nfrom torch import nn, fx\nimport torch.nn.functional as F\n"


@dataclass(frozen=True, slots=True)
class Observation:
    """What torch did with a program.

    ``text`` is the exception ("Type: message") or what differed. ``place`` is where an exception came from: the file's name and the row
    (1-based, with the preamble) of the innermost frame of the program, ("", 0) where none of its frames is on the stack. ``traced`` tells
    that the import and the trace came to an end: what raised was ``Graph.lint`` or the first run of the traced module.
    """

    outcome: Outcome
    text: str
    place: tuple[str, int] = ("", 0)
    traced: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """One observed call: what came back or was raised, what was written, and the arguments as they are afterwards."""

    result: Any
    raised: BaseException | None
    written: str
    arguments: Any


class Named(dict[str, Any]):
    """Last of the arguments: those that are passed by name."""


class ExampleError(Exception):
    """The program does not run in eager mode: a fault of the example."""


def program(source: str) -> str:
    """The text of the file that an example stands for."""
    return PREAMBLE + source.strip("\n") + "\n"


def load(folder: str, name: str, source: str) -> ModuleType:
    path = Path(folder, f"{name}.py")
    path.write_text(program(source))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _seed(number: int) -> None:
    torch.default_generator.manual_seed(number)  # torch.manual_seed also asks every device, which takes longer than an example
    random.seed(number)
    numpy_random.seed(number)  # the global generator, which is what examples draw from


def _arguments(module: ModuleType, inputs: str, *, longer: bool = False) -> Any:
    _seed(0)
    arguments = eval(inputs, vars(module) | {"Named": Named})
    if longer:
        arguments = pytree.tree_map(lambda v: torch.cat([v, v]) if isinstance(v, torch.Tensor) and v.dim() else v, arguments)
    return arguments


def _model(module: ModuleType) -> Any:
    """What is traced: what ``make()`` returns, else the module ``M()``, else the function ``f``."""
    _seed(1)
    if hasattr(module, "make"):
        return module.make()
    return module.M() if hasattr(module, "M") else module.f


def _in_mode(model: Any, training: bool) -> Any:
    return model.train(training) if isinstance(model, nn.Module) else model


def _call(function: Callable[..., Any], arguments: Any, seed: int) -> Call:
    written, result, raised = io.StringIO(), None, None
    handler = logging.StreamHandler(written)
    logger = logging.getLogger()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(written):
        warnings.simplefilter("always")
        _seed(seed)
        named = arguments[-1] if arguments and isinstance(arguments[-1], Named) else {}
        try:
            result = function(*(arguments[:-1] if named else arguments), **named)
        except BaseException as error:  # noqa: BLE001  # whatever is raised is what was observed
            raised = error
    logger.removeHandler(handler)
    logger.setLevel(level)
    own = [str(w.message) for w in caught if w.category is UserWarning and "site-packages" not in w.filename]
    return Call(result, raised, written.getvalue() + "".join(own), arguments)


def eager_result(module: ModuleType, inputs: str) -> Any:
    if hasattr(module, "use"):
        _, wanted, arguments = module.use()
        call = _call(wanted, copy.deepcopy(arguments), 3)
    else:
        call = _call(_model(module), _arguments(module, inputs), 3)
    if call.raised is not None:
        raise ExampleError(f"eager execution raises {_words(call.raised)}")
    return call.result


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _broken(error: BaseException, folder: str, *, traced: bool) -> Observation:
    """What was raised, and where in the files of ``folder``: ``traced`` tells whether the trace had come to its end."""
    frames = [(f.f_code.co_filename, row) for f, row in traceback.walk_tb(error.__traceback__)]
    own = [(os.path.relpath(name, folder), row) for name, row in frames if name.startswith(folder)]
    return Observation(Outcome.BREAKS, _words(error), own[-1] if own else ("", 0), traced)


def watch(folder: str, source: str, inputs: str, others: str, reference: Any) -> Observation:
    try:
        module = load(folder, "program", source)
    except Exception as error:  # noqa: BLE001  # whatever is raised is what was observed
        return _broken(error, folder, traced=False)
    if hasattr(module, "use"):
        return _watch_use(folder, module, reference)
    return _watch_model(folder, module, inputs, others, reference)


def _watch_use(folder: str, module: ModuleType, reference: Any) -> Observation:
    try:
        got, wanted, arguments = module.use()
    except Exception as error:  # noqa: BLE001  # whatever is raised is what was observed
        return _broken(error, folder, traced=False)
    for _ in range(2):
        eager, traced = _call(wanted, copy.deepcopy(arguments), 3), _call(got, copy.deepcopy(arguments), 3)
        if eager.raised is not None:
            raise ExampleError(f"`wanted` raises {_words(eager.raised)}")
        if traced.raised is not None:
            return _broken(traced.raised, folder, traced=True)
        text = _calls_differ(eager, traced)
        if not text and reference is not None:
            text = difference(reference, traced.result, "against the original", types=False)
        if text:
            return Observation(Outcome.SILENT, text)
    if isinstance(got, fx.GraphModule):
        try:
            got.graph.lint()
        except Exception as error:  # noqa: BLE001  # whatever is raised is what was observed
            return _broken(error, folder, traced=True)
    return Observation(Outcome.TRACES, "")


def _calls_differ(eager: Call, traced: Call) -> str:
    if eager.raised is not None:
        return "" if traced.raised is not None else f"only eager execution raises {_words(eager.raised)}"
    if traced.raised is not None:
        return f"the traced module raises {_words(traced.raised)}"
    if eager.written != traced.written:
        return f"output: {eager.written!r} against {traced.written!r}"
    return difference(eager.result, traced.result) or difference(eager.arguments, traced.arguments, "the caller's argument")


def _attributes(model: Any) -> dict[str, Any]:
    return _plain(vars(model)) if isinstance(model, nn.Module) else {}


def _plain(owner: dict[str, Any]) -> dict[str, Any]:
    """Copies of the plain attributes or globals that a run may change."""
    kinds = (int, float, str, list, dict, torch.Tensor)
    skipped = set(vars(nn.Module())) | {"__builtins__"}
    return {k: copy.copy(v) for k, v in owner.items() if k not in skipped and not k.startswith("__") and isinstance(v, kinds)}


def _state(model: Any) -> dict[str, torch.Tensor]:
    if not isinstance(model, nn.Module):
        return {}
    return {k: v.detach().clone() for k, v in model.state_dict().items()}


def _watch_model(folder: str, module: ModuleType, inputs: str, others: str, reference: Any) -> Observation:
    globals_before = _plain(vars(module))
    model = _model(module)
    mode = getattr(model, "training", False)
    further = (others, False, 5, mode) if others else (inputs, True, 5, mode)
    # the inputs, whether twice as long, the seed, whether training
    plan = ((inputs, False, 3, mode), (inputs, False, 4, mode), further, (inputs, False, 6, not mode))
    eager: list[Call] = []
    for text, longer, seed, training in plan:
        eager.append(_call(_in_mode(model, training), _arguments(module, text, longer=longer), seed))
    if eager[0].raised is not None:
        raise ExampleError(f"eager execution raises {_words(eager[0].raised)}")
    state, attributes, globals_after = _state(model), _attributes(model), _plain(vars(module))
    for name, value in globals_before.items():
        setattr(module, name, copy.copy(value))

    model = _model(module)
    state_before, attributes_before = _state(model), _attributes(model)
    trace = getattr(module, "trace", fx.symbolic_trace)
    _seed(2)
    written = io.StringIO()
    try:
        with contextlib.redirect_stdout(written), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            traced = trace(model)
    except Exception as error:  # noqa: BLE001  # whatever is raised is what was observed
        return _broken(error, folder, traced=False)
    try:
        traced.graph.lint()
    except Exception as error:  # noqa: BLE001  # whatever is raised is what was observed
        return _broken(error, folder, traced=True)
    found = _trace_left(module, model, state_before, attributes_before)
    for name, value in globals_before.items():
        setattr(module, name, copy.copy(value))
    for number, ((text, longer, seed, training), wanted) in enumerate(zip(plan, eager, strict=True)):
        if wanted.raised is not None and not (others and text is others):
            continue  # inputs twice as long may be none that the program takes
        got = _call(_in_mode(traced, training), _arguments(module, text, longer=longer), seed)
        if number == 0 and got.raised is not None:
            return _broken(got.raised, folder, traced=True)
        found = found or _calls_differ(wanted, got)
        if number == 0 and reference is not None:
            found = found or difference(reference, got.result, "against the original", types=False)
    found = found or _left_behind(state, attributes, traced, model)
    found = found or difference(globals_after, _plain(vars(module)), "globals", types=False)
    found = found or _gradients_differ(module, inputs, trace, traced)
    return Observation(Outcome.SILENT if found else Outcome.TRACES, found)


def _trace_left(module: ModuleType, model: Any, state: dict[str, torch.Tensor], attributes: dict[str, Any]) -> str:
    """What the trace itself did to the model: a Proxy left behind, state or attributes changed."""
    shared = {f"global {k}": v for k, v in vars(module).items() if not k.startswith("__") and isinstance(v, list | dict | set | fx.Proxy)}
    leaks = proxies_in(model, "model") + [p for k, v in shared.items() for p in proxies_in(v, k)]
    if leaks:
        return f"a Proxy is left in {leaks[0]}"
    after = _state(model)
    added = sorted(set(after) - set(state))
    if added:
        return f"tracing registered {added[0]}"
    kept = _attributes(model)
    return difference(state, after, "state after tracing") or difference(
        attributes, {k: kept[k] for k in attributes if k in kept}, "attributes after tracing", types=False
    )


def _left_behind(state: dict[str, torch.Tensor], attributes: dict[str, Any], traced: Any, model: Any) -> str:
    """What the calls left in the traced module (or, for what the graph does not use, in the model) against the eager model."""
    own, base = _state(traced), _state(model)
    merged = {k: own.get(k, base.get(k)) for k in state}
    own_attributes, base_attributes = _attributes(traced), _attributes(model)
    left = {k: own_attributes.get(k, base_attributes.get(k)) for k in attributes}
    return difference(state, merged, "state") or difference(attributes, left, "attributes", types=False)


def _gradients_differ(module: ModuleType, inputs: str, trace: Callable[..., Any], traced: Any) -> str:
    """Compare the gradients of the floating-point results with respect to the floating-point inputs and the parameters."""

    def gradients(model: Any) -> dict[str, Any] | None:
        arguments = _arguments(module, inputs)
        leaves = [t for t in pytree.tree_leaves(arguments) if isinstance(t, torch.Tensor) and t.is_floating_point()]
        parameters = dict(model.named_parameters()) if isinstance(model, nn.Module) else {}
        names = [f"input {i}" for i in range(len(leaves))] + list(parameters)
        leaves = [t.requires_grad_(True) for t in leaves] + list(parameters.values())
        returned = _call(model, arguments, 7)
        if returned.raised is not None:
            raise returned.raised
        results = [t for t in pytree.tree_leaves(returned.result) if isinstance(t, torch.Tensor) and t.is_floating_point()]
        results = [t for t in results if t.requires_grad]
        if not results:
            return None
        weighted = sum((t * torch.arange(1, t.numel() + 1).view(t.shape)).sum() for t in results)
        return dict(zip(names, torch.autograd.grad(weighted, leaves, allow_unused=True), strict=True))

    try:
        wanted = gradients(_model(module))
    except RuntimeError:  # a leaf that requires grad was written in place: the program has no gradients to compare
        return ""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            again = trace(_model(module))
        except Exception:  # noqa: BLE001  # the code of the first graph may register a name with wrap, under which later traces fail
            again = _in_mode(traced, getattr(_model(module), "training", False))
        got = gradients(again)
    if wanted is None or got is None:
        return "" if wanted is got else "gradients: only one of the two has any"
    shared = [k for k in wanted if k in got]
    return difference({k: wanted[k] for k in shared}, {k: got[k] for k in shared}, "gradients", types=False)
