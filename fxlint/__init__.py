"""fxlint finds what torch.fx cannot trace, and what it traces into something else."""

__version__ = "0.1.0"
