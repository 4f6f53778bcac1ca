"""What numpy and einops do to Proxies. Measured on numpy 2.4.6 with torch 2.13.0.

numpy turns an argument into an array first and finds the attribute ``__array_struct__`` on a Proxy (which has every attribute): a
ValueError. A few functions ask the argument for a method of their name before that, and so record a method call with numpy's
keywords; ``axis=None, dtype=None, out=None`` are then given to a tensor's method, so the graph fails when it runs.
"""

from __future__ import annotations

from fxlint.base.event import Facet
from fxlint.library.python_rows import CONTROL, ITERATED, NOT_INTEGER
from fxlint.library.rows import Behaviour, Row

ARRAY_STRUCT = "ValueError: invalid __array_struct__"
_NOT_SHAPE = "TypeError: expected a sequence of integers or a single integer, got 'Proxy(x)'"
_NOT_DTYPE = "ValueError: Could not convert Proxy(x) to a NumPy dtype"

# np name -> the tensor method that is recorded in its place.
_METHODS = {
    "all": "all", "amax": "max", "amin": "min", "any": "any", "argmax": "argmax", "argmin": "argmin", "max": "max", "min": "min",
    "prod": "prod", "sum": "sum", "argsort": "argsort", "around": "round", "round": "round", "clip": "clip", "cumprod": "cumprod",
    "cumsum": "cumsum", "mean": "mean", "nonzero": "nonzero", "permute_dims": "transpose", "transpose": "transpose", "repeat": "repeat",
    "reshape": "reshape", "squeeze": "squeeze", "std": "std", "var": "var", "take": "take", "searchsorted": "searchsorted",
    "swapaxes": "swapaxes",
}
_ATTRIBUTES = {"imag": Facet.TENSOR, "real": Facet.TENSOR, "ndim": Facet.SIZE_ITEM, "shape": Facet.SIZE, "size": Facet.SIZE_ITEM}
# np name -> its namesake in torch, where that differs.
_TORCH_NAMES = {
    "absolute": "torch.abs", "power": "torch.pow", "concatenate": "torch.cat", "concat": "torch.cat", "array": "torch.stack",
    "arctan2": "torch.atan2", "arcsin": "torch.asin", "arccos": "torch.acos", "arctan": "torch.atan", "true_divide": "torch.div",
    "divide": "torch.div", "amax": "torch.amax", "amin": "torch.amin", "around": "torch.round", "expand_dims": "torch.unsqueeze",
    "rint": "torch.round", "fabs": "torch.abs", "degrees": "torch.rad2deg", "radians": "torch.deg2rad", "linalg.norm": "torch.linalg.norm",
}
_SAME_NAMES = frozenset(
    "abs add arange argmax argmin argsort ceil clip conj cos cosh cross cumprod cumsum diag diff dot einsum exp exp2 expm1 eye floor fmod "
    "full full_like hypot isfinite isinf isnan isclose linspace log log10 log1p log2 logical_and logical_not logical_or matmul maximum "
    "mean "
    "median meshgrid minimum multiply negative ones ones_like outer prod reciprocal remainder reshape roll sign sin sinh sort split sqrt "
    "square stack std subtract sum tan tanh tile trace transpose tril triu trunc unique var where zeros zeros_like".split(),
)
_OTHER_ERRORS = {
    **dict.fromkeys("zeros ones empty full".split(), _NOT_SHAPE), **dict.fromkeys("eye identity tri random.rand random.randn".split(),
    NOT_INTEGER),
    **dict.fromkeys("hstack vstack dstack column_stack concatenate concat stack iterable".split(), ITERATED),
    **dict.fromkeys("argwhere block array_str array_repr".split(), CONTROL),
    **dict.fromkeys("dtype finfo iinfo".split(), _NOT_DTYPE),
}
_STATIC = frozenset({"array_equal", "array_equiv", "isscalar"})  # array_equal answers False for a Proxy, whatever it stands for


