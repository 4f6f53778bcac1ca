"""Where a call stands."""

from __future__ import annotations

from dataclasses import dataclass

from fxlint.syntax import ir


@dataclass(frozen=True, slots=True)
class CallSite:
    """The nodes of one call: the whole, the callee, the arguments as written; ``name`` is the callee's canonical name."""

    at: ir.At
    func_at: ir.At
    sites: tuple[ir.At, ...]
    name: str

    def site(self, position: int) -> ir.At:
        """The node of a positional argument, the whole call where it is not written out."""
        return self.sites[position] if position < len(self.sites) else self.at
