"""Set-up code: what of it is executed, what is skipped, and what must not be."""

from __future__ import annotations

import pytest

from .tracing import events, every

LEN = "proxy-len/len"

DOCUMENTED = """
DOUBLE = True

def document(obj, intro):
    for word in intro.split():
        obj.__doc__ = (obj.__doc__ or "") + word
    return obj

def documented(obj=None, *, intro=""):
    def decorate(obj):
        if len(obj.__qualname__.split(".")) > 1:
            return document(obj, intro)
        return document(obj, "")
    if obj:
        return decorate(obj)
    return decorate

def doubled(function):
    def inner(self, x):
        return function(self, x) * len(x)
    return inner

def sometimes(function):
    if DOUBLE:
        return doubled(function)
    return function

class M(nn.Module):
    @DECORATOR
    def forward(self, x):
        return x + 1
"""


@pytest.mark.parametrize(("decorator", "expected"), [
    ("documented", []),
    ("documented(intro='a b c')", []),
    ("doubled", [LEN]),
    ("sometimes", [LEN]),
])
def test_a_decorator_that_hands_back_its_function_changes_nothing_and_any_other_does(decorator: str, expected: list[str]) -> None:
    assert [e for e in events(DOCUMENTED.replace("DECORATOR", decorator)) if e == LEN] == expected


def test_a_decorator_that_binds_its_parameter_anew_hands_back_something_else() -> None:
    text = """
    def replaced(function):
        plain = function
        function = lambda self, x: plain(self, x) + len(x)
        return function

    class M(nn.Module):
        @replaced
        def forward(self, x):
            return x
    """
    assert LEN in events(text)


def test_set_up_code_that_calls_itself_on_one_object_ends() -> None:
    text = """
    class M(nn.Module):
        def __init__(self, config):
            super().__init__()
            self.config = config
            self.enable()

        def enable(self, every=1):
            if self.config.old:
                self.enable_old(every)
            else:
                self.set(every)

        def enable_old(self, every):
            if self.config.older:
                self.enable(every + 1)
            else:
                self.set(every)

        def set(self, every):
            self.every = every

        def forward(self, x):
            return x + len(x)
    """
    assert events(text) == [LEN]


COUNTED = """
class Net(nn.Module):
    def __init__(self, dim, check=False):
        super().__init__()
        self.dim, self.check = dim, check

    def forward(self, x):
        return x + len(x) if self.check else x

class Pair(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b

    def forward(self, x):
        return self.b(self.a(x))

def build(cls, **settings):
    net = cls(**settings)
    net.tags = [name for name in settings]
    return net

def a():
    return build(Net, dim=64)

def b():
    return build(Net, dim=128)

def c():
    return BUILT
"""


@pytest.mark.parametrize(("built", "expected"), [
    ("build(Net, dim=128)", []),
    ("build(Net, dim=128, check=True)", [LEN]),
    ("Pair(build(Net, dim=128), build(Net, dim=128))", []),
    ("Pair(build(Net, dim=128), build(Net, dim=128, check=True))", [LEN]),
])
def test_a_builder_is_left_early_only_where_its_model_has_nothing_new(built: str, expected: list[str]) -> None:
    assert every(COUNTED.replace("BUILT", built)) == expected
