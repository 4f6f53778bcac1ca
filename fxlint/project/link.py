"""Links: what a module-level name of one file stands for, followed through imports and re-exports."""

from __future__ import annotations

from dataclasses import dataclass

from fxlint.project.modules import Project, SourceFile
from fxlint.syntax.outline import Binding, ImportOutline


@dataclass(frozen=True, slots=True)
class Defined:
    """A function, class or assigned name of a project file."""

    source: SourceFile
    binding: Binding


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """A module of the project."""

    source: SourceFile


@dataclass(frozen=True, slots=True)
class External:
    """Something outside the project, by its dotted name: ``torch.nn.functional``, ``numpy.sqrt``."""

    dotted: str


Target = Defined | ModuleFile | External


def skipped(guard: str) -> bool:
    """Whether a binding under this guard never runs: ``if TYPE_CHECKING``."""
    return "TYPE_CHECKING/body" in guard


def lookup(project: Project, source: SourceFile, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> tuple[Target, ...]:
    """What ``name`` may stand for at the end of the module ``source``: several targets where arms of an if or a try disagree.

    Empty where the module does not bind the name.
    """
    if (source.path, name) in seen:
        return ()
    seen |= {(source.path, name)}
    live = [b for b in source.index.get(name, ()) if not skipped(b.guard)]
    if live:
        out: list[Target] = []
        for binding in _final(live):
            for target in _follow(project, source, binding, seen):
                if target not in out:
                    out.append(target)
        return tuple(out)
    for binding in source.index.get("*", ()):
        if isinstance(binding.what, ImportOutline):
            dotted = project.absolute(source, binding.what.module, binding.what.level)
            other = project.module(dotted, source)
            if other is not None and not name.startswith("_"):
                found = lookup(project, other, name, seen)
                if found:
                    return found
    return ()


def _final(live: list[Binding]) -> list[Binding]:
    """The bindings that can be the last one to run: the last unguarded one and all guarded ones after it, or a guarded set."""
    last = max((i for i, b in enumerate(live) if not b.guard), default=-1)
    kept = live[max(last, 0):] if last >= 0 else live
    tries = [b for b in kept if b.guard.startswith("try/") or " > try/" in b.guard]
    bodies = [b for b in tries if "try/body" in b.guard or "try/orelse" in b.guard]
    if bodies and len(bodies) < len(tries):
        # An import that works is what people run: the except arm is the fall-back of an older or smaller installation.
        kept = [b for b in kept if b not in tries or b in bodies]
    return kept


def _follow(project: Project, source: SourceFile, binding: Binding, seen: frozenset[tuple[str, str]]) -> tuple[Target, ...]:
    what = binding.what
    if not isinstance(what, ImportOutline):
        return (Defined(source, binding),)
    dotted = project.absolute(source, what.module, what.level)
    if what.attr is None:
        return (module_target(project, source, dotted),)
    return member(project, source, dotted, what.attr, seen)


def module_target(project: Project, source: SourceFile, dotted: str) -> Target:
    """The module ``dotted`` as ``source`` would import it."""
    other = project.module(dotted, source)
    return ModuleFile(other) if other is not None else External(dotted)


def member(
    project: Project, source: SourceFile, dotted: str, attr: str, seen: frozenset[tuple[str, str]] = frozenset()
) -> tuple[Target, ...]:
    """``from dotted import attr`` in ``source``: a name of that module, or a submodule of it."""
    other = project.module(dotted, source)
    if other is None:
        return (External(f"{dotted}.{attr}" if dotted else attr),)
    found = lookup(project, other, attr, seen)
    if found:
        return found
    sub = project.module(f"{dotted}.{attr}", source)
    if sub is not None:
        return (ModuleFile(sub),)
    return (External(f"{dotted}.{attr}"),)
