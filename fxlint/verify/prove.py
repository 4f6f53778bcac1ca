"""The steps of the proof: the traced module against the model, each step with the first difference that it met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import torch
from torch import nn

from fxlint.verify import graphs
from fxlint.verify.build import Arguments, Inputs, Root, Subject, seed_all
from fxlint.verify.compare import Snapshot, difference, snapshot
from fxlint.verify.observe import Call, Copies, Seen, copied, first_line, gradients, module_state, other_shape, plan, run, traced_state
from fxlint.verify.protocol import Status, Step
from fxlint.verify.ways import Traced, Way, trace_by

TRACE_SEED = 7919  # apart from the seeds of all calls: a number drawn while tracing and baked in then differs from eager's


@dataclass(frozen=True, slots=True)
class Eager:
    """The model's own behaviour: what the graph must equal."""

    calls: tuple[Call, ...]
    arguments: dict[str, Arguments]
    seen: tuple[Seen, ...]
    before: dict[str, Snapshot]
    gradients: dict[str, Snapshot] | str
    by_inputs: bool  # whether these include gradients by the inputs: a model may not allow inputs that require them
    steady: str  # "" when a second run with the same seeds gives the same, else the first difference
    notes: tuple[str, ...]


def modes_of(root: Root) -> tuple[str, ...]:
    """The mode in which the root was handed over, then the other one; ("",) for a function."""
    if not isinstance(root, nn.Module):
        return ("",)
    return ("train", "eval") if root.training else ("eval", "train")


def observe_eager(subject: Subject, inputs: Inputs, seed: int) -> Eager:
    """Run the model through all calls. Without inputs2() the second shape is a longer batch; a note says so where the model refuses it."""
    seed_all(seed)
    first = inputs.first()
    arguments = {"first": copied(first)}
    notes = []
    if inputs.second is not None:
        arguments["second"] = copied(inputs.second())
    else:
        longer = other_shape(first)
        problem = "no argument has a first dimension to change" if longer is None else _refusal(subject.fresh(), longer, seed)
        if longer is not None and not problem:
            arguments["second"] = longer
        else:
            notes.append(f"second shape not tried: {problem}; define inputs2() beside inputs()")
    calls = plan(modes_of(subject.pristine), tuple(arguments), seed)
    root = subject.fresh()
    copies: Copies = {}
    before = module_state(root, copies)
    seen = run(root, calls, arguments, lambda: module_state(root, copies))
    repeated = run(subject.fresh(), calls[:2], arguments, dict)
    steady = _first_difference(seen[:2], repeated)
    by_inputs = True
    found = gradients(subject.fresh(), arguments["first"], seed, by_inputs)
    if isinstance(found, str):
        by_inputs = False
        found = gradients(subject.fresh(), arguments["first"], seed, by_inputs)
    return Eager(calls, arguments, seen, before, found, by_inputs, steady, tuple(notes))


def _refusal(root: Root, arguments: Arguments, seed: int) -> str:
    args, kwargs = copied(arguments)
    seed_all(seed)
    try:
        root(*args, **kwargs)
    except Exception as problem:  # noqa: BLE001 (the user's code may raise anything)
        return f"with a longer batch the model itself raises {first_line(problem)}"
    return ""


def _first_difference(wanted: tuple[Seen, ...], got: tuple[Seen, ...]) -> str:
    for a, b in zip(wanted, got, strict=False):
        if a.error or b.error:
            return "" if a.error == b.error else f"{a.call.label()}: {a.error or 'no error'}, then {b.error or 'no error'}"
        if found := difference(a.output, b.output, "output"):
            return f"{a.call.label()}: {found}"
    return ""


def _step(name: str, detail: str) -> Step:
    return Step(name, Status.FAILED if detail else Status.PASSED, detail)


def graph_steps(
    subject: Subject, result: Traced, traced: Root, leaf_classes: tuple[str, ...], way: Way, scopes: list[ModuleType]
) -> list[Step]:
    """The steps that need no inputs: lint, recompile, a second trace that gives the same graph, the other mode, a module left as it was."""
    steps = [_attempt("Graph.lint and recompile", lambda: _checked(result))]
    operations = _operations(result)

    def again() -> str:
        seed_all(TRACE_SEED)
        repeated = _operations(trace_by(way, traced, leaf_classes))
        return "" if repeated == operations else _first_gap(operations, repeated)

    steps.append(_step("no Proxy left behind", graphs.proxies_left(traced, scopes)))
    changed = _changed(module_state(subject.fresh()), _named(way, module_state(traced)))
    steps.append(_step("tracing left the module as it was", changed))
    steps.append(_attempt("traced again: same graph", again))
    for mode in () if way.both_modes else modes_of(subject.pristine)[1:]:
        other = way.root(subject.fresh())
        if isinstance(other, nn.Module):
            other.train(mode == "train")
        steps.append(_attempt(f"traces in {mode} mode", partial(trace_by, way, other, leaf_classes)))
    return steps


def _checked(result: Traced) -> None:
    for module in result.graphs:
        graphs.check(module)


