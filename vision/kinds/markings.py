"""Which cells of a board are marked by another paper, as diagonals and windows are."""

from typing import Final

import numpy as np
import numpy.typing as npt

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
