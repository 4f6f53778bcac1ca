"""``fxlint trace``: build the model, trace it as it is and repaired, compare with eager. Runs your code, in a child process.

Exit codes: 0 the model traces as it is (and, with inputs, computes the same); 1 it does not, whatever the repairs achieve; 2 the target
cannot be imported, built or run, or its process died, or torch is missing.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fxlint.base.errors import FxlintError, UsageError

if TYPE_CHECKING:
    from fxlint.base.finding import Finding, Fix
    from fxlint.driver import Request as CheckRequest
    from fxlint.driver import Result
    from fxlint.registry import Registry
    from fxlint.rounds import Key
    from fxlint.verify.outcome import Confronted, Repairs, Run, Trial
    from fxlint.verify.protocol import Definition, Executed, Limits, ModuleFile
    from fxlint.verify.runner import Died, Reported
    from fxlint.verify.targets import Target

ROUNDS = 3  # repaired runs: all that is proposed, then without what was refuted, twice
_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a command line asks of ``examine``. ``request`` is the static half's; None leaves it out."""

    target: Target
    request: CheckRequest | None
    inputs: str
    leaf_classes: tuple[str, ...]
    unsafe: bool
    limits: Limits
    python: str  # the interpreter that runs the child
    module_files: tuple[ModuleFile, ...] = ()  # modules that the child would not find by itself


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("trace", help="trace a model for real, and compare with eager", allow_abbrev=False, description=__doc__)
    parser.add_argument("target", metavar="TARGET", help="path.py:Class, path.py:function, path.py (with make()), module:factory, or a name"
                        " from [tool.fxlint.models]")
    parser.add_argument("--inputs", metavar="FUNCTION", default="", help="module:function or path.py:function that returns the arguments"
                        " (default: inputs() of the target's file)")
    parser.add_argument("--leaf", action="append", default=[], metavar="CLASS", help="keep modules of this class whole; repeatable")
    parser.add_argument("--no-fix", action="store_true", help="trace the text as it is only")
    parser.add_argument("--unsafe-fixes", action="store_true", help="apply unsafe repairs too (in memory)")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="SECONDS", help="wall time for each run (default: 120)")
    parser.add_argument("--memory", type=int, default=8192, metavar="MIB", help="address space for each run; 0: no limit (default: 8192)")
    parser.add_argument("--python", metavar="FILE", default=sys.executable, help="the interpreter that has torch (default: this one)")
    parser.add_argument("--steps", action="store_true", help="list every step of the proof")
    parser.add_argument("--output-format", default="text", metavar="FORMAT", help="text or json (default: text)")
    parser.add_argument("--torch-version", metavar="VERSION", help="the torch that the static half assumes")
    parser.add_argument("--config", action="append", default=[], metavar="FILE|KEY=VALUE",
                        help="use this configuration file, or set one key of the configuration; repeatable")
    parser.add_argument("--isolated", action="store_true", help="ignore configuration files")


def run(args: argparse.Namespace) -> int:
    """Trace, print the report on stdout; answers 0, 1 or 2."""
    from fxlint.registry import load
    from fxlint.verify.outcome import Verdict

    if args.output_format not in _FORMATS:
        raise UsageError(f"--output-format {args.output_format}: known are {', '.join(_FORMATS)}")
    if args.timeout <= 0:
        raise UsageError(f"--timeout {args.timeout:g}: a time in seconds above 0 is wanted")
    if args.memory < 0:
        raise UsageError(f"--memory {args.memory}: a size in MiB, or 0, is wanted")
    registry = load()
    trial = examine(wanted(args, registry), registry)
    base = os.getcwd()
    sys.stdout.write(_rendered(trial, args, base))
    if trial.plain.judged.verdict is Verdict.UNUSABLE:
        raise FxlintError(f"{args.target}: {trial.plain.judged.line}")
    for line in trial.errors:
        print(f"fxlint: {line}", file=sys.stderr)
    if trial.errors:
        return 2
    return 0 if traces_alone(trial.plain) else 1


def traces_alone(plain: Run) -> bool:
    """Whether ``symbolic_trace(model)`` is right as the text stands, without a repair and without parameters held at their defaults."""
    from fxlint.verify.outcome import Verdict
    from fxlint.verify.runner import Reported

    good = plain.judged.verdict in (Verdict.VERIFIED, Verdict.TRACES)
    return good and isinstance(plain.outcome, Reported) and plain.outcome.report.plain_failure is None


