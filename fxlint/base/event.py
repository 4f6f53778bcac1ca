"""Events: what the interpreter saw, as data. A check turns an event into words; it never looks at code.

An event says *what* happened (``kind`` and ``construct``), *where* (``site``), *to what* (``subject``, ``facet``), *how the
value got there* (``steps``) and *what had to be assumed* for it to happen (``assumptions``). Severity, certainty and wording
all derive from the assumptions: there is no other flag.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum


class Facet(StrEnum):
    """Which run-time value a Proxy stands for, as far as is known. Chooses words and fixes, never certainty."""

    TENSOR = "tensor"
    SIZE = "size"  # x.shape, x.size()
    SIZE_ITEM = "size item"  # x.shape[0], x.size(0), x.dim(), x.numel(), and arithmetic on them
    NUMBER = "number"  # x.item(), x.tolist(), x.numpy(): a Python number (or list, array) made from data
    BOOL = "bool"  # a comparison of sizes, ranks or numbers; x.is_cuda, torch.equal(...)
    DTYPE = "dtype"
    DEVICE = "device"
    TUPLE = "tuple"  # a tuple of Proxies that one node returned: x.split(2), x.max(0), a leaf with two outputs
    UNKNOWN = "value"


class EventKind(Enum):
    """What the analysis saw. The comment lists the values that ``Event.construct`` takes."""

    # --- 1xx: bool(Proxy) -> TraceError "symbolically traced variables cannot be used as inputs to control flow"
    PROXY_TRUTH = "proxy-truth"  # if while ternary assert and or not chain in match comprehension bool min max sorted any all filter
    # --- 2xx
    PROXY_LEN = "proxy-len"  # len reversed
    PROXY_NUMBER = "proxy-number"  # int float complex index range slice round divmod pow list-index percent format-spec str-mul
    # for comprehension star-call star-display starred-target double-star list tuple set zip enumerate map sum join in yield-from
    PROXY_ITER = "proxy-iter"
    PROXY_KEY = "proxy-key"  # dict module-dict set (a Proxy as key is hashed by identity)
    PROXY_TEXT = "proxy-text"  # str repr fstring: the text of a Proxy reaches an output, a key or a branch
    # --- 3xx
    FOREIGN_CALL = "foreign-call"  # numpy scripted einops c-function nn-function; callee names it
    FACTORY_SIZE = "factory-size"  # torch.zeros and the like with a Proxy where the argument parser does not look; callee
    TENSOR_ARGUMENT = "tensor-argument"  # a concrete tensor's method or index with a Proxy size: slice method; callee
    MODULE_UNREGISTERED = "module-unregistered"  # forward list sequential-slice
    NO_ARGUMENT_TYPE = "no-argument-type"  # "argument of type: <class X>" instance function generator enum; recorded call or output
    PARAMETER_UNREGISTERED = "parameter-unregistered"
    NUMPY_OPERAND = "numpy-operand"  # np.float64 as operand: the generated code does not run
    # --- 4xx
    SET_ITEM = "set-item"  # setitem delitem augmented
    STATE_WRITE = "state-write"  # attribute buffer container global nonlocal counter
    ALIAS_LOST = "alias-lost"  # x += y where the caller's tensor, an alias or a view survives
    PROXY_ATTRIBUTE = "proxy-attribute"  # y.attr = v, y.requires_grad = True, y.data = ...
    # --- 5xx
    SPECIALISED_NONE = "specialised-none"  # is-none
    SPECIALISED_TYPE = "specialised-type"  # isinstance type hasattr getattr callable is in-set match-class issubclass is-tensor dtype-is
    TRAINING = "training"  # branch argument
    RANDOM = "random"  # torch python numpy time; callee
    CONTEXT_DROPPED = "context-dropped"  # no_grad autocast inference_mode record_function set_grad_enabled with decorator
    HANDLER_LOST = "handler-lost"  # try
    EFFECT_ONCE = "effect-once"  # print warn log; callee
    AUTOGRAD_FUNCTION = "autograd-function"  # apply checkpoint
    CACHED = "cached"  # lru_cache
    METHOD_UNCALLED = "method-uncalled"  # if x.is_cuda() without the call ...
    PARAMETER_BAKED = "parameter-baked"  # arithmetic on real Parameters reached past attribute access
    CONSTANT_WRITE = "constant-write"  # a tensor made at trace time that is written with Proxies: grows from call to call
    BUFFER_BRANCH = "buffer-branch"  # a branch on a buffer that forward writes
    OUTPUT_CLASS = "output-class"
    HOOK_SKIPPED = "hook-skipped"
    SIGNATURE = "signature"  # decorated var-args: the root's forward cannot be bound by the tracer
    # --- 6xx: module facts and trace sites
    WRAP_DOTTED = "wrap-dotted"
    WRAP_NOT_TOP_LEVEL = "wrap-not-top-level"  # function class method
    WRAP_MISSING_NAME = "wrap-missing-name"
    WRAP_WRONG_MODULE = "wrap-wrong-module"  # imported attribute alias: the call site does not go through the patched global
    WRAP_ARGUMENT = "wrap-argument"  # method lambda module number scripted
    WRAP_NO_PROXY = "wrap-no-proxy"  # a wrapped call with no Proxy argument runs at trace time
    TRACER_HOOK = "tracer-hook"  # leaf-root private-hook missing-super wrong-return
    CONCRETE_ARGS = "concrete-args"  # misspelt ignored asserted
    TRACE_SITE = "trace-site"  # other mistakes at the call that traces; construct says which
    # --- 7xx: code that handles graphs
    TRANSFORMER_NODE_API = "transformer-node-api"  # create_node node-parameter node-return graph-argument
    TRANSFORMER_NO_RETURN = "transformer-no-return"
    GRAPH_MODULE_ARGUMENTS = "graph-module-arguments"  # swapped graph-for-module
    PRINT_TABULAR = "print-tabular"  # graph-module printed
    NOT_RECOMPILED = "not-recompiled"
    ERASE_USED = "erase-used"
    GRAPH_EDIT = "graph-edit"  # other mistakes in editing; construct says which
    TARGET_COMPARISON = "target-comparison"  # string class
    DEAD_CODE = "dead-code"
    PATTERN = "pattern"  # never-matches arity literal
    # --- 0xx
    UNKNOWN = "unknown"  # the analysis gave up; reason in `subject`


class AssumptionKind(Enum):
    """Why an event might not happen in every run that a user could start."""

    OPTIONAL_ARGUMENT = "optional"  # the root's parameter `text`, which has a default, is passed as a Proxy
    CONDITION = "condition"  # unknown configuration: `text` is the condition as written, "not (...)" when it is the other arm
    TRAINING = "training"  # text is "train" or "eval"
    ASSUMED_PROXY = "assumed"  # an unknown callee returned a Proxy; text names the callee
    HANDLER = "handler"  # an except arm is taken
    EAGER_ARM = "eager-arm"  # the arm that eager execution takes and tracing does not


@dataclass(frozen=True, slots=True)
class Assumption:
    """One condition under which an event happens."""

    kind: AssumptionKind
    text: str

    def __lt__(self, other: Assumption) -> bool:
        return (self.kind.value, self.text) < (other.kind.value, other.text)


def either(a: frozenset[Assumption], b: frozenset[Assumption]) -> frozenset[Assumption]:
    """What one of two events has to assume: what both do where they differ in the two sides of one condition alone, else the fewer."""
    left, right = a - b, b - a
    if len(left) == len(right) == 1 and _exclude(*left, *right):
        return a & b
    return a if len(a) <= len(b) else b


def _exclude(a: Assumption, b: Assumption) -> bool:
    """Whether one of two assumptions always holds, and never both."""
    if a.kind is not b.kind:
        return False
    if a.kind is AssumptionKind.TRAINING:
        return a.text != b.text
    return a.kind is AssumptionKind.CONDITION and (a.text == f"not ({b.text})" or b.text == f"not ({a.text})")


@dataclass(frozen=True, slots=True)
class Site:
    """A place: a file as the project names it, and a range of characters (0-based, half-open) in its decoded text."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """One link of the chain from an input of the root to the construct: where, the source text there, and what happens."""

    site: Site
    text: str
    note: str


@dataclass(frozen=True, slots=True)
class Frame:
    """One call between the root's forward and the construct, outermost first in ``Event.stack``."""

    site: Site  # the call expression
    caller: str  # qualified name of the function that holds the call
    callee: str  # qualified name of the function entered ("Net.forward", "helper")
    callee_path: str  # file that defines it
    callee_class: str = ""  # qualified name of the class whose instance is called or whose method it is, "" for functions


@dataclass(frozen=True, slots=True)
class Event:
    """Something that tracing would do at one place of the code, seen from one or more roots."""

    kind: EventKind
    construct: str
    site: Site
    subject: str = ""  # source text of the operand that is a Proxy (or what the kind is about)
    subject_site: Site | None = None
    facet: Facet = Facet.UNKNOWN
    callee: str = ""  # canonical dotted name of the function called, where a call is meant
    detail: str = ""  # whatever else the kind's check needs, in words the kind documents
    steps: tuple[Step, ...] = ()
    assumptions: frozenset[Assumption] = frozenset()
    roots: tuple[str, ...] = ()
    owner: str = ""  # qualified name of the function whose body holds the site ("Net.forward"), "" at module level
    owner_class: str = ""  # qualified name of the class of `self` there (the run-time class, not the base that defines the method)
    stack: tuple[Frame, ...] = ()  # calls from the root's forward to `owner`, outermost first; empty when owner is the root's forward

    def assumes(self, kind: AssumptionKind) -> tuple[str, ...]:
        """The texts of the assumptions of one kind, sorted."""
        return tuple(sorted(a.text for a in self.assumptions if a.kind is kind))
