"""Constructor arguments for every class of torch.nn, and what its instances show: the raw material of the table of modules."""

from __future__ import annotations

import inspect
import warnings
from itertools import combinations
from typing import Any

import torch
from torch import fx, nn

# A value for each required parameter, by name; a second one, so that an attribute can be told to follow its argument.
VALUES: dict[str, tuple[Any, Any]] = {
    "in_features": (6, 8), "out_features": (10, 12), "in_channels": (4, 8), "out_channels": (12, 16), "kernel_size": (3, 5),
    "num_features": (6, 8),
    "num_channels": (8, 12), "num_groups": (2, 4), "normalized_shape": (6, 8), "num_embeddings": (11, 13), "embedding_dim": (6, 8),
    "input_size": (6, 8), "hidden_size": (10, 12), "embed_dim": (8, 16), "num_heads": (2, 4), "d_model": (8, 16), "nhead": (2, 4),
    "output_size": (3, 5), "padding": (2, 3), "upscale_factor": (2, 3), "downscale_factor": (2, 3), "size": (4, 6), "groups": (2, 4),
    "in1_features": (4, 6), "in2_features": (3, 5), "num_layers": (2, 3), "norm_type": (2, 3), "lambd": (0.25, 0.75), "threshold": (0.1,
    0.3),
    "value": (7.0, 9.0), "n_classes": (20, 24), "cutoffs": ([5, 10], [6, 12, 18]), "dim": (1, 2), "unflattened_size": ((2, 3), (3, 2)),
    "bias": (True, False), "nonlinearity": ("tanh", "relu"),
}
SPECIAL: dict[str, dict[str, Any]] = {
    "Unflatten": {"dim": 1, "unflattened_size": (2, 3)}, "FractionalMaxPool2d": {"kernel_size": 3, "output_size": 4},
    "FractionalMaxPool3d": {"kernel_size": 3, "output_size": 4}, "ConstantPad1d": {"padding": 2, "value": 1.5},
    "Fold": {"output_size": (4, 6), "kernel_size": 3}, "RNNCellBase": {"input_size": 6, "hidden_size": 10, "bias": True, "num_chunks": 1},
    "RNNBase": {"mode": "LSTM", "input_size": 6, "hidden_size": 10},
}
# The constructors of the recurrent layers take (*args, **kwargs); these are the parameters that their documentation names.
_RECURRENT = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False, "device": None, "dtype": None}
RECURRENT: dict[type[nn.Module], dict[str, Any]] = {
    nn.LSTM: _RECURRENT | {"proj_size": 0}, nn.GRU: _RECURRENT,
    nn.RNN: {"num_layers": 1, "nonlinearity": "tanh"} | _RECURRENT,
}
OUTPUTS = {"RNN": 2, "LSTM": 2, "GRU": 2, "LSTMCell": 2, "MultiheadAttention": 2, "AdaptiveLogSoftmaxWithLoss": 2, "RNNBase": 2}
OWN = frozenset({"training"})


def parameters(cls: type[nn.Module]) -> list[inspect.Parameter]:
    """The parameters of the constructor, without ``self``."""
    if cls in RECURRENT:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        required = [inspect.Parameter(name, kind) for name in ("input_size", "hidden_size")]
        return required + [inspect.Parameter(name, kind, default=value) for name, value in RECURRENT[cls].items()]
    return list(inspect.signature(cls.__init__).parameters.values())[1:]


def arguments(cls: type[nn.Module], which: int = 0) -> dict[str, Any] | None:
    """Keyword arguments that build the class; None where this file does not know any."""
    if cls in (nn.TransformerEncoder, nn.TransformerDecoder):
        layer = (nn.TransformerEncoderLayer if cls is nn.TransformerEncoder else nn.TransformerDecoderLayer)(8, 2)
        return {f"{'encoder' if cls is nn.TransformerEncoder else 'decoder'}_layer": layer, "num_layers": VALUES["num_layers"][which]}
    chosen = dict(SPECIAL.get(cls.__name__, {}))
    for parameter in parameters(cls):
        if parameter.name in chosen or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is parameter.empty:
            if parameter.name not in VALUES:
                return None
            chosen[parameter.name] = VALUES[parameter.name][which]
    return chosen


def build(cls: type[nn.Module], keywords: dict[str, Any]) -> nn.Module | None:
    """An instance, or None where these arguments do not fit together."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return cls(**keywords)
    except Exception:  # noqa: BLE001 - constructors reject in many ways
        return None


def through_error(cls: type[nn.Module], *, train: bool = True) -> str | None:
    """The error of tracing a subclass (not a leaf) of the class with a Proxy for each required argument of forward; "" if it traces,
    None if this file cannot build it."""
    keywords = arguments(cls)
    if keywords is None:
        return None
    own = type("Own", (cls,), {"__module__": "user_code"})
    module = build(own, keywords)
    if module is None:
        return None
    module.train(train)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fx.symbolic_trace(module, concrete_args=optional_arguments(cls))
    except Exception as error:  # noqa: BLE001 - whatever tracing raises is the answer
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    return ""


def optional_arguments(cls: type[nn.Module]) -> dict[str, Any]:
    """The defaults of forward's optional parameters, as a caller that omits them passes them."""
    parameters = list(inspect.signature(cls.forward).parameters.values())[1:]
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str)) or (isinstance(value, (tuple, list)) and all(_plain(v) for v in
    value))