def _rendered(trial: Trial, args: argparse.Namespace, base: str) -> str:
    from fxlint.report import colours, trial_json, trial_text
    from fxlint.verify.outcome import Verdict

    if args.output_format == "json":
        return trial_json.render(trial, base)
    if trial.plain.judged.verdict is Verdict.UNUSABLE:
        return ""
    return trial_text.render(trial, base, colours.paint_for(sys.stdout), args.steps)


def wanted(args: argparse.Namespace, registry: Registry) -> Wanted:
    """The command line, understood. Raises UsageError or ConfigError."""
    from fxlint.verify.protocol import Limits
    from fxlint.verify.targets import inputs_spec, resolve

    base = Path.cwd()
    models = _models(args, base)
    target = resolve(args.target, models, base, _installed(args.python))
    inputs = inputs_spec(args.inputs, base) if args.inputs else ""
    limits = Limits(seconds=args.timeout, memory=args.memory)
    request = None if args.no_fix else static_request(target, args, registry)
    return Wanted(target, request, inputs, tuple(args.leaf), args.unsafe_fixes, limits, args.python)


def _installed(python: str) -> tuple[str, ...]:
    from fxlint.verify.runner import search_path

    if python == sys.executable:
        return tuple(sys.path)
    try:
        return search_path(python)
    except OSError as error:
        raise UsageError(f"--python {python}: cannot be used: {error.strerror}") from error


def _models(args: argparse.Namespace, base: Path) -> Mapping[str, str]:
    from fxlint.cli import options

    return dict(options.settings(args, base).models)


def static_request(target: Target, args: argparse.Namespace, registry: Registry) -> CheckRequest:
    """What the static half is asked: all files of the target's project, with the target as the only root."""
    from fxlint.cli import options
    from fxlint.project.discover import units

    options_of_check = options.defaults(
        paths=[target.path], roots=[target.root], torch_version=args.torch_version, config=args.config, isolated=args.isolated)
    request = options.plan(options_of_check, registry, fixes=True).requests[0]
    request = replace(request, settings=replace(request.settings, tracer=""))  # the child traces with torch's own Tracer
    files = {path for unit, _ in units((target.path,), request.config_folder, request.exclude) for path in unit.files}
    return replace(request, files=tuple(sorted(files)))


def examine(asked: Wanted, registry: Registry) -> Trial:
    """Predict, run as it is, repair in memory, run repaired. Raises FxlintError where torch is missing."""
    from fxlint.verify.outcome import Repairs, Run, Trial, Verdict, about, confront, judge, no_torch
    from fxlint.verify.protocol import ReferenceRole
    from fxlint.verify.runner import Reported

    requests: tuple[CheckRequest, ...] = () if asked.request is None else (asked.request,)
    predicted = None if asked.request is None else _predictions(requests, registry)
    elsewhere: Definition | None = None
    with tempfile.TemporaryDirectory(prefix="fxlint-trace-") as folder:
        outcome = _child(asked, Path(folder), ReferenceRole.WRITE, {}, asked.leaf_classes)
        if line := no_torch(outcome):
            raise FxlintError(line)
        plain = Run("as it is", outcome, judge(outcome))
        repairs, repaired = Repairs(), None
        usable = plain.judged.verdict is not Verdict.UNUSABLE
        if asked.request is not None and usable and isinstance(outcome, Reported):
            elsewhere = _outside(outcome.report.definition, asked.request)
            if elsewhere is not None:
                requests = (asked.request, _request_for(elsewhere, outcome.report.executed, asked.request))
                predicted = _predictions(requests, registry)
        if predicted is not None and usable and not traces_alone(plain):
            repaired, repairs = proven(asked, requests, registry, Path(folder))
    lines: tuple[Confronted, ...] = ()
    if predicted is not None and isinstance(outcome, Reported):
        later = repaired.outcome.report if repaired is not None and isinstance(repaired.outcome, Reported) else None
        lines = confront(about(predicted.findings, asked.target.path), outcome.report, later)
    return Trial(asked.target.text, plain, repaired, repairs, lines, () if predicted is None else predicted.errors, elsewhere)


def _outside(definition: Definition | None, request: CheckRequest) -> Definition | None:
    """The definition of a model whose class no file of the target's project holds: a factory that only imports a package."""
    known = {os.path.realpath(path) for path in request.files}
    return None if definition is None or os.path.realpath(definition.path) in known else definition