# The protocol functions whose recorded call fails when the graph runs: numpy hands keywords on that tensors' methods do not take.
_RUNS = frozenset({"nonzero", "squeeze", "swapaxes"})
PROTOCOL_FAILS = "a TypeError or AttributeError when the graph runs, which calls the value's own method with numpy's keywords"

# What numpy functions give for numbers, as types of the interpreter's Static: a scalar, an array, a vector of known items.
FLOAT, INT, ARRAY = "numpy.float64", "numpy.int64", "numpy.ndarray"
_SCALARS = {
    "float64": FLOAT, "double": FLOAT, "float32": "numpy.float32", "float16": "numpy.float16", "int64": INT, "int32": "numpy.int32",
    "int16": "numpy.int16", "int8": "numpy.int8", "uint8": "numpy.uint8", "bool_": "numpy.bool", "intp": INT, "single": "numpy.float32",
}
_ELEMENTWISE = frozenset(
    "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh ceil floor rint trunc power cbrt "
    "degrees radians deg2rad rad2deg hypot divide true_divide".split())
_REDUCED = frozenset("mean std var median average quantile percentile linalg.norm".split())
_SAME = frozenset(
    "prod sum max min amax amin abs absolute square clip maximum minimum round around add subtract multiply mod sign ptp dot".split())
_VECTORS = {"linspace": f"{ARRAY}:float64", "logspace": f"{ARRAY}:float64", "geomspace": f"{ARRAY}:float64", "arange": f"{ARRAY}:int64"}
_ARRAYS = frozenset(
    "array asarray zeros ones empty full eye identity zeros_like ones_like full_like stack concatenate meshgrid outer tile repeat "
    "reshape cumsum cumprod diff sort argsort where triu tril tri vstack hstack diag random.randn random.rand random.normal random.uniform "
    "ascontiguousarray fromiter indices".split())


def numpy_result(name: str, types: tuple[str, ...]) -> str:
    """The type of what ``numpy.<name>`` gives for concrete arguments of these types (of Static; "" for unknown), else ""."""
    if name in _SCALARS:
        return _SCALARS[name]
    if name in _VECTORS:
        return _VECTORS[name]
    if name in _ARRAYS:
        return ARRAY
    arrays = [t for t in types if t.startswith(ARRAY)]
    if name in _ELEMENTWISE:
        return arrays[0] if arrays else FLOAT if types and types[0] in _NUMBERS else ""
    if name in _REDUCED:
        return FLOAT
    if name in _SAME:
        if arrays:
            return ""
        whole = bool(types) and all(t in ("int", "bool", INT) for t in types)
        return INT if whole else FLOAT if types and all(t in _NUMBERS for t in types) else ""
    return ""


_NUMBERS = frozenset({"int", "float", "bool", *_SCALARS.values()})


def _instead(name: str) -> str:
    return _TORCH_NAMES.get(name, f"torch.{name}" if name in _SAME_NAMES else "")


def numpy_row(name: str) -> Row:
    """The row of ``numpy.<name>`` (``sqrt``, ``random.rand``, ``linalg.norm``). Every numpy function has one."""
    dotted = f"numpy.{name}"
    if name in _STATIC:
        return Row(dotted, Behaviour.STATIC, Facet.BOOL)
    if name in _METHODS:
        return Row(dotted, Behaviour.PROTOCOL, instead=_instead(name), error="" if name in _RUNS else PROTOCOL_FAILS)
    if name in _ATTRIBUTES:
        return Row(dotted, Behaviour.PROTOCOL, _ATTRIBUTES[name], instead=_instead(name))
    return Row(dotted, Behaviour.BREAKS, error=_OTHER_ERRORS.get(name, ARRAY_STRUCT), instead=_instead(name),
        random=name.startswith("random."))


EINOPS_ROWS: dict[str, Row] = {
    f"einops.{name}": Row(f"einops.{name}", Behaviour.BREAKS,
        error="RuntimeError: Tensor type unknown to einops <class 'torch.fx.proxy.Proxy'>")
    for name in ("rearrange", "reduce", "repeat", "einsum", "pack", "unpack", "asnumpy")
}
