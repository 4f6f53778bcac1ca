"""Real calls with real Proxies, for the tests of the tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import fx

from fxlint.library.parser import Param
from fxlint.library.rows import ArgShape

PLAIN: dict[str, Any] = {
    "Tensor": torch.ones(2, 2), "TensorList": [torch.ones(2, 2)], "SymInt": 1, "int64_t": 1, "double": 0.5, "Scalar": 2.0, "bool": True,
    "SymIntArrayRef": [2, 2], "IntArrayRef": [0, 1], "ArrayRef<double>": [1.0], "ScalarType": torch.float32, "Device": "cpu",
    "Layout": torch.strided, "MemoryFormat": torch.contiguous_format, "c10::string_view": "mean", "ScalarList": [1.0],
    "PyObject*": [1.0, 2.0], "Storage": torch.ones(2).untyped_storage(), "Generator": torch.Generator(), "Stream": None,
    "DimnameList": None,
    "Dimname": None,
}


def proxy() -> fx.Proxy:
    """A fresh Proxy of a graph of its own, of the class that tracing uses."""
    tracer = fx.Tracer()
    tracer.root = torch.nn.Module()
    tracer.tensor_attrs = {}
    tracer.graph = fx.Graph(tracer_cls=fx.Tracer)
    return tracer.create_proxy("placeholder", "x", (), {})


def error_of(call: Callable[[], Any]) -> tuple[str, bool]:
    """The first line of what the call raises, type first ("" if nothing), and whether its result is (or holds) a Proxy."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = call()
    except Exception as error:  # noqa: BLE001 - whatever the call raises is the answer
        return f"{type(error).__name__}: {error}".partition("\n")[0], False
    return "", isinstance(result, fx.Proxy)


def value_for(param: Param, shape: ArgShape, x: fx.Proxy) -> Any:
    """An argument of that shape for that parameter."""
    match shape:
        case ArgShape.PROXY:
            return x
        case ArgShape.HOLDS_PROXY:
            return [x, x]
        case _:
            return PLAIN[param.type]
