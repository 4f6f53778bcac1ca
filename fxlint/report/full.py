"""The report that people read: headline, source frame, the chain from an input to the construct, what to do, and the proposal as a diff."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fxlint.base.event import Step
from fxlint.base.finding import Finding, Safety, Severity
from fxlint.base.span import LineIndex
from fxlint.project import notebook
from fxlint.report.cells import cell_and_row
from fxlint.report.change import diff
from fxlint.report.colours import Paint
from fxlint.report.concise import headline
from fxlint.report.count import count
from fxlint.report.frame import frame, line
from fxlint.report.names import shown
from fxlint.report.view import View

SAFETY = {
    Safety.SAFE: "safe: the same numbers; `fxlint fix` applies it",
    Safety.UNSAFE: "unsafe: `fxlint fix --unsafe-fixes` applies it",
    Safety.DISPLAY: "shown only: never applied by itself",
}


def render(view: View) -> str:
    """The whole report with a closing count."""
    texts, findings = view.result.texts, view.result.findings
    places = {path: LineIndex.of(text) for path, text in texts.items()}
    blocks = ["\n".join(finding_block(finding, texts, places, view.base, view.paint)) + "\n" for finding in findings]
    return "\n".join([*blocks, count(findings)]) + "\n"


def finding_block(
    finding: Finding, texts: Mapping[str, str], places: Mapping[str, LineIndex], base: str, paint: Paint, *, proposal: bool = True
) -> list[str]:
    """The lines on one finding."""
    colour = {Severity.ERROR: paint.red, Severity.WARNING: paint.yellow, Severity.INFO: paint.cyan}[finding.severity]
    place, _, rest = headline(finding, base).partition(f": {finding.code} ")
    kind, _, message = rest.partition(": ")
    out = [f"{paint.bold(place)}: {colour(f'{finding.code} {kind}')}: {message}"]
    if finding.path in places:
        text, index = texts[finding.path], places[finding.path]
        if finding.cell:
            text = notebook.cell_text(text, finding.cell)
            index = LineIndex.of(text)
        lines = frame(text, index, (finding.row, finding.column), (finding.end_row, finding.end_column))
        out += [_painted(words, colour, paint) for words in lines]
    if finding.steps:
        out.append(paint.cyan("  how it gets here:"))
        out += [f"    {words}" for words in chain(finding.steps, finding.path, texts, places, base)]
    if finding.help:
        out.append(f"  {paint.cyan('help:')} {finding.help}")
    if finding.roots:
        out.append(f"  {paint.cyan('traced from:')} {_several(finding.roots)}")
    if finding.fix is not None and proposal:
        out.append(f"  {paint.cyan('fix:')} {finding.fix.message} ({SAFETY[finding.fix.safety]})")
        out += [f"    {words}" for words in diff(finding.fix, texts, base, paint)]
    return out


def _painted(words: str, colour: Callable[[str], str], paint: Paint) -> str:
    """A line of a frame: its number and bar apart from the source, carets in the colour of the severity."""
    gutter, bar, source = words.partition("|")
    is_caret = bool(source) and not source.strip(" ^")
    return paint.cyan(gutter + bar) + (colour(source) if is_caret else source)


def chain(
    steps: tuple[Step, ...], path: str, texts: Mapping[str, str], places: Mapping[str, LineIndex], base: str
) -> list[str]:
    """One line a step: its place, the source text there, what happens."""
    out: list[str] = []
    for at, step in enumerate(steps):
        index = places.get(step.site.path)
        where = "" if index is None else _row(step.site.path, texts[step.site.path], index, step.site.start)
        if step.site.path != path:
            where = f"{shown(step.site.path, base)}:{where}" if where else shown(step.site.path, base)
        source = " ".join((step.text or _source(step, texts, places)).split())
        said = step.note if step.note.startswith(f"`{source}`") else f"`{source}`" + (f", {step.note}" if step.note else "")
        out.append(f"{'   ' if at == 0 else '-> '}{where + ': ' if where else ''}{said}")
    return out


def _source(step: Step, texts: Mapping[str, str], places: Mapping[str, LineIndex]) -> str:
    path = step.site.path
    if path not in places:
        return ""
    return line(texts[path], places[path], places[path].place(step.site.start)[0]).strip()


def _row(path: str, text: str, index: LineIndex, offset: int) -> str:
    cell, row = cell_and_row(path, text, index, offset)
    return f"cell {cell}:{row}" if cell else str(row)


def _several(names: tuple[str, ...]) -> str:
    shown_names = ", ".join(names[:3])
    return shown_names if len(names) <= 3 else f"{shown_names} and {len(names) - 3} more"
