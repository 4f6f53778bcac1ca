"""Which codes are wanted: ``--select`` and ``--ignore`` take prefixes, and the longest that fits decides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fxlint.base.errors import UsageError
from fxlint.config import nearest


@dataclass(frozen=True, slots=True)
class Selection:
    """Code prefixes in capitals. An empty ``select`` means all; where a select and an ignore are equally long, ignore wins."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def wants(self, code: str) -> bool:
        """Whether findings of ``code`` are shown."""
        chosen = max((len(prefix) for prefix in self.select or ("",) if code.startswith(prefix)), default=-1)
        dropped = max((len(prefix) for prefix in self.ignore if code.startswith(prefix)), default=-1)
        return chosen > dropped


def selection(select: Iterable[str], ignore: Iterable[str], codes: Iterable[str]) -> Selection:
    """The selection that the lists (each item may hold commas) spell out. Raises UsageError for a prefix that fits none of ``codes``."""
    known = tuple(codes)
    return Selection(_prefixes("select", select, known), _prefixes("ignore", ignore, known))


def _prefixes(option: str, items: Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    out: list[str] = []
    for item in items:
        for part in item.replace(",", " ").split():
            prefix = "" if part.upper() == "ALL" else part.upper()
            if not any(code.startswith(prefix) for code in known):
                families = dict.fromkeys(code[:4] + "xx" for code in known)
                hint = nearest(prefix, known) if len(prefix) > 4 else "; known are " + ", ".join(families)
                raise UsageError(f"--{option} {part}: no such code{hint}")
            out.append(prefix)
    return tuple(dict.fromkeys(out))
