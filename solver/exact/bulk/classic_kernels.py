"""Compiled search over band masks: what the bulk solver and the generator run in numba.

All kernels stand in this one file: numba's cache knows a kernel by the file that it stands in, and
would go on using a compiled caller after a change to a callee in another file.

A **band** (three rows) of one digit is a word of 30 bits, bit = 10 × row in band + column: the
cells where the digit can still stand. The tenth bit of each row stays clear and catches carries,
so that one subtraction looks at three rows. A **board** is three bands of sixteen lanes, of which
lanes 1..9 are the digits; lane 0 is empty cells while loading, and the rest fill up the registers.
The loops over lanes hold no branch and no table, so that LLVM makes vector instructions of them
that work on all digits at once.

Whatever indexes or masks is a uint64. A signed index costs a test for "counted from the end" at
each access, and numba makes floats of signed and unsigned mixed.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.exact.bulk.instructions import claim, compiled, lowest_bit, popcount

LEVELS: Final = 82
"""Each guess settles a cell, so that no search is deeper."""

_LANES: Final = 16
_WORDS: Final = 3 * _LANES

_U0, _U1, _U2, _U3, _U4, _U5, _U6 = map(np.uint64, range(7))
_U9, _U10, _U16, _U20, _U32, _U48 = map(np.uint64, (9, 10, 16, 20, 32, 48))

_NINE: Final = np.uint64(511)
_BAND: Final = np.uint64(511 << 20 | 511 << 10 | 511)
_ROW_STARTS: Final = np.uint64(1 << 20 | 1 << 10 | 1)
_GUARDS: Final = np.uint64((1 << 20 | 1 << 10 | 1) << 9)
_FILL_GUARDS: Final = _GUARDS - _ROW_STARTS
_BOX_STARTS: Final = np.uint64(0o111 << 20 | 0o111 << 10 | 0o111)

# Of three bits for each box or stack: the first, those not last, those not first, the last.
_FIRSTS: Final = np.uint64(0o111)
_NOT_LASTS: Final = np.uint64(0o333)
_NOT_FIRSTS: Final = np.uint64(0o666)
_LASTS: Final = np.uint64(0o444)

_TOP_BIT: Final = np.uint64(1 << 63)
_IS_DIGIT: Final = np.array([int(_TOP_BIT) * (1 <= lane <= 9) for lane in range(_LANES)], np.uint64)

# A place is 32 × band + bit: two shifts tell its band and its bit.
_PLACES: Final = np.array(
    [32 * (cell // 27) + 10 * (cell // 9 % 3) + cell % 9 for cell in range(81)], np.uint64
)
_CELL_OF_PLACE: Final = np.zeros(96, np.uint64)
_CELL_OF_PLACE[_PLACES] = np.arange(81, dtype=np.uint64)


def _tabulate_peers() -> npt.NDArray[np.uint32]:
    """Return the bands of each place's twenty peers and itself, four words a place."""
    peers = np.zeros((96, 4), np.uint32)
    for cell, place in enumerate(_PLACES.tolist()):
        row, column = divmod(cell, 9)
        for other, other_place in enumerate(_PLACES.tolist()):
            in_box = other // 27 == row // 3 and other % 9 // 3 == column // 3
            if other // 9 == row or other % 9 == column or in_box:
                peers[place, other_place // 32] |= 1 << other_place % 32
    return peers.ravel()


_PEERS: Final = _tabulate_peers()

_DEPTH: Final = np.uint64(0)
_FOUND: Final = np.uint64(1)
_GUESSES: Final = np.uint64(2)
_NODES: Final = np.uint64(3)
FOUND: Final = 1
"""Index of `Memory.progress`: solutions found so far."""
GUESSES: Final = 2
"""Index of `Memory.progress`: branchings so far."""
NODES: Final = 3
"""Index of `Memory.progress`: positions propagated so far."""

NO_BUDGET: Final = np.uint64(1 << 63)
"""More nodes than any search visits."""

_CLAIM: Final = np.uint64(8)
"""Puzzles that a thread takes at a time: half a millisecond of the hardest, a few µs of easy ones,
beside which an atomic addition is nothing."""

_NODES_PER_CALL: Final = np.uint64(500_000)
"""About a tenth of a second, after which Python may look for a keyboard interrupt."""


class Memory(NamedTuple):
    """What a search works on; one a thread.

    Attributes:
        boards: (82 × 48,) uint32: the board at each depth.
        settled: (48,) uint32: scratch, the cells where each digit is settled.
        open_cells: (6,) uint64: the bands of the cells with more than one candidate, and of those
            with two, after a propagation.
        resume: (82,) uint64: what to settle when the search comes back to a depth: 1 + place, or 0.
        pending: (3,) uint64: bands of the cells whose candidates the next propagation settles.
        progress: (4,) uint64: depth, solutions found, guesses, nodes.
    """

    boards: npt.NDArray[np.uint32]
    settled: npt.NDArray[np.uint32]
    open_cells: npt.NDArray[np.uint64]
    resume: npt.NDArray[np.uint64]
    pending: npt.NDArray[np.uint64]
    progress: npt.NDArray[np.uint64]


@compiled
def make_memory() -> Memory:
    """Return memory for one thread; `begin` clears it."""
    return Memory(
        np.zeros(LEVELS * _WORDS, np.uint32),
        np.zeros(_WORDS, np.uint32),
        np.zeros(6, np.uint64),
        np.zeros(LEVELS, np.uint64),
        np.zeros(3, np.uint64),
        np.zeros(4, np.uint64),
    )


@compiled
def _close_band(band: np.uint64) -> np.uint64:
    """Keep the cells of a band through which some placement of the digit goes.

    In a band a digit takes one box in each row, another in each. Either each row's box is the one
    to the right of the box of the row above, or the one to the left: three placements of either
    kind, which three bits tell by the box in the first row. What is on none of the six falls:
    hidden singles of rows and boxes, and locked candidates both ways.
    """
    boxes = (band | band >> _U1 | band >> _U2) & _BOX_STARTS
    row_0 = boxes & _FIRSTS
    row_1 = boxes >> _U10 & _FIRSTS
    row_2 = boxes >> _U20
    row_1 |= row_1 << _U9
    row_2 |= row_2 << _U9
    rightward = row_0 & row_1 >> _U3 & row_2 >> _U6
    leftward = row_0 & row_1 >> _U6 & row_2 >> _U3
    rightward |= rightward << _U9
    leftward |= leftward << _U9
    kept = (
        (rightward | leftward) & _FIRSTS
        | ((rightward >> _U6 | leftward >> _U3) & _FIRSTS) << _U10
        | ((rightward >> _U3 | leftward >> _U6) & _FIRSTS) << _U20
    )
    return band & (kept | kept << _U1 | kept << _U2)


@compiled
def _turn_right(columns: np.uint64) -> np.uint64:
    """Move each column of nine to the next of its stack, the last to the first."""
    return (columns << _U1 & _NOT_FIRSTS) | (columns >> _U2 & _FIRSTS)


@compiled
def _turn_left(columns: np.uint64) -> np.uint64:
    return (columns << _U2 & _LASTS) | (columns >> _U1 & _NOT_LASTS)


@compiled
def _in_all_rows(columns: np.uint64) -> np.uint64:
    return columns | columns << _U10 | columns << _U20


@compiled
def _settled_cells(band: np.uint64) -> np.uint64:
    """Return the cells that are alone in their row; no row may be empty."""
    # Take the lowest cell of each row away, and let the rows that have more overflow.
    rows_with_more = ((band & (band - _ROW_STARTS)) + _FILL_GUARDS) & _GUARDS
    return band & ~(rows_with_more - (rows_with_more >> _U9))


@compiled
def _rows_and_boxes(cells: np.uint64, columns: np.uint64) -> np.uint64:
    """Return the rows and boxes of some cells of a band, and these columns."""
    boxes = (cells | cells >> _U1 | cells >> _U2) & _BOX_STARTS
    rows = (boxes | boxes >> _U3 | boxes >> _U6) & _ROW_STARTS
    boxes = (boxes | boxes >> _U10 | boxes >> _U20) & _FIRSTS
    return ((rows << _U9) - rows) | _in_all_rows(columns | boxes | boxes << _U1 | boxes << _U2)


@compiled
def _strike_peers(
    boards: npt.NDArray[np.uint32],
    base: np.uint64,
    cells_0: np.uint64,
    cells_1: np.uint64,
    cells_2: np.uint64,
) -> None:
    """Strike each digit that can stand in one of these cells from the cell's peers."""
    for lane in range(_LANES):
        word = base + np.uint64(lane)
        band_0 = np.uint64(boards[word])
        band_1 = np.uint64(boards[word + _U16])
        band_2 = np.uint64(boards[word + _U32])
        own_0 = band_0 & cells_0
        own_1 = band_1 & cells_1
        own_2 = band_2 & cells_2
        columns = own_0 | own_1 | own_2
        columns = (columns | columns >> _U10 | columns >> _U20) & _NINE
        boards[word] = band_0 & ~_rows_and_boxes(own_0, columns) | own_0
        boards[word + _U16] = band_1 & ~_rows_and_boxes(own_1, columns) | own_1
        boards[word + _U32] = band_2 & ~_rows_and_boxes(own_2, columns) | own_2


@compiled
def _propagate(memory: Memory, base: np.uint64) -> bool:
    """Apply hidden singles, locked candidates and naked singles until no cell is settled by them.

    The cells of `memory.pending` are settled first; each has one candidate, and two of the same
    digit in a unit are found out here. A sweep that settles nothing is the last, though locked
    candidates may not be at their end: 2 % more guesses on hardest_1106.txt, and fewer sweeps.

    Returns:
        False on a contradiction; the board is then worthless.
    """
    boards = memory.boards
    settled = memory.settled
    cells_0, cells_1, cells_2 = memory.pending[_U0], memory.pending[_U1], memory.pending[_U2]
    while True:
        if cells_0 | cells_1 | cells_2:
            _strike_peers(boards, base, cells_0, cells_1, cells_2)
        dead = settled_0 = settled_1 = settled_2 = struck = _U0
        for lane in range(_LANES):
            word = base + np.uint64(lane)
            band_0 = _close_band(np.uint64(boards[word]))
            band_1 = _close_band(np.uint64(boards[word + _U16]))
            band_2 = _close_band(np.uint64(boards[word + _U32]))
            # The same closure for bands by columns, of three stacks at once.
            columns_0 = (band_0 | band_0 >> _U10 | band_0 >> _U20) & _NINE
            columns_1 = (band_1 | band_1 >> _U10 | band_1 >> _U20) & _NINE
            columns_2 = (band_2 | band_2 >> _U10 | band_2 >> _U20) & _NINE
            rightward = columns_0 & _turn_left(columns_1) & _turn_right(columns_2)
            leftward = columns_0 & _turn_right(columns_1) & _turn_left(columns_2)
            band_0 &= _in_all_rows(rightward | leftward)
            band_1 &= _in_all_rows(_turn_right(rightward) | _turn_left(leftward))
            band_2 &= _in_all_rows(_turn_left(rightward) | _turn_right(leftward))
            boards[word] = band_0
            boards[word + _U16] = band_1
            boards[word + _U32] = band_2
            # One less than nothing has its top bit set.
            dead |= ((band_0 - _U1) | (band_1 - _U1) | (band_2 - _U1)) & _IS_DIGIT[lane]
            alone_0 = _settled_cells(band_0)
            alone_1 = _settled_cells(band_1)
            alone_2 = _settled_cells(band_2)
            settled[np.uint64(lane)] = alone_0
            settled[np.uint64(lane) + _U16] = alone_1
            settled[np.uint64(lane) + _U32] = alone_2
            settled_0 |= alone_0
            settled_1 |= alone_1
            settled_2 |= alone_2
        if dead:
            return False
        for lane in range(_LANES):
            word = base + np.uint64(lane)
            band_0 = np.uint64(boards[word])
            band_1 = np.uint64(boards[word + _U16])
            band_2 = np.uint64(boards[word + _U32])
            left_0 = band_0 & (np.uint64(settled[np.uint64(lane)]) | ~settled_0)
            left_1 = band_1 & (np.uint64(settled[np.uint64(lane) + _U16]) | ~settled_1)
            left_2 = band_2 & (np.uint64(settled[np.uint64(lane) + _U32]) | ~settled_2)
            struck |= (band_0 ^ left_0) | (band_1 ^ left_1) | (band_2 ^ left_2)
            boards[word] = left_0
            boards[word + _U16] = left_1
            boards[word + _U32] = left_2
        # What was to be settled must be, or two of a kind stand in a row.
        if (cells_0 & ~settled_0) | (cells_1 & ~settled_1) | (cells_2 & ~settled_2):
            return False
        # Count candidates in all cells at once, as far as one, two and three.
        some_0 = some_1 = some_2 = two_0 = two_1 = two_2 = three_0 = three_1 = three_2 = _U0
        word = base
        for _ in range(9):
            word += _U1
            band_0 = np.uint64(boards[word])
            three_0 |= two_0 & band_0
            two_0 |= some_0 & band_0
            some_0 |= band_0
            band_1 = np.uint64(boards[word + _U16])
            three_1 |= two_1 & band_1
            two_1 |= some_1 & band_1
            some_1 |= band_1
            band_2 = np.uint64(boards[word + _U32])
            three_2 |= two_2 & band_2
            two_2 |= some_2 & band_2
            some_2 |= band_2
        if some_0 & some_1 & some_2 != _BAND:
            return False
        # A settled cell with two candidates is settled twice.
        if (two_0 & settled_0) | (two_1 & settled_1) | (two_2 & settled_2):
            return False
        cells_0 = some_0 & ~(two_0 | settled_0)
        cells_1 = some_1 & ~(two_1 | settled_1)
        cells_2 = some_2 & ~(two_2 | settled_2)
        if not (cells_0 | cells_1 | cells_2 | struck):
            memory.open_cells[_U0] = two_0
            memory.open_cells[_U1] = two_1
            memory.open_cells[_U2] = two_2
            memory.open_cells[_U3] = two_0 & ~three_0
            memory.open_cells[_U4] = two_1 & ~three_1
            memory.open_cells[_U5] = two_2 & ~three_2
            return True


@compiled
def _best_of_band(
    open_cells: npt.NDArray[np.uint64],
    first_place: np.uint64,
    pairs: np.uint64,
    best_score: np.uint64,
    best_place: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Return the higher score, and its place, of the best so far and a band's pairs.

    The score of a cell with two candidates is 1 + the number of its peers that are still open.
    """
    open_01 = open_cells[_U0] | open_cells[_U1] << _U32
    open_2 = open_cells[_U2]
    while pairs:
        place = first_place + lowest_bit(pairs)
        pairs &= pairs - _U1
        entry = place * _U4
        peers_01 = np.uint64(_PEERS[entry]) | np.uint64(_PEERS[entry + _U1]) << _U32
        peers_2 = np.uint64(_PEERS[entry + _U2])
        score = _U1 + popcount(open_01 & peers_01) + popcount(open_2 & peers_2)
        if score > best_score:
            best_score = score
            best_place = place
    return best_score, best_place


@compiled
def _fewest_candidates(memory: Memory, base: np.uint64) -> np.uint64:
    """Return the place of the first open cell with fewest candidates, for boards without pairs."""
    fewest = _U10
    best_place = _U0
    for band in range(3):
        cells = memory.open_cells[np.uint64(band)]
        while cells:
            cell = cells & (_U0 - cells)
            cells ^= cell
            candidates = _U0
            word = base + np.uint64(band) * _U16
            for _ in range(9):
                word += _U1
                if np.uint64(memory.boards[word]) & cell:
                    candidates += _U1
            if candidates < fewest:
                fewest = candidates
                best_place = np.uint64(band) * _U32 + lowest_bit(cell)
    return best_place


@compiled
def _set_pending(memory: Memory, place: np.uint64) -> None:
    memory.pending[:] = _U0
    memory.pending[place >> _U5] = _U1 << (place & np.uint64(31))


@compiled
def begin(memory: Memory, puzzle: npt.NDArray[np.uint8]) -> None:
    """Load a puzzle, (81,) uint8, 0 = empty; clues that contradict each other are found later."""
    boards = memory.boards
    for word in range(_WORDS):
        boards[np.uint64(word)] = _U0
    cell = _U0
    for band in range(3):
        base = np.uint64(band) * _U16
        for row in range(3):
            bit = _U1 << np.uint64(10 * row)
            for _ in range(9):
                boards[base + np.uint64(puzzle[cell])] |= bit
                bit <<= _U1
                cell += _U1
        empty = np.uint64(boards[base])
        boards[base] = _U0
        for lane in range(1, 10):
            boards[base + np.uint64(lane)] |= empty
        memory.pending[np.uint64(band)] = _BAND ^ empty
    memory.progress[:] = _U0


@compiled
def _copy_solution(
    boards: npt.NDArray[np.uint32], base: np.uint64, solution: npt.NDArray[np.uint8]
) -> None:
    for band in range(3):
        for digit in range(1, 10):
            cells = np.uint64(boards[base + np.uint64(band) * _U16 + np.uint64(digit)])
            while cells:
                place = np.uint64(band) * _U32 + lowest_bit(cells)
                solution[_CELL_OF_PLACE[place]] = digit
                cells &= cells - _U1


@compiled
def search(memory: Memory, limit: int, budget: np.uint64, solutions: npt.NDArray[np.uint8]) -> bool:
    """Go on with the search that `begin` began, until so many solutions, or no more, are found.

    Args:
        memory: of the search; its `progress` tells what was found, and what it cost.
        limit: number of solutions after which to stop.
        budget: number of nodes after which to pause.
        solutions: (k, 81) uint8: takes the first k solutions.

    Returns:
        False if the search paused; call again to go on.
    """
    boards = memory.boards
    progress = memory.progress
    depth = progress[_DEPTH]
    guesses = progress[_GUESSES]
    nodes = progress[_NODES]
    base = depth * _U48
    is_over = False
    while nodes < budget:
        nodes += _U1
        is_alive = _propagate(memory, base)
        if is_alive:
            open_cells = memory.open_cells
            score = place = _U0
            score, place = _best_of_band(open_cells, _U0, open_cells[_U3], score, place)
            score, place = _best_of_band(open_cells, _U32, open_cells[_U4], score, place)
            score, place = _best_of_band(open_cells, _U32 + _U32, open_cells[_U5], score, place)
            is_pair = score != _U0
            if not is_pair and open_cells[_U0] | open_cells[_U1] | open_cells[_U2]:
                place = _fewest_candidates(memory, base)
                score = _U1
            if score:
                # Try the cell's first candidate on a copy; the board keeps the others.
                guesses += _U1
                cell = _U1 << (place & np.uint64(31))
                for word in range(_WORDS):
                    boards[base + _U48 + np.uint64(word)] = boards[base + np.uint64(word)]
                first_lane = base + (place >> _U5) * _U16 + _U1
                lane = first_lane
                while not np.uint64(boards[lane]) & cell:
                    lane += _U1
                boards[lane] &= ~cell
                # Of a pair, one candidate is left.
                memory.resume[depth] = place + _U1 if is_pair else _U0
                for _ in range(9):
                    boards[first_lane + _U48] &= ~cell
                    first_lane += _U1
                boards[lane + _U48] |= cell
                depth += _U1
                base += _U48
                _set_pending(memory, place)
                continue
            if progress[_FOUND] < np.uint64(len(solutions)):
                _copy_solution(boards, base, solutions[progress[_FOUND]])
            progress[_FOUND] += _U1
        if depth == _U0 or progress[_FOUND] >= np.uint64(limit):
            is_over = True
            break
        depth -= _U1
        base -= _U48
        if memory.resume[depth]:
            _set_pending(memory, memory.resume[depth] - _U1)
        else:
            memory.pending[:] = _U0
    progress[_DEPTH] = depth
    progress[_GUESSES] = guesses
    progress[_NODES] = nodes
    return is_over


@compiled
def solve_claimed(
    memory: Memory,
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
        memory: of this thread.
        next_puzzle: (1,) uint64: the first puzzle that no thread has claimed.
        puzzles: (n, 81) uint8.
        limit: number of solutions after which to stop.
        budget: nodes after which a puzzle is given up.
        counts: (n,) int32, out; -1 for a puzzle that was given up.
        solutions: (n, 81) uint8, out.
        guesses: (n,) int64, out.

    Returns:
        False if all puzzles are claimed; else call again to go on.
    """
    n = np.uint64(len(puzzles))
    nodes = _U0
    while nodes < _NODES_PER_CALL:
        first = claim(next_puzzle, _CLAIM)
        if first >= n:
            return False
        for puzzle in range(first, min(first + _CLAIM, n)):
            begin(memory, puzzles[puzzle])
            counts[puzzle] = -1
            if search(memory, limit, budget, solutions[puzzle : puzzle + _U1]):
                counts[puzzle] = memory.progress[_FOUND]
            guesses[puzzle] = memory.progress[_GUESSES]
            nodes += memory.progress[_NODES]
    return True


@compiled
def _mix(word: np.uint64) -> np.uint64:
    """Scramble a word: the output of SplitMix64.

    G. Steele, D. Lea, C. Flood 2014, "Fast splittable pseudorandom number generators", OOPSLA.
    """
    word = (word ^ word >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ word >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return word ^ word >> np.uint64(31)


@compiled
def _draw(random: npt.NDArray[np.uint64], n: np.uint64) -> np.uint64:
    """Return a random number below n, which is below 2³², and step the generator, SplitMix64."""
    random[_U0] += np.uint64(0x9E3779B97F4A7C15)
    return (_mix(random[_U0]) >> _U32) * n >> _U32


@compiled
def _shuffle(items: npt.NDArray[np.uint8], random: npt.NDArray[np.uint64]) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = _draw(random, np.uint64(last + 1))
        item = items[other]
        items[other] = items[np.uint64(last)]
        items[np.uint64(last)] = item


@compiled
def _draw_cell(cells: np.uint64, n: np.uint64) -> np.uint64:
    """Return the bit of the n-th of some cells, from 0."""
    while n:
        cells &= cells - _U1
        n -= _U1
    return cells & (_U0 - cells)


@compiled
def _fill_grid(
    memory: Memory, random: npt.NDArray[np.uint64], solution: npt.NDArray[np.uint8]
) -> None:
    """Fill a grid at random: three boxes that share no unit, then cell by cell, or all over again.

    Any grid can come out, though not each with the same probability.
    """
    boards = memory.boards
    digits = np.arange(1, 10).astype(np.uint8)
    is_full = False
    while not is_full:
        solution[:] = 0
        for box in range(3):
            _shuffle(digits, random)
            for place in range(9):
                solution[30 * box + 9 * (place // 3) + place % 3] = digits[place]
        begin(memory, solution)
        while _propagate(memory, _U0):
            open_cells = memory.open_cells
            first = _U3 if open_cells[_U3] | open_cells[_U4] | open_cells[_U5] else _U0
            in_band_0 = popcount(open_cells[first])
            in_band_1 = popcount(open_cells[first + _U1])
            n_open = in_band_0 + in_band_1 + popcount(open_cells[first + _U2])
            if not n_open:
                is_full = True
                break
            n = _draw(random, n_open)
            band = _U0
            if n >= in_band_0:
                n -= in_band_0
                band = _U1
                if n >= in_band_1:
                    n -= in_band_1
                    band = _U2
            cell = _draw_cell(open_cells[first + band], n)
            candidates = _U0
            chosen = first_lane = band * _U16 + _U1
            for lane in range(9):
                word = first_lane + np.uint64(lane)
                if np.uint64(boards[word]) & cell:
                    candidates += _U1
                    if not _draw(random, candidates):
                        chosen = word
                    boards[word] &= ~cell
            boards[chosen] |= cell
            memory.pending[:] = _U0
            memory.pending[band] = cell
    _copy_solution(boards, _U0, solution)


@compiled
def _is_unique_without(
    memory: Memory,
    puzzle: npt.NDArray[np.uint8],
    solution: npt.NDArray[np.uint8],
    orbits: npt.NDArray[np.uint8],
    first: int,
    end: int,
) -> bool:
    """Clear the cells of some orbits, and tell whether the puzzle has one solution then."""
    nothing = np.zeros((0, 81), np.uint8)
    last_cell = _U0
    cleared = 0
    for orbit in range(first, end):
        for cell in orbits[orbit]:
            if cell < 81:
                puzzle[np.uint64(cell)] = 0
                last_cell = np.uint64(cell)
                cleared += 1
    begin(memory, puzzle)
    if cleared > 1:
        search(memory, 2, NO_BUDGET, nothing)
        return bool(memory.progress[_FOUND] == _U1)
    # With one clue fewer, another solution has another digit there: look for those alone.
    place = _PLACES[last_cell]
    word = (place >> _U5) * _U16 + np.uint64(solution[last_cell])
    memory.boards[word] &= ~(_U1 << (place & np.uint64(31)))
    search(memory, 1, NO_BUDGET, nothing)
    return bool(memory.progress[_FOUND] == _U0)


@compiled
def _clear_orbits(
    memory: Memory,
    puzzle: npt.NDArray[np.uint8],
    solution: npt.NDArray[np.uint8],
    orbits: npt.NDArray[np.uint8],
    n_clues: int,
) -> None:
    """Clear orbits in this order, each unless the puzzle would lose its only solution.

    As a puzzle that is unique stays so with more clues, a row of orbits that can be cleared at
    once could be cleared one by one: the first of them go in a few large steps.
    """
    position = 0
    step = 2 * len(orbits) // 5
    left = 81
    while position < len(orbits) and left != n_clues:
        end = min(position + step, len(orbits))
        n_cells = 0
        for orbit in range(position, end):
            for cell in orbits[orbit]:
                n_cells += cell < 81
        if left - n_cells >= n_clues:
            if _is_unique_without(memory, puzzle, solution, orbits, position, end):
                left -= n_cells
                position = end
                continue
            for orbit in range(position, end):
                for cell in orbits[orbit]:
                    if cell < 81:
                        puzzle[np.uint64(cell)] = solution[np.uint64(cell)]
        if step > 1:
            step //= 2
        else:
            position += 1


@compiled
def generate_slice(
    seed: np.uint64,
    first_attempt: np.uint64,
    n_clues: int,
    orbits: npt.NDArray[np.uint8],
    puzzles: npt.NDArray[np.uint8],
    solutions: npt.NDArray[np.uint8],
) -> None:
    """Make puzzles with one solution by clearing full grids as far as they stay unique.

    Each attempt has random numbers of its own, so that it does not matter which thread makes it.

    Args:
        seed: of the whole run.
        first_attempt: number of the first attempt in the run.
        n_clues: stop at so many clues; 0 goes on until no orbit can be cleared.
        orbits: (k, 4) uint8: cells that are cleared together, filled up with 255.
        puzzles: (n, 81) uint8, out.
        solutions: (n, 81) uint8, out.
    """
    memory = make_memory()
    random = np.zeros(1, np.uint64)
    order = np.zeros(len(orbits), np.uint8)
    shuffled = orbits.copy()
    for attempt in range(len(puzzles)):
        random[_U0] = _mix(_mix(seed) + first_attempt + np.uint64(attempt))
        puzzle = puzzles[attempt]
        solution = solutions[attempt]
        _fill_grid(memory, random, solution)
        puzzle[:] = solution
        for orbit in range(len(orbits)):
            order[orbit] = orbit
        _shuffle(order, random)
        for position in range(len(order)):
            shuffled[position] = orbits[order[position]]
        _clear_orbits(memory, puzzle, solution, shuffled, n_clues)
