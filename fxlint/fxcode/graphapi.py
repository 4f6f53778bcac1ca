"""What the classes of torch.fx offer, as tables. Source: ``dir()`` of the classes of torch 2.13; a test compares them."""

from __future__ import annotations

from dataclasses import dataclass

GRAPH_ONLY = frozenset({
    "call_function", "call_method", "call_module", "create_node", "eliminate_dead_code", "erase_node", "find_nodes", "graph_copy",
    "inserting_after", "inserting_before", "lint", "node_copy", "nodes", "on_generate_code", "output", "output_node", "owning_module",
    "placeholder", "print_tabular", "process_inputs", "process_outputs", "python_code", "set_codegen",
})
"""Attributes that a Graph has and a GraphModule has not."""

GRAPH = GRAPH_ONLY | {
    "get_attr", "create_size_node", "create_stride_node", "create_storage_offset_node", "materialize_symint", "materialize_symints",
}
"""Public attributes of a Graph."""

GRAPH_MODULE_ONLY = frozenset({
    "add_submodule", "code", "delete_all_unused_submodules", "delete_submodule", "graph", "print_readable", "recompile", "to_folder",
})
"""Public attributes that GraphModule adds to torch.nn.Module."""

MODULE_METHODS = frozenset({
    "add_module", "apply", "bfloat16", "buffers", "call_super_init", "children", "compile", "cpu", "cuda", "double", "dump_patches", "eval",
    "extra_repr", "float", "forward", "get_buffer", "get_extra_state", "get_parameter", "get_submodule", "half", "ipu",
    "load_state_dict", "modules", "mtia", "named_buffers", "named_children", "named_modules", "named_parameters", "parameters",
    "register_backward_hook", "register_buffer", "register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook",
    "register_full_backward_pre_hook", "register_load_state_dict_post_hook", "register_load_state_dict_pre_hook", "register_module",
    "register_parameter", "register_state_dict_post_hook", "register_state_dict_pre_hook", "requires_grad_", "set_extra_state",
    "set_submodule", "share_memory", "state_dict", "to", "to_empty", "train", "training", "type", "xpu", "zero_grad", "T_destination",
})
"""Public attributes of torch.nn.Module."""

NODE = frozenset({
    "all_input_nodes", "append", "args", "format_node", "graph", "insert_arg", "is_impure", "kwargs", "meta", "name", "next",
    "normalized_arguments", "op", "prepend", "prev", "replace_all_uses_with", "replace_input_with", "stack_trace", "target", "type",
    "update_arg", "update_kwarg", "users",
})
"""Public attributes of a Node."""

NODE_MISNOMERS = {
    "inputs": "all_input_nodes", "input": "all_input_nodes", "arguments": "args", "outputs": "users", "opcode": "op", "operator": "target",
    "function": "target", "module": "graph.owning_module", "shape": "meta", "dtype": "meta", "recompile": "graph.owning_module",
    "erase": "graph.erase_node", "replace_with": "replace_all_uses_with", "successors": "users", "predecessors": "all_input_nodes",
}
"""Attributes that a Node has not, though other libraries call them so, and what to use. (Passes may set attributes of their own.)"""

OPS = frozenset({"placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root"})
"""What ``Node.op`` may be (torch.fx.node._legal_ops)."""

RUNNER = frozenset({
    "boxed_run", "call_function", "call_method", "call_module", "env", "extra_traceback", "fetch_args_kwargs_from_env", "fetch_attr",
    "garbage_collect_values", "get_attr", "graph", "map_nodes_to_values", "module", "name", "output", "placeholder", "run", "run_node",
    "submodules", "user_to_last_uses",
})
"""Public attributes of an Interpreter."""

TRANSFORMER_ONLY = frozenset({"transform", "new_graph", "tracer"})
"""What Transformer adds to Interpreter."""

HOOKS = frozenset({"placeholder", "get_attr", "call_function", "call_method", "call_module", "output"})
"""The methods of an Interpreter that are called with ``(target, args, kwargs)``."""

RUN_KEYWORDS = frozenset({"initial_env", "enable_io_processing"})
"""The keywords of ``Interpreter.run``."""


@dataclass(frozen=True, slots=True)
class Creator:
    """A method of Graph that makes a node: its op, and the positions of the target, the args and the kwargs (-1: none)."""

    op: str  # "" where the first argument names it
    target: int
    args: int
    kwargs: int
    takes: str  # what a target must be: "callable", "method" (a string), "module" (a string), "attribute" (a string) or "" for no check


CREATORS = {
    "call_function": Creator("call_function", 0, 1, 2, "callable"),
    "call_method": Creator("call_method", 0, 1, 2, "method"),
    "call_module": Creator("call_module", 0, 1, 2, "module"),
    "get_attr": Creator("get_attr", 0, -1, -1, "attribute"),
    "placeholder": Creator("placeholder", 0, -1, -1, ""),
    "output": Creator("output", -1, 0, -1, ""),
    "create_node": Creator("", 1, 2, 3, ""),
}

READS_CODE = frozenset({
    "torch.save", "pickle.dumps", "pickle.dump", "torch.fx.symbolic_trace", "torch.jit.script", "torch.jit.trace", "torch.onnx.export",
})
"""Functions that use the generated code of a GraphModule, not its graph: edits without recompile() do not reach them."""

PICKLES = frozenset({"torch.save", "pickle.dumps", "pickle.dump"})

MODE_DEPENDENT = ("torch.nn.Dropout", "torch.nn.AlphaDropout", "torch.nn.FeatureAlphaDropout", "torch.nn.BatchNorm", "torch.nn.RReLU")
"""Layers that compute something else in train mode (prefixes of their dotted names)."""

TRACER = frozenset({
    "call_module", "check_mutable_operations", "create_arg", "create_args_for_root", "create_node", "create_proxy",
    "get_fresh_qualname", "getattr", "is_leaf_module", "iter", "keys", "path_of_module", "proxy", "proxy_buffer_attributes",
    "record_stack_traces", "to_bool", "trace", "trace_asserts", "traced_func_name", "_filter_traceback_frames", "_find_user_frame",
    "_proxy_placeholder", "_qualname_counter", "_record_forward_stack_traces_only",
})
"""Attributes of a Tracer, private ones included."""

TRACER_FORMER = {"_module_getattr": "getattr"}
"""Private hooks of older versions of torch, and what took their place."""

TRACER_HOOK_PARAMETERS = {
    "is_leaf_module": 2, "path_of_module": 1, "create_arg": 1, "to_bool": 1, "iter": 1, "keys": 1, "call_module": 4, "getattr": 3,
    "proxy": 1,
}
"""How many arguments fx passes to the hooks of a Tracer, self left out."""

TRACER_MUST_RETURN = frozenset({
    "path_of_module", "create_arg", "iter", "keys", "call_module", "getattr", "proxy", "trace", "create_node", "create_proxy",
    "create_args_for_root",
})
"""Hooks of a Tracer whose result fx uses: None in its place breaks the trace or the graph."""
