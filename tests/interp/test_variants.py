"""Which classes are traced and with which constructor arguments: annotations, public classes, and options other than the defaults."""

from __future__ import annotations

import pytest

from fxlint.base.analysis import AnalysisSettings
from fxlint.interp.entry import analyse
from fxlint.project.modules import Project

from .programs import PREAMBLE


def lines(program: str, others: dict[str, str] | None = None) -> list[str]:
    """The source lines of the errors of a package ``pkg`` whose module ``net`` is ``program``."""
    texts = {"/p/pkg/net.py": PREAMBLE + program, "/p/pkg/__init__.py": "", **(others or {})}
    project = Project.of(list(texts.items()))
    analysis = analyse(project, AnalysisSettings())
    assert analysis.failures == ()
    return [texts[e.site.path][: e.site.end].splitlines()[-1].strip() for e in analysis.events if e.kind.value.startswith("proxy-")]


CONFIG = """
class Config:
    def __init__(self, flash=False):
        self.flash = flash
class Inner(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.flash = config.flash
    def forward(self, x, mask=None):
        if self.flash:
            return x * len(x)
        return x if mask is None else x * int(mask)
"""
OUTER = """
class Outer(nn.Module):
    def __init__(self, config: {annotation}):
        super().__init__()
        self.inner = Inner(config)
    def forward(self, x):
        return self.inner(x)
"""


@pytest.mark.parametrize("annotation", ["Config", "'Config'", "Config | None", "Optional[Config]", "'Config | None'"])
def test_an_annotation_names_the_class_that_is_passed(annotation: str) -> None:
    program = CONFIG + OUTER.format(annotation=annotation)
    # Only where the configuration itself is open does the other arm run.
    assert lines(program) == ["return x * len(x)"]
    assert lines(program.replace("flash=False", "flash")) == ["return x * len(x)"]
    assert lines(program.replace("self.flash = flash", "self.flash = False")) == []


FLAG = """
class M(nn.Module):
    def __init__(self, {parameter}):
        super().__init__()
        self.flag = {value}
    def forward(self, x):
        if self.flag:
            return x * len(x)
        return x
"""


@pytest.mark.parametrize(
    ("parameter", "value", "found"),
    [
        ("flag=False", "flag", True),
        ("flag=None", "flag is not None", True),
        ("mode='a'", "mode == 'b'", True),
        ("depth=0", "depth > 0", True),
        ("**options", "options.get('flag', False)", True),
        ("flag=False", "False", False),
        ("width=8", "False", False),
    ],
)
def test_options_are_tried_where_the_defaults_do_not_lead(parameter: str, value: str, found: bool) -> None:
    assert lines(FLAG.format(parameter=parameter, value=value)) == ["return x * len(x)"] * found


def test_what_the_defaults_run_is_judged_by_the_defaults() -> None:
    program = """
class M(nn.Module):
    def __init__(self, flag=False):
        super().__init__()
        self.flag = flag
    def forward(self, x):
        n = 3
        if self.flag:
            n = x.shape[0]
        return x[:, : int(n)]
"""
    assert lines(program) == []


def test_a_class_that_the_package_exports_is_traced_by_itself_as_well() -> None:
    program = CONFIG + OUTER.format(annotation="Config") + "def make():\n    return Outer(Config())\n"
    assert "return x if mask is None else x * int(mask)" not in lines(program)
    exported = {"/p/pkg/__init__.py": "from pkg.net import Inner\n"}
    assert "return x if mask is None else x * int(mask)" in lines(program, exported)
    below = {"/p/pkg/sub/__init__.py": "from pkg.net import Inner\n"}
    assert "return x if mask is None else x * int(mask)" not in lines(program, below)


ROPE = """
class Rope(nn.Module):
    def embed(self, shape):
        return len(shape)
    def forward(self, x):
        return x + self.embed(x.shape)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rope = Rope()
    def forward(self, x):
        return x + {use}
"""


@pytest.mark.parametrize(
    ("use", "found"),
    [("self.rope.embed((2, 3))", []), ("1", ["return len(shape)"]), ("len(self._modules)", ["return len(shape)"])],
)
def test_a_class_whose_other_methods_are_called_is_judged_there(use: str, found: list[str]) -> None:
    assert lines(ROPE.format(use=use)) == found
