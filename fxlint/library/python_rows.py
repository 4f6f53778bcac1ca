"""What functions of Python's own library do to Proxies: math, builtins, random, time and the like. Measured on torch 2.13.0, Python 3.11.

The conversions and loops of Python (int, len, bool, list, sorted, zip ...) are not here: the interpreter models them itself.
"""

from __future__ import annotations

from fxlint.base.event import Facet
from fxlint.library.rows import Behaviour, Row

ITERATED = "TraceError: Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs"
CONTROL = "TraceError: symbolically traced variables cannot be used as inputs to control flow"
LEN = (
    "RuntimeError: 'len' is not supported in symbolic tracing by default. If you want this call to be recorded, "
    "please call torch.fx.wrap('len') at module scope"
)
CUDA_INTERFACE = "TypeError: `__cuda_array_interface__` must be a dict"  # torch reads data out of a Proxy
NOT_INTEGER = "TypeError: 'Proxy' object cannot be interpreted as an integer"
NOT_REAL = "TypeError: must be real number, not Proxy"

# Every function of math is patched by the tracer, so a call with a Proxy is recorded whatever it would say otherwise.
_MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs factorial floor fma "
    "fmod frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nextafter perm pow prod "
    "radians remainder sin sinh sqrt sumprod tan tanh trunc ulp"
)
_MATH_BOOL = frozenset({"isclose", "isfinite", "isinf", "isnan"})
_MATH_TUPLE = {"frexp": 2, "modf": 2}

_OPERATORS = (
    "abs add and_ eq floordiv ge getitem gt iadd iand ifloordiv ilshift imatmul imod imul inv invert ior ipow irshift isub itruediv "
    "ixor le "
    "lshift lt matmul mod mul ne neg or_ pos pow rshift sub truediv xor"
)

_RANDOM = "random uniform randint randrange choice choices sample shuffle gauss normalvariate triangular betavariate expovariate"
_RANDOM_ERRORS = {
    "choice": LEN, "shuffle": LEN, "choices": LEN,
    "sample": "TypeError: Population must be a sequence.  For dicts or sets, use sorted(d).",
    "randint": "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'Proxy'",
    "randrange": "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'Proxy'",
}
_CLOCKS = (
    "localtime gmtime strftime time time_ns perf_counter perf_counter_ns monotonic "
    "monotonic_ns process_time process_time_ns thread_time"
)


def _math(name: str) -> Row:
    facet = Facet.TUPLE if name in _MATH_TUPLE else Facet.BOOL if name in _MATH_BOOL else Facet.NUMBER
    return Row(f"math.{name}", Behaviour.RECORDS, facet, error=NOT_REAL, returns_tuple=_MATH_TUPLE.get(name))


def _operator(name: str) -> Row:
    return Row(f"operator.{name}", Behaviour.PROTOCOL, in_place=name.startswith("i") and name not in {"inv", "invert"})


def _random(name: str) -> Row:
    error = _RANDOM_ERRORS.get(name, "")
    return Row(f"random.{name}", Behaviour.BREAKS if error else Behaviour.PROTOCOL, Facet.NUMBER, error=error, random=True)


_ROWS: tuple[Row, ...] = (
    *(_math(name) for name in _MATH.split()),
    *(_operator(name) for name in _OPERATORS.split()),
    *(_random(name) for name in _RANDOM.split()),
    *(Row(f"time.{name}", Behaviour.STATIC, Facet.NUMBER, random=True) for name in _CLOCKS.split()),
    Row("operator.not_", Behaviour.BREAKS, error=CONTROL),
    Row("operator.truth", Behaviour.BREAKS, error=CONTROL),
    Row("operator.index", Behaviour.BREAKS, error=NOT_INTEGER),
    Row("operator.contains", Behaviour.BREAKS, error=ITERATED),
    Row("operator.setitem", Behaviour.BREAKS, error="TypeError: 'Proxy' object does not support item assignment"),
    Row("operator.is_", Behaviour.STATIC, Facet.BOOL),
    Row("operator.is_not", Behaviour.STATIC, Facet.BOOL),
    Row("random.seed", Behaviour.BREAKS, error="TypeError: The only supported seed types are: None,", random=True),
    Row("time.sleep", Behaviour.BREAKS, error=NOT_INTEGER),
    Row("builtins.abs", Behaviour.PROTOCOL),
    Row("builtins.pow", Behaviour.PROTOCOL),
    # sum and math.prod start from a list's items with + and *; the list itself must not be a Proxy.
    Row("builtins.sum", Behaviour.THROUGH, error=ITERATED),
    Row("builtins.divmod", Behaviour.BREAKS, error="TypeError: unsupported operand type(s) for divmod(): 'Proxy' and 'int'",
        instead="x // y and x % y"),
    Row("builtins.round", Behaviour.BREAKS, error="TypeError: type Proxy doesn't define __round__ method", instead="torch.round"),
    Row("builtins.hex", Behaviour.BREAKS, error=NOT_INTEGER),
    Row("builtins.bin", Behaviour.BREAKS, error=NOT_INTEGER),
    Row("builtins.oct", Behaviour.BREAKS, error=NOT_INTEGER),
    Row("builtins.chr", Behaviour.BREAKS, error=NOT_INTEGER),
    Row("builtins.hash", Behaviour.STATIC, Facet.NUMBER),
    Row("builtins.id", Behaviour.STATIC, Facet.NUMBER),
    Row("builtins.callable", Behaviour.STATIC, Facet.BOOL),
    Row("builtins.print", Behaviour.EFFECT),
    Row("copy.copy", Behaviour.PROTOCOL),
    Row("copy.deepcopy", Behaviour.PROTOCOL),
    Row("functools.reduce", Behaviour.THROUGH, error=ITERATED),
    Row("typing.cast", Behaviour.THROUGH),
    Row("statistics.mean", Behaviour.BREAKS, error=ITERATED),
    Row("statistics.median", Behaviour.BREAKS, error=ITERATED),
    Row("uuid.uuid4", Behaviour.STATIC, random=True),
    Row("os.urandom", Behaviour.BREAKS, error=NOT_INTEGER, random=True),
    Row("secrets.token_hex", Behaviour.STATIC, random=True),
    Row("warnings.warn", Behaviour.EFFECT),
    *(Row(f"logging.{owner}{name}", Behaviour.EFFECT) for owner in ("", "Logger.") for name in
      "debug info warning warn error exception critical".split()),
    *(Row(f"logging.{owner}log", Behaviour.EFFECT, error="TypeError: level must be an integer") for owner in ("", "Logger.")),
    *(Row(f"sys.{name}.write", Behaviour.EFFECT, error="TypeError: ") for name in ("stdout", "stderr")),
    *(Row(f"datetime.{name}", Behaviour.STATIC, Facet.UNKNOWN, random=True) for name in
      "datetime.utcnow datetime.today date.today".split()),
    Row("datetime.datetime.now", Behaviour.STATIC, Facet.UNKNOWN, random=True, error="TypeError: tzinfo argument must be None"),
    Row("gc.collect", Behaviour.EFFECT),
)

PYTHON_ROWS: dict[str, Row] = {row.name: row for row in _ROWS}
