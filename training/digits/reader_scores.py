"""How far a digit reader's answers can be trusted, on real cells and on drawn corrected ones."""

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.digits import DigitReader, merge_kinds
from training.digits.digit_shapes import load_printed_glyphs, load_written_glyphs, thin_glyphs
from training.digits.drawn_cells import Content, GlyphStock, render_cell
from training.digits.photo_cells import SOURCES, RealCells
from training.photo_labels import FOLDS, HANDWRITTEN, PRINTED

BINS: Final = 10
"""Of the reliability table, equally wide."""

_TEMPERATURES: Final = np.round(np.arange(0.5, 1.55, 0.05), 2)

Float32 = npt.NDArray[np.float32]
Float64 = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

MARKS: Final[tuple[Content, ...]] = ("pen", "candidates", "corrected", "scribbled")
"""What is drawn; a scribbled cell has no right answer."""

SURE: Final = 0.9
"""Probability from which an answer counts as claimed."""

UInt8 = npt.NDArray[np.uint8]


def tell_kinds(likely: Float32) -> Flags:
    """Return which cells are rather handwritten than printed if they hold a digit, (…,) bool.

    Args:
        likely: (…, 19) float32 as `DigitReader.read` returns them.
    """
    return np.asarray(likely[..., 10:].sum(axis=-1) > likely[..., 1:10].sum(axis=-1))


def format_kinds(real: RealCells, likely: Float32) -> str:
    """Return a Markdown table of the digits whose kind is told right, by source and by fold.

    Args:
        real: cells of p photos.
        likely: (p, 81, 19) float32, each photo read by a network that did not train on it.
    """
    lines = [
        "| | printed | handwritten | both | "
        + " | ".join(f"fold {fold}" for fold in range(FOLDS))
        + " |",
        "|---" * (4 + FOLDS) + "|",
    ]
    right = tell_kinds(likely) == (real.kinds == HANDWRITTEN)
    known = np.isin(real.kinds, (PRINTED, HANDWRITTEN))
    for source in SOURCES:
        here = known & (real.source == source)[:, None]
        parts = [here & (real.kinds == PRINTED), here & (real.kinds == HANDWRITTEN), here]
        parts += [here & (real.fold == fold)[:, None] for fold in range(FOLDS)]
        lines.append(f"| {source} | " + " | ".join(_share(right, part) for part in parts) + " |")
    return "\n".join(lines)


def _share(right: Flags, part: Flags) -> str:
    if not part.any():
        return "–"
    count = int((right & part).sum())
    return f"{100 * count / part.sum():.2f} % ({part.sum() - count} of {part.sum()} wrong)"


def measure_reliability(confidence: Float64, right: Flags) -> tuple[list[list[float]], float]:
    """Return what the sureness of answers was worth.

    Args:
        confidence: (n,) float, 0..1: probability of the best answer.
        right: (n,) bool: whether it was right.

    Returns:
        For every bin from 0 to 1: how many answers, mean confidence, share that was right (both
        NaN in an empty bin); and the expected calibration error, the mean of the bins' distances
        between the two, weighted by their answers (Naeini, Cooper, Hauskrecht 2015).
    """
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    rows, error = [], 0.0
    for index in range(BINS):
        members = bins == index
        count = int(members.sum())
        if count == 0:
            rows.append([0.0, np.nan, np.nan])
            continue
        sure, share = float(confidence[members].mean()), float(right[members].mean())
        rows.append([float(count), sure, share])
        error += count / len(confidence) * abs(sure - share)
    return rows, error


def format_reliability(confidence: Float64, right: Flags) -> str:
    """Return the reliability table in Markdown, arguments as `measure_reliability` takes them."""
    rows, error = measure_reliability(confidence, right)
    lines = ["| probability | cells | mean | right |", "|---|---|---|---|"]
    for index, (count, sure, share) in enumerate(rows):
        span = f"{index / BINS:.1f}–{(index + 1) / BINS:.1f}"
        values = f"{sure:.4f} | {share:.4f}" if count else "– | –"
        lines.append(f"| {span} | {count:,.0f} | {values} |")
    return "\n".join(lines) + f"\n\nExpected calibration error: {error:.4f}."


def fit_temperature(likely: Float32, truth: npt.NDArray[np.integer]) -> tuple[float, Float64]:
    """Return the temperature that makes the true answers likeliest, and the losses of all tried.

    A temperature divides the logits before the softmax (Guo et al., "On Calibration of Modern
    Neural Networks", ICML 2017); below 1 the answers become surer.

    Args:
        likely: (n, c) float32, rows sum to 1.
        truth: (n,) the right column.

    Returns:
        The best of the temperatures 0.5, 0.55 … 1.5, and (21,) float64, the mean of
        −log(probability of the truth) at each.
    """
    logits = np.log(np.maximum(likely.astype(np.float64), 1e-9))
    losses = []
    for temperature in _TEMPERATURES:
        scaled = logits / temperature
        scaled -= scaled.max(axis=1, keepdims=True)
        normaliser = np.log(np.exp(scaled).sum(axis=1))
        losses.append(float((normaliser - scaled[np.arange(len(truth)), truth]).mean()))
    return float(_TEMPERATURES[int(np.argmin(losses))]), np.array(losses)


def format_temperature(likely: Float32, truth: npt.NDArray[np.integer]) -> str:
    """Say which temperature suits the readings best, and what it would gain."""
    best, losses = fit_temperature(likely, truth)
    at_one = losses[int(np.argmin(np.abs(_TEMPERATURES - 1)))]
    powers = np.maximum(likely.astype(np.float64), 1e-9) ** (1 / best)
    scaled = powers / powers.sum(axis=1, keepdims=True)
    _, error = measure_reliability(scaled.max(axis=1), scaled.argmax(axis=1) == truth)
    return (
        f"Temperature with the least mean −log(probability of the true content): {best:.2f}, "
        f"{losses.min():.4f} against {at_one:.4f} at 1; expected calibration error there: "
        f"{error:.4f}."
    )


def draw_marks(digits_dir: Path, content: Content, count: int, seed: int) -> tuple[UInt8, UInt8]:
    """Draw cells with the handwriting of MNIST's test part, which training never saw.

    Returns:
        (count, 32, 32) uint8 cells and (count,) uint8 digits, 0 when empty or not to be told.
    """
    rng = np.random.default_rng([seed, sum(content.encode())])
    written = thin_glyphs(rng, load_written_glyphs(digits_dir)[1], 2 * count)
    stock = GlyphStock(load_printed_glyphs(digits_dir), written)
    drawn = [render_cell(rng, content, stock) for _ in range(count)]
    return np.stack([cell for cell, _ in drawn]), np.array([digit for _, digit in drawn], np.uint8)


def format_marks(reader: DigitReader, digits_dir: Path, count: int = 800) -> str:
    """Return a Markdown table of how drawn cells are read, `count` of each of `MARKS`."""
    lines = [
        "| drawn | read right | surely, and wrong | surely at all |",
        "|---|---|---|---|",
    ]
    for content in MARKS:
        cells, digits = draw_marks(digits_dir, content, count, seed=1)
        likely = merge_kinds(reader.read(cells))
        best, is_sure = likely.argmax(axis=1), likely.max(axis=1) >= SURE
        right = best == digits
        is_told = content != "scribbled"
        shares = [
            f"{100 * right.mean():.1f} %" if is_told else "–",
            f"{100 * (is_sure & ~right).mean():.1f} %" if is_told else "–",
            f"{100 * is_sure.mean():.1f} %",
        ]
        lines.append(f"| {content} | " + " | ".join(shares) + " |")
    return "\n".join(lines)
