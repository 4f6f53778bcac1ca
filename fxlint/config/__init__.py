"""Settings: what `[tool.fxlint]` in pyproject.toml, or fxlint.toml, says."""

from fxlint.config.files import find, load, nearest, override
from fxlint.config.readers import torch_version
from fxlint.config.settings import NEWEST_TORCH, OUTPUT_FORMATS, Settings

__all__ = ["NEWEST_TORCH", "OUTPUT_FORMATS", "Settings", "find", "load", "nearest", "override", "torch_version"]
