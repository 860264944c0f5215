"""Which cells of a board are marked, as diagonals and windows are: by another paper or by lines."""

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.kinds.line_weights import LineWeights
from vision.kinds.paper_steps import PaperSteps, list_steps

Mask = npt.NDArray[np.bool_]

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