def _operations(result: Traced) -> tuple[str, ...]:
    return tuple(operation for module in result.graphs for operation in graphs.operations(module.graph))


def _named(way: Way, state: dict[str, Snapshot]) -> dict[str, Snapshot]:
    return {way.own_name(name): value for name, value in state.items()}


def _attempt(name: str, action: Callable[[], object]) -> Step:
    try:
        result = action()
    except Exception as problem:  # noqa: BLE001 (tracing runs the user's code)
        return _step(name, first_line(problem))
    return _step(name, result if isinstance(result, str) else "")


def _first_gap(wanted: tuple[str, ...], got: tuple[str, ...]) -> str:
    for index, (a, b) in enumerate(zip(wanted, got, strict=False)):
        if a != b:
            return f"node {index} is {a!r}, then {b!r}"
    return f"{len(wanted)} nodes, then {len(got)}"


def _changed(before: dict[str, Snapshot], after: dict[str, Snapshot]) -> str:
    for name, value in before.items():
        if name in after and (found := difference(value, after[name], name)):
            return found.replace(" in eager mode", " before").replace(" in the graph", " after")
    new = sorted(name for name in after.keys() - before.keys() if not name.rpartition(".")[2].startswith("_"))
    return f"new: {', '.join(new)}" if new else ""


def number_steps(
    eager: Eager, result: Traced, traced: Root, way: Way, again: Callable[[], Traced], seed: int
) -> list[Step]:
    """The graph through the same calls as the model: outputs by mode, shape and call, arguments and state left behind, gradients.

    ``again`` traces a fresh instance: gradients are compared in the state in which the model was built.
    """
    if eager.steady:
        return [Step("same as eager", Status.SKIPPED, f"eager differs from itself with the same seed: {eager.steady}")]
    copies: Copies = {}
    before = _named(way, traced_state(result.module, traced, copies))
    got = run(result.module, eager.calls, eager.arguments, lambda: _named(way, traced_state(result.module, traced, copies)))
    steps = _output_steps(eager, got)
    pairs = [(a, b) for a, b in zip(eager.seen, got, strict=False) if not a.error and not b.error]
    left = (difference(a.arguments, b.arguments, f"arguments after the {a.call.label()}") for a, b in pairs)
    steps.append(_step("same arguments after the call", _first(left)))
    steps.append(_step("same state after the calls", _first(_state_difference(eager.before, a, before, b) for a, b in pairs)))
    steps.append(_gradient_step(eager, way, again, seed))
    return steps


def _first(texts: Any) -> str:
    return next((text for text in texts if text), "")


def _output_steps(eager: Eager, got: tuple[Seen, ...]) -> list[Step]:
    results = {b.call: b for b in got}
    steps = []
    for wanted in eager.seen:
        name = f"same output: {wanted.call.label()}"
        found = results.get(wanted.call)
        if found is None:
            steps.append(Step(name, Status.SKIPPED, "an earlier call raised"))
        elif wanted.error:
            same = found.error.partition(":")[0] == wanted.error.partition(":")[0]
            steps.append(_step(name, "" if same else f"eager raises {wanted.error}, the graph {found.error or 'does not'}"))
        elif found.error:
            steps.append(_step(name, f"the graph raises {found.error}"))
        else:
            steps.append(_step(name, difference(wanted.output, found.output, "output")))
    return steps


def _state_difference(eager_before: dict[str, Snapshot], wanted: Seen, graph_before: dict[str, Snapshot], got: Seen) -> str:
    """Only what the model changed, or what the graph did: attributes that neither touches may differ in form."""
    for name, value in wanted.state.items():
        there = got.state.get(name)
        if _untouched(eager_before.get(name), value) and (there is None or _untouched(graph_before.get(name), there)):
            continue
        found = difference(value, there, name) if there is not None else f"{name}: not there in the graph"
        if found:
            return f"after the {wanted.call.label()}: {found}"
    return ""


def _untouched(before: Snapshot | None, after: Snapshot) -> bool:
    # A tensor that was not written is not copied again (see observe.Copies): most of a large model's state is compared by identity.
    return before is after or (before is not None and not difference(before, after, ""))


def _gradient_step(eager: Eager, way: Way, again: Callable[[], Traced], seed: int) -> Step:
    name = "same gradients"
    if isinstance(eager.gradients, str):
        return Step(name, Status.SKIPPED, f"eager's backward raises {eager.gradients}")
    if not eager.gradients:
        return Step(name, Status.SKIPPED, "no output requires a gradient")
    found = gradients(again().module, eager.arguments["first"], seed, eager.by_inputs)
    if isinstance(found, str):
        return _step(name, f"the graph's backward raises {found}")
    nothing = snapshot(None)
    found = _named(way, found)
    for key, wanted in eager.gradients.items():
        there = found.get(key, nothing)
        if wanted == nothing and key not in found:
            continue
        if wanted[0] == "tensor" and there[0] != "tensor" and not bool(torch.any(wanted[5] != 0)):
            continue  # zeros against nothing: the same step of any optimiser
        if text := difference(wanted, there, f"gradient of {key}"):
            return _step(name, text)
    return _step(name, "")
