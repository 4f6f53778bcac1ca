"""How the trace is set up: which modules are leaves, what else the Tracer records."""

from __future__ import annotations

from dataclasses import dataclass

from fxlint.library import lookup as library
from fxlint.values.values import ClassInfo


@dataclass(frozen=True, slots=True)
class Tracing:
    """A Tracer as far as its class and arguments tell. ``leaves`` are further leaf classes by name; ``buffers``: buffers are Proxies too."""

    leaves: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()  # dotted names of functions that are wrapped besides
    buffers: bool = False
    concrete: frozenset[str] = frozenset()  # arguments of the root that concrete_args fixes

    def is_leaf(self, cls: ClassInfo | str) -> bool:
        """Whether a call of an instance of exactly this class stays one node."""
        if isinstance(cls, ClassInfo):
            # The tracer's rule looks at the class's module: code inside a torch.nn package is a leaf, Sequential is not.
            return cls.name in self.leaves or cls.source.module.startswith("torch.nn.")
        row = library.module_class(cls)
        return row.leaf if row is not None else True
