"""Compiled search over the candidates of cells, for grids of every size but 9×9.

Boards of 16×16 and 25×25 are too wide for the vectors of `bulk.classic_kernels`. Here a
board is one word of candidates a cell, bit = digit - 1, and what belongs together is told by
tables that are made from the size's `Layout`: no size has code of its own.

All kernels stand in this one file, and whatever indexes or masks is a uint64, for the reasons
that `solver.exact.bulk.classic_kernels` gives.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.exact.bulk.instructions import claim, compiled, lowest_bit, popcount
from solver.layout import LAYOUTS

_U0, _U1, _U2, _U3 = map(np.uint64, range(4))
_U63, _U64 = map(np.uint64, (63, 64))

_DEPTH: Final = np.uint64(0)
_FOUND: Final = np.uint64(1)
_GUESSES: Final = np.uint64(2)
_NODES: Final = np.uint64(3)
_WAITING: Final = np.uint64(4)
FOUND: Final = 1
"""Index of `SizeMemory.progress`: solutions found so far."""
GUESSES: Final = 2
"""Index of `SizeMemory.progress`: branchings so far."""
NODES: Final = 3
"""Index of `SizeMemory.progress`: positions propagated so far."""

NO_BUDGET: Final = np.uint64(1 << 63)
"""More nodes than any search visits."""

_NODES_PER_CALL: Final = np.uint64(5_000)
"""Of 25×25 about a tenth of a second, after which Python may look for a keyboard interrupt."""


class SizeMemory(NamedTuple):
    """The tables of a size, which are only read, and what a search works on; one a thread.

    Attributes:
        units: (3 × side, side) uint16: the cells of each unit: rows, then columns, then boxes.
        units_of_cell: (side², 3) uint8.
        peers: (side², k) uint16: the cells that share a unit with each cell.
        crossings: (k, 4) uint16: where a line and a box meet: the line, 2 × side + the box for
            rows or 3 × side + the box for columns, and from where to where the cells that they
            have in common stand in `crossed`.
        crossed: (2 × side²,) uint16: the cells of each crossing, one after the other.
        boards: ((side² + 1) × side²,) uint32: the candidates of each cell, at each depth.
        resume: (side² + 1,) uint64: at each depth, the cell that loses a candidate when the search
            comes back.
        waiting: (side²,) uint64: a stack of cells whose only candidate is to be struck from their
            peers.
        dirty: (2,) uint64: bit = unit that lost candidates since it was looked at.
        held: (k,) uint32: scratch, the digits that can stand in each crossing.
        digits_of_unit: (3, 4 × side) uint32: scratch, of each line, of each box as rows cross it,
            and of each box as columns do: the digits that some of its crossings hold, those that
            several do, and those that another unit locks into one.
        progress: (5,) uint64: depth, solutions found, guesses, nodes, cells waiting.
    """

    units: npt.NDArray[np.uint16]
    units_of_cell: npt.NDArray[np.uint8]
    peers: npt.NDArray[np.uint16]
    crossings: npt.NDArray[np.uint16]
    crossed: npt.NDArray[np.uint16]
    boards: npt.NDArray[np.uint32]
    resume: npt.NDArray[np.uint64]
    waiting: npt.NDArray[np.uint64]
    dirty: npt.NDArray[np.uint64]
    held: npt.NDArray[np.uint32]
    digits_of_unit: npt.NDArray[np.uint32]
    progress: npt.NDArray[np.uint64]


def make_memory(side: int) -> SizeMemory:
    """Return memory for one thread and one size; `begin` clears it."""
    layout = LAYOUTS[side]
    lines, boxes = layout.units[: 2 * side], layout.units[2 * side :]
    crossings: list[tuple[int, int, int, int]] = []
    crossed: list[int] = []
    for line, cells in enumerate(lines.tolist()):
        for box, box_cells in enumerate(boxes.tolist(), start=(2 + line // side) * side):
            common = [cell for cell in cells if cell in box_cells]
            if common:
                crossings.append((line, box, len(crossed), len(crossed) + len(common)))
                crossed += common
    return SizeMemory(
        units=layout.units.astype(np.uint16),
        units_of_cell=layout.units_of_cell.astype(np.uint8),
        peers=layout.peers.astype(np.uint16),
        crossings=np.array(crossings, np.uint16),
        crossed=np.array(crossed, np.uint16),
        boards=np.zeros((layout.n_cells + 1) * layout.n_cells, np.uint32),
        resume=np.zeros(layout.n_cells + 1, np.uint64),
        waiting=np.zeros(layout.n_cells, np.uint64),
        dirty=np.zeros(2, np.uint64),
        held=np.zeros(len(crossings), np.uint32),
        digits_of_unit=np.zeros((3, 4 * side), np.uint32),
        progress=np.zeros(5, np.uint64),
    )


@compiled
def _narrow(memory: SizeMemory, base: np.uint64, cell: np.uint64, left: np.uint64) -> None:
    """Leave a cell these candidates, fewer than it had; if it is one, it waits to be settled."""
    memory.boards[base + cell] = left
    for kind in range(3):
        unit = np.uint64(memory.units_of_cell[cell, np.uint64(kind)])
        memory.dirty[unit // _U64] |= _U1 << (unit & _U63)
    if not left & (left - _U1):
        memory.waiting[memory.progress[_WAITING]] = cell
        memory.progress[_WAITING] += _U1


@compiled
def _settle_waiting(memory: SizeMemory, base: np.uint64) -> bool:
    """Strike the only candidate of each waiting cell from its peers; False if one has no other."""
    boards = memory.boards
    n_peers = np.uint64(memory.peers.shape[1])
    while memory.progress[_WAITING]:
        memory.progress[_WAITING] -= _U1
        cell = memory.waiting[memory.progress[_WAITING]]
        digit = np.uint64(boards[base + cell])
        at = _U0
        while at < n_peers:
            peer = np.uint64(memory.peers[cell, at])
            candidates = np.uint64(boards[base + peer])
            if candidates & digit:
                if candidates == digit:
                    return False
                _narrow(memory, base, peer, candidates ^ digit)
            at += _U1
    return True


@compiled
def _place_hidden(memory: SizeMemory, base: np.uint64, unit: np.uint64) -> bool:
    """Settle the digits that have one place left in a unit; False if some digit has none."""
    boards = memory.boards
    side = np.uint64(memory.units.shape[1])
    once = twice = _U0
    for position in range(side):
        candidates = np.uint64(boards[base + np.uint64(memory.units[unit, position])])
        twice |= once & candidates
        once |= candidates
    if once != (_U1 << side) - _U1:
        return False
    once &= ~twice
    if not once:
        return True
    for position in range(side):
        cell = np.uint64(memory.units[unit, position])
        candidates = np.uint64(boards[base + cell])
        hidden = candidates & once
        if hidden and hidden != candidates:
            if hidden & (hidden - _U1):
                return False
            _narrow(memory, base, cell, hidden)
    return True


@compiled
def _lock_candidates(memory: SizeMemory, base: np.uint64) -> bool:
    """Apply locked candidates once, both ways and to all digits together.

    A digit whose places in a line are all in one box must stand where they cross, and nowhere else
    in the box; one whose places in a box are all in one line, nowhere else in the line.

    Returns:
        False on a contradiction.
    """
    boards, held = memory.boards, memory.held
    n_crossings = np.uint64(len(held))
    some, several, locked = memory.digits_of_unit
    memory.digits_of_unit[:] = 0
    for crossing in range(n_crossings):
        digits = _U0
        at = np.uint64(memory.crossings[crossing, _U2])
        while at < np.uint64(memory.crossings[crossing, _U3]):
            digits |= np.uint64(boards[base + np.uint64(memory.crossed[at])])
            at += _U1
        held[crossing] = digits
        for kind in range(2):
            unit = np.uint64(memory.crossings[crossing, np.uint64(kind)])
            several[unit] |= np.uint64(some[unit]) & digits
            some[unit] |= digits
    for crossing in range(n_crossings):
        line = np.uint64(memory.crossings[crossing, _U0])
        box = np.uint64(memory.crossings[crossing, _U1])
        only_in_line = np.uint64(held[crossing]) & ~np.uint64(several[line])
        only_in_box = np.uint64(held[crossing]) & ~np.uint64(several[box])
        # No digit can have to stand in two crossings of a unit.
        if (np.uint64(locked[box]) & only_in_line) | (np.uint64(locked[line]) & only_in_box):
            return False
        locked[box] |= only_in_line
        locked[line] |= only_in_box
    for crossing in range(n_crossings):
        line = np.uint64(memory.crossings[crossing, _U0])
        box = np.uint64(memory.crossings[crossing, _U1])
        struck = np.uint64(locked[box]) & np.uint64(several[line])
        struck |= np.uint64(locked[line]) & np.uint64(several[box])
        if not struck & np.uint64(held[crossing]):
            continue
        at = np.uint64(memory.crossings[crossing, _U2])
        while at < np.uint64(memory.crossings[crossing, _U3]):
            cell = np.uint64(memory.crossed[at])
            candidates = np.uint64(boards[base + cell])
            if candidates & struck:
                if not candidates & ~struck:
                    return False
                _narrow(memory, base, cell, candidates & ~struck)
            at += _U1
    return True


@compiled
def _propagate(memory: SizeMemory, base: np.uint64) -> bool:
    """Apply naked singles, hidden singles and locked candidates until nothing changes.

    Returns:
        False on a contradiction; the board is then worthless.
    """
    dirty = memory.dirty
    while True:
        while True:
            if not _settle_waiting(memory, base):
                return False
            if dirty[_U0]:
                unit = lowest_bit(dirty[_U0])
                dirty[_U0] &= dirty[_U0] - _U1
            elif dirty[_U1]:
                unit = _U64 + lowest_bit(dirty[_U1])
                dirty[_U1] &= dirty[_U1] - _U1
            else:
                break
            if not _place_hidden(memory, base, unit):
                return False
        if not _lock_candidates(memory, base):
            return False
        if not (dirty[_U0] | dirty[_U1]):
            return True


@compiled
def _count_struck(
    memory: SizeMemory, base: np.uint64, cell: np.uint64, digits: np.uint64
) -> np.uint64:
    """Count what would be struck if each of these candidates were put into the cell: all at once.

    The cell's own candidates count again for each of them.
    """
    n_peers = np.uint64(memory.peers.shape[1])
    struck = popcount(digits) * popcount(np.uint64(memory.boards[base + cell]))
    at = _U0
    while at < n_peers:
        peer = np.uint64(memory.peers[cell, at])
        struck += popcount(np.uint64(memory.boards[base + peer]) & digits)
        at += _U1
    return struck


@compiled
def _tight_digits(
    memory: SizeMemory, base: np.uint64, unit: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return the digits that have two places left in a unit, and those that have three."""
    once = twice = thrice = more = _U0
    for position in range(memory.units.shape[1]):
        cell = np.uint64(memory.units[unit, np.uint64(position)])
        candidates = np.uint64(memory.boards[base + cell])
        more |= thrice & candidates
        thrice |= twice & candidates
        twice |= once & candidates
        once |= candidates
    return twice & ~thrice, thrice & ~more


