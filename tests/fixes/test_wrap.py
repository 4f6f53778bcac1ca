"""torch.fx.wrap of functions that exist: in the right form, in every module that needs it, and never where it cannot work."""

from __future__ import annotations

import importlib
import sys

import pytest

from fxlint.api import FixKind, FixRequest
from fxlint.base.event import EventKind, Facet
from fxlint.base.finding import Safety

WRAP = FixRequest(FixKind.WRAP)
TRUTH, FOREIGN, LENGTH = EventKind.PROXY_TRUTH, EventKind.FOREIGN_CALL, EventKind.PROXY_LEN

ONE_FILE = """\
import torch
from torch import nn

{before}def gate(x):
    return x if «x.sum() > 0» else -x


class M(nn.Module):
    def forward(self, x):
        return gate(x) * 2
"""
PLAIN = ONE_FILE.replace("«", "").replace("»", "")


def wrapped(source, plan, framed, call="gate(x) * 2", name="gate", **fields):
    text = source.replace("«", "").replace("»", "")
    frame = framed(text, call.removesuffix(" * 2"), callee=name, **fields)
    # The frame is that of the last such call: the definition comes first in the text.
    start = text.rindex(call.removesuffix(" * 2"))
    site = type(frame.site)("/p/m.py", start, start + len(call.removesuffix(" * 2")))
    return plan(source, WRAP, kind=TRUTH, stack=(type(frame)(site, "M.forward", name, "/p/m.py"),), owner=name)


def test_a_function_of_the_same_file_gets_the_decorator(plan, framed, load):
    import torch

    planned = wrapped(ONE_FILE.replace("{before}", ""), plan, framed)
    text = planned.texts["/p/m.py"]
    assert text == PLAIN.replace("{before}", "@torch.fx.wrap\n")
    assert planned.choice.fix.safety is Safety.SAFE
    module = load(text)
    x = torch.randn(4)
    assert torch.equal(torch.fx.symbolic_trace(module.M())(x), module.M()(x))
    assert torch.equal(torch.fx.symbolic_trace(module.M())(-x), module.M()(-x))


@pytest.mark.parametrize("decorator", ["@torch.no_grad()\n", "@torch.jit.ignore\n", "@plain\n"])
def test_a_decorated_function_gets_the_string_form(decorator, plan, framed, load):
    import torch

    head = "def plain(f):\n    return lambda *a: f(*a)\n\n\n"
    planned = wrapped(ONE_FILE.replace("{before}", head + decorator), plan, framed)
    text = planned.texts["/p/m.py"]
    assert text == PLAIN.replace("{before}", head + decorator).replace("import nn\n", 'import nn\n\ntorch.fx.wrap("gate")\n')
    module = load(text)
    x = torch.randn(4)
    assert torch.equal(torch.fx.symbolic_trace(module.M())(-x), module.M()(-x))


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("@torch.fx.wrap\n", "wrapped already"),
        ("torch.fx.wrap('gate')\n", "wrapped already"),
        ("@torch.jit.script\n", "cannot be wrapped"),
        ("@functools.lru_cache(None)\n", "cannot be wrapped"),
        ("@contextlib.contextmanager\n", "cannot be wrapped"),
        ("async ", "is a coroutine"),
        ("def gate(x): ...\n", "more than once"),
        ("gate = None\n", "more than once"),
    ],
)
def test_functions_that_cannot_be_wrapped(before, reason, plan, framed):
    planned = wrapped(ONE_FILE.replace("{before}", before), plan, framed)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("    return x if «x.sum() > 0» else -x", "    yield x if «x.sum() > 0» else -x"), "is a generator"),
        (("        return gate(x)", "        gate = gate_of(self)\n        return gate(x)"), "a local name where it is called"),
        (("gate(x) * 2", "gate(self) * 2"), "is given `self`"),
        (("    return x if", "    pass\n\n\nif torch:\n  def gate(x):\n    return x if"), "more than once"),
        (("def gate", "pick = gate = 1\ndef gate"), "more than once"),
    ],
)
def test_calls_that_no_wrap_reaches(change, reason, plan, framed):
    call = "gate(self)" if "self" in change[1] and "gate_of" not in change[1] else "gate(x)"
    planned = wrapped(ONE_FILE.replace("{before}", "").replace(*change), plan, framed, call=call)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]


def test_an_unused_result_makes_the_wrap_unsafe(plan, framed):
    planned = wrapped(ONE_FILE.replace("{before}", "").replace("return gate(x) * 2", "gate(x)"), plan, framed, call="gate(x)")
    assert planned.choice.fix.safety is Safety.UNSAFE
    assert "dead-code elimination" in planned.choice.fix.message


def test_methods_and_nested_functions_have_no_name_to_wrap(plan, framed):
    source = (
        "import torch\nclass M:\n    def gate(self, x):\n        return «x» or 1\n    def forward(self, x):\n        return self.gate(x)\n"
    )
    text = source.replace("«", "").replace("»", "")
    frame = framed(text, "self.gate(x)", callee="M.gate")
    assert "method or a nested function" in plan(source, WRAP, kind=TRUTH, stack=(frame,), owner="M.gate").reasons[0]


