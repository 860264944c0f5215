"""Networks that read pictures, as they ship: small, strict, alike in both engines, and right."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import cv2
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
    "board_digits": Shipped(
        lambda: digits.DigitReader.load(name=digits.BOARD_DIGITS),
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
    names = ("digits", "board_digits", "hands", "cages", "symbols", "scripts")

    assert sum((WEIGHTS_DIR / f"{name}.tflite").stat().st_size for name in names) <= 3_000_000


@pytest.mark.slow  # TensorFlow is loaded
@EACH
def test_both_engines_say_the_same(name: str) -> None:
    pytest.importorskip("keras", reason="the train extra is not installed")
    weights = WEIGHTS_DIR / f"{name}.keras"

    difference = measure_parity(weights, weights.with_suffix(".tflite"), NETWORKS[name].draw())

    assert difference <= PARITY


def test_mnists_test_digits_are_read(shared_data: Path) -> None:
    with np.load(shared_data / "digits" / "mnist.npz") as mnist:
        shapes, digits = mnist["x_test"], mnist["y_test"]
    some = np.flatnonzero(digits > 0)[::9]

    told = hands.HandReader.load().read(shapes[some])

    assert told.sum(axis=1) == pytest.approx(np.ones(len(some)), abs=1e-3)
    assert (told.argmax(axis=1) == digits[some]).mean() >= 0.99


def test_a_blot_and_what_is_crossed_out_are_no_digits() -> None:
    blot, crossed = np.zeros((2, 28, 28), np.uint8)
    cv2.circle(blot, (14, 14), 9, 255, -1)
    for start, end in (((6, 4), (22, 24)), ((22, 4), (6, 24)), ((4, 10), (24, 12))):
        cv2.line(crossed, start, end, 255, 2)

    told = hands.HandReader.load().read(np.stack([blot, crossed]))

    assert told.argmax(axis=1).tolist() == [0, 0]


def test_light_changes_no_frame() -> None:
    frame = np.full((1, lookalike_reader.FRAME_PX, lookalike_reader.FRAME_PX), 200, np.uint8)
    frame[:, 20:60] = 40

    bright, dim = (lookalike_reader.normalise_frames(one) for one in (frame, frame // 2))

    assert bright.shape == (1, lookalike_reader.FRAME_PX, lookalike_reader.FRAME_PX, 1)
    assert np.abs(bright - dim).max() < 0.02
    assert bright[0, 30, 30, 0] == pytest.approx(1)
    assert bright[0, 100, 30, 0] == pytest.approx(0)


def test_empty_paper_is_no_puzzle() -> None:
    paper = np.full((1, lookalike_reader.FRAME_PX, lookalike_reader.FRAME_PX), 220, np.uint8)

    (likely,) = lookalike_reader.LookalikeReader.load().read(paper)

    assert likely.sum() == pytest.approx(1, abs=1e-5)
    assert likely[lookalike_reader.FIRST :].max() < 0.5


def test_names_of_lookalikes_stay() -> None:
    assert [one.value for one in lookalike_reader.Lookalike] == [
        "kenken", "nonogram", "kakuro", "suguru", "crossword"
    ]  # fmt: skip


def test_light_and_polarity_change_no_crop_of_a_cage() -> None:
    rng = np.random.default_rng(0)
    crop = np.full((1, cage_reader.CAGE_CROP_PX, cage_reader.CAGE_CROP_PX), 200, np.float32)
    crop[:, 10:20, 10:60] = 40
    crop += rng.normal(0, 1, crop.shape)

    bright, dim, light = (
        cage_reader.normalise_crops(np.asarray(one, np.uint8))
        for one in (crop, crop * 0.5, 250 - crop)
    )

    assert bright.shape == (1, cage_reader.CAGE_CROP_PX, cage_reader.CAGE_CROP_PX, 1)
    assert np.abs(bright - dim).mean() < 0.03
    assert np.abs(bright - light).mean() < 0.03
    assert bright[0, 15, 30, 0] == pytest.approx(1, abs=0.1)


def test_what_is_told_of_cages_are_probabilities() -> None:
    logits = np.zeros((2, cage_reader.OUTPUTS), np.float32)
    logits[0, 17], logits[1, cage_reader.MOST_SUM + 1] = 20, 20

    seen = cage_reader.split_outputs(logits)

    assert seen.sums[0].argmax() == 17
    assert seen.sums.sum(axis=1) == pytest.approx([1, 1])
    assert seen.walls[1] == pytest.approx([1, 0.5, 0.5, 0.5], abs=1e-3)


@pytest.mark.slow  # a photo is drawn
def test_a_clear_killer_is_read() -> None:
    samples = next(one for one in map(train_cages.draw_samples, range(100)) if one.sums.any())

    seen = cage_reader.CageReader.load().read(samples.crops)

    right = (seen.sums.argmax(axis=1) == samples.sums).mean()
    assert right > 0.9
