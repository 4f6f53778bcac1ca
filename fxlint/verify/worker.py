"""The child: builds the model, traces it, compares it, answers on the pipe. With what only it imports, the one place that imports torch."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from fxlint.verify.places import LineRecorder, is_user_file, of_error
from fxlint.verify.protocol import Failure, Limits, Progress, ReferenceRole, Request, Stage, Status, WorkerReport, frame, read_request

try:
    import torch
except ModuleNotFoundError as missing:
    if missing.name != "torch":
        raise
    sys.stderr.write("No module named 'torch'\n")
    sys.stderr.flush()
    os._exit(77)  # runner.NO_TORCH_EXIT

from fxlint.verify import graphs, prove, reference
from fxlint.verify.build import Arguments, Inputs, Root, Subject, definition, inputs, omitted_defaults, seed_all, subject
from fxlint.verify.concolic import Findings, investigate
from fxlint.verify.load import import_location
from fxlint.verify.observe import first_line
from fxlint.verify.overlay import install
from fxlint.verify.ways import Traced, Way, trace_by, wrapped_ways


class _StageError(Exception):
    """A stage that ended the run; carries what the report says of it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def main(request_descriptor: int, answer_descriptor: int) -> None:
    """Read the request, do it, answer, and leave without running exit handlers of the user's."""
    os.set_inheritable(answer_descriptor, False)
    with os.fdopen(request_descriptor, "rb") as stream:
        request, nonce = read_request(stream.read())
    limit(request.limits)

    def send(message: Progress | WorkerReport) -> None:
        data = memoryview(frame(message, nonce))
        while data:
            data = data[os.write(answer_descriptor, data) :]

    report = work(request, lambda stage: send(Progress(stage)))
    with contextlib.suppress(OSError, ValueError):  # the user's code may have closed or replaced them
        sys.stdout.flush()
        sys.stderr.flush()
    send(report)
    os._exit(0)


def limit(limits: Limits) -> None:
    """Bound memory, processor time, file size and core dumps, for this process and all it starts, where the system can do so."""
    try:
        import resource
    except ImportError:  # Windows: the parent's wall time is what is left
        return
    processors = os.cpu_count() or 1
    wanted = {
        resource.RLIMIT_CPU: int(limits.seconds * processors) + 1,
        resource.RLIMIT_FSIZE: limits.file_size,
        resource.RLIMIT_CORE: 0,
        **({resource.RLIMIT_AS: limits.memory * 1024 * 1024} if limits.memory else {}),
    }
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bound, bound))


def work(request: Request, progress: Callable[[Stage], None]) -> WorkerReport:
    """The report on ``request``; never raises for what the user's code does."""
    report = WorkerReport(str(torch.__version__))
    texts = install(request.overlays, request.module_files)
    sys.path[:0] = [folder for folder in request.search_path if folder not in sys.path]
    try:
        with _stage(Stage.IMPORT, progress):
            module = import_location(request.location, request.is_file, texts)
        with _stage(Stage.BUILD, progress):
            made = subject(module, request.attribute, request.seed)
        report = replace(report, model=made.name, definition=definition(made.pristine), mode=prove.modes_of(made.pristine)[0])
        with _stage(Stage.INPUTS, progress):
            given = inputs(request.inputs, module, texts)
            report = replace(report, has_inputs=given is not None)
        return _examine(request, report, made, given, progress)
    except _StageError as ended:
        return replace(report, failure=ended.failure)


@contextlib.contextmanager
def _stage(stage: Stage, progress: Callable[[Stage], None]) -> Iterator[None]:
    progress(stage)
    try:
        yield
    except BaseException as problem:  # SystemExit and KeyboardInterrupt of the user's code, too, are outcomes
        raise _StageError(_failure(stage, problem)) from problem


def _failure(stage: Stage, problem: BaseException) -> Failure:
    message = first_line(problem).removeprefix(f"{type(problem).__name__}").removeprefix(": ")
    return Failure(stage, type(problem).__name__, message, of_error(problem))


def _examine(
    request: Request, report: WorkerReport, made: Subject, given: Inputs | None, progress: Callable[[Stage], None]
) -> WorkerReport:
    original: dict[str, Any] | None = None
    if request.reference_role is ReferenceRole.READ:
        original = reference.read(Path(request.reference))
        if original is not None:
            reference.adopt_parameters(made.pristine, original)
    eager = None
    if given is not None:
        with _stage(Stage.EAGER, progress):
            eager = prove.observe_eager(made, given, request.seed)
        report = replace(report, notes=eager.notes)
        if eager.seen[0].error:
            with _stage(Stage.EAGER, progress):  # once more, for the traceback
                _call_once(made, eager.arguments["first"], request.seed)
        if request.reference_role is ReferenceRole.WRITE:
            note = reference.write(Path(request.reference), eager)
            report = replace(report, notes=(*report.notes, *([note] if note else ())))
    recorder = LineRecorder()
    arguments = eager.arguments["first"] if eager is not None else None
    attempt = _Attempt(request, made, eager, original, recorder, progress)
    held = omitted_defaults(made.pristine, arguments)
    plain = best = attempt.run(report, Way())
    problem = _first_problem(plain)
    if problem is not None:
        ways = [Way(held)] if held else []
        ways += wrapped_ways(made.pristine, arguments)
        for way in ways:
            if _first_problem(best) is None:
                break
            found = replace(attempt.run(report, way), plain_failure=problem)
            best = found if _is_better(found, best) else best
        if _differs_by_mode(best):
            way = Way({name: held[name] for name in best.defaults}, best.wrapper, both_modes=True, whole=best.kept_whole)
            found = replace(attempt.run(report, way), plain_failure=problem)
            best = found if _first_problem(found) is None else best
    if plain.failure is not None:
        progress(Stage.CONCOLIC)
        seen = _investigate(request, made, arguments, held, recorder)
        best = replace(best, concolic=seen.outcome, incidents=seen.incidents)
    return replace(best, executed=recorder.executed())