@compiled
def _choose_branch(memory: SizeMemory, base: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return a cell and the bit of a candidate to try in it; the bit is 0 if all is settled.

    The tightest constraint comes first, a cell with fewest candidates or, where they are two or
    three, the places of a digit in a unit; of equals, the one whose options strike most. Without
    the places among them, a search of 16×16 now and then loses its way for minutes.
    """
    boards = memory.boards
    side = np.uint64(memory.units.shape[1])
    fewest = side + _U1
    for any_cell in range(len(memory.peers)):
        candidates = np.uint64(boards[base + np.uint64(any_cell)])
        if candidates & (candidates - _U1):
            fewest = min(fewest, popcount(candidates))
    if fewest > side:
        return _U0, _U0
    if fewest > _U2:
        for any_unit in range(len(memory.units)):
            of_two, of_three = _tight_digits(memory, base, np.uint64(any_unit))
            if of_two:
                fewest = _U2
            elif of_three:
                fewest = min(fewest, _U3)
    best_score = best_cell = best_digit = _U0
    for any_cell in range(len(memory.peers)):
        cell = np.uint64(any_cell)
        candidates = np.uint64(boards[base + cell])
        if popcount(candidates) == fewest:
            score = _count_struck(memory, base, cell, candidates)
            if score > best_score:
                best_score, best_cell, best_digit = score, cell, candidates & (_U0 - candidates)
    if fewest > _U3:
        return best_cell, best_digit
    for any_unit in range(len(memory.units)):
        unit = np.uint64(any_unit)
        of_two, of_three = _tight_digits(memory, base, unit)
        tight = of_two if fewest == _U2 else of_three
        while tight:
            digit = tight & (_U0 - tight)
            tight ^= digit
            score = place = _U0
            for position in range(side):
                cell = np.uint64(memory.units[unit, np.uint64(position)])
                if np.uint64(boards[base + cell]) & digit:
                    score += _count_struck(memory, base, cell, digit)
                    place = cell
            if score > best_score:
                best_score, best_cell, best_digit = score, place, digit
    return best_cell, best_digit


@compiled
def begin(memory: SizeMemory, puzzle: npt.NDArray[np.uint8]) -> None:
    """Load a puzzle, (side²,) uint8, 0 = empty; clues that contradict each other are found later.

    Their only candidates wait to be struck, as those of cells that are settled later.
    """
    side = np.uint64(memory.units.shape[1])
    every_digit = (_U1 << side) - _U1
    memory.progress[:] = _U0
    for cell in range(np.uint64(len(puzzle))):
        digit = np.uint64(puzzle[cell])
        if digit:
            memory.boards[cell] = _U1 << (digit - _U1)
            memory.waiting[memory.progress[_WAITING]] = cell
            memory.progress[_WAITING] += _U1
        else:
            memory.boards[cell] = every_digit
    # Of a blank grid no unit would ever be looked at, and need not be.
    memory.dirty[:] = _U0


@compiled
def search(
    memory: SizeMemory, limit: int, budget: np.uint64, solutions: npt.NDArray[np.uint8]
) -> bool:
    """Go on with the search that `begin` began, until so many solutions, or no more, are found.

    Args:
        memory: of the search; its `progress` tells what was found, and what it cost.
        limit: number of solutions after which to stop.
        budget: number of nodes after which to pause.
        solutions: (k, side²) uint8: takes the first k solutions.

    Returns:
        False if the search paused; call again to go on.
    """
    boards, progress = memory.boards, memory.progress
    n_cells = np.uint64(memory.units_of_cell.shape[0])
    while progress[_NODES] < budget:
        progress[_NODES] += _U1
        depth = progress[_DEPTH]
        base = depth * n_cells
        if _propagate(memory, base):
            cell, digit = _choose_branch(memory, base)
            if digit:
                # Try the candidate on a copy; the board keeps the others.
                progress[_GUESSES] += _U1
                for other in range(n_cells):
                    boards[base + n_cells + other] = boards[base + other]
                boards[base + cell] = np.uint64(boards[base + cell]) ^ digit
                memory.resume[depth] = cell
                progress[_DEPTH] += _U1
                _narrow(memory, base + n_cells, cell, digit)
                continue
            if progress[_FOUND] < np.uint64(len(solutions)):
                for other in range(n_cells):
                    settled = lowest_bit(np.uint64(boards[base + other]))
                    solutions[progress[_FOUND], other] = settled + _U1
            progress[_FOUND] += _U1
        memory.dirty[:] = _U0
        progress[_WAITING] = _U0
        if depth == _U0 or progress[_FOUND] >= np.uint64(limit):
            return True
        progress[_DEPTH] -= _U1
        base -= n_cells
        cell = memory.resume[progress[_DEPTH]]
        _narrow(memory, base, cell, np.uint64(boards[base + cell]))
    return False


@compiled
def solve_claimed(
    memory: SizeMemory,
    next_puzzle: npt.NDArray[np.uint64],
    puzzles: npt.NDArray[np.uint8],
    limit: int,
    budget: np.uint64,
    counts: npt.NDArray[np.int32],
    solutions: npt.NDArray[np.uint8],
    guesses: npt.NDArray[np.int64],
) -> bool:
    """Claim puzzles and solve them, for some time; see `solver.exact.bulk.bulk_solver.solve_batch`.

    Args:
        memory: of this thread, for the size of the puzzles.
        next_puzzle: (1,) uint64: the first puzzle that no thread has claimed.
        puzzles: (n, side²) uint8.
        limit: number of solutions after which to stop.
        budget: nodes after which a puzzle is given up.
        counts: (n,) int32, out; -1 for a puzzle that was given up.
        solutions: (n, side²) uint8, out.
        guesses: (n,) int64, out.

    Returns:
        False if all puzzles are claimed; else call again to go on.
    """
    nodes = _U0
    while nodes < _NODES_PER_CALL:
        puzzle = claim(next_puzzle, _U1)
        if puzzle >= np.uint64(len(puzzles)):
            return False
        begin(memory, puzzles[puzzle])
        counts[puzzle] = -1
        if search(memory, limit, budget, solutions[puzzle : puzzle + _U1]):
            counts[puzzle] = memory.progress[_FOUND]
        guesses[puzzle] = memory.progress[_GUESSES]
        nodes += memory.progress[_NODES]
    return True
