"""What functions of torch do that no argument parser tells: constants, contexts, effects, constructors, and facets of results.

Measured on torch 2.13.0 unless a row says otherwise.
"""

from __future__ import annotations

from fxlint.base.event import Facet
from fxlint.library.python_rows import CONTROL, CUDA_INTERFACE, ITERATED, LEN
from fxlint.library.rows import Behaviour, Row

_STATIC_BOOL = (
    "is_tensor is_storage is_grad_enabled is_inference_mode_enabled is_autocast_enabled is_autocast_cpu_enabled is_autocast_cache_enabled "
    "are_deterministic_algorithms_enabled is_anomaly_enabled is_vulkan_available jit.is_scripting jit.is_tracing jit.isinstance "
    "compiler.is_compiling compiler.is_dynamo_compiling compiler.is_exporting cuda.is_available cuda.is_initialized cuda.is_bf16_supported "
    "backends.mps.is_available backends.cudnn.is_available backends.cuda.is_built backends.mkl.is_available backends.mkldnn.is_available "
    "distributed.is_available distributed.is_initialized xpu.is_available mps.is_available fx._symbolic_trace.is_fx_tracing "
    "onnx.is_in_onnx_export overrides.is_tensor_like overrides.has_torch_function utils.data.get_worker_info _C._get_tracing_state "
    "backends.cuda.flash_sdp_enabled backends.cuda.mem_efficient_sdp_enabled backends.cuda.math_sdp_enabled"
)
_STATIC_OTHER = (
    "get_default_dtype get_default_device get_autocast_dtype get_autocast_gpu_dtype get_autocast_cpu_dtype get_num_threads "
    "get_num_interop_threads get_float32_matmul_precision cuda.device_count cuda.current_device cuda.get_device_capability "
    "cuda.get_device_name cuda.get_device_properties cuda.memory_allocated cuda.max_memory_allocated cuda.current_stream "
    "distributed.get_rank "
    "distributed.get_world_size backends.cudnn.version cuda.synchronize cuda.empty_cache typename"
)
_CONTEXTS = (
    "no_grad enable_grad inference_mode set_grad_enabled cuda.amp.autocast cpu.amp.autocast autograd.set_grad_enabled "
    "autograd.no_grad autograd.enable_grad autograd.inference_mode autograd.detect_anomaly autograd.set_detect_anomaly "
    "autograd.profiler.record_function profiler.record_function autograd.profiler.profile profiler.profile cuda.stream cuda.device "
    "cuda.nvtx.range backends.cuda.sdp_kernel nn.attention.sdpa_kernel autograd.graph.save_on_cpu autograd.graph.saved_tensors_hooks "
    "backends.cudnn.flags random.fork_rng autograd.profiler.emit_nvtx nn.utils.parametrize.cached"
)
_EFFECTS = (
    "seed set_rng_state cuda.manual_seed cuda.manual_seed_all cuda.set_device set_default_dtype set_default_device "
    "set_default_tensor_type set_num_threads set_printoptions use_deterministic_algorithms set_float32_matmul_precision save "
    "set_autocast_enabled set_autocast_gpu_dtype clear_autocast_cache cuda.nvtx.range_push cuda.nvtx.range_pop "
    "cuda.reset_peak_memory_stats "
    "_C._log_api_usage_once _logging.warning_once"
)
_LEGACY = (
    "Tensor FloatTensor DoubleTensor HalfTensor BFloat16Tensor LongTensor IntTensor ShortTensor CharTensor ByteTensor BoolTensor "
    "cuda.FloatTensor cuda.LongTensor"
)
_NOT_TENSOR = "ValueError: Thing passed to transform API must be Tensor, got <class 'torch.fx.proxy.Proxy'>"
_VMAP = "ValueError: vmap(...): Got in_dim=0 for an input but the input is of type <class 'torch.fx.proxy.Proxy'>"
# Python functions that tracing goes through; what is inside decides.
_THROUGH = (
    "utils.checkpoint.checkpoint utils.checkpoint.checkpoint_sequential utils._pytree.tree_map utils._pytree.tree_flatten "
    "utils._pytree.tree_unflatten jit.annotate nn.utils.rnn.pack_sequence"
)

