"""What a flat page is shown on: newsprint, glossy and book paper with its reverse, or a screen."""

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from training.rendered.levels import Level

Image8 = npt.NDArray[np.uint8]
Noise = npt.NDArray[np.float32]

_TILE: Final = 1024
_PAPERS: Final = {
    "newspaper": (205, 218, 224),
    "magazine": (250, 250, 250),
    "book": (222, 238, 244),
    "print": (250, 250, 248),
    "scan": (252, 252, 252),
}
"""BGR."""
_ROUGHNESS: Final = {
    "newspaper": 0.012, "magazine": 0.003, "book": 0.007, "print": 0.004, "scan": 0.002,
}  # fmt: skip


def print_page(flat: Image8, medium: str, level: Level, rng: np.random.Generator) -> Image8:
    """Bring ink onto paper: fibres, ink that spreads and is uneven, the reverse shining through.

    Args:
        flat: (H, W, 3) uint8 BGR, ink on white.
        medium: kind of paper.
        level: how strong the ink is, and how thin the paper.
        rng: this sheet.
    """
    height, width = flat.shape[:2]
    spread = rng.uniform(0.5, 0.9) if medium == "newspaper" else rng.uniform(0.3, 0.5)
    strength = rng.uniform(*level.ink)
    ink = cv2.GaussianBlur(255 - flat, (0, 0), spread).astype(np.float32)
    blotches = noise_field(height, width, 5, rng) * 0.5 + noise_field(height, width, 40, rng) * 0.5
    ink *= (strength / 255 * np.clip(1 + 0.07 * blotches, 0.75, 1.1))[:, :, None]
    show = rng.uniform(*level.show_through)
    if show > 0.01:
        shift = (int(rng.integers(height)), 0)
        small = cv2.resize(255 - flat[:, ::-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        reverse = cv2.GaussianBlur(np.roll(small, shift, axis=(0, 1)), (0, 0), 1.2)
        full = cv2.resize(reverse, (width, height), interpolation=cv2.INTER_LINEAR)
        ink += full.astype(np.float32) * (show / 255)
    rough = _ROUGHNESS[medium]
    fibres = noise_field(height, width, 1, rng) + noise_field(height, width, 5, rng)
    fibres += 0.6 * noise_field(height, width, 40, rng)
    hue = np.array(_PAPERS[medium], np.float32) * rng.uniform(0.97, 1.0, 3).astype(np.float32)
    paper = (1 + rough * fibres)[:, :, None] * hue
    return np.asarray(np.clip(paper * (1 - ink) + 0.5, 0, 255), np.uint8)


def noise_field(height: int, width: int, grain_px: int, rng: np.random.Generator) -> Noise:
    """Return a cut of a repeating noise of unit strength, (height, width) float32.

    Drawing fresh noise for every page would take longer than all else.
    """
    tile = _tile(grain_px)
    y, x = (int(value) for value in rng.integers(_TILE, size=2))
    rows, columns = (np.arange(y, y + height) % _TILE), (np.arange(x, x + width) % _TILE)
    return np.asarray(tile[rows][:, columns], np.float32)


@lru_cache(maxsize=16)
def _tile(grain_px: int) -> Noise:
    rng = np.random.default_rng(grain_px)
    count = _TILE // grain_px
    coarse = rng.standard_normal((count, count)).astype(np.float32)
    padded = np.pad(coarse, 2, mode="wrap")
    scale = _TILE / count
    large = cv2.resize(padded, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    edge = round(2 * scale)
    cut = large[edge : edge + _TILE, edge : edge + _TILE]
    return np.asarray(cut / cut.std(), np.float32)