def _is_better(found: WorkerReport, best: WorkerReport) -> bool:
    """A way whose first problem is the very same brings nothing; a trace is better than a break, and no problem better than one."""
    problem, known = _first_problem(found), _first_problem(best)
    if problem is None or known is None:
        return problem is None
    if (problem.stage is Stage.COMPARE) is not (known.stage is Stage.COMPARE):
        return problem.stage is Stage.COMPARE
    return problem != known and not found.wrapper


def _differs_by_mode(report: WorkerReport) -> bool:
    """Whether all that differs, differs in the mode in which the root was not traced."""
    other = {"train": "eval", "eval": "train"}.get(report.mode)
    failed = [step for step in report.steps if step.status is Status.FAILED]
    return other is not None and bool(failed) and all(step.name.endswith((f"{other} mode", *_AFTER_ALL)) for step in failed)


_AFTER_ALL = ("same state after the calls", "same arguments after the call")  # these steps look at the calls of both modes


def _first_problem(report: WorkerReport) -> Failure | None:
    """What broke, or the first step that failed, as a failure."""
    if report.failure is not None:
        return report.failure
    failed = next((step for step in report.steps if step.status is Status.FAILED), None)
    return None if failed is None else Failure(Stage.COMPARE, "Difference", f"{failed.name}: {failed.detail}")


@dataclass(frozen=True, slots=True)
class _Attempt:
    """All that one way of tracing needs; ``run`` traces with some parameters held at their defaults, and proves what comes out."""

    request: Request
    made: Subject
    eager: prove.Eager | None
    original: dict[str, Any] | None
    recorder: LineRecorder
    progress: Callable[[Stage], None]

    def run(self, report: WorkerReport, way: Way) -> WorkerReport:
        """``report`` with the way, and the failure, or the graph and the steps."""
        self.progress(Stage.TRACE)
        report = replace(report, defaults=tuple(way.held), wrapper=way.wrapper, kept_whole=way.whole, both_modes=way.both_modes)
        root = way.root(self.made.fresh())
        try:
            with self.recorder.recording():
                result = self._trace(root, way)
        except BaseException as problem:  # noqa: BLE001 (SystemExit of the user's code, too)
            return replace(report, failure=_failure(Stage.TRACE, problem))
        self.progress(Stage.RETRACE)
        steps = prove.graph_steps(self.made, result, root, self.request.leaf_classes, way, _user_modules())
        if self.eager is not None:
            self.progress(Stage.COMPARE)
            again = partial(self._again, way)
            steps += prove.number_steps(self.eager, result, root, way, again, self.request.seed)
            if self.request.reference_role is ReferenceRole.READ:
                steps.append(reference.step(self.original, self.eager))
        return replace(report, graph=graphs.facts(result.graphs[0]), steps=tuple(steps))

    def _again(self, way: Way) -> Traced:
        return self._trace(way.root(self.made.fresh()), way)

    def _trace(self, root: Root, way: Way) -> Traced:
        seed_all(prove.TRACE_SEED)
        return trace_by(way, root, self.request.leaf_classes)


def _call_once(made: Subject, arguments: Arguments, seed: int) -> None:
    root = made.fresh()
    args, kwargs = arguments
    seed_all(seed + 1)
    root(*args, **kwargs)


def _investigate(request: Request, made: Subject, arguments: Arguments | None, held: dict[str, Any], recorder: LineRecorder) -> Findings:
    """The concolic trace: parameters that the inputs omit hold their defaults."""
    if arguments is None:
        return Findings("skipped: no inputs, so only the first break is known", ())
    root = made.fresh()
    seed_all(prove.TRACE_SEED)
    try:
        with recorder.recording():
            return investigate(root, arguments, request.leaf_classes, held)
    except Exception as problem:  # noqa: BLE001 (a fault of the concolic trace must not take the verdict with it)
        return Findings(f"failed: {first_line(problem)} (please report)", ())


def _user_modules() -> list[ModuleType]:
    return [module for module in list(sys.modules.values()) if is_user_file(getattr(module, "__file__", None) or "<none>")]
