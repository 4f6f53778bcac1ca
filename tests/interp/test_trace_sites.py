"""Trace sites: what the code around a root says of the Tracer, and what follows for the root. Torch 2.13 breaks in the same programs."""

from __future__ import annotations

import pytest

from fxlint.interp.trace_sites import tracing_functions
from fxlint.project.modules import Project
from tests.interp.tracing import HEAD, IF, THROUGH, events, every

GATE = """
class Gate(nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 0 else x

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = Gate()
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(self.g(x))

"""
MASKED = """
class M(nn.Module):
    def forward(self, x, mask=None):
        if mask is None:
            return x * 2
        return x * mask if mask.sum() > 0 else x

"""
TRACE = """
def trace(m):
    return fx.GraphModule(m, T().trace(m))
"""


def tracer(body: str) -> str:
    """A Tracer class with this body, and a function that traces by it."""
    return f"\nclass T(fx.Tracer):\n{body}\n{TRACE}"


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        ("isinstance(m, Gate) or super().is_leaf_module(m, q)", []),
        ("type(m).__name__ == 'Gate' or super().is_leaf_module(m, q)", []),
        ("m.__class__ is Gate or super().is_leaf_module(m, q)", []),
        ("q == 'g' or super().is_leaf_module(m, q)", []),
        ("q.startswith('g') or fx.Tracer.is_leaf_module(self, m, q)", []),
        ("True", []),
        ("unknown_rule(m)", []),  # a rule that cannot be decided is no reason to report
        ("super().is_leaf_module(m, q)", [IF]),
        ("isinstance(m, nn.Linear) or super().is_leaf_module(m, q)", [IF]),
        ("q == 'bn' or super().is_leaf_module(m, q)", [IF]),
        ("isinstance(m, Gate)", [THROUGH]),  # without super the layers of torch are traced through
        ("not isinstance(m, nn.BatchNorm1d)", [THROUGH]),
        ("isinstance(m, nn.modules.batchnorm._BatchNorm)", [IF]),
        ("False", [IF, THROUGH]),
    ],
)
def test_leaf_rule_of_a_tracer(rule: str, wanted: list[str]) -> None:
    """A simple ``is_leaf_module`` is run for each module that is called."""
    assert sorted(events(GATE + tracer(f"    def is_leaf_module(self, m, q):\n        return {rule}"))) == sorted(wanted)


def test_leaf_rule_is_never_asked_about_the_root() -> None:
    """The root is traced through even where everything is a leaf."""
    text = "class M(nn.Module):\n    def forward(self, x):\n        return x if x.sum() > 0 else -x\n"
    assert events(text + tracer("    def is_leaf_module(self, m, q):\n        return True")) == [IF]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return super().call_module(m, forward, args, kwargs)", [IF]),
        ("return forward(*args, **kwargs)", [IF, THROUGH]),
        ("return self.create_proxy('call_module', self.path_of_module(m), args, kwargs)", []),
        ("return self.create_proxy('call_module', 'g', args, kwargs) if isinstance(m, Gate) else forward(*args, **kwargs)", [THROUGH]),
    ],
)
def test_call_module_decides_before_the_leaf_rule(body: str, wanted: list[str]) -> None:
    """A ``call_module`` that makes its own node hides the module's code; one that goes on to torch's own does not."""
    assert sorted(events(GATE + tracer(f"    def call_module(self, m, forward, args, kwargs):\n        {body}"))) == sorted(wanted)


@pytest.mark.parametrize(
    ("site", "wanted"),
    [
        ("fx.symbolic_trace(m, concrete_args={'mask': None})", []),
        ("fx.symbolic_trace(m, {'mask': None})", []),
        ("fx.Tracer().trace(m, concrete_args={'mask': None})", []),
        ("fx.symbolic_trace(m, concrete_args=(fx.PH, None))", []),
        ("fx.symbolic_trace(m, concrete_args=dict(mask=None))", []),
        ("fx.symbolic_trace(m, concrete_args={'mask': fx.PH})", ["specialised-none/is-none", IF]),
        ("fx.symbolic_trace(m)", ["specialised-none/is-none", IF]),
        ("fx.symbolic_trace(m, concrete_args=None)", ["specialised-none/is-none", IF]),
        ("fx.symbolic_trace(m, concrete_args={'x': 1.0})", ["specialised-none/is-none", IF]),
    ],
)
def test_concrete_arguments(site: str, wanted: list[str]) -> None:
    """What concrete_args binds is concrete; what it leaves is a Proxy."""
    assert events(MASKED + f"def trace(m):\n    return {site}\n") == wanted


