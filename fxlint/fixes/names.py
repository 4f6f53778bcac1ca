"""Names in a function: which it binds, which an expression reads, which are read later on."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache, lru_cache

import libcst as cst

_CONSTANTS = frozenset({"None", "True", "False"})  # libcst calls them names


@dataclass(slots=True)
class _Uses(cst.CSTVisitor):
    """Collects names while it walks; nested functions and comprehensions bind names of their own."""

    reads: dict[str, cst.Name] = field(default_factory=dict)  # first reading of each name, in order of the text
    binds: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    hidden: list[set[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        cst.CSTVisitor.__init__(self)

    def read(self, name: cst.Name) -> None:
        if name.value not in _CONSTANTS and not any(name.value in names for names in self.hidden):
            self.reads.setdefault(name.value, name)

    def visit_Name(self, node: cst.Name) -> bool:  # noqa: N802 - libcst's spelling
        self.read(node)
        return False

    def visit_Attribute(self, node: cst.Attribute) -> bool:  # noqa: N802
        node.value.visit(self)
        return False

    def visit_Arg(self, node: cst.Arg) -> bool:  # noqa: N802
        node.value.visit(self)
        return False

    def visit_Annotation(self, node: cst.Annotation) -> bool:  # noqa: N802, ARG002
        return False

    def visit_Call(self, node: cst.Call) -> bool:  # noqa: N802
        if isinstance(node.func, cst.Name):
            self.calls.add(node.func.value)
        return True

    def visit_Lambda(self, node: cst.Lambda) -> bool:  # noqa: N802
        for parameter in _parameters(node.params):
            if parameter.default is not None:
                parameter.default.visit(self)
        self.hidden.append({parameter.name.value for parameter in _parameters(node.params)})
        node.body.visit(self)
        self.hidden.pop()
        return False

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: N802
        self.binds.add(node.name.value)
        for decorator in node.decorators:
            decorator.visit(self)
        for parameter in _parameters(node.params):
            if parameter.default is not None:
                parameter.default.visit(self)
        inner = _Uses()
        node.body.visit(inner)
        own = {parameter.name.value for parameter in _parameters(node.params)} | inner.binds
        for name, place in inner.reads.items():
            if name not in own:
                self.read(place)
        return False

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:  # noqa: N802
        self.binds.add(node.name.value)
        return True

    def visit_ListComp(self, node: cst.ListComp) -> bool:  # noqa: N802
        return self.comprehension(node.for_in, node.elt)

    def visit_SetComp(self, node: cst.SetComp) -> bool:  # noqa: N802
        return self.comprehension(node.for_in, node.elt)

    def visit_GeneratorExp(self, node: cst.GeneratorExp) -> bool:  # noqa: N802
        return self.comprehension(node.for_in, node.elt)

    def visit_DictComp(self, node: cst.DictComp) -> bool:  # noqa: N802
        return self.comprehension(node.for_in, node.key, node.value)

    def comprehension(self, loops: cst.CompFor, *results: cst.BaseExpression) -> bool:
        bound: set[str] = set()
        loop: cst.CompFor | None = loops
        loop_list = []
        while loop is not None:
            loop_list.append(loop)
            bound |= bound_by(loop.target)
            loop = loop.inner_for_in
        loops.iter.visit(self)  # the first iterable is evaluated outside of the comprehension
        self.hidden.append(bound)
        for position, each in enumerate(loop_list):
            if position:
                each.iter.visit(self)
            for condition in each.ifs:
                condition.visit(self)
        for result in results:
            result.visit(self)
        self.hidden.pop()
        return False

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:  # noqa: N802
        self.bind(node.target)
        return False

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:  # noqa: N802
        self.bind(node.target)
        if node.value is not None:
            node.value.visit(self)
        return False

    def visit_AugAssign(self, node: cst.AugAssign) -> bool:  # noqa: N802
        if isinstance(node.target, cst.Name):
            self.binds.add(node.target.value)
        return True  # the target is read as well

    def visit_NamedExpr(self, node: cst.NamedExpr) -> bool:  # noqa: N802
        self.bind(node.target)
        node.value.visit(self)
        return False

    def visit_For(self, node: cst.For) -> bool:  # noqa: N802
        node.iter.visit(self)
        self.bind(node.target)
        node.body.visit(self)
        if node.orelse is not None:
            node.orelse.visit(self)
        return False

    def visit_AsName(self, node: cst.AsName) -> bool:  # noqa: N802
        self.bind(node.name)
        return False

    def visit_ImportAlias(self, node: cst.ImportAlias) -> bool:  # noqa: N802
        name = node.evaluated_alias or node.evaluated_name.partition(".")[0]
        self.binds.add(name)
        return False

    def visit_Del(self, node: cst.Del) -> bool:  # noqa: N802
        self.binds |= bound_by(node.target)
        return True

    def bind(self, target: cst.BaseExpression) -> None:
        names = bound_by(target)
        self.binds |= names
        for part in _parts(target):
            if not isinstance(part, cst.Name):
                part.visit(self)  # x[i] = v and x.a = v read x and i


@dataclass(frozen=True, slots=True)
class Names:
    """What a piece of code does with names: those it reads from outside of itself, those it binds, those it calls by their name."""

    reads: tuple[str, ...]  # in the order of their first reading
    binds: frozenset[str]
    calls: frozenset[str]


# Every repair in a function asks for the names of all its statements: with fewer entries than statements nothing would be remembered.
@lru_cache(maxsize=16384)
def names_of(node: cst.CSTNode) -> Names:
    """The names of an expression, a statement or a block."""
    uses = _Uses()
    node.visit(uses)
    return Names(tuple(uses.reads), frozenset(uses.binds), frozenset(uses.calls))


def parameters(function: cst.FunctionDef) -> tuple[str, ...]:
    """The names of the parameters of ``function``, in order."""
    return tuple(parameter.name.value for parameter in _parameters(function.params))


@lru_cache(maxsize=256)
def locals_of(function: cst.FunctionDef) -> frozenset[str]:
    """Every name that is local to ``function``: its parameters and what its body binds, but for ``global`` names."""
    declared: set[str] = set()
    for node in walk(function.body):
        if isinstance(node, cst.Global):
            declared |= {item.name.value for item in node.names}
    return (frozenset(parameters(function)) | names_of(function.body).binds) - declared


def bound_by(target: cst.BaseExpression) -> set[str]:
    """The plain names that an assignment to ``target`` binds."""
    return {part.value for part in _parts(target) if isinstance(part, cst.Name)}


def children_of(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The parts of ``node`` that are code: no whitespace, brackets or commas. libcst's own ``children`` takes ten times as long."""
    found: list[cst.CSTNode] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            found += [item for item in value if isinstance(item, cst.CSTNode)]
    return found


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(field_.name for field_ in fields(kind) if not field_.name.startswith("whitespace") and field_.name not in _FORMATTING)


_FORMATTING = frozenset({
    "leading_lines", "lines_after_decorators", "trailing_whitespace", "header", "footer", "comma", "equal", "semicolon", "dot", "lpar",
    "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "first_colon", "second_colon", "colon", "indent",
})  # fmt: skip


@lru_cache(maxsize=256)
def walk(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """``node`` and all code below it; a parent stands before its parts."""
    found = []
    waiting = [node]
    while waiting:
        found.append(waiting.pop())
        waiting += reversed(children_of(found[-1]))
    return tuple(found)


def _parts(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    match target:
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return [part for element in elements for part in _parts(element.value)]
        case _:
            return [target]


def _parameters(params: cst.Parameters) -> list[cst.Param]:
    stars = [star for star in (params.star_arg, params.star_kwarg) if isinstance(star, cst.Param)]
    return [*params.posonly_params, *params.params, *params.kwonly_params, *stars]
