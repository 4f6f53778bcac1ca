"""Facts of a file about wrap, Tracer classes and trace sites. Each program says where it must be reported; the others must stay quiet."""

from __future__ import annotations

import pytest

from fxlint.base.event import EventKind
from fxlint.fxcode.facts import module_facts
from fxlint.fxcode.facts_wrap import registered_names, wrapped_functions
from fxlint.project.modules import Project

from .reading import PREAMBLE, events, found, marked, programs

GATE = "def gate(x):\n    return x * 2 if x.sum() > 0 else x\n"

WRONG = programs("facts_wrong")
FINE = programs("facts_fine")


@pytest.mark.parametrize("text", [pytest.param(t, id=n) for n, t in WRONG.items()])
def test_what_cannot_work_is_found_where_it_stands(text: str) -> None:
    assert found(module_facts, text) == marked(text)


@pytest.mark.parametrize("text", [pytest.param(t, id=n) for n, t in FINE.items()])
def test_what_works_is_left_alone(text: str) -> None:
    assert found(module_facts, text) == []


def test_a_constructor_goes_unreported_where_the_base_is_another_library() -> None:
    assert found(module_facts, "from elsewhere import Tracer\nclass T(Tracer):\n    def __init__(self):\n        pass\n") == []


OPS = PREAMBLE + "@fx.wrap\n" + GATE
PLAIN = GATE


def test_an_imported_name_is_not_the_one_that_is_replaced() -> None:
    text = "from ops import gate\nclass M(nn.Module):\n    def forward(self, x):\n        return gate(x)  # <- imported\n"
    assert found(module_facts, text, ops=OPS) == marked(text)


def test_a_module_attribute_is_not_the_name_that_this_file_wraps() -> None:
    text = 'import ops\nfrom ops import gate\nfx.wrap("gate")\ndef forward(x):\n    return ops.gate(x)  # <- attribute\n'
    assert found(module_facts, text, ops=PLAIN) == marked(text)


@pytest.mark.parametrize(
    ("text", "ops"),
    [
        pytest.param("import ops\ndef forward(x):\n    return ops.gate(x)\n", OPS, id="through the module that wraps"),
        pytest.param('from ops import gate\nfx.wrap("gate")\ndef forward(x):\n    return gate(x)\n', OPS, id="wrapped in both"),
        pytest.param('from ops import gate\nfx.wrap("gate")\ndef forward(x):\n    return gate(x)\n', PLAIN, id="wrapped here alone"),
        pytest.param("from ops import gate\ndef forward(x):\n    return gate(x)\n", PLAIN, id="wrapped nowhere"),
        pytest.param("from ops import gate\ndef forward(x, gate):\n    return gate(x)\n", OPS, id="a parameter of that name"),
        pytest.param(
            "from ops import twice\ndef forward(x):\n    return twice(x)\n", PREAMBLE + "@fx.wrap\ndef twice(x):\n    return x * 2\n",
            id="a function that traces well",
        ),
    ],
)
def test_calls_that_reach_the_replaced_name_are_left_alone(text: str, ops: str) -> None:
    assert found(module_facts, text, ops=ops) == []


def test_a_missing_name_says_which_class_has_a_method_of_that_name() -> None:
    (event,) = events(module_facts, WRONG["method"])
    assert event.kind is EventKind.WRAP_MISSING_NAME
    assert event.detail == "KeyError: 'gate'; A has a method of that name"


def test_registered_names_are_those_that_a_trace_replaces() -> None:
    uses = 'fx.wrap(gate)\nfor n in ("len", "int"):\n    fx.wrap(n)\nfx.wrap("a.b")\nfx.wrap("nowhere")\n'
    text = PREAMBLE + GATE + uses + "@fx.wrap\nclass Box:\n    pass\n"
    project = Project.of([("main.py", text)])
    source = project.file("main.py")
    assert source is not None
    assert registered_names(project, source) == {"gate", "len", "int", "Box"}
    assert wrapped_functions(project, source) == {"main.py:gate", "main.py:int", "main.py:len"}
