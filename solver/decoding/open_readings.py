"""Readings beside a claim that have several solutions: a digit in the claim may be made up."""

import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.decoding.readings import has_several_solutions
from solver.rules import Rules

_LEAST_LIKELIHOOD: Final = 1e-9


class OpenReadings(NamedTuple):
    """Likelihood, where that of a claim is 1, of readings beside it that have several solutions.

    Attributes:
        emptied: of those that lack some of its digits.
        changed: of those that have other digits, in one cell or several.
    """

    emptied: float
    changed: float


def weigh_open_readings(
    seen: npt.NDArray[np.floating],
    clues: Sequence[int],
    max_loss: float,
    rules: Rules | None = None,
) -> OpenReadings:
    """Return how likely the readings beside a claim are that have several solutions.

    These are the ones that differ in one cell. To them comes, of those in which two corrected
    cells or all of them take a likelier value, the first with several solutions.

    Args:
        seen: (n², d + 1) float: what stands in the cells.
        clues: n² digits whose puzzle has one solution, or none.
        max_loss: nats; what gives away more in its cell is never considered.
        rules: of the puzzle; None for the classic ones.
    """
    emptied = changed = 0.0
    seen = seen[:, : (9 if rules is None else rules.side) + 1]
    ratios = {
        cell: seen[cell] / max(seen[cell, clues[cell]], _LEAST_LIKELIHOOD)
        for cell in np.flatnonzero(clues).tolist()
    }
    for cell, of_values in ratios.items():
        for value in np.flatnonzero(of_values >= math.exp(-max_loss)).tolist():
            other = [*clues[:cell], value, *clues[cell + 1 :]]
            if value == clues[cell] or not has_several_solutions(other, rules):
                continue
            if value:
                changed += float(of_values[value])
            else:
                emptied += float(of_values[value])
    likelier = [
        (cell, value)
        for cell, of_values in ratios.items()
        for value in np.flatnonzero(of_values > 1).tolist()
    ]
    tops = {cell: int(seen[cell].argmax()) for cell, _ in likelier}
    changes = [dict(pair) for pair in itertools.combinations(likelier, 2)]
    for change in [*changes, tops]:
        if len(change) < 2:  # both values of one cell
            continue
        other = [change.get(cell, clue) for cell, clue in enumerate(clues)]
        if has_several_solutions(other, rules):
            ratio = math.prod(float(ratios[cell][value]) for cell, value in change.items())
            if all(change.values()):
                changed += ratio
            else:
                emptied += ratio
            break  # it is likelier than the claim: that settles it
    return OpenReadings(emptied, changed)
