"""What a piece of a function is given when it becomes a function of its own: local names, attributes of ``self``, weights of layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from fxlint.base.finding import Edit
from fxlint.base.span import Span
from fxlint.fixes.imports import spell
from fxlint.fixes.layers import functional_form
from fxlint.fixes.names import locals_of, names_of, parameters, walk
from fxlint.fixes.outcome import Decline
from fxlint.fixes.target import Target

_WEIGHTS = frozenset({"weight", "bias"})


@dataclass(frozen=True, slots=True)
class Inputs:
    """Parameters with the expression that each is given, and what changes inside of the piece, by place in the file."""

    given: tuple[tuple[str, str], ...]
    inside: tuple[tuple[Span, str], ...]
    edits: tuple[Edit, ...] = ()  # imports that the inside needs
    has_layers: bool = False  # whether a layer is passed as its weights

    def within(self, span: Span) -> tuple[tuple[Span, str], ...]:
        """What changes inside of ``span`` only."""
        return tuple((place, text) for place, text in self.inside if span.start <= place.start and place.end <= span.end)


def inputs_of(target: Target, nodes: Sequence[cst.CSTNode], function: cst.FunctionDef, reads: tuple[str, ...]) -> Inputs | Decline:
    """What ``nodes`` of ``function`` must be given, where ``reads`` are the local names that they need."""
    own = locals_of(function)
    first = parameters(function)[:1]
    class_ = target.block.enclosing(function, cst.ClassDef)
    self_name = first[0] if first and class_ is not None and class_.body is target.parent(function) else ""
    known = [names_of(node) for node in nodes]
    called = {name for names in known for name in names.calls}
    given: list[tuple[str, str]] = []
    taken = {name for names in known for name in (*names.reads, *names.binds)}
    attributes = _Attributes((), (), ())
    for name in reads:
        if name in called and name in own:
            return Decline(f"`{name}` is called: what is called cannot be passed to a wrapped function")
        if name != self_name:
            given.append((name, name))
            continue
        found = _attributes(target, nodes, self_name, taken)
        if isinstance(found, Decline):
            return found
        attributes = found
        given += attributes.given
    return Inputs(tuple(given), attributes.inside, attributes.edits, attributes.has_layers)


@dataclass(frozen=True, slots=True)
class _Attributes:
    """What reading and calling attributes of ``self`` comes to."""

    given: tuple[tuple[str, str], ...]
    inside: tuple[tuple[Span, str], ...]
    edits: tuple[Edit, ...]
    has_layers: bool = False


def _attributes(target: Target, nodes: Sequence[cst.CSTNode], self_name: str, taken: set[str]) -> _Attributes | Decline:
    given: dict[str, str] = {}  # the text outside -> the name inside
    inside: list[tuple[Span, str]] = []
    edits: dict[Edit, None] = {}
    has_layers = False

    def named(text: str) -> str:
        if text not in given:
            given[text] = fresh("_".join(text.split(".")[1:]), taken)
            taken.add(given[text])
        return given[text]

    chains = [chain for node in nodes for chain in _chains(target, node, self_name)]
    for chain in sorted(chains, key=lambda chain: target.block.spans[chain].start):
        around = target.parent(chain)
        if not isinstance(chain, cst.Attribute):
            return Decline(f"it uses `{self_name}` itself, which cannot be passed to a wrapped function")
        if not (isinstance(around, cst.Call) and around.func is chain):
            inside.append((target.block.spans[chain], named(target.source(chain))))
            continue
        form = functional_form(target, chain)
        if isinstance(form, Decline):
            return form
        if len(around.args) != 1 or around.args[0].star or around.args[0].keyword is not None:
            return Decline(f"it calls `{target.source(chain)}` with more than one plain argument")
        function, attributes = form
        spelling = spell(target.path, target.outline, f"torch.nn.functional.{function}")
        edits |= dict.fromkeys(spelling.edits)
        inside.append((target.block.spans[chain], spelling.text))
        rest = "".join(f", {named(f'{target.source(chain)}.{attribute}')}" for attribute in attributes)
        end = target.block.spans[around.args[0].value if not around.args[0].value.rpar else around.args[0]].end
        inside.append((Span(end, end), rest))
        has_layers = True
    return _Attributes(tuple((name, text) for text, name in given.items()), tuple(inside), tuple(edits), has_layers)


def _chains(target: Target, piece: cst.CSTNode, self_name: str) -> list[cst.BaseExpression]:
    """The attributes of ``self`` that are read or called, ``self`` itself where it is used bare."""
    chains: list[cst.BaseExpression] = []
    for node in walk(piece):
        if not (isinstance(node, cst.Name) and node.value == self_name):
            continue
        parent = target.parent(node)
        if isinstance(parent, cst.Attribute) and parent.attr is node:
            continue
        if isinstance(parent, cst.Arg) and parent.keyword is node:
            continue
        if not (isinstance(parent, cst.Attribute) and parent.value is node):
            chains.append(node)
            continue
        outer = target.parent(parent)
        is_weight = isinstance(outer, cst.Attribute) and outer.value is parent and outer.attr.value in _WEIGHTS
        chains.append(outer if is_weight and isinstance(outer, cst.Attribute) else parent)
    return chains


def rewritten(target: Target, span: Span, inside: tuple[tuple[Span, str], ...]) -> str:
    """The text of ``span`` with the changes of ``inside``; its lines end in ``\\n``."""
    text = target.text[span.start : span.end]
    for place, name in sorted(inside, key=lambda pair: (-pair[0].start, -pair[0].end)):
        own = place.shifted(-span.start)
        text = text[: own.start] + name + text[own.end :]
    return text.replace("\r\n", "\n").replace("\r", "\n")


def fresh(wanted: str, taken: set[str]) -> str:
    """``wanted``, with a number where it is taken."""
    name, number = wanted.strip("_") or "value", 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name
