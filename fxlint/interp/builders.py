"""Builders: functions of the project that make a model, executed with their defaults so that the model is traced as people build it."""

from __future__ import annotations

from fxlint.interp import activation, configuration, roots
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import FuncInfo, Machine
from fxlint.interp.names import func_info, global_value
from fxlint.interp.state import ModuleObject, State
from fxlint.interp.store import load
from fxlint.syntax import ir, irwalk
from fxlint.values.join import alternatives
from fxlint.values.values import Class, ClassInfo, Function, Ref


def _is_one_call(m: Machine, function: Function, info: FuncInfo) -> bool:
    """Whether a builder returns what one call of project code gives it, so that the model made by that call is the builder's."""
    called = [e.func for e in irwalk.all_exprs(info.func.body) if isinstance(e, ir.Call)]
    names = [func.id for func in called if isinstance(func, ir.Name)]
    values = [global_value(m, function.code.source, name) for name in names if name not in info.bound]
    return sum(isinstance(v, (Function, Class)) for v in values) == 1


def trace_builder(m: Machine, run: roots.Run, name: str, function: Function) -> None:
    """Trace what a function of the project builds, unless models traced before had all of its settings."""
    info = func_info(m, function.code)
    if info is None:
        return
    frame = roots.root_frame(m, function.code.source, info.body, tracing=False)
    st = State()
    m.active.append(frame)
    try:
        m.building, m.made_by = len(m.active) + 1 if _is_one_call(m, function, info) else 0, {}
        try:
            value = activation.run_function(frame, st, 0, function, Arguments())
        except configuration.CoveredError:
            return
        finally:
            m.building = 0
        for one in alternatives(value):
            obj = load(frame, st, one) if isinstance(one, Ref) else None
            if not isinstance(obj, ModuleObject) or not isinstance(obj.cls, ClassInfo):
                continue
            assert isinstance(one, Ref)
            m.entered.add(obj.cls)
            m.model_ways.update([m.made_by[one.id]] if one.id in m.made_by else [])
            settings = configuration.settings_of(frame, st, obj.args)
            known = m.configurations.setdefault(obj.cls, set())
            if not known or not settings <= known:
                known |= settings
                roots.trace_module(m, run, name, frame, st, one)
    finally:
        m.active.pop()
