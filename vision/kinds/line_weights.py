"""How much ink each inner line of a board has between two cells: thick lines part regions."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, MARGIN_PX
from vision.geometry import Float32

_REACH_PX: Final = 5
"""Pixels on either side of a line that are looked at; a digit begins further in, mostly."""

_LINE_PX: Final = 2
"""Pixels on either side of a line's place that may be of the line."""

_GAP_PX: Final = 3
"""Pixels by which both reach further where boxes stand apart: each has a line of its own there."""

_GROUND_PX: Final = 2
"""Outermost pixels on either side, which show the paper there."""

_PAPER_SHARE: Final = 75
"""Percentile along the line that is the paper's tone: digits may reach so far."""

_SKIPPED_PX: Final = 6
"""At either end of a piece, where other lines cross it."""

_EVERY: Final = 3
"""Pixels from one to the next that is asked along the lines for what is darker, line or paper."""

_LIGHTER: Final = 0.15
"""By how much the lines of a dark board are lighter than its paper, in shares of its brightness.

Of 450 boards of `training.rendered.kind_photos` (levels 3 and 4) 21 are dark, and have 0.32 at
least, the others -0.05 at most; 607 real boards, cut by their corners alone, have 0.07 at most.
"""


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
    side = (len(board) - 2 * MARGIN_PX) // CELL_PX
    within = np.arange(_SKIPPED_PX, CELL_PX - _SKIPPED_PX, _EVERY)
    rows = (MARGIN_PX + CELL_PX * np.arange(side)[:, None] + within).ravel()
    profile = board[rows].mean(axis=0) + board.T[rows].mean(axis=0)
    starts = MARGIN_PX + CELL_PX * np.arange(1, side) - _REACH_PX
    across = profile[starts[:, None] + np.arange(2 * _REACH_PX)].mean(axis=0)
    line = across[_REACH_PX - 1 : _REACH_PX + 1].mean()
    ground = np.concatenate([across[:_GROUND_PX], across[-_GROUND_PX:]]).mean()
    return bool(line - ground > _LIGHTER * profile.mean())


def weigh_lines(board: npt.NDArray[np.uint8], *, may_part: bool = False) -> LineWeights:
    """Measure the lines between the cells of a board.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
        may_part: boxes may stand apart, so that two lines with a gap count as one.
    """
    light = 255 - board if is_dark(board) else board
    wider = _GAP_PX if may_part else 0
    return LineWeights(_weigh_upright(light, wider), _weigh_upright(light.T, wider).T)


def _weigh_upright(board: npt.NDArray[np.uint8], wider_px: int) -> Float32:
    """Return the weights of the upright lines, (n, n - 1), on light paper."""
    side = (len(board) - 2 * MARGIN_PX) // CELL_PX
    reach = _REACH_PX + wider_px
    inner = board[MARGIN_PX : MARGIN_PX + side * CELL_PX].astype(np.float32)
    along = inner.reshape(side, CELL_PX, -1)[:, _SKIPPED_PX:-_SKIPPED_PX]
    starts = MARGIN_PX + CELL_PX * np.arange(1, side) - reach
    pieces = along[:, :, starts[:, None] + np.arange(2 * reach)]
    ordered = np.sort(pieces, axis=1)
    n_along = ordered.shape[1]
    ground = ordered[:, n_along * _PAPER_SHARE // 100]
    left = ground[..., :_GROUND_PX].mean(axis=-1, keepdims=True)
    right = ground[..., -_GROUND_PX:].mean(axis=-1, keepdims=True)
    # The cells on its two sides may have different colours.
    paper = left + (right - left) * np.linspace(0, 1, 2 * reach)
    # Whatever crosses the line somewhere, such as a digit's stroke, is not in the middle value.
    ink = np.clip(1 - ordered[:, n_along // 2] / np.maximum(paper, 1), 0, None)
    half = _LINE_PX + wider_px
    line = slice(reach - half, reach + half)
    return np.asarray(ink[..., line].sum(axis=-1), np.float32)
