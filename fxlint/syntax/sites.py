"""The numbers of IR nodes while one text is lowered, and the libcst nodes that they came from."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from fxlint.syntax import ir


@dataclass(slots=True)
class Sites:
    """Mutable state of one lowering. The same text always gets the same numbers, so places can be computed by lowering it again."""

    nodes: list[cst.CSTNode] = field(default_factory=list)  # by number
    yields: bool = False  # whether the function being lowered has yielded so far

    def number(self, node: cst.CSTNode) -> ir.At:
        """The next number; it stands where ``node`` stands."""
        nodes = self.nodes
        nodes.append(node)
        return len(nodes) - 1
