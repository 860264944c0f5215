"""From the paper of a killer's cells to the walls of cages that only their colours tell.

Letters: n cells in a row, c channels of colour, p pieces of line between two cells.
"""

import math
from typing import Final

import numpy as np

from solver.decoding.cage_walls import FEW_TRIED, decode_walls
from solver.grid import Floats

_BRIGHTNESS_SHARE: Final = 0.3
"""What a change of all channels alike counts at first, as shadows change all alike."""

_FINEST: Final = 0.004
"""Step between the tones of a photo, in natural logarithms."""

_NO_SUM: Final = 0.9
"""Likelihood of no sum from which a cell shows none."""

_APART_FROM_PLAIN: Final = 0.03
"""Natural logarithms by which plain paper may be darker than a cage's in some colour, as light
varies; and by which it is lighter in one at least."""

_LEAST: Final = 1.0
"""Size of a change, in standard deviations of what the paper varies, below which none counts."""

_ROUNDS: Final = 4
"""In which changes are told from what the paper varies within cages; most boards need two."""

_TAIL: Final = 0.1
"""Share of the pieces within cages, and of those between, that may be less clear than the rest."""

_APART: Final = 2.0
"""How many times as large as within cages the changes between them are at least, tails aside."""

_PARTED: Final = (0.35, 0.9)
"""Share of the pieces that part cages; of 200 generated killers it is 0.55 to 0.72."""

_STEEP: Final = 4.0
"""Log odds of a wall, or of none, that a clear change gives each of the two cells."""

_EDGE: Final = 0.99
"""Likelihood of a wall at the edge of the board."""


def weigh_colours(right: Floats, below: Floats) -> Floats | None:
    """Return how likely a cage ends at each side of each cell, None where no colours tell cages.

    What the paper varies within cages is learned from the photo itself: where a shadow falls on the
    board, brightness counts for less.

    Args:
        right: (n, n - 1, c) change of the paper from a cell to the one to its right, as
            `vision.kinds.markings.PaperSteps` has them.
        below: (n - 1, n, c) change from a cell to the one below.

    Returns:
        (n², 4) float64: on the left, top, right and bottom of each cell.
    """
    side, channels = len(right), right.shape[-1]
    changes = np.concatenate([right.reshape(-1, channels), below.reshape(-1, channels)])
    common = changes.mean(axis=1, keepdims=True)
    sizes = np.linalg.norm(changes - (1 - _BRIGHTNESS_SHARE) * common, axis=1) / _FINEST
    least, most = _PARTED
    for _ in range(_ROUNDS):
        is_between = sizes > _split(sizes)
        if not least <= is_between.mean() <= most:
            return None
        within = changes[~is_between]
        spread = within.T @ within / len(within) + _FINEST**2 * np.eye(channels)
        sizes = np.linalg.norm(changes @ np.linalg.cholesky(np.linalg.inv(spread)), axis=1)
    sizes = np.maximum(sizes, _LEAST)
    is_between = sizes > _split(sizes)
    if not least <= is_between.mean() <= most:
        return None
    low = float(np.quantile(sizes[~is_between], 1 - _TAIL))
    high = float(np.quantile(sizes[is_between], _TAIL))
    if high < _APART * low:
        return None
    middle, half = math.log(low * high) / 2, math.log(high / low) / 2
    odds = _STEEP * (np.log(sizes) - middle) / half
    parts = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    across = parts[: side * (side - 1)].reshape(side, side - 1)
    down = parts[side * (side - 1) :].reshape(side - 1, side)
    walls = np.full((side, side, 4), _EDGE)
    walls[:, 1:, 0], walls[1:, :, 1], walls[:, :-1, 2], walls[:-1, :, 3] = (
        across,
        down,
        across,
        down,
    )
    return walls.reshape(-1, 4)


def open_plain_cells(walls: Floats, right: Floats, below: Floats, sums: Floats) -> Floats:
    """Return walls without those of cells that lie in no cage: plain paper that shows no sum.

    Plain is paper that is in no colour darker than any cage beside it, and lighter in one at least.

    Args:
        walls: (n², 4) as `weigh_colours` returns them.
        right: (n, n - 1, c) as there, and upright as `walls` are.
        below: (n - 1, n, c) as there.
        sums: (n², m) probabilities of no sum, which comes first, and of each sum.
    """
    side = math.isqrt(len(walls))
    has_sum = sums[:, 0] < _NO_SUM
    cages = decode_walls(sums, walls, FEW_TRIED).cages
    caged = [cells for cells in cages if has_sum[list(cells)].any()]
    is_plain = np.ones(side * side, np.bool_)
    is_plain[[cell for cells in caged for cell in cells]] = False
    plain = is_plain.reshape(side, side)
    across = plain[:, 1:].astype(int) - plain[:, :-1]
    down = plain[1:].astype(int) - plain[:-1]
    # From a cage to a cell outside.
    lighter = np.concatenate(
        [(steps * ways[..., None])[ways != 0] for steps, ways in ((right, across), (below, down))]
    )
    is_lightest = lighter.min(axis=1, initial=0) >= -_APART_FROM_PLAIN
    is_lighter = lighter.max(axis=1, initial=0) >= _APART_FROM_PLAIN
    opened = walls.copy()
    if len(lighter) and (is_lightest & is_lighter).all():
        opened[is_plain] = 1 - _EDGE
    return opened


def turn_sides(walls: Floats, quarter_turns: int) -> Floats:
    """Return what is known of the sides of cells, (n², 4), after turns as `numpy.rot90` makes."""
    side = math.isqrt(len(walls))
    turned = np.rot90(walls.reshape(side, side, 4), quarter_turns)
    return np.roll(turned, -quarter_turns, axis=2).reshape(-1, 4)


def _split(sizes: Floats) -> float:
    """Return where sizes fall into two groups: N. Otsu (1979), over their logarithms."""
    logs = np.sort(np.log(np.maximum(sizes, _LEAST)))
    counts = np.arange(1, len(logs))
    sums = np.cumsum(logs)[:-1]
    apart = sums / counts - (logs.sum() - sums) / (len(logs) - counts)
    best = int((counts * (len(logs) - counts) * apart**2).argmax())
    return float(np.exp((logs[best] + logs[best + 1]) / 2))