_ROWS: tuple[Row, ...] = (
    *(Row(f"torch.{name}", Behaviour.STATIC, Facet.BOOL) for name in _STATIC_BOOL.split()),
    *(Row(f"torch.{name}", Behaviour.STATIC, Facet.UNKNOWN) for name in _STATIC_OTHER.split()),
    *(Row(f"torch.{name}", Behaviour.CONTEXT, Facet.UNKNOWN) for name in _CONTEXTS.split()),
    *(Row(f"torch.{name}", Behaviour.EFFECT, Facet.UNKNOWN) for name in _EFFECTS.split()),
    *(Row(f"torch.{name}", Behaviour.BREAKS, error=LEN, instead="torch.stack") for name in _LEGACY.split()),
    *(Row(f"torch.{name}", Behaviour.THROUGH, Facet.UNKNOWN) for name in _THROUGH.split()),
    Row("torch.initial_seed", Behaviour.STATIC, Facet.NUMBER, random=True),
    Row("torch.get_rng_state", Behaviour.STATIC, random=True),
    Row("torch.Generator", Behaviour.BREAKS, Facet.UNKNOWN, error="RuntimeError: unpackString: expected bytes or unicode object"),
    Row("torch.Size", Behaviour.BREAKS, Facet.SIZE, error="TypeError: torch.Size() takes an iterable of 'int' (item 0 is 'Proxy')",
        instead="a plain tuple"),
    Row("torch.finfo", Behaviour.BREAKS, Facet.UNKNOWN,
        error="TypeError: torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'",
        instead="torch.finfo in a wrapped function"),
    # Answers from no dtype at all: a concrete iinfo, not that of the tensor.
    Row("torch.iinfo", Behaviour.STATIC, Facet.UNKNOWN, since="2.13", before=Behaviour.BREAKS),
    Row("torch.device", Behaviour.DISPATCHES, Facet.DEVICE, since="2.13", before=Behaviour.BREAKS,
        error="TypeError: device(): argument 'type' (position 1) must be str, not Attribute"),
    Row("torch.range", Behaviour.BREAKS, error="TypeError: must be real number, not Proxy", instead="torch.arange"),
    Row("torch.broadcast_shapes", Behaviour.BREAKS, Facet.SIZE,
        error="RuntimeError: Input shapes should be of type ints, a tuple of ints, or a list of ints, got "),
    Row("torch.from_numpy", Behaviour.BREAKS, error="TypeError: expected np.ndarray (got Proxy)",
        instead="torch.as_tensor outside forward"),
    Row("torch.func.vjp", Behaviour.BREAKS, Facet.TUPLE, error=_NOT_TENSOR),
    Row("torch.func.jvp", Behaviour.BREAKS, Facet.TUPLE,
        error="RuntimeError: jvp(f, primals, tangents): Expected primals to only contain Tensors"),
    Row("torch.autograd.functional.jacobian", Behaviour.BREAKS,
        error="TypeError: The inputs given to jacobian must be either a Tensor or a tuple of Tensors but the given inputs has type"),
    Row("torch.jit.fork", Behaviour.BREAKS, Facet.UNKNOWN, error="RuntimeError: Tracer cannot infer type of Proxy"),
    Row("torch._higher_order_ops.while_loop", Behaviour.BREAKS, Facet.TUPLE, error="AssertionError: "),
    Row("torch.cond", Behaviour.BREAKS, error="RuntimeError: Expected pred to be bool or tensor, but got Proxy("),
    Row("torch._assert", Behaviour.DISPATCHES, Facet.UNKNOWN),
    Row("torch._check", Behaviour.BREAKS, Facet.UNKNOWN, error="TypeError: cond must be a bool, but got <class 'torch.fx.proxy.Proxy'>",
        instead="torch._assert"),
    Row("torch.autocast", Behaviour.CONTEXT, Facet.UNKNOWN, error="ValueError: Expected `device_type` of type `str`, got: "),
    Row("torch.amp.autocast", Behaviour.CONTEXT, Facet.UNKNOWN, error="ValueError: Expected `device_type` of type `str`, got: "),
    Row("torch.manual_seed", Behaviour.EFFECT, Facet.UNKNOWN,
        error="TypeError: int() argument must be a string, a bytes-like object or a real number, not 'Proxy'"),
    Row("torch.distributions.Normal", Behaviour.BREAKS, Facet.UNKNOWN, error=CONTROL),
    Row("torch.distributions.Categorical", Behaviour.BREAKS, Facet.UNKNOWN, error=CONTROL),
    Row("torch.nested.nested_tensor", Behaviour.BREAKS, error=CUDA_INTERFACE),
    Row("torch.sparse_coo_tensor", Behaviour.BREAKS, error=CUDA_INTERFACE),
    Row("torch.sparse_csr_tensor", Behaviour.BREAKS, error=CUDA_INTERFACE),
    Row("torch.frombuffer", Behaviour.BREAKS, error="ValueError: object does not implement Python buffer protocol."),
    Row("torch.from_dlpack", Behaviour.BREAKS, error=CONTROL),
    Row("torch.distributions.Beta", Behaviour.BREAKS, Facet.UNKNOWN, error=CONTROL),
    Row("torch.distributions.Bernoulli", Behaviour.BREAKS, Facet.UNKNOWN, error=CONTROL),
    Row("torch.masked.mean", Behaviour.BREAKS, error=CONTROL),
    Row("torch.nn.utils.clip_grad_norm_", Behaviour.BREAKS, error=ITERATED),
    Row("torch.autograd.Variable", Behaviour.BREAKS, error="TypeError: Variable data has to be a tensor, but got Proxy"),
    Row("torch.autograd.grad", Behaviour.DISPATCHES, Facet.TUPLE),
    Row("torch.nn.Parameter", Behaviour.THROUGH),
    Row("torch.nn.utils.rnn.pad_sequence", Behaviour.DISPATCHES),
    Row("torch.nn.utils.rnn.pack_padded_sequence", Behaviour.BREAKS, error=CUDA_INTERFACE),
    Row("torch.nn.functional.multi_head_attention_forward", Behaviour.DISPATCHES, Facet.TUPLE, returns_tuple=2),
)
# Functions that give a function, which does not take Proxies: what it raises.
TRANSFORMS: dict[str, str] = {
    "torch.vmap": _VMAP, "torch.func.vmap": _VMAP, "torch.func.grad": _NOT_TENSOR, "torch.func.grad_and_value": _NOT_TENSOR,
    "torch.func.jacrev": _NOT_TENSOR, "torch.func.jacfwd": ITERATED, "torch.func.hessian": ITERATED,
}
TORCH_ROWS: dict[str, Row] = {row.name: row for row in _ROWS}

