"""What a digit reader makes of cells that people corrected, on drawn ones nobody trained on."""

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.digits import DigitReader, merge_kinds
from training.digits.digit_shapes import load_printed_glyphs, load_written_glyphs, thin_glyphs
from training.digits.drawn_cells import Content, GlyphStock, render_cell

MARKS: Final[tuple[Content, ...]] = ("pen", "candidates", "corrected", "scribbled")
"""What is drawn; a scribbled cell has no right answer."""

SURE: Final = 0.9
"""Probability from which an answer counts as claimed."""

Float32 = npt.NDArray[np.float32]
UInt8 = npt.NDArray[np.uint8]


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
