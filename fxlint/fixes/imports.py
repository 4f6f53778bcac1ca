"""How a file spells torch, torch.fx or math, and where an import goes that it lacks."""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass

from fxlint.base.finding import Edit
from fxlint.fixes.newline import newline_of
from fxlint.syntax.outline import FunctionOutline, ImportOutline, ModuleOutline, StatementOutline


@dataclass(frozen=True, slots=True)
class Spelling:
    """How code of a file writes a dotted name, and the edits (none or one import) that make it so."""

    text: str
    edits: tuple[Edit, ...]


def spell(path: str, module: ModuleOutline, dotted: str, hidden: frozenset[str] = frozenset()) -> Spelling:
    """How to write ``dotted`` ("torch._assert", "torch.fx.wrap", "math.sqrt") in the file ``path``.

    The file's own import is used, whatever name it binds; names in ``hidden`` (locals of the function) cannot be used. Where there is
    none, the top module is imported, under an underscored name where its own is taken.
    """
    for written in _spellings(module, dotted, hidden):
        return Spelling(written, ())
    top, _, rest = dotted.partition(".")
    taken = {binding.name for binding in module.bindings} | hidden
    name = top
    while name in taken:
        name = f"_{name}"
    line = f"import {top}" if name == top else f"import {top} as {name}"
    offset = import_offset(module)
    newline = newline_of(module.text)
    before = newline if offset and module.text[offset - 1] not in "\r\n" else ""
    after = newline
    if not _leading_rows(module):  # the first import of the file stands apart from what is around it
        before += newline if offset and not module.text[:offset].startswith("#") else ""
        after += "" if module.text[offset:].startswith(("\r", "\n")) or not module.text[offset:] else newline * 2
    return Spelling(f"{name}.{rest}", (Edit(path, offset, offset, before + line + after),))


def import_offset(module: ModuleOutline) -> int:
    """Where a new import goes: behind the imports that the file starts with, else behind its docstring."""
    rows = _leading_rows(module)
    if rows:
        return _end_of_statement(module, rows[-1])
    return _end_of_docstring(module)


def _leading_rows(module: ModuleOutline) -> list[int]:
    """The rows of the imports that the file starts with."""
    rows = []
    for binding in module.bindings:
        if not isinstance(binding.what, ImportOutline) or binding.guard:
            break
        rows.append(binding.what.row)
    return rows


def imports_named(module: ModuleOutline, name: str) -> ImportOutline | None:
    """The import that alone binds ``name`` at module level, None where something else binds it too."""
    found = [binding for binding in module.bindings if binding.name == name]
    if len(found) == 1 and isinstance(found[0].what, ImportOutline) and not found[0].guard:
        return found[0].what
    same = {(what.module, what.attr) for what in (binding.what for binding in found) if isinstance(what, ImportOutline)}
    is_plain = all(isinstance(binding.what, ImportOutline) and not binding.guard for binding in found)
    first = found[0].what if found else None
    return first if is_plain and len(same) == 1 and isinstance(first, ImportOutline) else None


def _spellings(module: ModuleOutline, dotted: str, hidden: frozenset[str]) -> list[str]:
    found = []
    for name in dict.fromkeys(binding.name for binding in module.bindings):
        what = imports_named(module, name)
        if what is None or what.level or name in hidden:
            continue
        origin = what.module if what.attr is None else f"{what.module}.{what.attr}"
        if origin == dotted:
            found.append(name)
        elif dotted.startswith(f"{origin}."):
            found.append(f"{name}.{dotted.removeprefix(f'{origin}.')}")
    return sorted(found, key=lambda written: (written != dotted, len(written)))


def _end_of_statement(module: ModuleOutline, row: int) -> int:
    """The offset behind the logical line that starts at the 1-based ``row``."""
    text = module.text[module.lines.starts[row - 1] :].removeprefix("\ufeff")
    rows = 0
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        if token.type == tokenize.NEWLINE:
            rows = token.end[0]
            break
    last = row + max(rows, 1) - 1
    return module.lines.starts[last] if last < len(module.lines.starts) else len(module.text)


def _end_of_docstring(module: ModuleOutline) -> int:
    offset = 1 if module.text.startswith("\ufeff") else 0
    text = module.text[offset:]
    last_row = 0
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        match token.type:
            case tokenize.COMMENT if token.start[0] <= 2 and (token.string.startswith("#!") or "coding" in token.string):
                last_row = token.end[0]
            case tokenize.COMMENT | tokenize.NL | tokenize.ENCODING:
                pass
            case tokenize.STRING:
                last_row = token.end[0]
            case tokenize.NEWLINE:
                last_row = token.end[0]
                break
            case _:
                break
    return module.lines.starts[last_row] if last_row < len(module.lines.starts) else len(module.text)


def is_defined(module: ModuleOutline, name: str) -> bool:
    """Whether module level binds ``name`` by anything, also inside an ``if`` or ``try``, or may do so by a star import."""
    return any(binding.name in {name, "*"} for binding in module.bindings)


def definition(module: ModuleOutline, name: str) -> FunctionOutline | str:
    """The function that alone binds ``name`` at module level, or why there is none."""
    found = [binding for binding in module.bindings if binding.name == name]
    if not found:
        return f"no function `{name}` is defined at module level"
    what = found[-1].what
    if not isinstance(what, FunctionOutline):
        kind = "an assignment" if isinstance(what, StatementOutline) else "another kind of statement"
        return f"`{name}` is bound by {kind}"
    if len(found) > 1 or found[0].guard:
        return f"`{name}` is bound more than once, or under a condition"
    return what
