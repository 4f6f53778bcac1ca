"""What library code does at trace time, as tables: no rule of the engine names a library function.

* ``functions``: ``function(dotted)`` and ``canonical(dotted)`` for torch, math, numpy, einops, builtins, random, time;
* ``tensors``: ``tensor_method(name)`` and ``tensor_attribute(name)``;
* ``dispatch``: where torch's argument parser looks for a Proxy: ``factory``, ``call_breaks``, ``concrete_tensor_breaks``;
* ``modules``: ``module_class(dotted)`` and ``MODULE_API``;
* ``rows``: the words that the rows use.
"""
