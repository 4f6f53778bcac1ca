"""The methods and attributes that every nn.Module has, and what they give while tracing: concrete Python objects, never Proxies.

The tracer patches ``Module.__getattr__`` only, so ``self.weight`` is a Proxy while what ``self.parameters()`` yields are the real
Parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Gives(Enum):
    """What a method or attribute of a module evaluates to."""

    BOOL = "bool"
    PARAMETERS = "parameters"  # a generator of real Parameters
    NAMED_PARAMETERS = "named-parameters"  # a generator of (name, real Parameter)
    BUFFERS = "buffers"
    NAMED_BUFFERS = "named-buffers"
    CHILDREN = "children"  # the modules it holds itself
    NAMED_CHILDREN = "named-children"
    MODULES = "modules"  # itself and all modules below
    NAMED_MODULES = "named-modules"
    MODULE = "module"  # one module below, by its path
    PARAMETER = "parameter"  # one real Parameter, by its path
    BUFFER = "buffer"
    STATE = "state"  # a dict of name -> real tensor
    PARAMETER_DICT = "parameter-dict"  # the dict of its own Parameters: `_parameters`
    BUFFER_DICT = "buffer-dict"
    MODULE_DICT = "module-dict"
    SELF = "self"  # the module itself (train, to, half)
    HANDLE = "handle"  # a RemovableHandle: a hook was registered
    TEXT = "text"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ApiRow:
    """One member of nn.Module. ``call``: it is a method. ``writes``: it changes the module (registers, hooks, converts)."""

    name: str
    gives: Gives
    call: bool = True
    writes: bool = False


def _methods(names: str, gives: Gives, *, writes: bool = False) -> tuple[ApiRow, ...]:
    return tuple(ApiRow(name, gives, writes=writes) for name in names.split())


_ROWS: tuple[ApiRow, ...] = (
    ApiRow("training", Gives.BOOL, call=False),
    ApiRow("_parameters", Gives.PARAMETER_DICT, call=False),
    ApiRow("_buffers", Gives.BUFFER_DICT, call=False),
    ApiRow("_modules", Gives.MODULE_DICT, call=False),
    ApiRow("dump_patches", Gives.BOOL, call=False),
    ApiRow("call_super_init", Gives.BOOL, call=False),
    *_methods("parameters", Gives.PARAMETERS),
    *_methods("named_parameters", Gives.NAMED_PARAMETERS),
    *_methods("buffers", Gives.BUFFERS),
    *_methods("named_buffers", Gives.NAMED_BUFFERS),
    *_methods("children", Gives.CHILDREN),
    *_methods("named_children", Gives.NAMED_CHILDREN),
    *_methods("modules", Gives.MODULES),
    *_methods("named_modules", Gives.NAMED_MODULES),
    *_methods("get_submodule", Gives.MODULE),
    *_methods("get_parameter", Gives.PARAMETER),
    *_methods("get_buffer", Gives.BUFFER),
    *_methods("state_dict", Gives.STATE),
    *_methods("extra_repr _get_name __repr__", Gives.TEXT),
    *_methods(
        "train eval requires_grad_ to to_empty type cuda cpu xpu ipu mtia half float double bfloat16 share_memory apply _apply",
        Gives.SELF, writes=True),
    *_methods(
        "register_buffer register_parameter register_module add_module set_submodule zero_grad set_extra_state compile __setstate__ "
        "__delattr__",
        Gives.NONE, writes=True),
    *_methods(
        "register_forward_hook register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook "
        "register_backward_hook "
        "register_state_dict_post_hook register_state_dict_pre_hook register_load_state_dict_pre_hook register_load_state_dict_post_hook",
        Gives.HANDLE, writes=True),
    *_methods("load_state_dict", Gives.TEXT, writes=True),
)

MODULE_API: dict[str, ApiRow] = {row.name: row for row in _ROWS}
