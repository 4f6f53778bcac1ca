"""What is shared between calls and between models, and what must not be."""

from __future__ import annotations

import textwrap

from fxlint.base.analysis import Analysis, AnalysisSettings
from fxlint.base.event import EventKind
from fxlint.interp.entry import analyse
from fxlint.project.modules import Project

HEAD = "import torch\nfrom torch import nn\n"


def run(source: str, *roots: str) -> Analysis:
    """The analysis of one file."""
    text = HEAD + textwrap.dedent(source)
    return analyse(Project.of([("net.py", text)]), AnalysisSettings(tuple(roots), "2.13.0"))


def lines(analysis: Analysis, kind: EventKind, source: str) -> list[str]:
    """The stripped source lines at which events of a kind stand."""
    text = HEAD + textwrap.dedent(source)
    return [text.splitlines()[text[:e.site.start].count("\n")].strip() for e in analysis.events if e.kind is kind]


def test_a_large_number_that_a_call_returns_is_not_taken_from_a_call_with_another() -> None:
    source = """
        class Width(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.dim = dim

            def forward(self, x):
                return self.dim

        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = Width(512), Width(1024)

            def forward(self, x):
                if self.a(x) == 512 and self.b(x) == 1024:
                    return len(x)
                return int(x.sum())
        """
    found = run(source, "M")
    assert lines(found, EventKind.PROXY_LEN, source) == ["return len(x)"]
    assert lines(found, EventKind.PROXY_NUMBER, source) == []


def test_blocks_that_differ_in_a_flag_are_judged_apart() -> None:
    source = """
        class Block(nn.Module):
            def __init__(self, dim, check):
                super().__init__()
                self.dim, self.check = dim, check

            def forward(self, x):
                if self.check:
                    assert x.dim() == 3
                return x

        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = Block(512, False), Block(1024, True)

            def forward(self, x):
                return self.b(self.a(x))
        """
    found = run(source, "M")
    assert [e.construct for e in found.events if e.kind is EventKind.PROXY_TRUTH] == ["assert"]


def test_a_field_written_before_the_module_is_looked_into_wins_over_its_constructor() -> None:
    source = """
        class Inner(nn.Module):
            def __init__(self):
                super().__init__()
                self.check = False

            def forward(self, x):
                if self.check:
                    return len(x)
                return x

        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()
                self.inner.check = True

            def forward(self, x):
                return self.inner(x)
        """
    assert lines(run(source, "M"), EventKind.PROXY_LEN, source) == ["return len(x)"]


BUILDERS = """
    class Net(nn.Module):
        def __init__(self, dim, check=False):
            super().__init__()
            self.dim, self.check = dim, check

        def forward(self, x):
            if self.check:
                return len(x)
            return x

    def small():
        return Net(64)

    def large():
        return Net(1024)

    def checked():
        return Net(64, check=True)

    def needs_an_argument(dim):
        return Net(dim, check=True)
    """


def test_builders_are_traced_once_a_configuration_and_the_one_that_differs_counts() -> None:
    found = run(BUILDERS)
    assert "checked" in found.roots
    assert "needs_an_argument" not in found.roots
    assert lines(found, EventKind.PROXY_LEN, BUILDERS) == ["return len(x)"]
    assert next(e for e in found.events if e.kind is EventKind.PROXY_LEN).roots == ("checked",)


def test_without_the_builder_that_differs_nothing_breaks() -> None:
    source = BUILDERS.replace("return Net(64, check=True)", "return Net(64)")
    assert lines(run(source), EventKind.PROXY_LEN, source) == []


def test_weight_initialisers_are_not_run_and_other_set_up_methods_are() -> None:
    source = """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.check = False
                self.set_up()

            def set_up(self):
                self.check = True

            def forward(self, x):
                return len(x) if self.check else x
        """
    assert lines(run(source, "M"), EventKind.PROXY_LEN, source) == ["return len(x) if self.check else x"]
    renamed = source.replace("set_up", "reset_parameters")
    assert lines(run(renamed, "M"), EventKind.PROXY_LEN, renamed) == []


def test_a_function_that_doubles_its_result_at_every_level_ends_in_a_counted_unknown() -> None:
    source = """
        def grow(depth):
            if depth == 0:
                return [1, 2]
            return [grow(depth - 1), grow(depth - 1), depth]

        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.tree = grow(30)

            def forward(self, x):
                return len(x)
        """
    found = run(source, "M")
    assert lines(found, EventKind.PROXY_LEN, source) == ["return len(x)"]
    assert any("budget" in u.reason or "nested deeper" in u.reason for u in found.unknowns)
