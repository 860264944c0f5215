"""Which cells of a board are marked, by another paper or by a line from corner to corner."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, MARGIN_PX, cut_cells
from vision.kinds.line_weights import is_dark
from vision.kinds.paper_steps import PaperSteps, list_steps

Float32 = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

_LEAST_STEP: Final = 0.014
"""Of the paper's tone where marked cells begin, in natural logarithms of the brightness."""

_TOLD: Final = 0.7
"""Share of the pieces of line that must show the step, or must show none. In colour, on 156 shaded
boards of `training.rendered.kind_photos` (level 3) it is 0.9 at least; for marks that are not
there it is 0.4 at most, there and on 607 real classic boards."""

_POSSIBLE: Final = 0.25
"""The same in grey, from which colours are worth a look; those boards have 0.52 at least, and
3 of the real ones have as much."""

_STEADY: Final = 0.8
"""Quantile of the changes, beside the step, that paper and camera cause; shadows cause the rest."""

_FINEST: Final = 0.004
"""Step that the 256 tones of a photo can show, in natural logarithms."""

_ALONG: Final = (0.14, 0.18, 0.22, 0.26, 0.74, 0.78, 0.82, 0.86)
"""Where a line from corner to corner is looked for, in cells along it: a digit lies between."""

_ASIDE: Final = 0.13
"""Distance from it, in cells, at which there is paper."""

_RARE: Final = 0.85
"""Quantile of the cells elsewhere above which a cell shows a line; see `_MOST_MISSING`."""

_MOST_MISSING: Final = 1
"""Cells of a diagonal whose line may not be seen: by chance 8 of 9 cells are above that quantile in
two of a million boards, on two diagonals in one of 10¹¹."""


class Diagonals(NamedTuple):
    """How dark the lines from corner to corner of each cell are, in shares of its paper.

    Attributes:
        falling: (n, n) float32, from the top left.
        rising: (n, n) float32, from the bottom left.
    """

    falling: Float32
    rising: Float32


def is_tinted(steps: PaperSteps, marked: Mask) -> bool:
    """Tell whether these cells, and no others, have another paper than the rest.

    Args:
        steps: of the board.
        marked: (n, n) bool.
    """
    return _share_told(steps, marked) >= _TOLD


def may_be_tinted(steps: PaperSteps, marked: Mask) -> bool:
    """Tell whether it is worth while to ask the colours; takes the steps in grey."""
    return _share_told(steps, marked) >= _POSSIBLE


def _share_told(steps: PaperSteps, marked: Mask) -> float:
    """Return the share of pieces of line that bear the marks out: around them or elsewhere, the
    smaller of the two.
    """
    changes = list_steps(steps)
    ways = np.concatenate([np.diff(marked.astype(int), axis=axis).ravel() for axis in (1, 0)])
    into, elsewhere = changes[ways != 0] * ways[ways != 0, None], changes[ways == 0]
    step = np.median(into, axis=0)
    if float(np.linalg.norm(step)) < _LEAST_STEP * len(step) ** 0.5:
        return 0.0
    noise = np.concatenate([elsewhere, into - step])
    sizes = np.linalg.norm(noise, axis=1)
    noise = noise[sizes <= np.quantile(sizes, _STEADY)]
    spread = noise.T @ noise / len(noise) + _FINEST**2 * np.eye(len(step))
    # R. A. Fisher (1936, "The use of multiple measurements in taxonomic problems").
    direction = np.linalg.solve(spread, step)
    shown = into @ direction / (step @ direction) > 0.5
    absent = np.abs(elsewhere @ direction / (step @ direction)) < 0.5
    return float(min(shown.mean(), absent.mean()))


def has_drawn_diagonals(board: npt.NDArray[np.uint8]) -> bool:
    """Tell whether both long diagonals are drawn as lines, more clearly than any other could be.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
    """
    drawn = measure_diagonals(board)
    is_main = np.eye(len(drawn.falling), dtype=np.bool_)
    for lines, on_line in ((drawn.falling, is_main), (drawn.rising, is_main[::-1])):
        usual = float(np.quantile(lines[~on_line], _RARE))
        if (lines[on_line] <= usual).sum() > _MOST_MISSING:
            return False
    return True


def measure_diagonals(board: npt.NDArray[np.uint8]) -> Diagonals:
    """Measure the lines from corner to corner of all cells.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it.
    """
    light = 255 - board if is_dark(board) else board
    cells = cut_cells(light)
    return Diagonals(_measure_falling(cells), _measure_falling(cells[:, ::-1]))


def _measure_falling(cells: npt.NDArray[np.uint8]) -> Float32:
    side = round(len(cells) ** 0.5)
    along = MARGIN_PX + CELL_PX * np.array(_ALONG) - 0.5
    aside = CELL_PX * _ASIDE
    # A line is thin and may lie a pixel aside.
    near = [_sample(cells, along + down, along + right) for down, right in ((0, 0), (1, 0), (0, 1))]
    line = np.min(near, axis=0)
    above = _sample(cells, along - aside, along + aside)
    below = _sample(cells, along + aside, along - aside)
    paper = np.minimum(above, below)
    darker = np.median((paper - line) / np.maximum(paper, 1), axis=1)
    return np.asarray(darker.reshape(side, side), np.float32)


def _sample(
    cells: npt.NDArray[np.uint8], y: npt.NDArray[np.float64], x: npt.NDArray[np.float64]
) -> Float32:
    rows, columns = np.rint(y).astype(int), np.rint(x).astype(int)
    return np.asarray(cells[:, rows, columns], np.float32)
