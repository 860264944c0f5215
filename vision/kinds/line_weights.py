"""How much ink each inner line of a board has between two cells: thick lines part regions."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, MARGIN_PX

Float32 = npt.NDArray[np.float32]

_REACH_PX: Final = 6
"""Pixels on either side of a line that are looked at; a digit begins further in."""

_GROUND_PX: Final = 2
"""Outermost of them, which show the paper on that side."""

_SKIPPED_PX: Final = 6
"""At either end of a piece, where other lines cross it."""


class LineWeights(NamedTuple):
    """The ink of the pieces of line between cells, in pixels of black on a board of `CELL_PX`.

    Attributes:
        right: (n, n - 1) float32, between a cell and the one to its right.
        below: (n - 1, n) float32, between a cell and the one below.
    """

    right: Float32
    below: Float32


def weigh_lines(board: npt.NDArray[np.uint8]) -> LineWeights:
    """Measure the lines between the cells of a board.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
    """
    return LineWeights(_weigh_upright(board), _weigh_upright(board.T).T)


def _weigh_upright(board: npt.NDArray[np.uint8]) -> Float32:
    """Return the weights of the upright lines, (n, n - 1)."""
    side = (len(board) - 2 * MARGIN_PX) // CELL_PX
    inner = board[MARGIN_PX : MARGIN_PX + side * CELL_PX].astype(np.float32)
    along = inner.reshape(side, CELL_PX, -1)[:, _SKIPPED_PX:-_SKIPPED_PX]
    starts = MARGIN_PX + CELL_PX * np.arange(1, side) - _REACH_PX
    columns = starts[:, None] + np.arange(2 * _REACH_PX)
    # Whatever crosses the line somewhere, such as a digit's stroke, is not in the middle value.
    profiles = np.median(along[:, :, columns], axis=1)
    left = profiles[..., :_GROUND_PX].mean(axis=-1, keepdims=True)
    right = profiles[..., -_GROUND_PX:].mean(axis=-1, keepdims=True)
    # The cells on its two sides may have different colours.
    paper = left + (right - left) * np.linspace(0, 1, 2 * _REACH_PX, dtype=np.float32)
    ink = np.abs(paper - profiles).sum(axis=-1) / np.maximum(paper.mean(axis=-1), 1)
    return np.asarray(ink, np.float32)
