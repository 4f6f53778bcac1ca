"""Repairs to a fixed point, in memory: analyse, apply what goes together, analyse the result, until nothing is left to apply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from fxlint.base.errors import ReadError
from fxlint.base.finding import Finding, Fix, Safety
from fxlint.driver import Request, Result, check, merged
from fxlint.fixes.editor import apply_edits, by_path, compatible, reparse
from fxlint.registry import Registry

MOST_ROUNDS = 10

Key = tuple[str, str, str, str]
"""File, code, function, and the words of the repair."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a fixed point looks like."""

    texts: Mapping[str, str]  # the new text of each file that changed
    applied: tuple[Finding, ...]  # the findings repaired, in the order of rounds
    result: Result  # what is left
    outside: tuple[Finding, ...]  # left, since its repair changes files that were not given
    unsafe: tuple[Finding, ...]  # left, since its repair is unsafe and such were not asked for
    broken: tuple[Finding, ...] = ()  # left, since the file would not parse after its repair


def repair(
    requests: Sequence[Request], registry: Registry, read: Callable[[str], str], *, unsafe: bool, refuted: frozenset[Key] = frozenset()
) -> Repaired:
    """Apply the proposals of ``requests`` until none is left, at most MOST_ROUNDS times. ``read`` gives the text of a file not yet changed.

    Nothing is written. What makes findings, breaks the analysis or would not parse is taken back, and the other repairs go on. A repair
    that did not help is not tried again, and none of ``refuted`` is tried.
    """
    allowed = frozenset(path for request in requests for path in request.files)
    trusted = frozenset({Safety.SAFE, Safety.UNSAFE} if unsafe else {Safety.SAFE})
    texts: dict[str, str] = {}
    applied: list[Finding] = []
    broken: list[Finding] = []
    result = _check(requests, registry, texts)
    tried: set[Key] = set(refuted)
    for _ in range(MOST_ROUNDS):
        ready = [
            finding for finding in result.findings
            if finding.fix is not None and _is_ready(finding.fix, allowed, trusted) and key_of(finding) not in tried
        ]
        chosen = compatible([finding.fix for finding in ready if finding.fix is not None])
        if not chosen:
            break
        new = {path: apply_edits(texts[path] if path in texts else read(path), edits) for path, edits in by_path(chosen).items()}
        unusable = frozenset(path for path, text in new.items() if not _parses(path, text))
        if unusable:
            found = [finding for finding in ready if finding.fix in chosen and _touches(finding, unusable)]
            broken += [finding for finding in found if not _parses_alone(finding, texts, read)] or found
            tried |= {key_of(finding) for finding in broken}
            continue
        after = _check(requests, registry, {**texts, **new})
        worse = _worse(result, after)
        if worse is not None:
            tried |= {key_of(finding) for finding in ready if finding.fix in chosen and (not worse or _touches(finding, worse))}
            continue
        new = {**texts, **new}
        tried |= {key_of(finding) for finding in ready if finding.fix in chosen}
        applied += [finding for finding in ready if finding.fix in chosen]
        texts, result = new, after
    fixable = [(finding, finding.fix) for finding in result.findings if finding.fix is not None and finding.fix.edits]
    return Repaired(
        MappingProxyType(texts),
        tuple(applied),
        result,
        tuple(finding for finding, fix in fixable if fix.safety in trusted and not _is_inside(fix, allowed)),
        tuple(finding for finding, fix in fixable if fix.safety is Safety.UNSAFE and not unsafe),
        tuple(broken),
    )


def _worse(before: Result, after: Result) -> frozenset[str] | None:
    """The files in which a round made findings, none where all that is known is that it broke the analysis; None where it did no harm."""
    if set(after.errors) - set(before.errors):
        return frozenset()
    if len(after.findings) <= len(before.findings):
        return None
    had, has = (Counter(finding.path for finding in result.findings) for result in (before, after))
    return frozenset(path for path in has if has[path] > had[path])


def _touches(finding: Finding, paths: frozenset[str]) -> bool:
    return finding.fix is not None and any(edit.path in paths for edit in finding.fix.edits)


def _parses(path: str, text: str) -> bool:
    try:
        reparse(path, text)
    except ReadError:
        return False
    return True


def _parses_alone(finding: Finding, texts: Mapping[str, str], read: Callable[[str], str]) -> bool:
    edits = by_path([finding.fix] if finding.fix is not None else [])
    return all(_parses(path, apply_edits(texts[path] if path in texts else read(path), own)) for path, own in edits.items())


def _check(requests: Sequence[Request], registry: Registry, texts: Mapping[str, str]) -> Result:
    stood_in = [replace(request, texts=MappingProxyType({**request.texts, **texts})) for request in requests]
    # What is found in a text between two rounds is not asked for again.
    return merged([check(replace(request, cache=None) if texts else request, registry) for request in stood_in])


def key_of(finding: Finding) -> Key:
    """What a finding with its repair is known by, whatever other repairs did to the places around it."""
    return finding.path, finding.code, finding.owner, "" if finding.fix is None else finding.fix.message


def _is_ready(fix: Fix, allowed: frozenset[str], trusted: frozenset[Safety]) -> bool:
    return bool(fix.edits) and fix.safety in trusted and _is_inside(fix, allowed)


def _is_inside(fix: Fix, allowed: frozenset[str]) -> bool:
    return all(edit.path in allowed for edit in fix.edits)
