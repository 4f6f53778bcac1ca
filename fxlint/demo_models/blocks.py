"""The parts of the classifier: patches, attention, and a guard against outliers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def limit_norm(x: Tensor, largest: float) -> Tensor:
    """``x``, scaled down when its norm exceeds ``largest``."""
    norm = x.norm()
    if norm > largest:
        return x * (largest / norm)
    return x


class PatchEmbed(nn.Module):
    """Cuts square images into patches and maps each to a token."""

    def __init__(self, channels: int, width: int, patch: int) -> None:
        super().__init__()
        self.project = nn.Conv2d(channels, width, patch, stride=patch)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, images: Tensor) -> Tensor:
        """(batch, channels, side, side) to (batch, tokens, width)."""
        assert images.shape[2] == images.shape[3], "square images are wanted"
        return self.norm(self.project(images)).flatten(2).transpose(1, 2)


class Attention(nn.Module):
    """Self-attention with several heads."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Tokens in, tokens out; ``mask`` is True where a token must not be looked at."""
        batch, length, width = x.shape
        head = int(width / self.heads)
        q, k, v = self.qkv(x).reshape(batch, length, 3, self.heads, head).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * head**-0.5
        if mask is not None:
            scores = scores.masked_fill(mask, -1e4)
        x = (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(batch, length, width)
        return self.out(limit_norm(x, 100.0))


class Block(nn.Module):
    """Attention and a small perceptron, each beside a path around it."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * width, width))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Tokens in, tokens out."""
        x = x + self.attention(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))
