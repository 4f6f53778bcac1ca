"""The proof on small models, one for each thing that a graph can get wrong, each beside one that gets it right.

All in one process, for importing torch takes seconds; the child process has tests of its own.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fxlint.verify.outcome import Verdict, judge
from fxlint.verify.protocol import Request, Stage, Status, WorkerReport
from fxlint.verify.runner import Reported

HEAD = "import torch, random\nfrom torch import nn, fx\nimport torch.nn.functional as F\n"
INPUTS = "def inputs():\n    return (torch.randn(3, 4),)\n"
_NUMBER = itertools.count()

Prove = Callable[..., WorkerReport]


@pytest.fixture
def prove(tmp_path: Path) -> Iterator[Prove]:
    from fxlint.verify.worker import work

    path_before = list(sys.path)
    made: list[str] = []

    def run(source: str, attribute: str = "M", inputs: str = INPUTS, leaf: tuple[str, ...] = (), spec: str = "") -> WorkerReport:
        name = f"proved_{next(_NUMBER)}"
        made.append(name)
        file = tmp_path / f"{name}.py"
        file.write_text(HEAD + source + inputs)
        return work(Request(str(file), True, attribute, inputs=spec, leaf_classes=leaf), lambda stage: None)

    yield run
    sys.path[:] = path_before
    for name in made:
        sys.modules.pop(name, None)


def module(forward: str, init: str = "pass", base: str = "nn.Module") -> str:
    body = "".join(f"        {line}\n" for line in forward.splitlines())
    head = f"class M({base}):\n    def __init__(self):\n        super().__init__()\n        {init}\n"
    return f"{head}    def forward(self, x, mask=None):\n{body}"


def failed(report: WorkerReport) -> dict[str, str]:
    return {step.name: step.detail for step in report.steps if step.status is Status.FAILED}


def outcome(report: WorkerReport) -> Verdict:
    return judge(Reported(report, 0.0, "", "")).verdict


@pytest.mark.parametrize(
    ("forward", "init"),
    [
        ("return self.a(x).relu()", "self.a = nn.Linear(4, 4)"),
        ("return self.a(x)", "self.a = nn.Sequential(nn.BatchNorm1d(4), nn.Dropout(0.5))"),  # state and randomness the graph keeps
        ("return self.a(x)", "self.a = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)); self.eval()"),  # statistics that move
        ("self.n.add_(x.sum())\nreturn x + self.n", "self.register_buffer('n', torch.zeros(()))"),  # written in place: a node
        ("n, m = x.shape\nreturn x.reshape(m, n)", "pass"),
        ("return {'a': x, 'b': [x, (x, None)]}", "pass"),
        ("return x.detach()", "pass"),
        ("return x.to_sparse()", "pass"),
        ("return x.view(-1, 4).to(torch.float16)", "pass"),
        ("y = x.clone()\ny.mul_(2)\nreturn y", "pass"),
        ("return x + torch.ones(4)", "pass"),  # a constant, counted on from trace to trace
        ("x.mul_(2)\nreturn x + 1", "pass"),  # the caller's tensor is written by the graph as well
    ],
)
def test_right_graphs_are_verified(prove: Prove, forward: str, init: str) -> None:
    report = prove(module(forward, init))
    assert failed(report) == {}
    assert outcome(report) is Verdict.VERIFIED


@pytest.mark.parametrize(
    ("forward", "init", "step", "detail"),
    [
        ("self.n = self.n + 1\nreturn x + self.n", "self.n = 0", "tracing left the module as it was", "n: 0 (int) before, 1 (int) after"),
        ("self.last = x\nreturn x + 1", "self.last = None", "no Proxy left behind", "M.last (module root)"),
        ("return x * random.random()", "pass", "same output: first call, first shape, train mode", "values differ"),
        ("return x + torch.rand(4)", "pass", "same output: first call, first shape, train mode", "values differ"),
        ("if isinstance(x, torch.Tensor):\n    x = x * 2\nreturn x", "pass", "same output: first call, first shape, train mode", "values"),
        ("x = x.to(torch.float64 if torch.is_tensor(x) else x.dtype)\nreturn x", "pass",
         "same output: first call, first shape, train mode", "dtype torch.float64 in eager mode, torch.float32 in the graph"),
        ("with torch.no_grad():\n    y = self.a(x)\nreturn y", "self.a = nn.Linear(4, 4)",
         "same output: first call, first shape, train mode", "requires_grad False in eager mode, True in the graph"),
        ("with torch.no_grad():\n    y = self.a(x)\nreturn self.a(x) * y", "self.a = nn.Linear(4, 4)", "same gradients", "values differ"),
        ("return x + (self.a.weight.data.sum() if torch.is_tensor(x) else 1)", "self.a = nn.Linear(4, 4)",
         "same output: first call, first shape, train mode", "values differ"),
        ("y = x.expand(2, 3, 4) if hasattr(x, 'nothing_such') else x\nreturn y", "pass",
         "same output: first call, first shape, train mode", "shape (3, 4) in eager mode, (2, 3, 4) in the graph"),
        ("self.n.add_(1)\nreturn x * 1", "self.register_buffer('n', torch.zeros(()))", "same state after the calls", "n: values differ"),
        ("self.n = self.n + 1\nreturn x * 1", "self.n = 0", "same state after the calls", "first call, first shape, train mode: n: 1"),
    ],
)  # fmt: skip
def test_wrong_graphs_are_refuted_by_the_step_that_shows_it(prove: Prove, forward: str, init: str, step: str, detail: str) -> None:
    report = prove(module(forward, init))
    assert outcome(report) is Verdict.REFUTED
    assert detail in failed(report)[step]


def test_output_class_lost(prove: Prove) -> None:
    source = "import collections\nclass Out(collections.OrderedDict):\n    pass\n" + module("return Out(a=x)")
    assert failed(prove(source))["same output: first call, first shape, train mode"].startswith("output: class Out in eager mode, dict")


def test_a_size_that_was_baked_in_shows_on_the_second_shape_alone(prove: Prove) -> None:
    source = "n_of = len\nfx.wrap('n_of')\ndef rows(x):\n    return 3\n" + module("return x.sum(0) / rows(x)")
    bad = source.replace("return 3", "return x.shape[0] if type(x) is torch.Tensor else 3")
    assert failed(prove(source)) == {}
    calls = {f"same output: {n} call, second shape, {mode} mode" for n in ("first", "second") for mode in ("train", "eval")}
    assert set(failed(prove(bad))) == calls


def test_second_shape_of_the_users_own(prove: Prove) -> None:
    source = module("return x[:, :1] if type(x) is not torch.Tensor else x[:, :x.shape[1] - 3]")
    assert failed(prove(source)) == {}
    wider = INPUTS + "def inputs2():\n    return (torch.randn(3, 6),)\n"
    assert "shape (3, 3) in eager mode, (3, 1) in the graph" in next(iter(failed(prove(source, inputs=wider)).values()))


def test_no_second_shape_is_said(prove: Prove) -> None:
    report = prove(module("return self.p + x", "self.p = nn.Parameter(torch.zeros(3, 4))"))
    assert "second shape not tried: with a longer batch the model itself raises RuntimeError" in report.notes[0]
    assert outcome(report) is Verdict.VERIFIED


def test_state_that_only_eager_changes(prove: Prove) -> None:
    report = prove(module("self.n = self.n + x.sum()\nreturn x", "self.register_buffer('n', torch.zeros(()))"))
    assert failed(report)["no Proxy left behind"] == "a buffer of M (module root)"


@pytest.mark.parametrize(
    ("forward", "init"),
    [
        ("if self.training:\n    x = x * 2\nreturn x", "pass"),
        ("return F.dropout(x, 0.5, self.training)", "pass"),
        ("y = self.a(x)\nreturn (y, self.b(x)) if self.training else y", "self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 2)"),
    ],
)
def test_what_differs_by_mode_is_traced_in_both(prove: Prove, forward: str, init: str) -> None:
    report = prove(module(forward, init))
    assert report.both_modes
    assert report.plain_failure is not None
    assert report.plain_failure.message.startswith("same output: first call, first shape, eval mode")
    assert outcome(report) is Verdict.VERIFIED


def test_the_fields_of_an_object_that_comes_out_are_compared(prove: Prove) -> None:
    built = """class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right