def test_placeholders_in_a_container() -> None:
    """A dict of ``fx.PH`` is a dict of Proxies: looping over it is fine, and over one of them is not."""
    text = """
    class M(nn.Module):
        def forward(self, batch):
            out = 0
            for k, v in batch.items():
                out = out + v
            {more}
            return out

    def trace(m):
        return fx.symbolic_trace(m, concrete_args={{"batch": {{"a": fx.PH, "b": fx.PH}}}})
    """
    assert events(text.format(more="")) == []
    assert events(text.format(more="list(batch['a'])")) == ["proxy-iter/list"]


@pytest.mark.parametrize(
    ("hook", "wanted"),
    [
        ("def to_bool(self, obj):\n        return True", []),
        ("def to_bool(self, obj):\n        return super().to_bool(obj)", ["proxy-truth/if"]),
        ("def to_bool(self, obj):\n        print(obj)\n        return super().to_bool(obj)", ["proxy-truth/if"]),
        ("def to_bool(self, obj):\n        return True if obj.node.name in KNOWN else super().to_bool(obj)", []),
        ("def iter(self, obj):\n        return iter([obj[0]])", ["proxy-truth/if"]),
    ],
)
def test_a_hook_that_answers_prevents_the_break(hook: str, wanted: list[str]) -> None:
    """Only the hook in question counts, and only where it does more than hand on to torch's own."""
    text = "class M(nn.Module):\n    def forward(self, x):\n        if x.sum() > 0:\n            return x\n        return -x\n"
    assert events(text + tracer(f"    {hook}")) == wanted


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        ("    proxy_buffer_attributes = True", ["proxy-truth/if"]),
        ("    def __init__(self):\n        super().__init__()\n        self.proxy_buffer_attributes = True", ["proxy-truth/if"]),
        ("    proxy_buffer_attributes = False", []),
        ("    pass", []),
    ],
)
def test_buffers_as_proxies(where: str, wanted: list[str]) -> None:
    """With ``proxy_buffer_attributes`` a buffer is a Proxy; else it is concrete."""
    text = """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x):
        if self.steps > 0:
            x = x * 2
        return x
"""
    assert events(text + tracer(where)) == wanted


@pytest.mark.parametrize(
    ("flag", "wanted"), [("param_shapes_constant=True", []), ("", ["proxy-truth/if"]), ("param_shapes_constant=False", ["proxy-truth/if"])])
def test_shapes_of_parameters(flag: str, wanted: list[str]) -> None:
    """With ``param_shapes_constant`` the shape of a Parameter is concrete; that of an input never is."""
    text = """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand(4, 3))

    def forward(self, x):
        if self.w.{what} == 2:
            x = x + 1
        return x

def trace(m):
    return fx.GraphModule(m, fx.Tracer({flag}).trace(m))
"""
    for what in ("dim()", "ndim", "shape[0]", "size()[0]", "numel()"):
        assert events(text.replace("{what}", what).replace("{flag}", flag)) == wanted, what
    assert events(text.replace("{what}", "sum()").replace("{flag}", flag)) == ["proxy-truth/if"]


@pytest.mark.parametrize(
    ("site", "wanted"),
    [
        ("def trace(m):\n    return fx.symbolic_trace(m)", [IF]),
        ("def trace(m):\n    t = T()\n    g = t.trace(m)\n    return fx.GraphModule(t.root, g)", []),
        ("def trace(m, cls=T):\n    return fx.GraphModule(m, cls().trace(m))", []),
        ("def trace(m):\n    return inner(m.eval())\n\ndef inner(m):\n    return T().trace(m)", []),
        ("def main():\n    T().trace(M())", []),
        ("def main():\n    model = M().eval()\n    return T().trace(model)", []),
        ("model = M()\ngraph = T().trace(model)", []),
        ("if __name__ == '__main__':\n    graph = T().trace(M())", []),
        ("def main():\n    T().trace(Gate())", [IF]),  # another class
        ("def main():\n    T()", [IF]),
        ("def main():\n    T().trace(M())\n    fx.symbolic_trace(M())", [IF]),  # one of two sites is plain
    ],
)
def test_where_sites_are_found(site: str, wanted: list[str]) -> None:
    """Functions that trace their parameter, and any code that traces the class."""
    rule = "    def is_leaf_module(self, m, q):\n        return isinstance(m, Gate) or super().is_leaf_module(m, q)\n"
    assert events(GATE + f"\nclass T(fx.Tracer):\n{rule}\n{site}\n") == wanted


