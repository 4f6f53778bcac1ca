"""``fxlint fix``: repair what can be repaired, to a fixed point; several files change together or not at all."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fxlint.base.errors import FxlintError, UsageError

if TYPE_CHECKING:
    from fxlint.base.finding import Finding
    from fxlint.project.decode import Source
    from fxlint.registry import Registry
    from fxlint.rounds import Repaired


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    from fxlint.cli import options

    parser = subparsers.add_parser("fix", help="repair what can be repaired", allow_abbrev=False, description=__doc__)
    options.add(parser)
    parser.add_argument("--diff", action="store_true", help="print what would change and write nothing (exit 1 if anything would)")
    parser.add_argument("--verify", metavar="TARGET", help="trace TARGET (as `fxlint trace` names it) with the repairs in memory, and write"
                        " only what makes it verified; runs your code")
    parser.add_argument("--inputs", metavar="FUNCTION", default="", help="with --verify: the function that returns the arguments")
    parser.add_argument("--unsafe-fixes", action=argparse.BooleanOptionalAction, help="apply repairs too that may change numbers")


def run(args: argparse.Namespace) -> int:
    """Repair the files; answers 0 when nothing is left to report, 1 when findings remain (with --diff: when something would change)."""
    from fxlint.cli import check, options, progress
    from fxlint.fixes.atomic import JOURNAL, recover
    from fxlint.project.decode import read
    from fxlint.registry import load
    from fxlint.report.view import View
    from fxlint.rounds import repair

    if options.STDIN in args.paths:
        raise UsageError("fix does not read standard input: give files or folders")
    for folder in _folders(args.paths or ["."]):
        for restored in recover(folder / JOURNAL):
            print(f"fxlint: put back {_shown(restored)}: an earlier run was killed while it wrote", file=sys.stderr)
    registry = load()
    if args.verify:
        return _verified(args, registry)
    plan = options.plan(args, registry, fixes=True)
    sources: dict[str, Source] = {}

    def text_of(path: str) -> str:
        if path not in sources:
            sources[path] = read(Path(path), path)
        return sources[path].text

    unsafe = plan.settings.unsafe_fixes if args.unsafe_fixes is None else args.unsafe_fixes
    with progress.bar(sys.stderr) as tell:
        asked = [replace(request, tell=tell) for request in plan.requests]
        repaired = repair(asked, registry, text_of, unsafe=unsafe)
    if args.diff:
        sys.stdout.write("".join(_diff(path, sources[path].text, text) for path, text in sorted(repaired.texts.items())))
    else:
        _write(repaired.texts, sources)
        if repaired.result.findings:
            sys.stdout.write(check.render(View(repaired.result, plan.base, registry), "concise"))
    _print_outside(repaired)
    _print_broken(repaired)
    for line in _summary(repaired, is_diff=args.diff):
        print(line, file=sys.stderr)
    for line in repaired.result.errors:
        print(f"fxlint: {line}", file=sys.stderr)
    if repaired.result.errors:
        return 2
    return int(bool(repaired.texts)) if args.diff else int(bool(repaired.result.findings))


def _folders(paths: Iterable[str]) -> list[Path]:
    """The folders of ``paths`` and everything above them: where an earlier run may have left its journal."""
    found: dict[Path, None] = {}
    for path in paths:
        start = Path(os.path.abspath(path))
        for folder in (start, *start.parents) if start.is_dir() else start.parents:
            found.setdefault(folder)
    return list(found)


def _verified(args: argparse.Namespace, registry: Registry) -> int:
    """Write the repairs with which the target is verified, or nothing; answers 0 when it is verified, 1 when not, 2 when it cannot run."""
    from fxlint.cli import trace
    from fxlint.project.decode import read
    from fxlint.verify.outcome import Verdict, how
    from fxlint.verify.runner import Reported

    if args.paths:
        raise UsageError("fix --verify looks at the project of its target: give no paths")
    parser = argparse.ArgumentParser()
    trace.add(parser.add_subparsers())
    asked = parser.parse_args(["trace", args.verify, "--inputs", args.inputs])
    asked.config, asked.isolated, asked.unsafe_fixes = args.config, args.isolated, bool(args.unsafe_fixes)
    asked.torch_version = args.torch_version
    trial = trace.examine(trace.wanted(asked, registry), registry)
    final = trial.final
    if final.judged.verdict is Verdict.UNUSABLE or trial.errors:
        raise FxlintError("; ".join(trial.errors) or f"{args.verify}: {final.judged.line}")
    texts = trial.repairs.texts if final is trial.repaired and final.judged.verdict is Verdict.VERIFIED else {}
    sources = {path: read(Path(path), path) for path in texts}
    if args.diff:
        sys.stdout.write("".join(_diff(path, sources[path].text, text) for path, text in sorted(texts.items())))
    else:
        _write(texts, sources)
    verb = "would repair" if args.diff else "repaired"
    print(f"{args.verify}: {final.judged.verdict}: {final.judged.line}; {verb} {_count(len(texts), 'file')}", file=sys.stderr)
    for fix in trial.repairs.refuted:
        print(f"taken back, since the model did not come out equal with it: {fix.message}", file=sys.stderr)
    if final is trial.repaired and trial.repairs.leaf_classes:
        print(f"verified with leaf rules for {', '.join(trial.repairs.leaf_classes)}: `fxlint tracer` writes them", file=sys.stderr)
    if isinstance(final.outcome, Reported) and final.outcome.report.plain_failure is not None:
        print(f"traced {how(final.outcome.report)}", file=sys.stderr)
    if args.diff:
        return int(bool(texts))
    return 0 if final.judged.verdict is Verdict.VERIFIED else 1


def _write(texts: Mapping[str, str], sources: Mapping[str, Source]) -> None:
    from fxlint.fixes.atomic import JOURNAL, write_all

    if not texts:
        return
    contents: dict[Path, bytes] = {}
    for path, text in sorted(texts.items()):
        try:
            contents[Path(path)] = sources[path].encode(text)
        except UnicodeEncodeError as error:
            raise FxlintError(f"{path}: the repair needs a character that {sources[path].encoding} lacks; nothing was written") from error
    folder = Path(os.path.commonpath([os.path.realpath(path.parent) for path in contents]))
    write_all({Path(os.path.realpath(path)): data for path, data in contents.items()}, folder / JOURNAL)


def _diff(path: str, before: str, after: str) -> str:
    name = _shown(path)
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), name, name)
    return "".join(line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _print_outside(repaired: Repaired) -> None:
    for finding in repaired.outside:
        files = sorted({_shown(edit.path) for edit in finding.fix.edits}) if finding.fix is not None else []
        print(f"{_place(finding)}: not repaired, since files that were not given would change ({', '.join(files)})", file=sys.stderr)


def _print_broken(repaired: Repaired) -> None:
    for finding in repaired.broken:
        print(f"{_place(finding)}: not repaired, since the file would not parse after it (please report)", file=sys.stderr)


def _summary(repaired: Repaired, *, is_diff: bool) -> list[str]:
    done, left, files = len(repaired.applied), len(repaired.result.findings), len(repaired.texts)
    verb = "would repair" if is_diff else "repaired"
    lines = [f"{verb} {_count(done, 'finding')} in {_count(files, 'file')}; {_count(left, 'finding')} left"]
    if repaired.unsafe:
        lines.append(f"{_count(len(repaired.unsafe), 'more repair')} with --unsafe-fixes")
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _place(finding: Finding) -> str:
    from fxlint.report.cells import place

    return f"{_shown(finding.path)}:{place(finding)}: {finding.code}"


def _shown(path: str) -> str:
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
