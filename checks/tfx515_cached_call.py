"""TFX515 cached-call: a cache remembers Proxies, or what was computed for one.

## What it catches
Functions and methods under `functools.lru_cache` or `functools.cache` that are called with traced values, or that make tensors while
tracing.

## Why the graph differs
The cache keys on the Proxy object, by identity, and keeps what came back: a second trace may be given nodes of the first graph. What was
computed without a Proxy is shared by the model and the graph.

## Fix and its safety
Take the cache away, or mark the cached function with `torch.fx.wrap` (wrap outermost): then the cache sees real values.

## When to ignore
When only constants are cached and nobody writes them.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX515",
    name="cached-call",
    summary="functools.lru_cache or cache around code that is traced",
    events=(EventKind.CACHED,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a cached function of the input",
            """
import functools

@functools.lru_cache(maxsize=4)
def doubled(x):
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return doubled(x)  # <- here
""",
            Outcome.TRACES,
        ),
        Example(
            "wrap over the cache",
            """
import functools

@fx.wrap
@functools.lru_cache(maxsize=4)
def table(n):
    return torch.arange(n, dtype=torch.float32)

class M(nn.Module):
    def forward(self, x):
        return x * table(x.shape[-1])
""",
            Outcome.TRACES,
        ),
        Example(
            "a cached number",
            """
import functools

@functools.lru_cache(maxsize=4)
def factor(n):
    return n * 2

class M(nn.Module):
    def forward(self, x):
        return x * factor(2)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the same function without a cache",
            """
def doubled(x):
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return doubled(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a cache."""
    message = f"{event.callee or 'this function'} is cached: the cache keeps Proxies of this trace, by identity, and hands them to the next"
    return Report(message, "take the cache away, or put @torch.fx.wrap above it so that it only sees real values")
