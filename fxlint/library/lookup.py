"""The look-ups of the tables in one place."""

from __future__ import annotations

from fxlint.library.constructor_rows import constructor_breaks
from fxlint.library.dispatch import call_breaks, concrete_tensor_breaks, factory, factory_breaks
from fxlint.library.functions import canonical, function
from fxlint.library.modules import module_class
from fxlint.library.numpy_rows import numpy_result
from fxlint.library.python_types import is_subclass
from fxlint.library.tensors import facet_attribute, function_result, method_result, method_signatures, tensor_attribute, tensor_method

__all__ = [
    "call_breaks",
    "canonical",
    "concrete_tensor_breaks",
    "constructor_breaks",
    "facet_attribute",
    "factory",
    "factory_breaks",
    "function",
    "function_result",
    "is_subclass",
    "method_result",
    "method_signatures",
    "module_class",
    "numpy_result",
    "tensor_attribute",
    "tensor_method",
]
