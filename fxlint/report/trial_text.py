"""What ``fxlint trace`` found out, for people."""

from __future__ import annotations

from collections import Counter

from fxlint.report.colours import Paint
from fxlint.report.names import shown
from fxlint.verify.outcome import Confronted, Fate, Run, Trial, Verdict, told
from fxlint.verify.protocol import GraphFacts, Incident, Status
from fxlint.verify.runner import Reported

_ORDER = (Fate.CONFIRMED, Fate.NOT_OBSERVED, Fate.REFUTED, Fate.MISSED, Fate.NOT_REACHED)


def render(trial: Trial, base: str, paint: Paint, steps: bool = False) -> str:
    """The report, with a line end. ``steps`` lists every step of the proof."""
    out = [_headline(trial)]
    for run in (trial.plain, trial.repaired):
        if run is not None:
            out += _run(run, base, paint, steps)
    out += _repairs(trial)
    if trial.elsewhere is not None:
        path = shown(trial.elsewhere.path, base)
        out.append(f"{'predicted':<10} for {trial.elsewhere.name} with its default arguments, the others unknown, from {path}")
    if trial.lines:
        out += ["", "predicted by the static half, against what happened (the text as it is):"]
        out += [_line(line, base, paint) for line in trial.lines]
        counts = Counter(line.fate for line in trial.lines)
        out.append("  " + ", ".join(f"{counts[fate]} {fate}" for fate in _ORDER if counts[fate]))
    return "\n".join(out) + "\n"


def _headline(trial: Trial) -> str:
    outcome = trial.plain.outcome
    if not isinstance(outcome, Reported):
        return trial.target
    report = outcome.report
    mode = f", traced in {report.mode} mode" if report.mode else ""
    return f"{trial.target}: {report.model}, torch {report.torch_version}{mode}"


def verdict(run: Run, paint: Paint) -> str:
    """The verdict in its colour."""
    good = run.judged.verdict in (Verdict.VERIFIED, Verdict.TRACES)
    return (paint.green if good else paint.red)(run.judged.verdict)


def _run(run: Run, base: str, paint: Paint, steps: bool) -> list[str]:
    out = [f"{run.title:<10} {verdict(run, paint)}: {run.judged.line.replace(base + '/', '')}"]
    out += [f"{'':<10} note: {note}" for note in run.judged.notes]
    if not isinstance(run.outcome, Reported):
        return out
    report = run.outcome.report
    if report.graph is not None:
        out.append(f"{'':<10} {opaque(report.graph)}")
    if report.incidents:
        out.append(f"{'':<10} with real values at hand the trace {report.concolic}; symbolic_trace would stop at:")
        out += [f"{'':<12} {_incident(incident, base)}" for incident in report.incidents]
    elif report.failure is not None and report.concolic != "not needed":
        out.append(f"{'':<10} with real values at hand: {report.concolic}")
    for step in report.steps:
        if steps or step.status is Status.SKIPPED:
            out.append(f"{'':<12} {step.status:<8} {step.name}" + (f": {step.detail}" if step.detail else ""))
    return out


def _incident(incident: Incident, base: str) -> str:
    if incident.place is None:
        return told(incident)
    return f"{shown(incident.place.path, base)}:{incident.place.row}: {told(incident)}: {incident.place.text}"


def opaque(graph: GraphFacts) -> str:
    """How much of the graph cannot be seen into."""
    hidden = sum(item.count for item in graph.opaque)
    share = round(100 * hidden / graph.calls) if graph.calls else 0
    names = ", ".join(f"{item.target} ({item.kind}, {item.count})" for item in graph.opaque)
    return f"{graph.nodes} nodes, {hidden} of {graph.calls} calls opaque ({share} %)" + (f": {names}" if names else "")


def _repairs(trial: Trial) -> list[str]:
    repairs = trial.repairs
    if not repairs.fixes and not repairs.leaf_classes:
        return [f"{'repairs':<10} none applies"] if repairs.left and trial.plain.judged.verdict is not Verdict.VERIFIED else []
    safeties = Counter(fix.safety for fix in repairs.fixes)
    parts = [f"{count} {safety}" for safety, count in sorted(safeties.items())]
    parts += [f"leaf {name}" for name in repairs.leaf_classes]
    left = f"{len(repairs.left)} {'error' if len(repairs.left) == 1 else 'errors'} left"
    taken_back = [f"{'':<10} taken back, since the model did not come out equal with it: {fix.message}" for fix in repairs.refuted]
    return [f"{'repairs':<10} {', '.join(parts)}; {left} (in memory only: `fxlint fix` writes them)", *taken_back]


def _line(line: Confronted, base: str, paint: Paint) -> str:
    colour = {Fate.CONFIRMED: paint.green, Fate.REFUTED: paint.red, Fate.MISSED: paint.red}.get(line.fate, paint.yellow)
    code = line.finding.code if line.finding is not None else "no finding"
    place = f"{shown(line.path, base)}:{line.row}" if line.path else "no line known"
    return f"  {colour(f'{line.fate:<12}')} {place}: {code}: {line.fact}"
