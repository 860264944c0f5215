"""Kernels: inner loops that are machine code where numba is installed, and plain Python elsewhere.

A kernel is written so that both run it alike. Its arrays are flat and hold integers, int64 under
numba and lists in Python, which are faster there than NumPy's arrays. The random numbers of
searches are made here too, and singles are filled in until nothing more follows: the forced cells
of a position, which is a **mask** of candidates for each cell, bit = digit - 1.
"""

import importlib.util
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from solver.grid import Grid
from solver.layout import Layout, layout_of

_P = ParamSpec("_P")
_R = TypeVar("_R")

Ints = list[int]
"""A flat array of integers that kernels read and write: a list, or (k,) int64 under numba."""

HAS_NUMBA: Final = importlib.util.find_spec("numba") is not None
"""Whether kernels are compiled."""

# The random numbers of the kernels come from the 48-bit congruential generator of POSIX's
# `drand48`: products wrap around at 64 bits or grow beyond, and the lower 48 bits are the same, so
# that a seed leads to the same result with numba and without.
MULTIPLIER: Final = 0x5DEECE66D
INCREMENT: Final = 0xB
MASK: Final = (1 << 48) - 1
"""A step of the generator: state = (state × MULTIPLIER + INCREMENT) & MASK.

Kernels write the step out, as a call costs more in Python than the step: the upper 32 bits,
state >> 16, are the number drawn, and (state >> 16) × n >> 32 is one of 0..n-1.
"""


def compiled(kernel: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a kernel at its first call, or leave it as it is where numba is missing.

    Machine code is kept beside the source and made anew when that file changes, but not when a
    kernel changes that is called from another file: whoever changes one empties `__pycache__`.
    """
    if not HAS_NUMBA:
        return kernel
    import numba

    return cast(Callable[_P, _R], numba.njit(cache=True, nogil=True)(kernel))


def int_array(values: Iterable[int]) -> Ints:
    """Return the values in the form that kernels take."""
    if not HAS_NUMBA:
        return [int(value) for value in values]
    return cast(Ints, np.fromiter(values, np.int64))


def start_random(seed: int) -> int:
    """Return the generator's first state; seeds that lie close lead to states that do not."""
    words = np.random.SeedSequence(seed).generate_state(2)
    return (int(words[0]) << 16) ^ int(words[1]) & MASK


class FlatUnits(NamedTuple):
    """The units of a layout as flat arrays, with room to work in; not for two threads at once.

    Attributes:
        side: of the grid.
        peers: of each cell.
        units: the cells of each unit.
        hidden: whether hidden singles are filled in too.
        pending: room for the settled cells whose peers have not been told yet.
    """

    side: int
    peers: Ints
    units: Ints
    hidden: bool
    pending: Ints


def build_rules(layout: Layout, *, hidden: bool = True) -> FlatUnits:
    """Lay the units out for the kernel."""
    return FlatUnits(
        layout.side,
        int_array(layout.peers.ravel()),
        int_array(layout.units.ravel()),
        hidden,
        int_array([0] * layout.n_cells),
    )


@compiled
def settle(rules: FlatUnits, masks: Ints, n_pending: int) -> int:
    """Strike the digits of settled cells from their peers, and settle what follows.

    Args:
        rules: that hold; `pending` are cells with one candidate whose peers may still hold it.
        masks: of candidates; changed in place.
        n_pending: how many are pending.

    Returns:
        Cells with one candidate; where the position contradicts itself, minus that number - 1.
    """
    side, peers, units, hidden, pending = rules
    n_cells = side * side
    n_peers = len(peers) // n_cells
    every = (1 << side) - 1
    is_sound = True
    while is_sound:
        while n_pending > 0 and is_sound:
            n_pending -= 1
            cell = pending[n_pending]
            bit = masks[cell]
            for index in range(cell * n_peers, (cell + 1) * n_peers):
                peer = peers[index]
                mask = masks[peer]
                if mask & bit:
                    mask ^= bit
                    if mask == 0:
                        is_sound = False
                        break
                    masks[peer] = mask
                    if mask & (mask - 1) == 0:
                        pending[n_pending] = peer
                        n_pending += 1
        if not is_sound or not hidden:
            break
        for first in range(0, len(units), side):
            once = twice = 0
            for index in range(first, first + side):
                mask = masks[units[index]]
                twice |= once & mask
                once |= mask
            if once != every:
                is_sound = False
                break
            lone = once & ~twice
            for index in range(first, first + side):
                cell = units[index]
                mask = masks[cell]
                bit = mask & lone
                if bit == 0 or bit == mask:
                    continue
                if bit & (bit - 1):
                    is_sound = False
                    break
                masks[cell] = bit
                pending[n_pending] = cell
                n_pending += 1
            if not is_sound:
                break
        if n_pending == 0:
            break
    n_settled = 0
    for cell in range(n_cells):
        mask = masks[cell]
        if mask & (mask - 1) == 0:
            n_settled += 1
    return n_settled if is_sound else -n_settled - 1


def settle_clues(clues: Grid, rules: FlatUnits) -> tuple[Ints, int]:
    """Return the candidates that the clues leave, and the answer of `settle`."""
    every = (1 << rules.side) - 1
    digits = clues.ravel().tolist()
    masks = int_array([1 << (digit - 1) if digit else every for digit in digits])
    given = [cell for cell, digit in enumerate(digits) if digit]
    for position, cell in enumerate(given):
        rules.pending[position] = cell
    return masks, int(settle(rules, masks, len(given)))


def fill_forced(clues: Grid) -> Grid | None:
    """Return the clues with the cells filled that follow from them, or None for a contradiction.

    Args:
        clues: (side, side) uint8, 0 = empty.

    Returns:
        A new (side, side) uint8.
    """
    masks, n_settled = settle_clues(clues, build_rules(layout_of(clues)))
    if n_settled < 0:
        return None
    filled = clues.copy()
    for cell, mask in enumerate(masks):
        if mask & (mask - 1) == 0:
            filled.flat[cell] = int(mask).bit_length()
    return filled
