"""What a reading, (n², 19) probabilities, says of print and handwriting.

Classes: empty, printed 1..9, handwritten 1..9. A reading of fewer classes tells no hands.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from solver.grid import FEWEST_CLUES, Booleans, Floats

PRINTED: Final = slice(1, 10)
"""Classes of the printed digits 1..9; class 0 is the empty cell."""

HANDWRITTEN: Final = slice(10, 19)
"""Classes of the handwritten digits 1..9, where the reader tells them apart."""

_WRITTEN_ON: Final = 0.3
"""Share of handwriting in some digit from which a board counts as written on.

On 149 photos of wholly printed boards no digit has more than 0.15.
"""

ERROR_RATE: Final = 0.05
"""Share of entries that are wrong, where entries count as clues: what it costs to leave one out.

At 3 nats, an entry is left out only where all other digits speak against it, and a board of random
digits needs more of them left out than `DecodeLimits.max_loss` allows.
"""

LEAST_DOUBT: Final = 0.02
"""Chance that a digit that looks printed was written, on a board that someone wrote on.

So that no digit is beyond doubt there, and what contradicts the print is met as a rival: else a
printed digit would be dropped for a wrong entry that looks like print.
"""


def remove_handwriting(probabilities: Floats) -> Floats:
    """Return the reading with everything written by hand taken as an empty cell.

    For boards that someone began to fill in: where the entries are wrong, the print alone may
    still be a puzzle.

    Args:
        probabilities: (n², 19) float, as `decode_clues` takes it.

    Returns:
        (n², 10) float32: empty, printed 1..9; a reading that tells no hands as it is.
    """
    if not distinguishes_hands(probabilities):
        return probabilities
    printed = probabilities[:, :10].astype(np.float32)
    printed[:, 0] += probabilities[:, HANDWRITTEN].sum(axis=1)
    return printed


def free_handwriting(probabilities: Floats) -> npt.NDArray[np.float64]:
    """Return the reading in which only printed digits are clues, and none surely is.

    Args:
        probabilities: (n², 19) float, as `decode_clues` takes it.

    Returns:
        (n², 10) float64: no clue, printed 1..9.
    """
    freed = remove_handwriting(probabilities).astype(np.float64)
    freed[:, 0] += LEAST_DOUBT * freed[:, PRINTED].sum(axis=1)
    freed[:, PRINTED] *= 1 - LEAST_DOUBT
    return freed


def doubt_handwriting(
    probabilities: Floats, error_rate: float = ERROR_RATE
) -> npt.NDArray[np.float64]:
    """Return the reading in which every digit is a clue, but a written one may be left out.

    Args:
        probabilities: (n², 19) float, as `decode_clues` takes it.
        error_rate: share of written digits that are wrong.

    Returns:
        (n², 10) float64: no clue, digits 1..9.
    """
    doubted = merge_print_and_handwriting(probabilities)
    written = probabilities[:, HANDWRITTEN].astype(np.float64)
    doubted[:, 1:] -= error_rate * written
    doubted[:, 0] += error_rate * written.sum(axis=1)
    return doubted


def merge_print_and_handwriting(probabilities: Floats) -> npt.NDArray[np.float64]:
    """Return (n², d + 1) float64: empty, digits 1..d, whoever wrote them.

    Args:
        probabilities: (n², 19) or (n², d + 1) float, as `decode_clues` takes it.
    """
    if not distinguishes_hands(probabilities):
        return probabilities.astype(np.float64)
    joined = probabilities[:, :10].astype(np.float64)
    joined[:, 1:] += probabilities[:, HANDWRITTEN]
    return joined


def distinguishes_hands(probabilities: Floats) -> bool:
    """Tell whether a reading, (n², classes), keeps print and handwriting apart."""
    return bool(probabilities.shape[1] == HANDWRITTEN.stop)


def find_handwritten(probabilities: Floats) -> Booleans:
    """Return (n²,) bool: cells that look filled, and rather by hand than in print.

    Args:
        probabilities: (n², 19) float, as `decode_clues` takes it; fewer classes tell no hands.
    """
    if not distinguishes_hands(probabilities):
        return np.zeros(len(probabilities), np.bool_)
    printed = probabilities[:, PRINTED].sum(axis=1)
    written = probabilities[:, HANDWRITTEN].sum(axis=1)
    is_filled = merge_print_and_handwriting(probabilities).argmax(axis=1) > 0
    return np.asarray(is_filled & (written > printed))


def lacks_print(probabilities: Floats) -> bool:
    """Tell whether a board is written by hand, as its print alone cannot be a puzzle.

    Args:
        probabilities: (n², 19) float, as `decode_clues` takes it; fewer classes tell no hands.
    """
    is_written = find_handwritten(probabilities)
    is_filled = merge_print_and_handwriting(probabilities).argmax(axis=1) > 0
    printed = (is_filled & ~is_written).sum()
    return bool(printed < min(FEWEST_CLUES * len(probabilities) / 81, is_written.sum()))


def is_written_on(probabilities: Floats) -> bool:
    """Tell whether any digit of a board may well be by hand."""
    if not distinguishes_hands(probabilities):
        return False
    printed = probabilities[:, PRINTED].sum(axis=1)
    written = probabilities[:, HANDWRITTEN].sum(axis=1)
    is_filled = merge_print_and_handwriting(probabilities).argmax(axis=1) > 0
    return bool((is_filled & (written > _WRITTEN_ON * (printed + written))).any())