def _request_for(definition: Definition, executed: Sequence[Executed], request: CheckRequest) -> CheckRequest:
    """``request`` with the model's class as root, and the files of its package that define its modules or ran while tracing."""
    from fxlint.project.discover import package_top

    top = package_top(definition.path)
    near = {path for path in (*definition.sources, *(part.path for part in executed)) if top and path.startswith(os.path.join(top, ""))}
    files = tuple(sorted({definition.path, *(path for path in near if path.endswith(".py"))}))
    return replace(request, files=files, settings=replace(request.settings, roots=(definition.name,)), only_files=True)


def _predictions(requests: Sequence[CheckRequest], registry: Registry) -> Result:
    from fxlint.driver import check, merged

    return merged([check(request, registry) for request in requests])


def proven(asked: Wanted, requests: Sequence[CheckRequest], registry: Registry, folder: Path) -> tuple[Run | None, Repairs]:
    """The repaired run and its repairs, in at most ROUNDS runs: what is refuted is taken back, and the next proposal stands in for it."""
    from fxlint.rounds import key_of
    from fxlint.verify.outcome import Repairs, Run, Verdict, judge, rank, suspects
    from fxlint.verify.protocol import ReferenceRole

    best: tuple[Run | None, Repairs] = (None, Repairs())
    refuted: dict[Key, Fix] = {}
    for _ in range(ROUNDS):
        applied, repairs = repairs_of(requests, registry, asked.target, asked.unsafe, frozenset(refuted))
        if not repairs.texts and not repairs.leaf_classes:
            return (best[0], repairs) if best[0] is None else best
        leaves = tuple(dict.fromkeys((*asked.leaf_classes, *repairs.leaf_classes)))
        outcome = _child(asked, folder, ReferenceRole.READ, repairs.texts, leaves)
        run = Run("repaired", outcome, judge(outcome))
        if best[0] is None or rank(run) < rank(best[0]):
            best = run, replace(repairs, refuted=tuple(refuted.values()))
        if run.judged.verdict in (Verdict.VERIFIED, Verdict.TRACES):
            break
        guilty = suspects(applied, outcome)
        if not guilty:
            break
        refuted |= {key_of(finding): finding.fix for finding in guilty if finding.fix is not None}
    return best


def _child(asked: Wanted, folder: Path, role: object, texts: Mapping[str, str], leaves: tuple[str, ...]) -> Reported | Died:
    from fxlint.verify.protocol import Overlay, ReferenceRole, Request
    from fxlint.verify.runner import run as run_child

    assert isinstance(role, ReferenceRole)
    temporary = Path(tempfile.mkdtemp(prefix=role.value, dir=folder))
    request = Request(
        location=asked.target.location, is_file=asked.target.is_file, attribute=asked.target.attribute, inputs=asked.inputs,
        search_path=asked.target.search_path, module_files=asked.module_files, leaf_classes=leaves,
        reference=str(folder / "reference.pt"), reference_role=role,
        overlays=tuple(Overlay(os.path.realpath(path), text) for path, text in sorted(texts.items())), limits=asked.limits,
    )  # fmt: skip
    return run_child(request, temporary, asked.python)


def repairs_of(
    requests: Sequence[CheckRequest], registry: Registry, target: Target, unsafe: bool, refuted: frozenset[Key] = frozenset()
) -> tuple[tuple[Finding, ...], Repairs]:
    """The findings repaired and what was done, in memory: the user's files are only read. Nothing of ``refuted`` is done.

    What is still an error then gets a leaf rule where there is a submodule to keep whole.
    """
    from fxlint.base.finding import Severity
    from fxlint.project.decode import read
    from fxlint.rounds import repair
    from fxlint.verify.outcome import Repairs, about

    done = repair(requests, registry, lambda path: read(Path(path), path).text, unsafe=unsafe, refuted=refuted)
    left = tuple(finding for finding in about(done.result.findings, target.path) if finding.severity is Severity.ERROR)
    fixes = tuple(finding.fix for finding in done.applied if finding.fix is not None)
    # A warning gets a leaf rule where that is the repair proposed: the model is traced wrongly, or it would not be repaired.
    shown = [f for f in about(done.result.findings, target.path) if f.fix is not None and not f.fix.edits]
    return done.applied, Repairs(fixes, _leaves(done.result, {(f.path, f.start) for f in (*left, *shown)}), left, done.texts)


def _leaves(result: Result, places: set[tuple[str, int]]) -> tuple[str, ...]:
    from fxlint.fixes.leaf import leaf_class

    names = (leaf_class(event) for event in result.events if (event.site.path, event.site.start) in places)
    return tuple(sorted({name for name in names if name is not None}))