def test_a_leaf_is_judged_where_it_is_called() -> None:
    """Without names of roots, a class that a Tracer keeps as a leaf is no root of its own; one that nothing calls is."""
    rule = "    def is_leaf_module(self, m, q):\n        return isinstance(m, Gate) or super().is_leaf_module(m, q)\n"
    text = GATE + tracer(rule)
    assert every(text) == []
    assert every(text.replace("self.g(x)", "x")) == [IF]


def test_leaf_modules_of_a_feature_extractor() -> None:
    """``tracer_kwargs`` of torchvision's feature extraction names leaf classes."""
    text = GATE + "from torchvision.models.feature_extraction import create_feature_extractor\n"
    site = "def trace(m):\n    return create_feature_extractor(m, ['bn']{})\n"
    assert events(text + site.format("")) == [IF]
    assert events(text + site.format(", tracer_kwargs={'leaf_modules': [Gate]}")) == []
    assert events(text + site.format(", tracer_kwargs={'leaf_modules': [M]}")) == [IF]


@pytest.mark.parametrize(
    ("definition", "wanted"),
    [
        ("def g(x, s):\n    return x * s\n\nf = partial(g, s=2.0)", ["trace-site/not-a-function"]),
        ("class H:\n    def run(self, x):\n        return x * 2\n\nf = H().run", ["trace-site/not-a-function"]),
        ("f = lambda x: x * 2", []),
        ("def f(x):\n    return x * 2", []),
        ("def g(x):\n    return x * 2\n\nf = g", []),
    ],
)
def test_roots_that_are_no_functions(definition: str, wanted: list[str]) -> None:
    """The tracer takes modules and plain functions only."""
    assert events(f"from functools import partial\n\n{definition}\n", "f") == wanted


@pytest.mark.parametrize(
    ("layer", "wanted"),
    [("nn.BatchNorm1d(3)", [THROUGH]), ("nn.TransformerEncoderLayer(4, 2)", [THROUGH]), ("nn.Linear(3, 2)", []), ("nn.ReLU()", [])],
)
def test_a_layer_as_root_is_traced_through(layer: str, wanted: list[str]) -> None:
    """No leaf rule protects the root: a layer of torch is traced like any module."""
    assert events(f"def make():\n    return {layer}\n", "make") == wanted
    assert events(f"def make():\n    return {layer}\n\ndef inputs():\n    return ()\n", "M") == wanted
    assert events(f"def make():\n    return {layer}\n", "M") == []  # nothing of that name, and no declared model


@pytest.mark.parametrize(
    ("module", "wanted"), [("torch.nn.extra", []), ("torch.nnextras.layers", []), ("torchextras.nn", [IF]), ("mine.torch.nn", [IF])])
def test_the_rule_of_torch_reads_the_name_of_the_module(module: str, wanted: list[str]) -> None:
    """``__module__`` decides, by its beginning."""
    text = GATE.replace("class Gate(nn.Module):\n", f'class Gate(nn.Module):\n    __module__ = "{module}"\n')
    assert events(text) == wanted


def test_functions_that_trace_by_others() -> None:
    """A function counts when it calls one that traces; one that merely stands in the same file does not."""
    text = "def a(m):\n    return b(m)\n\ndef b(m):\n    return fx.symbolic_trace(m)\n\ndef c(m):\n    return m\n"
    project = Project.of([("main.py", HEAD + text)])
    source = project.file("main.py")
    assert source is not None
    assert [w.name for w in tracing_functions(source)] == ["a", "b"]
