"""Writes the generated tables of ``fxlint/library`` from the installed torch: ``python -m tests.library.generate_tables``.

Functions are really called with Proxies: what is recorded dispatches, what raises breaks, with torch's own words.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import torch
import torch.overrides
from torch import fx

from tests.library import module_tables, parser_signatures

LIBRARY = Path(__file__).parents[2] / "fxlint" / "library"
NAMESPACES = ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.nn.init")
# Python namespaces in which every function counts, also one that dispatches only by what it calls (F.sigmoid is input.sigmoid()).
WHOLE = ("torch.nn.functional", "torch.nn.init")
NO_FUNCTIONS = frozenset({"assert_int_or_pair", "boolean_dispatch", "calculate_gain", "handle_torch_function", "Literal", "Optional"})
TENSOR_RETURNS = {"bool": "bool", "int": "int", "SymInt": "int", "float": "float", "Scalar": "float", "ScalarType": "dtype",
    "QScheme": "object"}


def returns_word(schema: Any) -> str:
    kinds = [str(r.type) for r in schema.returns]
    if not kinds:
        return "none"
    if len(kinds) > 1:
        return str(len(kinds))
    return "list" if kinds[0] == "Tensor[]" else TENSOR_RETURNS.get(kinds[0], "tensor")


def with_returns(signatures: list[tuple[str, Any]]) -> list[str]:
    return [f"{text} -> {returns_word(schema)}" for text, schema in signatures]


def outcome(function: Any, most: int = 14) -> str:
    """"dispatches", "static", or the error of the call with one Proxy, for a function called with 1 to ``most`` Proxies."""
    first_error = ""
    for count in range(1, most + 1):
        graph = fx.Graph()
        tracer = fx.proxy.GraphAppendingTracer(graph)
        proxies = [fx.Proxy(graph.placeholder(f"x{i}"), tracer) for i in range(count)]
        try:
            result = function(*proxies)
        except Exception as error:  # noqa: BLE001 - whatever the call raises is the answer
            text = f"{type(error).__name__}: {error}".partition("\n")[0]
            if "missing" not in text and not first_error:
                first_error = text
            continue
        last = list(graph.nodes)[-1]
        if isinstance(result, fx.Proxy) and last.op in {"call_function", "call_method"}:
            return "dispatches"
        return "static"
    return first_error or "TypeError"


def python_facts(function: Any) -> dict[str, Any]:
    """The parameters of a Python function, and those among which it looks for ``__torch_function__`` (all, where it does so in ways
    that its source does not show)."""
    target = inspect.unwrap(function)
    if not inspect.isfunction(target):
        return {"parameters": []}
    if list(inspect.signature(target).parameters) == ["args", "kwargs"]:  # torch._jit_internal.boolean_dispatch
        target = getattr(torch.nn.functional, f"_{function.__name__.removeprefix('_')}", None) or next(
            (c.cell_contents for c in target.__closure__ or () if inspect.isfunction(c.cell_contents)), target)
        target = inspect.unwrap(target)
    parameters = inspect.signature(target).parameters.values()
    facts: dict[str, Any] = {"parameters": [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]}
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return facts
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(target)))
    except (OSError, SyntaxError):
        return facts
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func,
        ast.Name) and n.func.id.startswith("has_torch_function")]
    looked = sorted({a.id for c in calls for a in ast.walk(c) if isinstance(a, ast.Name) and a.id in facts["parameters"]})
    if looked:
        facts["looks"] = looked
    return facts


def overridable() -> set[int]:
    """Identities of all functions that torch says dispatch on ``__torch_function__``."""
    return {id(f) for functions in torch.overrides.get_overridable_functions().values() for f in functions}


def _counts(name: str) -> bool:
    return name not in NO_FUNCTIONS and not name.startswith("has_torch_function")


def function_table() -> dict[str, Any]:
    known = overridable()
    signatures = parser_signatures.functions()
    seeded = {f.func.name.name.base for f in parser_signatures.natives() if "nondeterministic_seeded" in f.tags}
    table: dict[str, Any] = {}
    for namespace in NAMESPACES:
        module = sys.modules[namespace]
        for name in sorted(dir(module)):
            function = getattr(module, name)
            dotted = f"{namespace}.{name}"
            if name.startswith("_") or not callable(function) or isinstance(function, type) or (
                    id(function) not in known and dotted not in signatures and not (namespace in WHOLE and _counts(name))):
                continue
            row: dict[str, Any] = {"on": outcome(function)}
            owner = next((n for n in (dotted, f"torch.nn.functional.{name}", f"torch.{name}") if n in signatures), "")
            if owner and inspect.isbuiltin(function):
                row["signatures"] = with_returns(signatures[owner])
            elif inspect.isfunction(function) or hasattr(function, "__wrapped__"):
                row |= python_facts(function)
                if owner:
                    row["inner"] = with_returns(signatures[owner])
            if name in seeded:
                row["random"] = True
            table[dotted] = row
    for dotted, texts in parser_signatures.MANUAL.items():
        if dotted.startswith("torch."):
            name = dotted.rpartition(".")[2]
            table[dotted] = {"on": outcome(getattr(torch, name)), "signatures": texts}
    return table


def method_table() -> dict[str, Any]:
    generated = {name: with_returns(found) for name, found in parser_signatures.methods().items()}
    manual = parser_signatures.manual_methods()
    table: dict[str, Any] = {}
    for name in sorted(dir(torch.Tensor)):
        member = inspect.getattr_static(torch.Tensor, name)
        row: dict[str, Any] = {}
        if not callable(getattr(torch.Tensor, name)) or isinstance(member, property) or type(member).__name__ == "getset_descriptor":
            row["attribute"] = True
        elif inspect.isfunction(member):
            row = python_facts(member)
            row["parameters"] = [p for p in row["parameters"] if p != "self"]
            row["looks"] = [p for p in row.get("looks", []) if p != "self"]
        elif name in generated or name in manual:
            row["signatures"] = manual.get(name) or generated[name]
        elif name == "new_tensor":  # looks at the tensor alone
            row = {"parameters": ["data"], "looks": []}
        table[name] = row
    return table


def write(name: str, table: dict[str, Any]) -> None:
    lines = [f"{json.dumps(key)}: {json.dumps(value, sort_keys=True)}" for key, value in sorted(table.items())]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (LIBRARY / name).write_text(text)
    sys.stdout.write(f"{name}: {len(table)} rows, {len(text) // 1024} KiB\n")


def main() -> None:
    warnings.simplefilter("ignore")
    stamp = {"": {"torch": torch.__version__.partition("+")[0]}}
    write("functions.json", stamp | function_table())
    write("methods.json", stamp | method_table())
    write("modules.json", stamp | module_tables.module_table())
    write("aliases.json", stamp | module_tables.alias_table())


if __name__ == "__main__":
    main()
