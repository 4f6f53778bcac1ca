"""From raw events to events: places become characters, chains become steps, call stacks become frames."""

from __future__ import annotations

from fxlint.base.event import Assumption, AssumptionKind, Event, Frame, Site, Step
from fxlint.interp.machine import RawEvent, RawFrame
from fxlint.syntax import ir
from fxlint.syntax.body import Body
from fxlint.values.values import Origin

MAX_STEPS = 12


def site_of(body: Body, at: ir.At) -> Site:
    """Where a node stands."""
    span = body.span(at)
    return Site(body.path, span.start, span.end)


def text_of(body: Body, at: ir.At) -> str:
    """The source text of a node, on one line."""
    span = body.span(at)
    return " ".join(body.text[span.start - body.offset:span.end - body.offset].split())


def to_event(raw: RawEvent, root: str, optional: frozenset[str], input_names: frozenset[str]) -> Event:
    """The event as checks see it. ``optional`` are the root's parameters with a default that were traced as Proxies in this run."""
    steps, source = chain(raw)
    assumptions = set(raw.assumptions)
    if optional:
        named = {source} & optional
        for name in sorted(named or optional):
            assumptions.add(Assumption(AssumptionKind.OPTIONAL_ARGUMENT, name))
    subject = raw.subject
    return Event(
        raw.kind, raw.construct, site_of(raw.body, raw.at), text_of(*subject) if subject is not None else "",
        site_of(*subject) if subject is not None else None, raw.facet, raw.callee, raw.detail, steps, frozenset(assumptions), (root,),
        raw.code.qualname, raw.owner_class, tuple(to_frame(frame) for frame in raw.stack[1:]))


def to_frame(raw: RawFrame) -> Frame:
    """One call on the way."""
    return Frame(
        site_of(raw.body, raw.at), raw.caller.qualname, raw.callee.qualname, raw.callee.source.path, raw.callee_class)


def chain(raw: RawEvent) -> tuple[tuple[Step, ...], str]:
    """The steps from an input of the root to the construct, and the input's name ("" where the chain does not reach one).

    A chain ends at a parameter of the function being read; the caller's frame says where that argument came from.
    """
    steps: list[Step] = []
    frames = list(raw.stack)
    origin: Origin | None = raw.origin
    source = ""
    while origin is not None and len(steps) < MAX_STEPS:
        if origin.param:
            if len(frames) <= 1:
                # Where decorators wrap the root, its own parameter is behind the one of the wrapper.
                wrapped = dict(frames[0].arguments).get(origin.param) if frames else None
                origin = wrapped if wrapped is not None and wrapped.param else origin
                source = origin.param
                steps.append(_step(origin, f"`{origin.param}` is an input of {raw.stack[0].callee.qualname if raw.stack else 'forward'}"))
                break
            frame = frames.pop()
            caller_origin = dict(frame.arguments).get(origin.param)
            passed = f"passed to {frame.callee.qualname} as `{origin.param}`"
            steps.append(Step(site_of(frame.body, frame.at), text_of(frame.body, frame.at), passed))
            origin = caller_origin
            continue
        if origin.body is not None:
            step = _step(origin, origin.note)
            if not steps or steps[-1].site != step.site:
                steps.append(step)
        origin = origin.parent
    return tuple(reversed(steps)), source


def _step(origin: Origin, note: str) -> Step:
    assert origin.body is not None
    return Step(site_of(origin.body, origin.at), text_of(origin.body, origin.at), note)
