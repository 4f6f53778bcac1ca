"""What traces and computes something else: one test a kind, each with what looks alike and is fine."""

from __future__ import annotations

import pytest

from .programs import forward, seen


@pytest.mark.parametrize(
    ("body", "init", "expected"),
    [
        ("return {'n': str(x.dim()), 'x': x}", "", [("proxy-text", "str", 5)]),
        ("return {'n': '{} rows'.format(x.dim())}", "", [("proxy-text", "str", 5)]),
        ("return x * 2 if repr(x.dtype) == 'a' else x", "", [("proxy-text", "str", 5)]),
        ("d = {'1': 2}\nreturn x * d.get(f'{x.dim()}', 3)", "", [("proxy-text", "str", 6)]),
        ("return getattr(self, f'head{x.dim()}')(x)", "self.head2 = nn.ReLU()", [("proxy-text", "attribute", 6)]),
        ("text = f'{x.shape}'\nreturn x", "", []),
        ("torch._assert(x.dim() == 2, f'rank {x.dim()}')\nreturn x", "", []),
        ("return {'n': str(self.k), 'x': x}", "self.k = 3", []),
        ("if self.k < 0:\n    raise ValueError(f'{x.shape}')\nreturn x", "self.k = 3", []),
    ],
)
def test_the_text_of_a_proxy_where_something_depends_on_it(body: str, init: str, expected: list[tuple[str, str, int]]) -> None:
    assert [e for e in seen(forward(body, init)) if e[0] == "proxy-text"] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x += 1\nreturn x", [5]),
        ("v = x[:1]\nv *= 5\nreturn v", [6]),
        ("v = x.view(-1)\nv += 1\nreturn v", [6]),
        ("y = x * 2\nt = y.t()\nt += 1\nreturn y", [7]),
        ("y = x * 2\nkept = y\ny += 1\nreturn y * kept", [7]),
        ("x = x + 1\nx += 1\nreturn x", []),
        ("y = x * 2\nkept = y\ny += 1\nreturn y", []),
        ("y = x[x > 0]\ny += 1\nreturn y", []),
        ("y = x.clone()\ny += 1\nreturn y", []),
        ("x = x.relu()\nx += 1\nreturn x", []),
        ("n = x.shape[0]\nn //= 2\nreturn x, n", []),
    ],
)
def test_an_augmented_assignment_that_another_holder_does_not_see(body: str, expected: list[int]) -> None:
    assert [line for kind, _, line in seen(forward(body)) if kind == "alias-lost"] == expected


@pytest.mark.parametrize(
    ("body", "init", "expected"),
    [
        ("self.n += 1\nreturn x * self.n", "self.register_buffer('n', torch.zeros(()))", [("state-write", "buffer", 6)]),
        ("self.n.add_(1)\nreturn x", "self.register_buffer('n', torch.zeros(()))", [("state-write", "buffer", 6)]),
        ("self.n[0] = 1\nreturn x", "self.register_buffer('n', torch.zeros(3))", [("state-write", "buffer", 6)]),
        ("self.register_buffer('t', torch.ones(3))\nreturn x", "", [("state-write", "buffer", 5)]),
        ("self.n.lerp_(x.mean(), 0.1)\nreturn x", "self.register_buffer('n', torch.zeros(()))", [("constant-write", "method", 6)]),
        ("self.n.lerp_(x.mean(), 0.1)\nreturn self.n * 2", "self.register_buffer('n', torch.zeros(()))",
         [("constant-write", "method", 6), ("constant-write", "stale", 7)]),
        ("torch.add(x, 1, out=self.n)\nreturn x", "self.register_buffer('n', torch.zeros(3))", [("constant-write", "out", 6)]),
        ("a = torch.zeros(3)\na += x\nreturn a", "", [("constant-write", "augmented", 6)]),
        ("a = torch.zeros_like(x)\na += x\nreturn a", "", []),
        ("a = torch.zeros(3)\na = a + x\nreturn a", "", []),
        ("return x * self.n", "self.register_buffer('n', torch.zeros(()))", []),
    ],
)
def test_writes_of_concrete_tensors(body: str, init: str, expected: list[tuple[str, str, int]]) -> None:
    assert [e for e in seen(forward(body, init)) if e[0] in ("state-write", "constant-write")] == expected


BUFFER = "self.register_buffer('n', torch.zeros(()))"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if self.n > 0:\n    x = x * 2\nself.n.add_(1)\nreturn x", ["branch"]),
        ("if self.n > 0:\n    x = x * 2\nself.n.copy_(x.mean())\nreturn x", ["branch"]),
        ("if self.n:\n    x = x * 2\nreturn x", ["flag"]),
        ("if self.n > 0:\n    x = x * 2\nreturn x", []),
        ("if self.n.dim() > 0:\n    x = x * 2\nself.n.add_(1)\nreturn x", []),
    ],
)
def test_branches_on_buffers(body: str, expected: list[str]) -> None:
    assert [construct for kind, construct, _ in seen(forward(body, BUFFER)) if kind == "buffer-branch"] == expected


