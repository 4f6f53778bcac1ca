"""Names that PyTorch code gives, by convention, to functions whose effect a trace never sees."""

from __future__ import annotations

# Functions and methods that fill weights with numbers. The analysis knows no numbers, so a call as a statement of its own is not run.
INITIALISERS = frozenset({
    "init_weights", "_init_weights", "reset_parameters", "_reset_parameters", "init_weight", "initialize_weights", "_initialize_weights",
    "init_params", "_init_params", "weight_init", "weights_init", "named_apply", "checkpoint_filter_fn", "load_pretrained",
    "load_state_dict", "load_checkpoint", "init_non_persistent_buffers",
})
