"""How the paper changes from each cell of a board to the next: coloured and shaded cells.

Only what lies next to a line is compared with what lies beyond it, so the edge of a shadow, or of
a lamp's reflection, matters only where it happens to follow the line.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Image8 = npt.NDArray[np.uint8]

CELL_PX: Final = 28
"""Side of a cell in the picture of a board that is measured here. With 20 the least marked boards
come nearer to unmarked ones."""

_STRIP_PX: Final = (3, 8)
"""Distances from the line between which its paper is looked at: behind the line, before a digit."""

_SKIPPED_PX: Final = 5
"""At either end of a piece of line, where other lines cross it."""

_EVERY: Final = 2
"""Pixels along the line from one that is looked at to the next."""

_PAPER_SHARE: Final = 70
"""Percentile of a strip's pixels that is its paper, as digits may reach into it."""

_LOGARITHMS: Final = np.log(np.maximum(np.arange(256), 2)).astype(np.float32)


class PaperSteps(NamedTuple):
    """By how much the paper gets brighter across each piece of line, in natural logarithms.

    Attributes:
        right: (n, n - 1, c) float32, from a cell to the one to its right, in each of c channels.
        below: (n - 1, n, c) float32, from a cell to the one below.
    """

    right: Float32
    below: Float32


def measure_steps(board: Image8, *, is_dark: bool) -> PaperSteps:
    """Compare the paper on both sides of each piece of line between two cells.

    Args:
        board: (n · CELL_PX, n · CELL_PX, c) uint8, grey or BGR, without the paper around it.
        is_dark: the paper is darker than what is printed on it.
    """
    side = len(board) // CELL_PX
    cells = board.reshape(side, CELL_PX, side, CELL_PX, -1).transpose(0, 2, 4, 1, 3)
    right = _measure_across(cells, is_dark)
    below = _measure_across(cells.transpose(1, 0, 2, 4, 3), is_dark).swapaxes(0, 1)
    return PaperSteps(right, below)


def list_steps(steps: PaperSteps) -> Float32:
    """Return the steps of all pieces, to the right before those below: (2 · n · (n - 1), c)."""
    channels = steps.right.shape[-1]
    return np.concatenate([piece.reshape(-1, channels) for piece in steps])


def turn_steps(steps: PaperSteps, quarter_turns: int) -> PaperSteps:
    """Return the steps of a board that is turned as `numpy.rot90` turns it."""
    for _ in range(quarter_turns % 4):
        # Anticlockwise, what lay to the right lies above.
        steps = PaperSteps(np.rot90(steps.below), -np.rot90(steps.right))
    return steps


def _measure_across(cells: Image8, is_dark: bool) -> Float32:
    """Return the steps across upright lines, of (rows, columns, c, height, width) cells."""
    near, far = _STRIP_PX
    rows = cells[..., _SKIPPED_PX : CELL_PX - _SKIPPED_PX : _EVERY, :]
    left = _paper_of(rows[:, 1:, ..., near:far], is_dark)
    right = _paper_of(rows[:, :-1, ..., CELL_PX - far : CELL_PX - near], is_dark)
    return np.asarray(left - right, np.float32)


def _paper_of(strips: Image8, is_dark: bool) -> Float32:
    pixels = strips.reshape(*strips.shape[:3], -1)
    rank = pixels.shape[-1] * (100 - _PAPER_SHARE if is_dark else _PAPER_SHARE) // 100
    return np.asarray(_LOGARITHMS[np.partition(pixels, rank, axis=-1)[..., rank]], np.float32)