def test_the_root_itself_cannot_be_wrapped(plan):
    assert "in the root itself" in plan(ONE_FILE.replace("{before}", ""), WRAP, kind=TRUTH).reasons[0]


OPS = "import torch\n\n\ndef gate(x):\n    return x if «x.sum() > 0» else -x\n"


def across(caller, call, plan, framed, ops=OPS, **others):
    frame = framed(caller, call, path="/p/net.py", callee="gate", callee_path="/p/m.py")
    files = {"/p/net.py": caller, **{f"/p/{name}.py": text for name, text in others.items()}}
    return plan(ops, WRAP, kind=TRUTH, stack=(frame,), owner="gate", others=files)


NET = "import torch\nfrom torch import nn\n{imports}\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return {call} + 1\n"


@pytest.mark.parametrize(
    ("imports", "call", "line"),
    [
        ("from m import gate\n", "gate(x)", 'torch.fx.wrap("gate")'),
        ("from m import gate as pick\n", "pick(x)", 'torch.fx.wrap("pick")'),
        ("from m import *\n", "gate(x)", 'torch.fx.wrap("gate")'),
        ("from again import gate\n", "gate(x)", 'torch.fx.wrap("gate")'),
        ("import m\n", "m.gate(x)", ""),
        ("import m as ops\n", "ops.gate(x)", ""),
    ],
)
def test_each_calling_module_gets_its_own_wrap_and_traces(imports, call, line, plan, framed, tmp_path, monkeypatch):
    import torch

    caller = NET.replace("{imports}", imports).replace("{call}", call)
    planned = across(caller, call, plan, framed, again="from m import gate\n")
    assert planned.texts["/p/m.py"] == OPS.replace("«", "").replace("»", "").replace("def gate", "@torch.fx.wrap\ndef gate")
    assert planned.texts["/p/net.py"] == (caller.replace(imports, f"{imports}\n{line}\n") if line else caller)
    for path, text in planned.texts.items():
        (tmp_path / path.removeprefix("/p/")).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("m", "net", "again"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    net = importlib.import_module("net")
    x = torch.randn(4)
    try:
        assert torch.equal(torch.fx.symbolic_trace(net.Net())(-x), net.Net()(-x))
    finally:
        for name in ("m", "net", "again"):
            sys.modules.pop(name, None)


def test_a_second_importer_is_wrapped_too_and_nothing_twice(plan, framed):
    caller = NET.replace("{imports}", "from m import gate\n").replace("{call}", "gate(x)")
    done = "import torch\nfrom m import gate\ntorch.fx.wrap('gate')\n"
    planned = across(caller, "gate(x)", plan, framed, other="from m import gate\n", done=done, unrelated="from n import gate\n")
    assert planned.texts["/p/other.py"] == 'from m import gate\nimport torch\n\ntorch.fx.wrap("gate")\n'
    assert planned.texts["/p/done.py"] == done
    assert planned.texts["/p/unrelated.py"] == "from n import gate\n"


@pytest.mark.parametrize(
    ("imports", "call", "reason"),
    [
        ("from m import gate\n", "self.gate(x)", "which no wrap reaches"),
        ("from m import gate\nTABLE = {1: gate}\n", "TABLE[1](x)", "which no wrap reaches"),
        ("from n import gate\n", "gate(x)", "is not known"),
    ],
)
def test_calls_through_other_files_that_no_wrap_reaches(imports, call, reason, plan, framed):
    planned = across(NET.replace("{imports}", imports).replace("{call}", call), call, plan, framed)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]


def test_an_imported_library_function_is_wrapped_by_name(plan):
    source = "import torch\nfrom einops import rearrange\n\n\ndef f(x):\n    return «rearrange(x, 'a b -> b a')»\n"
    planned = plan(source, WRAP, kind=FOREIGN, callee="einops.rearrange")
    assert planned.texts["/p/m.py"].startswith('import torch\nfrom einops import rearrange\n\ntorch.fx.wrap("rearrange")\n\n\n')


def test_len_may_be_wrapped_by_name(plan, load):
    import torch

    source = "import torch\n\n\ndef f(x):\n    return x.t() * «len(x.split(2))»\n"
    text = plan(source, WRAP, kind=LENGTH, facet=Facet.TUPLE).texts["/p/m.py"]
    assert text.startswith('import torch\n\ntorch.fx.wrap("len")\n')
    module = load(text)
    x = torch.randn(4, 3)
    assert torch.equal(torch.fx.symbolic_trace(module.f)(x), module.f(x))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import einops\ndef f(x):\n    return «einops.rearrange(x)»\n", "no dotted name"),
        ("import torch\ndef f(x):\n    import ops\n    g = ops.g\n    return «g(x)»\n", "a local name"),
        ("import torch\ng = make()\ndef f(x):\n    return «g(x)»\n", "not bound by an import"),
        ("import torch\nfrom e import g\ntorch.fx.wrap('g')\ndef f(x):\n    return «g(x)»\n", "wrapped in this module already"),
        ("import torch\ndef f(x):\n    return «int(x)»\n", "not bound by an import"),
    ],
)
def test_called_names_that_cannot_be_wrapped(source, reason, plan):
    planned = plan(source, WRAP, kind=FOREIGN)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]
