"""Methods and attributes of tensors, on a Proxy and on a concrete tensor."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from fxlint.base.event import Facet
from fxlint.library.functions import common_facet, function, signatures_of
from fxlint.library.parser import LOOKS_EVERYWHERE, Signature, parse, signature
from fxlint.library.rows import ArgShape, Behaviour, Row
from fxlint.library.tables import table

_ATTRIBUTE_FACETS: dict[str, Facet] = {
    "shape": Facet.SIZE, "ndim": Facet.SIZE_ITEM, "dtype": Facet.DTYPE, "grad_dtype": Facet.DTYPE, "device": Facet.DEVICE,
    "itemsize": Facet.SIZE_ITEM,
    "nbytes": Facet.SIZE_ITEM, "layout": Facet.UNKNOWN, "grad_fn": Facet.UNKNOWN, "names": Facet.TUPLE, "name": Facet.UNKNOWN,
    "output_nr": Facet.SIZE_ITEM,
    **dict.fromkeys(
        "is_cuda is_cpu is_mps is_xpu is_meta is_sparse is_sparse_csr is_quantized is_nested is_leaf requires_grad retains_grad "
        "is_mkldnn volatile is_vulkan is_xla is_ipu is_mtia is_maia is_ort".split(), Facet.BOOL),
}
_METHOD_FACETS: dict[str, Facet] = {
    **dict.fromkeys("dim numel ndimension nelement get_device element_size storage_offset sparse_dim dense_dim data_ptr __len__".split(),
    Facet.SIZE_ITEM),
    **dict.fromkeys("item tolist numpy __int__ __float__ __index__".split(), Facet.NUMBER),
    **dict.fromkeys("is_contiguous is_pinned is_shared __bool__ is_set_to".split(), Facet.BOOL),
    **dict.fromkeys("split lu".split(), Facet.TUPLE),
    **dict.fromkeys("unique unique_consecutive".split(), Facet.UNKNOWN),
    "stride": Facet.SIZE, "dim_order": Facet.SIZE, "type": Facet.UNKNOWN, "backward": Facet.UNKNOWN, "register_hook": Facet.UNKNOWN,
    "storage": Facet.UNKNOWN,
}
# What the attributes of a device or a dtype stand for.
_OTHER_ATTRIBUTES: dict[Facet, dict[str, Facet]] = {
    Facet.DEVICE: {"type": Facet.UNKNOWN, "index": Facet.SIZE_ITEM},
    Facet.DTYPE: {"is_floating_point": Facet.BOOL, "is_complex": Facet.BOOL, "is_signed": Facet.BOOL, "itemsize": Facet.SIZE_ITEM},
}
_BY_DIMENSION = frozenset({"size", "stride"})  # given a dimension: one number
_DRAWS = frozenset("bernoulli bernoulli_ multinomial normal_ uniform_ random_ exponential_ geometric_ cauchy_ log_normal_".split())
_WRITES = frozenset({"__setitem__", "__delitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__",
    "__ipow__",
                     "__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__", "__idiv__"})


@lru_cache(maxsize=2048)
def method_signatures(name: str) -> tuple[Signature, ...]:
    """The parser signatures of a Tensor method that C implements, without ``self``; () for others."""
    entry = table("methods").get(name)
    return tuple(signature(text) for text in entry.get("signatures", ())) if entry else ()


@lru_cache(maxsize=2048)
def tensor_method(name: str) -> Row | None:
    """What a Proxy's method records: its ``facet`` is that of the result. None where Tensor has no such method.

    A Proxy records a call of any method, also of one that tensors do not have. ``size`` has the facet SIZE; given a dimension its
    result is a SIZE_ITEM, which ``method_result`` tells, as it does for ``max(0)`` (two outputs) and ``max()`` (one). On a concrete
    tensor a method without Proxies runs for real.
    """
    entry = table("methods").get(name)
    if not name or entry is None or entry.get("attribute"):
        return None
    signatures = method_signatures(name)
    facet, outputs = common_facet(signatures) if signatures else (Facet.TENSOR, None)
    if name == "size":
        facet = Facet.SIZE
    facet = _METHOD_FACETS.get(name, facet)
    in_place = name in _WRITES or (name.endswith("_") and not name.endswith("__"))
    return Row(f"torch.Tensor.{name}", Behaviour.DISPATCHES, facet, random=name in _DRAWS, in_place=in_place, returns_tuple=outputs)


def method_result(name: str, positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape]) -> tuple[Facet, int | None]:
    """The facet of what ``proxy.name(...)`` stands for, and its number of outputs where that is fixed: the overload that takes the
    arguments.
    """
    row = tensor_method(name)
    if row is None:
        return Facet.UNKNOWN, None
    if name in _BY_DIMENSION and (positional or keywords):
        return Facet.SIZE_ITEM, None
    if name in _METHOD_FACETS or row.facet is not Facet.UNKNOWN:
        return row.facet, row.returns_tuple
    return result_of(method_signatures(name), positional, keywords)


def function_result(dotted: str, positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape]) -> tuple[Facet, int | None]:
    """As ``method_result``, for a recorded call of a torch function by its canonical name."""
    row = function(dotted)
    if row is None:
        return Facet.UNKNOWN, None
    signatures = signatures_of(dotted)
    if row.facet is not Facet.UNKNOWN or not signatures:
        return row.facet, row.returns_tuple
    return result_of(signatures, positional, keywords)


def result_of(
    signatures: tuple[Signature, ...], positional: tuple[ArgShape, ...], keywords: Mapping[str, ArgShape],
) -> tuple[Facet, int | None]:
    """The facet on which all overloads that take the arguments agree."""
    fitting = tuple(s for s in signatures if not parse((s,), positional, keywords, LOOKS_EVERYWHERE).error)
    return common_facet(fitting) if fitting else (Facet.UNKNOWN, None)


def facet_attribute(facet: Facet, name: str) -> Facet | None:
    """What an attribute of a Proxy for a device or a dtype stands for; None for attributes that these do not have, and other facets."""
    return _OTHER_ATTRIBUTES.get(facet, {}).get(name)


@lru_cache(maxsize=512)
def tensor_attribute(name: str) -> Row | None:
    """What a Proxy's attribute stands for, for the attributes that tensors have (``shape``, ``T``, ``grad``); None for others and
    methods.
    """
    entry = table("methods").get(name)
    if not name or entry is None or not entry.get("attribute"):
        return None
    return Row(f"torch.Tensor.{name}", Behaviour.DISPATCHES, _ATTRIBUTE_FACETS.get(name, Facet.TENSOR))