@pytest.mark.parametrize(
    ("body", "init", "expected"),
    [
        ("self.seen.append(x)\nreturn x", "self.seen = []", [6]),
        ("self.seen.append(1)\nreturn x", "self.seen = []", [6]),
        ("self.seen['x'] = x\nreturn x", "self.seen = {}", [6]),
        ("seen = []\nseen.append(x)\nreturn seen", "", []),
        ("seen = [m for m in self.seen]\nseen.append(x)\nreturn x", "self.seen = []", []),
    ],
)
def test_containers_that_outlive_the_trace(body: str, init: str, expected: list[int]) -> None:
    assert [line for kind, construct, line in seen(forward(body, init)) if (kind, construct) == ("state-write", "container")] == expected


@pytest.mark.parametrize(
    ("handler", "lost"),
    [("RuntimeError", True), ("Exception", True), ("(KeyError, IndexError)", True), ("KeyError", False), ("ImportError", False)],
)
def test_a_handler_around_recorded_operations(handler: str, lost: bool) -> None:
    program = forward(f"try:\n    y = x.view(2, 3)\nexcept {handler}:\n    y = x\nreturn y")
    assert [e[0] for e in seen(program)].count("handler-lost") == lost


def test_a_handler_around_python_code_is_kept() -> None:
    assert seen(forward("try:\n    k = self.k + 1\nexcept Exception:\n    k = 0\nreturn x * k", "self.k = 2")) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("with torch.no_grad():\n    y = x * 2\nreturn y", [5]),
        ("with torch.no_grad():\n    k = 2\nreturn x * k", []),
    ],
)
def test_a_context_counts_where_its_body_records_something(body: str, expected: list[int]) -> None:
    assert [line for kind, _, line in seen(forward(body)) if kind == "context-dropped"] == expected


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        ("self.register_forward_hook(lambda m, a, o: o + 1)", [("hook-skipped", "hook", 4)]),
        ("self.forward = lambda y: y * 3", [("hook-skipped", "forward-override", 4)]),
        ("self.lin = nn.Linear(3, 3)\nself.lin.register_forward_hook(lambda m, a, o: o + 1)", []),
    ],
)
def test_hooks_of_the_root(init: str, expected: list[tuple[str, str, int]]) -> None:
    assert seen(forward("return x * 2", init)) == expected


def test_the_hook_of_a_module_that_is_traced_through_runs_on_proxies() -> None:
    inner = "class Inner(nn.Module):\n    def forward(self, x):\n        return x * 2\n"
    init = "self.taps = []\nself.inner = Inner()\nself.inner.register_forward_hook(lambda m, a, o: self.taps.append(o))"
    assert seen(inner + forward("return self.inner(x)", init)) == [("state-write", "container", 9)]


@pytest.mark.parametrize(
    ("body", "init", "expected"),
    [
        ("return F.dropout(x, 0.5, self.training)", "", True),
        ("flag = self.training\nreturn F.dropout(x, p=0.5, training=flag)", "", True),
        ("return F.dropout(x, 0.5, self.flag)", "self.flag = True", False),
        ("return F.dropout(x, 0.5, False)", "", False),
    ],
)
def test_the_training_flag_as_an_argument(body: str, init: str, *, expected: bool) -> None:
    assert (("training", "argument") in [e[:2] for e in seen(forward(body, init))]) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x * time.time()", ["time"]),
        ("return x + torch.rand(3)", ["torch"]),
        ("return x * random.random()", ["python"]),
        ("g = torch.Generator().manual_seed(3)\nreturn x + torch.rand(3, generator=g)", []),
        ("return x + torch.rand_like(x)", []),
    ],
)
def test_draws_without_a_proxy(body: str, expected: list[str]) -> None:
    program = "import random\nimport time\n" + forward(body)
    assert [construct for kind, construct, _ in seen(program) if kind == "random"] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("h = x.relu\nreturn h", [5]),
        ("return F.relu(x.abs) + 1", [5]),
        ("act = x.relu\nreturn act() + 1", []),
        ("return x.max(0).values", []),
        ("return x.T", []),
    ],
)
def test_methods_that_are_not_called(body: str, expected: list[int]) -> None:
    assert [line for kind, _, line in seen(forward(body)) if kind == "method-uncalled"] == expected


@pytest.mark.parametrize(
    ("callee", "impure"),
    [("return torch.rand(n)", True), ("print(n)\n    return torch.ones(n)", True), ("return torch.ones(n).tril()", False)],
)
def test_a_wrapped_call_without_a_proxy(callee: str, impure: bool) -> None:
    program = f"@fx.wrap\ndef make(n):\n    {callee}\n" + forward("return x + make(3)")
    assert ("wrap-no-proxy" in [e[0] for e in seen(program)]) is impure


@pytest.mark.parametrize(
    ("body", "lost"),
    [
        ("try:\n    return x.lengths\nexcept AttributeError:\n    return x", True),
        ("try:\n    y = x.rows * 2\nexcept (KeyError, AttributeError):\n    y = x\nreturn y", True),
        ("try:\n    y = x.T\nexcept AttributeError:\n    y = x\nreturn y", False),
        ("try:\n    y = x.relu()\nexcept AttributeError:\n    y = x\nreturn y", False),
        ("try:\n    y = self.lengths\nexcept AttributeError:\n    y = x\nreturn y", False),
        ("try:\n    y = x.lengths\nexcept KeyError:\n    y = x\nreturn y", False),
    ],
)
def test_an_attribute_that_a_proxy_has_and_no_tensor(body: str, *, lost: bool) -> None:
    assert any(kind == "handler-lost" for kind, _, _ in seen(forward(body))) is lost
