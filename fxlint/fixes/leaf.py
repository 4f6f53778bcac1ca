"""The last resort: a Tracer that leaves what breaks alone. Its source is the user's; it needs no fxlint when it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fxlint.base.event import Event
from fxlint.base.finding import Safety
from fxlint.fixes.outcome import Decline, Proposal

MARK = "# Written by `fxlint tracer`"


@dataclass(frozen=True, slots=True)
class LeafRules:
    """What a Tracer leaves alone: classes by qualified name, modules by path, functions as (module, name), each with the reasons."""

    classes: tuple[tuple[str, str], ...] = ()  # (qualified name of the class, why)
    paths: tuple[tuple[str, str], ...] = ()  # (dotted path below the root, why)
    functions: tuple[tuple[str, str, str], ...] = ()  # (module to import, function, why)


def leaf(event: Event) -> Proposal | Decline:
    """Show which class a Tracer subclass would have to leave alone: the innermost module called on the way to the construct."""
    name = leaf_class(event)
    if name is None:
        return Decline("the construct stands in the root itself, which cannot be a leaf")
    message = f"Make `{name}` a leaf by a Tracer subclass (`fxlint tracer` writes one): all that it does is hidden from the graph"
    return Proposal(message, Safety.DISPLAY, ())


def leaf_class(event: Event) -> str | None:
    """The qualified name of the class of the innermost submodule whose call leads to ``event``, None where only the root does."""
    for frame in reversed(event.stack):
        is_hook = "<locals>" in frame.callee  # what a module calls beside its forward, and a leaf calls when the graph runs
        if frame.callee_class and (frame.callee.endswith(".forward") or is_hook) and frame.callee_class not in event.roots:
            return frame.callee_class
    return None


def tracer_source(class_name: str, rules: LeafRules, origin: str) -> str:
    """The text of a module with one ``torch.fx.Tracer`` subclass; ``origin`` says what it was made for."""
    imports = "".join(f"from {module} import {name}\n" for module, name, _ in sorted(set(rules.functions)))
    lines = [
        f"{MARK} for {origin}; edit it as you like, it does not need fxlint.",
        f'"""A tracer for {origin}: `{class_name}().trace(model)` gives the graph, `trace(model)` the GraphModule."""',
        "",
        "import torch",
        "import torch.fx",
        "",
    ]
    if imports:
        lines += [imports]
    lines += [
        "",
        f"class {class_name}(torch.fx.Tracer):",
        '    """Leaves alone, as single nodes, the modules and functions that symbolic tracing cannot go through."""',
        "",
        *_table("leaf_classes", "by the qualified name of their class, subclasses of it included", rules.classes),
        *_table("leaf_paths", "by their path below the root", rules.paths),
    ]
    if rules.functions:
        names = [name for _, name, _ in sorted(set(rules.functions))]
        functions = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
        lines += [
            "    def __init__(self) -> None:",
            f"        super().__init__(autowrap_functions={functions})",
            "",
        ]
    lines += [
        "    def is_leaf_module(self, module: torch.nn.Module, module_qualified_name: str) -> bool:",
        "        names = {base.__qualname__ for base in type(module).__mro__}",
        "        if names & self.leaf_classes or module_qualified_name in self.leaf_paths:",
        "            return True",
        "        return super().is_leaf_module(module, module_qualified_name)",
        "",
        "",
        "def trace(model: torch.nn.Module) -> torch.fx.GraphModule:",
        f'    """The graph of ``model``, traced by {class_name}."""',
        f"    tracer = {class_name}()",
        "    graph = tracer.trace(model)",
        "    return torch.fx.GraphModule(tracer.root, graph)",
        "",
    ]
    return "\n".join(lines)


def _table(name: str, title: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    if not rows:
        return [f"    {name}: frozenset[str] = frozenset()  # {title}", ""]
    reasons: dict[str, list[str]] = {}
    for entry, why in rows:
        reasons.setdefault(entry, []).append(why)
    entries = [f'            "{entry}",  # {"; ".join(sorted(set(whys)))}' for entry, whys in sorted(reasons.items())]
    return [f"    {name}: frozenset[str] = frozenset(  # {title}", "        {", *entries, "        }", "    )", ""]