def _effective(cls: type[nn.Module], keywords: dict[str, Any]) -> dict[str, Any]:
    defaults = {p.name: p.default for p in parameters(cls) if p.default is not p.empty}
    return defaults | keywords


def _experiments(cls: type[nn.Module]) -> list[tuple[dict[str, Any], nn.Module]]:
    base = arguments(cls)
    if base is None:
        return []
    changed = arguments(cls, 1) or base
    tries: list[dict[str, Any]] = [base, changed]
    for name, value in _effective(cls, base).items():
        others: tuple[Any, ...] = ()
        if isinstance(value, bool):
            others = (not value,)
        elif isinstance(value, int):
            others = (value + 1, 2)
        elif isinstance(value, float):
            others = (value / 2, 0.5)
        elif name in {"stride", "padding_idx", "max_norm", "scale_factor", "divisor_override", "dim", "size", "kdim", "vdim"}:
            others = (2,)
        tries += [base | {name: other} for other in others]
    # Two at a time as well: a bias may need both `affine` and `bias`.
    flags = [name for name, value in _effective(cls, base).items() if isinstance(value, bool)]
    tries += [base | {a: not _effective(cls, base)[a], b: not _effective(cls, base)[b]} for a, b in combinations(flags, 2)]
    built = [(keywords, build(cls, keywords)) for keywords in tries]
    return [(keywords, module) for keywords, module in built if module is not None]


def _values(module: nn.Module) -> dict[str, Any]:
    found: dict[str, Any] = {k: v for k, v in vars(module).items() if not k.startswith("_") and k not in OWN}
    return found | dict(module._parameters) | dict(module._buffers) | dict(module._modules)


def _conditions(cls: type[nn.Module], name: str, runs: list[tuple[dict[str, Any], nn.Module]]) -> list[str] | None:
    """The fewest boolean arguments that are all true exactly when the attribute is not None; None where no three explain it."""
    booleans = [k for k, v in _effective(cls, runs[0][0]).items() if isinstance(v, bool)]
    seen = [(_effective(cls, keywords), _values(module).get(name) is not None) for keywords, module in runs]
    for count in range(4):
        for chosen in combinations(booleans, count):
            if all(all(given[b] for b in chosen) is there for given, there in seen):
                return list(chosen)
    return None


def attribute_rules(cls: type[nn.Module]) -> dict[str, list[str]]:
    """Attribute -> how it follows from the constructor's arguments: ["argument", name], ["tuple", name, n], ["argument-or", name, other]
    (the other argument where the first is None), ["tuple-or", name, other, n], ["constant", literal], ["parameter" | "buffer",
    *arguments that must be
    true], ["module", dotted class] or ["value"]."""
    runs = [] if cls.__name__.startswith("Lazy") else _experiments(cls)
    rules: dict[str, list[str]] = {}
    if not runs:
        return rules
    names = [n for n in _values(runs[0][1]) if all(n in _values(m) for _, m in runs)]
    for name in names:
        column = [(_effective(cls, k), _values(m)[name]) for k, m in runs]
        values = [v for _, v in column]
        present = next((v for v in values if v is not None), None)
        if isinstance(present, torch.Tensor):
            kind = "parameter" if isinstance(present, nn.Parameter) else "buffer"
            needed = _conditions(cls, name, runs)
            rules[name] = ["value"] if needed is None else [kind, *needed]
        elif isinstance(present, nn.Module):
            public = hasattr(nn, type(present).__name__)
            rules[name] = ["module",
                f"torch.nn.{type(present).__name__}" if public else f"{type(present).__module__}.{type(present).__name__}"]
        elif not all(_plain(v) for v in values):
            rules[name] = ["value"]
        else:
            rules[name] = _follows(name, column)
    return rules


def _as_tuple(value: Any, count: int) -> Any:
    return value if isinstance(value, (tuple, str)) else (value,) * count


def _follows(name: str, column: list[tuple[dict[str, Any], Any]]) -> list[str]:
    names = sorted(column[0][0], key=lambda k: k != name)
    if all(_same(column[0][1], v) for _, v in column):
        default = column[0][0].get(name)
        return ["argument", name] if name in column[0][0] and _same(default, column[0][1]) else ["constant", repr(column[0][1])]
    for argument in names:
        if all(_same(k[argument], v) for k, v in column):
            return ["argument", argument]
    for argument in names:
        for count in (1, 2, 3, 4, 6):
            if all(_same(_as_tuple(k[argument], count), v) for k, v in column):
                return ["tuple", argument, str(count)]
    if name in names:
        for other in names:
            chosen = [(k[other] if k[name] is None else k[name], v) for k, v in column]
            if all(_same(a, v) for a, v in chosen):
                return ["argument-or", name, other]
            for count in (1, 2, 3):
                if all(_same(_as_tuple(a, count), v) for a, v in chosen):
                    return ["tuple-or", name, other, str(count)]
    return ["value"]