# Python functions whose result is not one tensor: number of outputs, or None where it depends on the arguments.
TUPLES: dict[str, int | None] = {
    "torch.split": None, "torch.meshgrid": None, "torch.broadcast_tensors": None, "torch.lu": None, "torch.lu_unpack": 3,
    "torch.pca_lowrank": 3, "torch.svd_lowrank": 3, "torch.lobpcg": 2,
    **{f"torch.nn.functional.{name}_with_indices": 2 for name in (
        "max_pool1d", "max_pool2d", "max_pool3d", "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
        "fractional_max_pool2d", "fractional_max_pool3d")},
}
# Python functions that return a tensor or several, as a keyword asks.
VARIES = frozenset({"torch.unique", "torch.unique_consecutive", "torch.atleast_1d", "torch.atleast_2d", "torch.atleast_3d",
    "torch.histogramdd"})
# What draws numbers although its schema does not say so (Python functions), and what has the mark but draws only when asked to.
DRAWS = frozenset(f"torch.nn.functional.{name}" for name in (
    "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout", "gumbel_softmax", "rrelu",
    "fractional_max_pool2d", "fractional_max_pool3d"))
DRAWS_NOT = frozenset({"torch.nn.functional.scaled_dot_product_attention", "torch.lstm", "torch.gru", "torch.rnn_tanh", "torch.rnn_relu"})
