"""Discovery: the module classes and the builder functions of a project, and the order in which they are traced."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fxlint.interp import classes
from fxlint.interp.machine import Machine
from fxlint.interp.names import defined_value, func_info
from fxlint.project import link
from fxlint.project.modules import SourceFile
from fxlint.syntax.outline import Binding, ClassOutline, FunctionOutline, ImportOutline
from fxlint.values.join import alternatives
from fxlint.values.values import ClassInfo, Function

_NUMBER = re.compile(r"\d[\d.,() e+-]*")
_DOCSTRING = re.compile(r'"""[\s\S]*?"""')
_WORDS = re.compile(r"[A-Za-z_]\w*")


def roots(m: Machine, sources: list[SourceFile]) -> list[tuple[SourceFile, str, Function | ClassInfo]]:
    """All that may be traced, in order: first what builders build, then the classes. Each with its file and its name."""
    infos = [info for source in sources if "forward" in source.text for info in module_classes(m, source)]
    return [*builders(m, sources, infos), *((info.source, info.name, info) for info in ordered(infos))]


def exported(m: Machine, sources: list[SourceFile]) -> frozenset[ClassInfo]:
    """The classes that a package names at its top, in imports of its ``__init__``: made to be used by themselves."""
    out: set[ClassInfo] = set()
    for source in sources:
        if source.is_package and "." not in source.module:
            for binding in source.outline.bindings:
                for target in link.lookup(m.project, source, binding.name) if isinstance(binding.what, ImportOutline) else ():
                    if isinstance(target, link.Defined) and isinstance(target.binding.what, ClassOutline):
                        info = classes.class_info(m, target.source, target.binding.what)
                        out.update(() if info is None else (info,))
    return frozenset(out)


def builders(m: Machine, sources: list[SourceFile], infos: list[ClassInfo]) -> Iterator[tuple[SourceFile, str, Function]]:
    """The module-level functions that may build a model and can be called without arguments.

    One of their words is the name of a module class, or of another such function, that their file binds.
    """
    functions: list[tuple[SourceFile, Binding, frozenset[str]]] = []
    for source in sources:
        for binding in source.outline.bindings:
            what = binding.what
            if isinstance(what, FunctionOutline) and not binding.guard:
                functions.append((source, binding, frozenset(_WORDS.findall(source.text, what.start, what.end))))
    known = {info.name for info in infos}
    chosen: dict[int, None] = {}
    grown = True
    while grown:
        grown = False
        for i, (source, binding, words) in enumerate(functions):
            if i not in chosen and any(n != binding.name and (n in source.index or "*" in source.index) for n in words & known):
                chosen[i] = None
                known.add(binding.name)
                grown = True
    seen: set[tuple[str, str]] = set()
    for i in sorted(chosen):
        source, binding, _ = functions[i]
        alike = (source.path, _outline_of_text(source, binding))
        if alike in seen:
            continue
        seen.add(alike)
        for value in alternatives(defined_value(m, source, binding)):
            if isinstance(value, Function) and callable_alone(m, value):
                yield source, binding.name, value


def _outline_of_text(source: SourceFile, binding: Binding) -> str:
    """The text of a function without what builders of one family differ in: its own name, its docstring and its numbers."""
    assert isinstance(binding.what, FunctionOutline)
    text = source.text[binding.what.start:binding.what.end].replace(binding.name, "")
    return _NUMBER.sub("0", _DOCSTRING.sub("", text))


def callable_alone(m: Machine, function: Function) -> bool:
    """Whether a function can be called without arguments."""
    info = func_info(m, function.code)
    return info is not None and all(p.default is not None or p.kind in ("*", "**") for p in info.func.params)


def module_classes(m: Machine, source: SourceFile) -> list[ClassInfo]:
    """The module classes of a file that have a ``forward`` of the project."""
    out = []
    for binding in source.outline.bindings:
        if isinstance(binding.what, ClassOutline):
            info = classes.class_info(m, source, binding.what)
            if info is not None and classes.is_module(info) and classes.find(info, "forward") is not None:
                out.append(info)
    return out


def ordered(infos: list[ClassInfo]) -> list[ClassInfo]:
    """Users before what they use: a class stands after those whose text names it."""
    by_name: dict[str, list[ClassInfo]] = {}
    for info in infos:
        by_name.setdefault(info.name, []).append(info)
    used_by: dict[ClassInfo, set[ClassInfo]] = {info: set() for info in infos}
    for info in infos:
        for name in _names_in(info):
            for used in by_name.get(name, ()):
                if used is not info:
                    used_by[used].add(info)
    done: dict[ClassInfo, None] = {}
    state: dict[ClassInfo, int] = {}

    def visit(start: ClassInfo) -> None:
        stack = [(start, iter(sorted(used_by[start], key=_place)))]
        state[start] = 1
        while stack:
            current, rest = stack[-1]
            for user in rest:
                if user not in state:
                    state[user] = 1
                    stack.append((user, iter(sorted(used_by[user], key=_place))))
                    break
            else:
                stack.pop()
                done[current] = None

    for info in sorted(infos, key=_place):
        if info not in state:
            visit(info)
    return list(done)


def _place(info: ClassInfo) -> tuple[str, int]:
    return info.source.path, info.row


def _names_in(info: ClassInfo) -> set[str]:
    for binding in info.source.outline.bindings:
        what = binding.what
        if isinstance(what, ClassOutline) and what.row == info.row:
            return set(_WORDS.findall(info.source.text, what.start, what.end))
    return set()
