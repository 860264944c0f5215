"""Which cells of a board are marked, as diagonals and windows are: by another paper or by lines.

How the paper changes from each cell to the next also tells coloured regions and cages. Only what
lies next to a line is compared with what lies beyond it, so the edge of a shadow, or of a lamp's
reflection, matters only where it happens to follow the line.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.geometry import Float32, Image8
from vision.kinds.line_weights import LineWeights

Mask = npt.NDArray[np.bool_]

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

_LEAST_STEP: Final = 0.014
"""Of the paper's tone where marked cells begin, in natural logarithms of the brightness."""

_TOLD: Final = 0.6
"""Share of the pieces of line that must show the step, or must show none. In colour, on 156 shaded
boards of `training.rendered.kind_photos` (level 3) it is 0.9 at least; for marks that are not
there it is 0.4 at most, there and on 607 real classic boards. In other programs' styles it is 0.67
at least, where givens stand on tiles, and 0.23 at most, on 89 boards."""

_POSSIBLE: Final = 0.25
"""The same in grey, from which colours are worth a look; those boards have 0.52 at least, and
3 of the real ones have as much."""

_STEADY: Final = 0.8
"""Quantile of the changes, beside the step, that paper and camera cause; shadows cause the rest."""

_FINEST: Final = 0.004
"""Step that the 256 tones of a photo can show, in natural logarithms."""

_HEAVIER: Final = 0.1
"""Least ink that lines around marked cells have more than thin ones, or less, in pixels of black.
Drawn windows on 15 boards of other programs' styles have 0.2 at least."""

_OUTLINED: Final = 0.65
"""Share of the pieces of line that must look as if these cells were outlined: of those around them,
of those that prolong them, and of the other thin ones. Those boards have 0.69 at least, 607 real
classic boards 0.5 at most, and 0.52 all boards without windows in other programs' styles, with less
than half of the ink. Up to 24 rectangles drawn anywhere on 693 classic boards have 0.61
(one-off)."""


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


def is_outlined(lines: LineWeights, marked: Mask, regions: npt.NDArray[np.integer]) -> bool:
    """Tell whether lines run around these cells that are unlike the thin lines elsewhere.

    Args:
        lines: of the board.
        marked: (n, n) bool.
        regions: (n, n) number of each cell's region; what parts two of them tells nothing.
    """
    around, prolonged, others = [], [], []
    for weights, axis in ((lines.right, 1), (lines.below, 0)):
        is_around = np.diff(marked.astype(int), axis=axis) != 0
        is_thin = ~is_around & (np.diff(regions.astype(int), axis=axis) == 0)
        is_prolonged = is_around.any(axis=1 - axis, keepdims=True)
        around.append(weights[is_around])
        prolonged.append(weights[is_thin & is_prolonged])
        others.append(weights[is_thin & ~is_prolonged])
    usual = float(np.median(np.concatenate([*prolonged, *others])))
    step = float(np.median(np.concatenate(around))) - usual
    if abs(step) < _HEAVIER:
        return False
    ratios = [(np.concatenate(group) - usual) / step for group in (around, prolonged, others)]
    shares = [(ratios[0] > 0.5).mean(), *((np.abs(ratio) < 0.5).mean() for ratio in ratios[1:])]
    return bool(min(shares) >= _OUTLINED)


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
