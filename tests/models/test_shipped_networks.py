"""Networks that read pictures, as they ship: small, strict, and alike in both engines."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from arrays import Float32

from models import (
    cage_reader,
    candidate_reader,
    digits,
    hands,
    lookalike_reader,
    script_reader,
    symbol_reader,
)
from models.engine import WEIGHTS_DIR
from models.export import PARITY, measure_parity
from training.boards import train_cages, train_lookalikes
from training.digits.drawn_cells import GlyphStock, render_cell
from training.digits.train_candidates import draw_candidate_cells
from training.rendered.large_digits import GLYPH_PX, select_glyphs
from training.symbols.train_symbols import draw_cells


class Shipped(NamedTuple):
    """What is promised of a network.

    Attributes:
        load: opens its reader.
        px: side of the pictures that it reads.
        outputs: the shapes of its answers to no pictures.
        most_bytes: how large it may be.
        draw: makes what both engines are given.
    """

    load: Callable[[], Any]
    px: int
    outputs: tuple[tuple[int, ...], ...]
    most_bytes: int
    draw: Callable[[], Float32]


def draw_bars() -> Float32:
    rng = np.random.default_rng(1)
    bars = np.zeros((60, 28, 28), np.uint8)
    for bar in bars:
        top, left = rng.integers(2, 12, 2)
        bar[top : top + rng.integers(4, 16), left : left + rng.integers(4, 16)] = 255
    return hands.scale_shapes(bars)


def draw_frames() -> Float32:
    frames = [train_lookalikes.draw_samples(seed).frames for seed in range(4)]
    return lookalike_reader.normalise_frames(np.concatenate(frames))


def draw_noise() -> Float32:
    return np.random.default_rng(0).normal(0, 1, (64, 32, 32, 1)).astype(np.float32)


def draw_printed() -> Float32:
    shapes = np.zeros((9, GLYPH_PX, GLYPH_PX), np.uint8)
    for digit in range(1, 10):  # nine different bars are enough: the engines see crops, not digits
        shapes[digit - 1, 4:24, 3 + digit : 9 + digit] = 255
        shapes[digit - 1, 2 * digit : 2 * digit + 3, 4:22] = 255
    glyphs = GlyphStock(select_glyphs(shapes, np.arange(1, 10, dtype=np.uint8)), None)
    rng = np.random.default_rng(5)
    drawn = [render_cell(rng, "printed", glyphs)[0] for _ in range(200)]
    return digits.normalise_cells(np.stack(drawn))


NETWORKS = {
    "hands": Shipped(hands.HandReader.load, 28, ((0, 10),), 1_000_000, draw_bars),
    "cages": Shipped(
        cage_reader.CageReader.load,
        72,
        ((0, cage_reader.MOST_SUM + 1), (0, 4)),
        1_000_000,
        lambda: cage_reader.normalise_crops(train_cages.draw_samples(5).crops),
    ),
    "candidates": Shipped(
        candidate_reader.CandidateReader.load,
        68,
        ((0, 9, 10), (0, 9, 2), (0, 3)),
        1_000_000,
        lambda: candidate_reader.normalise_crops(draw_candidate_cells(900_003).crops),
    ),
    "lookalikes": Shipped(
        lookalike_reader.LookalikeReader.load,
        192,
        ((0, lookalike_reader.OUTPUTS),),
        100_000,
        draw_frames,
    ),
    "scripts": Shipped(
        script_reader.ScriptReader.load, 32, ((0, script_reader.CLASSES),), 160_000, draw_noise
    ),
    "symbols": Shipped(
        symbol_reader.SymbolReader.load,
        32,
        ((0, symbol_reader.CLASSES),),
        400_000,
        lambda: digits.normalise_cells(draw_cells(5).cells),
    ),
    "digits": Shipped(digits.DigitReader.load, 32, ((0, digits.CLASSES),), 1_000_000, draw_printed),
    "digits_small": Shipped(
        lambda: digits.DigitReader.load(name=digits.SMALL_PRINT),
        32,
        ((0, digits.CLASSES),),
        1_000_000,
        draw_printed,
    ),
}
EACH = pytest.mark.parametrize("name", NETWORKS)


@EACH
def test_no_pictures_are_nothing(name: str) -> None:
    shipped = NETWORKS[name]

    told = shipped.load().read(np.zeros((0, shipped.px, shipped.px), np.uint8))

    answers = told if isinstance(told, tuple) else (told,)
    assert tuple(one.shape for one in answers) == shipped.outputs


@EACH
@pytest.mark.parametrize(
    ("shape", "kind"), [((2, 40, 40), np.uint8), ((2, -1, -1), np.float64), ((-1, -1), np.uint8)]
)
def test_pictures_of_other_kinds_are_refused(name: str, shape: tuple[int, ...], kind: type) -> None:
    px = NETWORKS[name].px
    pictures: Any = np.zeros([px if side < 0 else side for side in shape], kind)

    with pytest.raises(ValueError, match=rf"must be \(k, {px}, {px}\) uint8"):
        NETWORKS[name].load().read(pictures)


@EACH
def test_a_network_is_small(name: str) -> None:
    assert (WEIGHTS_DIR / f"{name}.tflite").stat().st_size <= NETWORKS[name].most_bytes


def test_networks_of_reading_are_small_together() -> None:
    names = ("digits", "digits_small", "hands", "cages", "symbols", "scripts")

    assert sum((WEIGHTS_DIR / f"{name}.tflite").stat().st_size for name in names) <= 3_000_000


@pytest.mark.slow  # TensorFlow is loaded
@EACH
def test_both_engines_say_the_same(name: str) -> None:
    pytest.importorskip("keras", reason="the train extra is not installed")
    weights = WEIGHTS_DIR / f"{name}.keras"

    difference = measure_parity(weights, weights.with_suffix(".tflite"), NETWORKS[name].draw())

    assert difference <= PARITY
