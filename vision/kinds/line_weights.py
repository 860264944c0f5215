"""How much ink each inner line of a board has between two cells: thick lines part regions."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, MARGIN_PX

Float32 = npt.NDArray[np.float32]

_REACH_PX: Final = 5
"""Pixels on either side of a line that are looked at; a digit begins further in, mostly."""

_LINE_PX: Final = 2
"""Pixels on either side of a line's place that may be of the line."""

_GROUND_PX: Final = 2
"""Outermost pixels on either side, which show the paper there."""

_PAPER_SHARE: Final = 75
"""Percentile along the line that is the paper's tone: digits may reach so far."""

_SKIPPED_PX: Final = 6
"""At either end of a piece, where other lines cross it."""

_EVERY: Final = 9
"""Pixels from one to the next that is asked along the lines for what is darker, line or paper."""


class LineWeights(NamedTuple):
    """The ink of the pieces of line between cells, in pixels of black.

    Attributes:
        right: (n, n - 1) float32, between a cell and the one to its right.
        below: (n - 1, n) float32, between a cell and the one below.
    """

    right: Float32
    below: Float32


def is_dark(board: npt.NDArray[np.uint8]) -> bool:
    """Tell whether a board has light lines on dark paper, however much light fell on it."""
    starts = MARGIN_PX + CELL_PX * np.arange(1, (len(board) - 2 * MARGIN_PX) // CELL_PX) - _REACH_PX
    strips = np.concatenate([board[:, ::_EVERY], board.T[:, ::_EVERY]], axis=1)
    across = strips[starts[:, None] + np.arange(2 * _REACH_PX)].astype(np.float32)
    # Most of a strip is paper, so its mean is nearer the paper's tone than the line's.
    middle = (across.min(axis=1) + across.max(axis=1)) / 2
    return bool(np.median(middle - across.mean(axis=1)) > 0)


def weigh_lines(board: npt.NDArray[np.uint8]) -> LineWeights:
    """Measure the lines between the cells of a board.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
    """
    light = 255 - board if is_dark(board) else board
    return LineWeights(_weigh_upright(light), _weigh_upright(light.T).T)


def _weigh_upright(board: npt.NDArray[np.uint8]) -> Float32:
    """Return the weights of the upright lines, (n, n - 1), on light paper."""
    side = (len(board) - 2 * MARGIN_PX) // CELL_PX
    inner = board[MARGIN_PX : MARGIN_PX + side * CELL_PX].astype(np.float32)
    along = inner.reshape(side, CELL_PX, -1)[:, _SKIPPED_PX:-_SKIPPED_PX]
    starts = MARGIN_PX + CELL_PX * np.arange(1, side) - _REACH_PX
    pieces = along[:, :, starts[:, None] + np.arange(2 * _REACH_PX)]
    ordered = np.sort(pieces, axis=1)
    n_along = ordered.shape[1]
    ground = ordered[:, n_along * _PAPER_SHARE // 100]
    left = ground[..., :_GROUND_PX].mean(axis=-1, keepdims=True)
    right = ground[..., -_GROUND_PX:].mean(axis=-1, keepdims=True)
    # The cells on its two sides may have different colours.
    paper = left + (right - left) * np.linspace(0, 1, 2 * _REACH_PX)
    # Whatever crosses the line somewhere, such as a digit's stroke, is not in the middle value.
    ink = np.clip(1 - ordered[:, n_along // 2] / np.maximum(paper, 1), 0, None)
    line = slice(_REACH_PX - _LINE_PX, _REACH_PX + _LINE_PX)
    return np.asarray(ink[..., line].sum(axis=-1), np.float32)
