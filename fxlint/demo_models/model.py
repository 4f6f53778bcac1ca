"""The classifier itself, and what ``fxlint trace`` asks for: ``make`` builds it, ``inputs`` and ``inputs2`` give its arguments."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from .blocks import Block, PatchEmbed, limit_norm


class Classifier(nn.Module):
    """A transformer over the patches of an image."""

    def __init__(self, width: int = 32, depth: int = 2, heads: int = 4, classes: int = 10) -> None:
        super().__init__()
        self.embed = PatchEmbed(3, width, patch=4)
        self.summary = nn.Parameter(torch.zeros(1, 1, width))
        self.blocks = nn.ModuleList([Block(width, heads, dropout=0.1) for _ in range(depth)])
        self.head = nn.Linear(width, classes)

    def forward(self, images: Tensor, mask: Tensor | None = None) -> Tensor:
        """Scores by class for images with values from 0 to 1."""
        images = np.sqrt(images)
        tokens = self.embed(images)
        batch = len(tokens)
        tokens = torch.cat([self.summary.expand(batch, -1, -1), tokens], dim=1)
        for block in self.blocks:
            tokens = block(tokens, mask)
        return self.head(limit_norm(tokens[:, 0], 10.0))


def make() -> Classifier:
    """The model that is traced."""
    return Classifier().eval()


def inputs() -> tuple[Tensor]:
    """Two images of 16 x 16."""
    return (torch.rand(2, 3, 16, 16),)


def inputs2() -> tuple[Tensor]:
    """Three images of 24 x 24."""
    return (torch.rand(3, 3, 24, 24),)
