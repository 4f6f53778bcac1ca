"""Comments that silence findings: reading them, telling which silence nothing, writing them."""

from fxlint.suppress.lines import Lines, logical_lines
from fxlint.suppress.marks import Form, Mark, Marks, mentions_marks

__all__ = ["Form", "Lines", "Mark", "Marks", "logical_lines", "mentions_marks"]
