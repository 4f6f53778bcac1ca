"""The rewrites by name: what ``FixRequest.rule`` may say."""

from __future__ import annotations

from collections.abc import Callable

from fxlint.api import FixRequest
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.rewrites import (
    assert_to_torch_assert,
    bool_and_to_bitwise,
    buffer_to_copy,
    factory_to_tuple_size,
    float_of_size,
    if_to_where,
    int_of_division,
    int_of_size,
    item_drop,
    len_to_shape,
    list_to_module_list,
    module_to_init,
    numpy_to_torch,
    setitem_to_functional,
    star_shape_to_items,
    wrap_name,
)  # fmt: skip
from fxlint.fixes.target import Target

Rewrite = Callable[[Target, FixRequest], Proposal | Decline]

REWRITES: dict[str, Rewrite] = {
    "assert-to-torch-assert": assert_to_torch_assert.rewrite,
    "bool-and-to-bitwise": bool_and_to_bitwise.rewrite,
    "buffer-to-copy": buffer_to_copy.rewrite,
    "factory-to-tuple-size": factory_to_tuple_size.rewrite,
    "float-of-size": float_of_size.rewrite,
    "if-to-where": if_to_where.rewrite,
    "int-of-division": int_of_division.rewrite,
    "int-of-size": int_of_size.rewrite,
    "item-drop": item_drop.rewrite,
    "len-to-shape": len_to_shape.rewrite,
    "list-to-module-list": list_to_module_list.rewrite,
    "module-to-init": module_to_init.rewrite,
    "numpy-to-torch": numpy_to_torch.rewrite,
    "setitem-to-functional": setitem_to_functional.rewrite,
    "star-shape-to-items": star_shape_to_items.rewrite,
    "wrap-name": wrap_name.rewrite,
}
"""Star arguments of reshape are covered by ``star-shape-to-items``: the sum of shapes is the same for every function of sizes."""
