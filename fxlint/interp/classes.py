"""Classes: bases, resolution order, and which member a name finds."""

from __future__ import annotations

import re
from dataclasses import replace

from fxlint.interp.machine import Machine
from fxlint.library import lookup as library
from fxlint.project import link
from fxlint.project.modules import SourceFile
from fxlint.syntax.outline import ClassOutline, FunctionOutline, ImportOutline, StatementOutline
from fxlint.values.values import ClassInfo, Code, Member

MODULE_ROOTS = ("torch.nn.", "torch.ao.nn.", "torch.jit.ScriptModule", "lightning.", "pytorch_lightning.", "torch.fx.GraphModule")
_DOTTED = re.compile(r"[A-Za-z_][\w.]*")


def class_info(m: Machine, source: SourceFile, outline: ClassOutline) -> ClassInfo | None:
    """The class that an outline describes; None while it is being built (a class that inherits from itself)."""
    key = (source.path, outline.start)
    if key not in m.classes:
        m.classes[key] = None
        m.classes[key] = _build(m, source, outline)
    return m.classes[key]


def _build(m: Machine, source: SourceFile, outline: ClassOutline) -> ClassInfo:
    bases: list[ClassInfo | str] = []
    unknown = False
    for text in outline.bases:
        found = resolve_class(m, source, text)
        if found is None:
            unknown = True
        else:
            bases.append(found)
    members: dict[str, Member] = {}
    info = ClassInfo(
        outline.name, outline.qualname, source, members, linearise(bases), outline.decorators, (), unknown, outline.row)
    for binding in outline.body:
        what = binding.what
        match what:
            case FunctionOutline():
                old = members.get(what.name)
                code = Code(source, what.name, what.qualname, what.start, what.end, info, what.decorators)
                if any(d.endswith((".setter", ".deleter")) for d in what.decorators) and old is not None:
                    if any(d.endswith(".setter") for d in what.decorators):
                        members[what.name] = replace(old, setter=code)
                        m.setters.add(what.name)
                    continue
                members[what.name] = Member(what.name, code)
            case StatementOutline():
                members[binding.name] = Member(binding.name, None, what.start, what.end)
            case ClassOutline():
                members[binding.name] = Member(binding.name, None, what.start, what.end)
            case ImportOutline():
                continue
    return info


def resolve_class(m: Machine, source: SourceFile, text: str) -> ClassInfo | str | None:
    """The class that an expression of dotted names means in ``source``: a project class, the dotted name of a library class, or None."""
    match = _DOTTED.match(text)
    if match is None:
        return None
    first, *rest = match.group().split(".")
    for target in link.lookup(m.project, source, first) or (link.External(f"builtins.{first}"),):
        found = _descend(m, target, rest)
        if found is not None:
            return found
    return None


def _descend(m: Machine, target: link.Target, rest: list[str]) -> ClassInfo | str | None:
    for i, name in enumerate(rest):
        match target:
            case link.External(dotted):
                return library.canonical(".".join([dotted, *rest[i:]]))
            case link.ModuleFile(source):
                found = link.lookup(m.project, source, name)
                sub = m.project.module(f"{source.module}.{name}", source)
                if not found and sub is None:
                    return None
                target = found[0] if found else link.ModuleFile(sub)  # type: ignore[arg-type]  # one of the two is there
            case link.Defined(source, binding):
                if not isinstance(binding.what, ClassOutline):
                    return None
                inner = [b for b in binding.what.body if b.name == name]
                if not inner:
                    return None
                target = link.Defined(source, inner[-1])
    match target:
        case link.External(dotted):
            return library.canonical(dotted)
        case link.Defined(source, binding) if isinstance(binding.what, ClassOutline):
            return class_info(m, source, binding.what)
        case _:
            return None


def linearise(bases: list[ClassInfo | str]) -> tuple[ClassInfo | str, ...]:
    """The C3 order of the ancestors; where there is none, depth first without doubles."""
    sequences: list[list[ClassInfo | str]] = [list(b.mro) if isinstance(b, ClassInfo) else library_mro(b) for b in bases]
    sequences.append(list(bases))
    out: list[ClassInfo | str] = []
    while any(sequences):
        sequences = [s for s in sequences if s]
        for candidate in (s[0] for s in sequences):
            if not any(candidate in s[1:] for s in sequences):
                break
        else:
            return tuple(dict.fromkeys(c for s in sequences for c in (*out, *s)))
        out.append(candidate)
        sequences = [s[1:] if s[0] == candidate else s for s in sequences]
    return tuple(out)


def library_mro(dotted: str) -> list[ClassInfo | str]:
    """A library class and, for a layer, nn.Module."""
    if dotted.startswith("torch.nn.") and dotted != "torch.nn.Module" and library.module_class(dotted) is not None:
        return [dotted, "torch.nn.Module"]
    return [dotted]


def is_module(info: ClassInfo | str) -> bool:
    """Whether instances are nn.Modules, as far as can be told; a class with a ``forward`` and an unknown base is taken for one."""
    if isinstance(info, str):
        return info.startswith(MODULE_ROOTS) and info != "torch.nn.Parameter"
    if any(isinstance(c, str) and is_module(c) for c in info.ancestors):
        return True
    external = [c for c in info.ancestors if isinstance(c, str) and not c.startswith(("builtins.", "typing.", "abc.", "torch."))]
    has_forward = any(isinstance(c, ClassInfo) and "forward" in c.members for c in info.mro)
    return has_forward and (info.bases_unknown or bool(external))


def find(info: ClassInfo, name: str, after: ClassInfo | None = None) -> tuple[ClassInfo, Member] | str | None:
    """The member that ``name`` finds in the resolution order (after one class, for ``super()``).

    A string is the library class that defines it; None where no class of the project does and no library class is known to.
    """
    order = info.mro
    if after is not None and after in order:
        order = order[order.index(after) + 1:]
    for cls in order:
        if isinstance(cls, ClassInfo):
            member = cls.members.get(name)
            if member is not None:
                return cls, member
        elif name in ("forward", "__init__", "__call__") and cls != "builtins.object" and library.module_class(cls) is not None:
            return cls
    return None


def library_bases(info: ClassInfo) -> tuple[str, ...]:
    """The library classes among the ancestors, nearest first."""
    return tuple(c for c in info.ancestors if isinstance(c, str))