@fx.wrap
def pair(x, noise):
    return Pair(x, noise)
"""
    assert outcome(prove(built + module("return pair(x, x * 2)"))) is Verdict.VERIFIED
    report = prove(built + module("return pair(x, x * random.random())"))
    assert "output[right]: values differ" in failed(report)["same output: first call, first shape, train mode"]


def test_what_differs_in_both_modes_is_not_traced_twice(prove: Prove) -> None:
    report = prove(module("if self.training:\n    x = x * 2\nreturn x * random.random()"))
    assert not report.both_modes
    assert outcome(report) is Verdict.REFUTED


def test_a_root_that_takes_any_arguments_is_wrapped(prove: Prove) -> None:
    text = """class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
    def forward(self, x, *rest, **options):
        return self.a(x) + sum(rest) + options["bias"]
"""
    report = prove(text, inputs="def inputs():\n    return (torch.ones(2, 4), torch.ones(4)), {'bias': torch.ones(4)}\n")
    assert "def forward(self, x, rest_0, bias):\n        return self.model(x, rest_0, bias=bias)\n" in report.wrapper
    assert report.graph is not None
    assert not report.graph.opaque
    assert outcome(report) is Verdict.VERIFIED


def test_a_root_with_a_hook_of_its_own_stays_whole_below_a_wrapper(prove: Prove) -> None:
    hooked = module("return x + 1", "self.calls = []; self.register_forward_hook(lambda m, a, out: m.calls.append(1))")
    report = prove(hooked)
    assert report.wrapper
    assert report.kept_whole.endswith(".M")
    assert outcome(report) is Verdict.VERIFIED


def test_a_layer_of_torch_as_root_is_a_leaf_below_a_wrapper(prove: Prove) -> None:
    report = prove("def make():\n    return nn.BatchNorm1d(4)\n", attribute="")
    assert "class ExplicitBatchNorm1d(torch.nn.Module):" in report.wrapper
    assert outcome(report) is Verdict.VERIFIED
    parallel = prove("def make():\n    return nn.DataParallel(nn.Linear(4, 4))\n", attribute="")
    assert "return self.model.module(inputs_0)" in parallel.wrapper
    assert outcome(parallel) is Verdict.VERIFIED


def test_a_root_with_plain_parameters_needs_no_wrapper(prove: Prove) -> None:
    assert not prove(module("return x if x.sum() > 0 else -x")).wrapper


def test_a_break_in_the_other_mode(prove: Prove) -> None:
    report = prove(module("if not self.training and x.sum() > 0:\n    x = x + 1\nreturn x"))
    assert "symbolically traced variables cannot be used as inputs to control flow" in failed(report)["traces in eval mode"]


def test_eager_that_differs_from_itself_is_not_compared(prove: Prove) -> None:
    report = prove("import os\n" + module("return x * int.from_bytes(os.urandom(4), 'big')"))
    skipped = [step.detail for step in report.steps if step.status is Status.SKIPPED]
    assert skipped[0].startswith("eager differs from itself with the same seed")
    assert outcome(report) is Verdict.TRACES


def test_optional_argument_held_at_its_default(prove: Prove) -> None:
    report = prove(module("if mask is not None:\n    x = x * mask\nreturn x"))
    assert outcome(report) is Verdict.VERIFIED
    assert report.defaults == ("mask",)
    assert report.plain_failure is not None
    assert "unsupported operand" in report.plain_failure.message


def test_optional_argument_that_breaks_when_traced(prove: Prove) -> None:
    report = prove(module("return x * len(mask) if mask is not None else x"))
    assert outcome(report) is Verdict.VERIFIED
    assert report.plain_failure is not None
    assert report.plain_failure.chain[-1].row == 9


def test_optional_argument_that_changes_nothing_is_not_held(prove: Prove) -> None:
    assert prove(module("return x + 1")).defaults == ()


def test_without_inputs_all_but_numbers_is_checked(prove: Prove) -> None:
    report = prove(module("return x * random.random()"), inputs="")
    assert (report.has_inputs, outcome(report)) == (False, Verdict.TRACES)
    assert not any(step.name.startswith("same output") for step in report.steps)


def test_opaque_nodes_are_counted(prove: Prove) -> None:
    source = (
        "def f(x):\n    return x * 2 if x.sum() > 0 else x\nfx.wrap('f')\nclass Inner(nn.Module):\n    def forward(self, x):\n"
        "        return x * 3 if x.sum() > 0 else x\n" + module("return self.i(f(f(x))).relu()", "self.i = Inner()")
    )  # fmt: skip
    report = prove(source, leaf=("Inner",))
    assert report.graph is not None
    assert [(item.target.rpartition(".")[2], item.kind, item.count) for item in report.graph.opaque] == [
        ("Inner", "leaf module", 1),
        ("f", "wrapped function", 2),
    ]
    assert report.graph.calls == 4
    assert outcome(report) is Verdict.VERIFIED
    assert prove(source).failure is not None


@pytest.mark.parametrize(
    ("source", "attribute", "name"),
    [
        ("class M(nn.Linear):\n    pass\ndef build():\n    return M(4, 4)\n", "build", "M"),
        ("class M(nn.Linear):\n    pass\ndef make():\n    return M(4, 4)\n", "", "M"),
        ("class M(nn.Linear):\n    pass\ndef make():\n    return M(4, 4)\n", "M", "M"),
        ("model = nn.Sequential(nn.Linear(4, 4))\n", "model", "Sequential"),
        ("def f(x):\n    return x.relu()\n", "f", "f"),
        ("class Zoo:\n    class M(nn.Identity):\n        pass\n", "Zoo.M", "Zoo.M"),
    ],
)
def test_ways_to_name_a_model(prove: Prove, source: str, attribute: str, name: str) -> None:
    report = prove(source, attribute)
    assert (report.model, outcome(report)) == (name, Verdict.VERIFIED)


@pytest.mark.parametrize(
    ("source", "attribute", "message"),
    [
        ("x = 3\n", "M", "has no 'M'"),
        ("M = 3\n", "M", "M is a int"),
        ("class M:\n    pass\n", "M", "M is not a torch.nn.Module"),
        ("class M(nn.Linear):\n    pass\n", "M", "M() needs in_features, out_features: name a function"),
        ("class M(nn.Linear):\n    pass\ndef make():\n    return nn.Identity()\n", "M", "make() returns a Identity, not a M"),
        ("def make():\n    return 3\n", "", "make() returns a int, not a module or a function"),
        ("class M(nn.Module):\n    pass\n", "", "defines no make()"),
    ],
)
def test_what_is_no_model_is_said(prove: Prove, source: str, attribute: str, message: str) -> None:
    failure = prove(source, attribute).failure
    assert failure is not None
    assert (failure.stage, failure.error) == (Stage.BUILD, "TargetError")
    assert message in failure.message


@pytest.mark.parametrize(
    ("inputs", "spec", "stage", "message"),
    [
        ("inputs = 3\n", "", Stage.INPUTS, "inputs is a int, not a function"),
        ("def inputs():\n    return (torch.randn(3, 4),)\n", "nowhere:f", Stage.INPUTS, "No module named 'nowhere'"),
        ("def inputs():\n    raise OSError('no data')\n", "", Stage.EAGER, "no data"),
        ("def inputs():\n    return ('text',)\n", "", Stage.EAGER, "can only concatenate str"),
    ],
)
def test_inputs_that_do_not_work_are_said(prove: Prove, inputs: str, spec: str, stage: Stage, message: str) -> None:
    failure = prove(module("return x + 1"), inputs=inputs, spec=spec).failure
    assert failure is not None
    assert failure.stage is stage
    assert message in failure.message


@pytest.mark.parametrize("inputs", ["{'x': torch.ones(3, 4)}", "((torch.ones(3, 4),), {'mask': torch.ones(3, 4)})", "torch.ones(3, 4)"])
def test_ways_to_give_arguments(prove: Prove, inputs: str) -> None:
    report = prove(module("if mask is not None:\n    x = x * mask\nreturn x + 1"), inputs=f"def inputs():\n    return {inputs}\n")
    assert outcome(report) is Verdict.VERIFIED


def test_a_model_that_cannot_be_copied_is_built_again(prove: Prove) -> None:
    source = module("return self.a(x)", "self.a = nn.Linear(4, 4); self.lock = __import__('threading').Lock()")
    assert outcome(prove(source)) is Verdict.VERIFIED
