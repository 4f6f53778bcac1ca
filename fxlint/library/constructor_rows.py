"""Constructors of torch.nn layers that ask an argument for a concrete value: with a Proxy they raise. Measured on torch 2.13.0.

Arguments that are not named here are only kept (``nn.Softmax(dim=proxy)``), or go into a recorded factory (``nn.BatchNorm2d(proxy)``).
"""

from __future__ import annotations

from fxlint.library.python_rows import CONTROL, ITERATED

_CONV = "kernel_size* stride* padding* dilation* groups bias"
_RECURRENT = "input_size hidden_size num_layers bias batch_first dropout bidirectional"
# Classes -> parameters; a star marks those that are iterated, the others take part in a condition or must be of a type.
_ASKED: dict[str, str] = {
    "AdaptiveLogSoftmaxWithLoss": "cutoffs*",
    "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout": "p",
    "AvgPool1d MaxUnpool1d MaxUnpool2d MaxUnpool3d": "kernel_size* stride* padding*",
    "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm": "affine track_running_stats bias",
    "InstanceNorm1d InstanceNorm2d InstanceNorm3d": "affine track_running_stats",
    "Bilinear": "in1_features in2_features bias",
    "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d "
    "ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d": "padding*",
    "Conv1d Conv2d Conv3d": f"in_channels out_channels {_CONV}",
    "ConvTranspose1d ConvTranspose2d ConvTranspose3d": f"in_channels out_channels output_padding* {_CONV}",
    "LazyConv1d LazyConv2d LazyConv3d": _CONV,
    "Embedding EmbeddingBag": "padding_idx",
    "FractionalMaxPool2d FractionalMaxPool3d": "kernel_size* output_size* output_ratio*",
    "GRU LSTM RNN": _RECURRENT,
    "GRUCell LSTMCell RNNCell": "hidden_size bias",
    "GroupNorm": "num_groups num_channels affine bias",
    "Hardtanh": "min_val max_val",
    "HuberLoss": "delta",
    "LayerNorm": "normalized_shape* elementwise_affine bias",
    "RMSNorm": "normalized_shape* elementwise_affine",
    "LazyLinear": "bias",
    "Linear": "in_features out_features bias",
    "MultiMarginLoss": "p",
    "MultiheadAttention": "embed_dim num_heads bias add_bias_kv kdim vdim",
    "Transformer": "d_model nhead num_encoder_layers num_decoder_layers dim_feedforward dropout batch_first norm_first bias",
    "TransformerDecoderLayer TransformerEncoderLayer": "d_model nhead dim_feedforward dropout bias",
    "TripletMarginLoss": "margin",
    "Unflatten": "dim unflattened_size",
    "Upsample UpsamplingBilinear2d UpsamplingNearest2d": "scale_factor",
}
_ERRORS: dict[str, dict[str, str]] = {
    f"torch.nn.{name}": {p.rstrip("*"): ITERATED if p.endswith("*") else CONTROL for p in parameters.split()}
    for names, parameters in _ASKED.items() for name in names.split()
}


def constructor_breaks(dotted: str, parameter: str) -> str:
    """What the constructor of a layer raises when a parameter is given a Proxy, type first; "" where it does not ask for its value."""
    return _ERRORS.get(dotted, {}).get(parameter, "")
