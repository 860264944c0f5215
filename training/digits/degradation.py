"""What light, lens, sensor and compression do to a cell before the reader sees it.

Pictures here are (h, w) float32 with grey levels 0..255; every function takes its own random
generator, so that a cell depends on its seed alone.
"""

import math
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np

from vision.geometry import Float32, Grey

CROP_PX: Final = 32


def light_paper(rng: np.random.Generator, size_px: int) -> Float32:
    """Return how bright each point of a sheet of paper is, 0..1: slope, hard shadow, texture."""
    x, y = _unit_mesh(size_px)
    paper = np.ones((size_px, size_px), np.float32)
    if rng.random() < 0.7:
        paper += rng.normal(0, 0.12) * x + rng.normal(0, 0.12) * y
    if rng.random() < 0.18:
        paper *= _cast_shadow(rng, x, y)
    if rng.random() < 0.35:
        coarse = rng.normal(0, rng.uniform(0.01, 0.06), (8, 8)).astype(np.float32)
        paper += cv2.resize(coarse, (size_px, size_px), interpolation=cv2.INTER_CUBIC)
    return np.clip(paper, 0.05, 1.5)


def photograph(rng: np.random.Generator, picture: Float32) -> Grey:
    """Return a cell as a camera and its file format deliver it, (32, 32) uint8.

    Args:
        rng: decides blur, resolution, noise, moiré, sharpening and compression.
        picture: (h, w) float32 grey, larger than 32.
    """
    picture = _blur(rng, picture)
    if rng.random() < 0.04:
        picture = _add_moire(rng, picture)
    sharp_px = 32 if rng.random() < 0.45 else int(rng.integers(13, 33))
    small = cv2.resize(picture, (sharp_px, sharp_px), interpolation=cv2.INTER_AREA)
    noise = rng.uniform(0, 1) ** 3 * 12
    small = small + noise * rng.standard_normal(small.shape, np.float32)
    if sharp_px != CROP_PX:
        small = cv2.resize(small, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.2:
        halo = small - cv2.GaussianBlur(small, (0, 0), 1.2)
        small = small + rng.uniform(0.3, 1.5) * halo
    cell = np.clip(small, 0, 255).astype(np.uint8)
    return compress(rng, cell) if rng.random() < 0.35 else cell


def rephotograph(rng: np.random.Generator, cell: Grey) -> Grey:
    """Vary a real cell gently: blur, resolution, contrast, light, noise, compression, polarity.

    Args:
        rng: decides what is done.
        cell: (32, 32) uint8.

    Returns:
        (32, 32) uint8.
    """
    picture: Any = cell.astype(np.float32)
    if rng.random() < 0.35:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.1))
    if rng.random() < 0.2:
        small_px = int(rng.integers(15, 28))
        small = cv2.resize(picture, (small_px, small_px), interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        picture = picture * light_paper(rng, CROP_PX)
    if rng.random() < 0.5:
        picture = picture.mean() + (picture - picture.mean()) * rng.uniform(0.35, 1.3)
    if rng.random() < 0.4:
        noise = rng.standard_normal((CROP_PX, CROP_PX), np.float32)
        picture = picture + rng.uniform(0, 7) * noise
    if rng.random() < 0.04:
        picture = 255 - picture
    varied = np.clip(picture, 0, 255).astype(np.uint8)
    return compress(rng, varied) if rng.random() < 0.2 else varied


def disturb(rng: np.random.Generator, cell: Grey) -> Grey:
    """Return a cell of a picture taken in near-dark, or of a page that is folded, or both.

    The noise is as strong as a digit, and as coarse as the strokes of one where the picture was
    small. Half of the cells are seen through the median of 3×3 pixels, as the product looks too.

    Args:
        rng: decides what is done.
        cell: (32, 32) uint8.

    Returns:
        (32, 32) uint8.
    """
    picture: Any = cell.astype(np.float32)
    kind = rng.random()
    if kind < 0.4:
        picture = picture * _fold_paper(rng)
    if kind > 0.25:
        light = rng.uniform(0.1, 1)
        grain_px = CROP_PX if rng.random() < 0.5 else int(rng.integers(10, CROP_PX))
        noise: Any = rng.standard_normal((grain_px, grain_px), np.float32)
        if grain_px != CROP_PX:
            noise = cv2.resize(noise, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
        strength = math.exp(rng.uniform(math.log(3), math.log(60)))
        picture = light * picture + min(strength, 12 + 48 * light) * noise
    disturbed = np.clip(picture, 0, 255).astype(np.uint8)
    if kind > 0.25 and rng.random() < 0.5:
        disturbed = np.asarray(cv2.medianBlur(disturbed, 3), np.uint8)
    return compress(rng, disturbed) if rng.random() < 0.3 else disturbed


def compress(rng: np.random.Generator, cell: Grey) -> Grey:
    """Return the cell after JPEG, its 8×8 blocks starting anywhere."""
    top, left = rng.integers(0, 8, 2)
    padded = cv2.copyMakeBorder(cell, int(top), 8, int(left), 8, cv2.BORDER_REPLICATE)
    quality = int(rng.integers(18, 90))
    _, content = cv2.imencode(".jpg", padded, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = np.asarray(cv2.imdecode(content, cv2.IMREAD_GRAYSCALE), np.uint8)
    return decoded[top : top + CROP_PX, left : left + CROP_PX]


@lru_cache(maxsize=4)
def _unit_mesh(size_px: int) -> tuple[Float32, Float32]:
    axis = np.linspace(-1, 1, size_px, dtype=np.float32)
    x, y = np.meshgrid(axis, axis)
    return x, y


def _fold_paper(rng: np.random.Generator) -> Float32:
    """Return how bright a sheet is around a fold or a crease: a soft line, and a step of light."""
    x, y = _unit_mesh(CROP_PX)
    # Pages are mostly folded along their lines, which is what makes a shadow look like a 1.
    angle = rng.choice([0, math.pi / 2]) + rng.normal(0, 0.2)
    distance = math.cos(angle) * x + math.sin(angle) * y - rng.uniform(-0.9, 0.9)
    line = np.exp(-((distance / rng.uniform(0.04, 0.35)) ** 2))
    side = np.tanh(distance / rng.uniform(0.02, 0.5))
    reach = np.clip((rng.uniform(-0.6, 1.8) - y * rng.choice([-1, 1])) / 0.3, 0, 1)
    depth = rng.uniform(0.03, 0.5) * rng.choice([1, 1, 1, -0.4])
    return np.asarray(1 - depth * line * reach + rng.uniform(0, 0.2) * side, np.float32)


def _cast_shadow(rng: np.random.Generator, x: Float32, y: Float32) -> Float32:
    angle = rng.uniform(0, 2 * math.pi)
    distance = math.cos(angle) * x + math.sin(angle) * y - rng.uniform(-1, 1)
    softness = rng.uniform(0.02, 0.8)
    lit = np.clip(distance / softness + 0.5, 0, 1)
    return np.asarray(1 - rng.uniform(0.2, 0.65) * lit, np.float32)


def _blur(rng: np.random.Generator, picture: Float32) -> Float32:
    kind = rng.random()
    if kind < 0.15:
        return picture
    strength = picture.shape[0] / CROP_PX * rng.uniform(0, 1) ** 1.5
    if kind < 0.7:
        return cv2.GaussianBlur(picture, (0, 0), 0.3 + 2.5 * strength).astype(np.float32)
    kernel = np.zeros((15, 15), np.float32)
    if kind < 0.85:
        cv2.circle(kernel, (7, 7), max(1, round(2.8 * strength)), 1.0, -1, cv2.LINE_AA)
    else:
        angle, reach = rng.uniform(0, math.pi), 3.0 * strength
        step = np.array([math.cos(angle), math.sin(angle)]) * reach
        start, end = (np.round(at * 16).astype(int).tolist() for at in (7 - step, 7 + step))
        cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_8, 4)
    kernel[7, 7] = max(kernel[7, 7], 1e-3)
    blurred = cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32)


def _add_moire(rng: np.random.Generator, picture: Float32) -> Float32:
    x, y = _unit_mesh(picture.shape[0])
    angle, waves = rng.uniform(0, math.pi), rng.uniform(6, 40)
    phase = waves * (math.cos(angle) * x + math.sin(angle) * y) + rng.uniform(0, 6)
    return np.asarray(picture + rng.uniform(4, 22) * np.sin(phase), np.float32)
