"""What the tables say of torch.nn classes, and by which other dotted names torch's public objects can be reached."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from types import ModuleType
from typing import Any

from torch import nn

from tests.library import module_samples

# Where a public object is looked for, the most public place first.
PUBLIC = (
    "torch", "torch.nn", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.nn.init", "torch.nn.utils",
    "torch.nn.utils.rnn", "torch.nn.utils.parametrizations", "torch.nn.utils.parametrize", "torch.fx", "torch.autograd",
    "torch.utils.checkpoint", "torch.jit",
    "torch.func", "torch.cuda", "torch.cuda.amp", "torch.amp", "torch.fx.experimental.proxy_tensor", "torch.nn.attention",
    "torch.distributed",
    "torch.distributions", "torch.utils.data", "torch.utils.hooks", "torch.utils._pytree", "torch.compiler", "torch.export",
    "torch.library",
    "torch.ao.quantization", "torch.ao.quantization.quantize_fx", "torch.autograd.profiler", "torch.profiler", "torch.optim",
    "torch.sparse",
)
WALKED = ("torch.nn", "torch.functional", "torch._tensor", "torch._jit_internal", "torch.fx", "torch.autograd", "torch.amp",
    "torch.cuda.amp",
          "torch._functorch.apis", "torch._C._nn", "torch._C._fft", "torch._C._linalg", "torch._C._special", "torch.linalg",
          "torch.special",
          "torch.fft", "torch.utils.checkpoint", "torch.jit", "torch.func", "torch.profiler", "torch.nn.attention")

LEFT_OUT = ("experimental.", "_test", "intrinsic", "qat", "quantiz", "unittest", ".__main__", "ao.")


def _modules() -> list[ModuleType]:
    found: list[ModuleType] = []
    for name in WALKED:
        module = importlib.import_module(name)
        found.append(module)
        if hasattr(module, "__path__"):
            for info in pkgutil.walk_packages(module.__path__, name + "."):
                if any(part in info.name for part in LEFT_OUT):
                    continue
                try:
                    found.append(importlib.import_module(info.name))
                except ImportError as error:  # an optional dependency
                    sys.stderr.write(f"skipped {info.name}: {error}\n")
    return found


def alias_table() -> dict[str, Any]:
    """Dotted name -> the public dotted name of the same object, for those that are not public themselves."""
    public: dict[int, str] = {}
    keep: list[Any] = []
    for namespace in PUBLIC:
        module = importlib.import_module(namespace)
        for name, value in vars(module).items():
            if name.startswith("_") or not (callable(value) or isinstance(value, ModuleType)):
                continue
            if isinstance(value, ModuleType):
                continue
            owner = getattr(value, "__module__", None) or "torch"
            if owner.startswith(("torch", "_VariableFunctions")):
                keep.append(value)
                public.setdefault(id(value), f"{namespace}.{name}")
    aliases: dict[str, Any] = {}
    for module in _modules():
        if module.__name__ in PUBLIC:
            continue
        for name, value in vars(module).items():
            if isinstance(value, ModuleType):
                known = value.__name__
                if known.startswith("torch") and f"{module.__name__}.{name}" != known:
                    aliases[f"{module.__name__}.{name}"] = known
            elif id(value) in public and not name.startswith("__"):
                aliases[f"{module.__name__}.{name}"] = public[id(value)]
    for namespace in PUBLIC:
        for name, value in vars(importlib.import_module(namespace)).items():
            if isinstance(value, ModuleType) and value.__name__.startswith("torch") and f"{namespace}.{name}" != value.__name__:
                aliases[f"{namespace}.{name}"] = value.__name__
    return {key: value for key, value in aliases.items() if key != value}


def _default(parameter: inspect.Parameter) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": parameter.name, "kind": parameter.kind.name.lower()}
    if parameter.default is not inspect.Parameter.empty:
        try:
            value = parameter.default
            if value is None or isinstance(value, (bool, int, float, str)) or (
                    isinstance(value, tuple) and all(isinstance(v, (bool, int, float)) for v in value)):
                entry["default"] = repr(value)
            else:
                entry["default"] = "..."
        except TypeError:
            entry["default"] = "..."
    return entry


def classes() -> dict[str, type[nn.Module]]:
    """All module classes that ``torch.nn`` names."""
    found: dict[str, type[nn.Module]] = {}
    for name, value in vars(nn).items():
        if isinstance(value, type) and issubclass(value, (nn.Module, nn.ParameterList, nn.ParameterDict)):
            found[f"torch.nn.{name}"] = value
    return found


def module_table() -> dict[str, Any]:
    table: dict[str, Any] = {}
    for dotted, cls in classes().items():
        table[dotted] = {
            "parameters": [_default(p) for p in module_samples.parameters(cls)],
            "bases": [f"torch.nn.{b.__name__}" if hasattr(nn, b.__name__) else f"{b.__module__}.{b.__name__}"
                      for b in cls.__mro__[1:] if issubclass(b, nn.Module) or b is nn.Module],
            "leaf": cls.__module__.startswith("torch.nn") and not issubclass(cls, nn.Sequential),
            "attributes": module_samples.attribute_rules(cls),
            "through": module_samples.through_error(cls, train=False) or module_samples.through_error(cls, train=True),
            "outputs": module_samples.OUTPUTS.get(cls.__name__, 1),
            "forward": list(inspect.signature(cls.forward).parameters)[1:],
        }
    return table
