"""Compiled search over vectors of cells: what the bulk solver and the generator run in numba.

All kernels stand in this one file: numba's cache knows a kernel by the file that it stands in, and
would go on using a compiled caller after a change to a callee in another file.

A **board** is three vectors, of the left, the middle and the right columns of all boxes. A lane is
a cell: nine bits, its candidates. Its number is 9 × band + 3 × stack + row in the band. So three
cells of a box that stand side by side, a **triad**, are the same lane of the three vectors, and
three that stand one below the other are lanes in turn. Five more lanes are idle: all digits.

A vector has twice 32 lanes, for two boards that are worked on at once: the two sides of a guess,
or two puzzles. So the processor has something to do while a result is on its way.

Whatever indexes or masks is a uint64. A signed index costs a test for "counted from the end" at
each access, and numba makes floats of signed and unsigned mixed.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.exact.bulk.instructions import (
    N_LANES,
    Lanes,
    choose,
    claim,
    compiled,
    counts,
    equal,
    fill,
    inlined,
    larger,
    largest_of_high,
    largest_of_low,
    load,
    load_twice,
    lowest_bit,
    popcount,
    shuffle,
    store,
    which,
)

Board = tuple[Lanes, Lanes, Lanes]
"""Two boards: the left, middle and right columns of their boxes."""

LEVELS: Final = 82
"""Each side of a guess that is taken first settles a cell, so that no search is deeper."""

_HALF: Final = N_LANES // 2
_U0, _U1, _U2, _U16, _U32, _U64, _U128, _U192 = map(np.uint64, (0, 1, 2, 16, 32, 64, 128, 192))
_LOW: Final = np.uint64((1 << 32) - 1)
_NINE: Final = np.uint64(511)


def _lane(band: int, stack: int, row: int) -> int:
    return 9 * (band % 3) + 3 * (stack % 3) + row % 3


def _shuffle_cells(band: int = 0, stack: int = 0, row: int = 0) -> Callable[[Lanes], Lanes]:
    """Return the shuffle that brings to each lane the cell so many bands, stacks and rows on."""
    sources = list(range(N_LANES))
    for half in (0, _HALF):
        for lane in range(27):
            at = _lane(lane // 9 + band, lane // 3 % 3 + stack, lane % 3 + row)
            sources[half + lane] = half + at
    return shuffle(sources)


_next_row = _shuffle_cells(row=1)
_last_row = _shuffle_cells(row=2)
_next_stack = _shuffle_cells(stack=1)
_last_stack = _shuffle_cells(stack=2)
_next_band = _shuffle_cells(band=1)
_last_band = _shuffle_cells(band=2)
_right_down = _shuffle_cells(stack=1, row=1)
_right_up = _shuffle_cells(stack=1, row=2)
_left_down = _shuffle_cells(stack=2, row=1)
_left_up = _shuffle_cells(stack=2, row=2)

# A place is 32 × vector + lane; a word of a board is 64 × vector + 32 × half + lane.
_PLACES: Final = np.array(
    [32 * vector + lane % _HALF for vector in range(3) for lane in range(N_LANES)], np.uint16
)
_IS_CELL: Final = np.where(np.arange(N_LANES) % _HALF < 27, 0xFFFF, 0).astype(np.uint16)
_IN_LOW_HALF: Final = np.where(np.arange(N_LANES) < _HALF, 0xFFFF, 0).astype(np.uint16)
_WORD_OF_CELL: Final = np.array(
    [N_LANES * (cell % 3) + _lane(cell // 27, cell % 9 // 3, cell // 9) for cell in range(81)],
    np.uint64,
)
_CANDIDATES: Final = np.array([511, *(1 << digit for digit in range(9))], np.uint16)

_NOWHERE: Final = np.uint64(127)
"""The place of a board that is not guessed at, but propagated as it is."""

_WAITING: Final = np.uint64(0)
FOUND: Final = np.uint64(1)
"""Index of `Memory.progress`: solutions found so far."""
GUESSES: Final = np.uint64(2)
"""Index of `Memory.progress`: branchings so far."""
NODES: Final = np.uint64(3)
"""Index of `Memory.progress`: propagations so far; the two sides of a guess are one."""

NO_BUDGET: Final = np.uint64(1 << 63)
"""More nodes than any search visits."""

_CLAIM: Final = np.uint64(8)
"""Puzzles that a thread takes at a time: a quarter of a millisecond of the hardest, a few µs of
easy ones, beside which an atomic addition is nothing. It is even, as they are begun by twos."""

_NODES_PER_CALL: Final = np.uint64(500_000)
"""Less than a tenth of a second, after which Python may look for a keyboard interrupt."""


class Memory(NamedTuple):
    """What a search works on; one a thread.

    Attributes:
        boards: (83 × 192,) uint16: the puzzles, then the two sides of a guess at each depth.
        waiting: (83,) uint64: boards to go on with, the next one last: where in `boards` a half
            begins + 2¹⁶ × the place of the cell to guess at.
        progress: (4,) uint64: boards that wait, solutions found, guesses, nodes.
    """

    boards: npt.NDArray[np.uint16]
    waiting: npt.NDArray[np.uint64]
    progress: npt.NDArray[np.uint64]


@compiled
def make_memory() -> Memory:
    """Return memory for one thread; `begin` clears it."""
    return Memory(
        np.full((LEVELS + 1) * 3 * N_LANES, 511, np.uint16),
        np.zeros(LEVELS + 1, np.uint64),
        np.zeros(4, np.uint64),
    )


@inlined
def _store_board(boards: npt.NDArray[np.uint16], base: np.uint64, board: Board) -> None:
    left, middle, right = board
    store(boards, base, left)
    store(boards, base + _U64, middle)
    store(boards, base + _U128, right)


@inlined
def _load_half(boards: npt.NDArray[np.uint16], base: np.uint64) -> Board:
    """Return one of two boards in both halves of the lanes."""
    middle, right = base + _U64, base + _U128
    return load_twice(boards, base), load_twice(boards, middle), load_twice(boards, right)


@inlined
def _sweep(left: Lanes, middle: Lanes, right: Lanes) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    """Apply naked singles, locked candidates and hidden singles once.

    In a band a digit takes one box in each row, another in each. Either each row's box is the one
    to the right of the box of the row above, or the one to the left: three placements of either
    kind. A triad that is on none of the six loses the digit, which is locked candidates both ways.
    Triads that stand upright have the same closure in stacks.

    Returns:
        The board, and lanes that are not 0 where there is a contradiction.
    """
    one = fill(_U1)
    # Cells with one candidate: it falls everywhere else in the box.
    single_l = left & equal(counts(left), one)
    single_m = middle & equal(counts(middle), one)
    single_r = right & equal(counts(right), one)
    singles = single_l | single_m | single_r
    others = _next_row(singles) | _last_row(singles)
    left &= ~(single_m | single_r | others)
    middle &= ~(single_l | single_r | others)
    right &= ~(single_l | single_m | others)
    # Bands.
    triads = left | middle | right
    triads &= _right_down(triads) & _left_up(triads) | _right_up(triads) & _left_down(triads)
    others = _next_row(triads) | _last_row(triads)
    dead = ~equal(triads | others, fill(_NINE))
    locked = triads & ~others
    left, middle, right = left & triads, middle & triads, right & triads
    # Stacks.
    others_l = _next_row(left) | _last_row(left)
    others_m = _next_row(middle) | _last_row(middle)
    others_r = _next_row(right) | _last_row(right)
    upright_l, upright_m, upright_r = left | others_l, middle | others_m, right | others_r
    next_l, last_l = _next_band(upright_l), _last_band(upright_l)
    next_m, last_m = _next_band(upright_m), _last_band(upright_m)
    next_r, last_r = _next_band(upright_r), _last_band(upright_r)
    upright_l &= next_m & last_r | next_r & last_m
    upright_m &= next_r & last_l | next_l & last_r
    upright_r &= next_l & last_m | next_m & last_l
    left, middle, right = left & upright_l, middle & upright_m, right & upright_r
    # Digits that are locked in a triad and have one cell there.
    hidden_l = left & (locked & ~(middle | right) | ~(upright_m | upright_r | others_l))
    hidden_m = middle & (locked & ~(left | right) | ~(upright_l | upright_r | others_m))
    hidden_r = right & (locked & ~(left | middle) | ~(upright_l | upright_m | others_r))
    left = choose(hidden_l, hidden_l, left)
    middle = choose(hidden_m, hidden_m, middle)
    right = choose(hidden_r, hidden_r, right)
    nothing = fill(_U0)
    dead |= equal(left, nothing) | equal(middle, nothing) | equal(right, nothing)
    return left, middle, right, dead


@inlined
def _is_either(wanted: np.uint64, dead: np.uint64) -> bool:
    """Return whether a board has one of these lanes, and no contradiction."""
    is_low = wanted & _LOW != _U0 and dead & _LOW == _U0
    is_high = wanted >> _U32 != _U0 and dead >> _U32 == _U0
    return bool(is_low or is_high)


@inlined
def _propagate(board: Board) -> tuple[Board, np.uint64]:
    """Sweep until nothing changes on either board, or there is a contradiction on it.

    Returns:
        The boards, and the lanes with a contradiction, by bits; a board with one is worthless.
    """
    left, middle, right = board
    while True:
        was_left, was_middle, was_right = left, middle, right
        left, middle, right, dead_lanes = _sweep(left, middle, right)
        dead = which(dead_lanes)
        changed = which((left ^ was_left) | (middle ^ was_middle) | (right ^ was_right))
        if not _is_either(changed, dead):
            return (left, middle, right), dead


@inlined
def _open_cells(vector: Lanes) -> Lanes:
    """Return all bits of the cells with more than one candidate, and none of the others."""
    return load(_IS_CELL, _U0) & ~equal(counts(vector), fill(_U1))


@inlined
def _rank(vector: Lanes, open_peers: Lanes, index: np.uint64) -> Lanes:
    """Return a word for each open cell that is the larger the better it is to guess at, and 0.

    A cell with two candidates comes first, of those the one with most open peers; of the others,
    one with fewest candidates.
    """
    n = counts(vector)
    score = choose(equal(n, fill(_U2)), open_peers + fill(_U16), fill(_U16) - n)
    for _ in range(7):
        score += score
    return (score | load(_PLACES, index * _U64)) & _open_cells(vector)


@inlined
def _choose_places(board: Board) -> tuple[np.uint64, np.uint64]:
    """Return the places of the cells to guess at on the two boards."""
    left, middle, right = board
    one = fill(_U1)
    # Count open cells in triads, then in rows and boxes, and in columns.
    open_l = _open_cells(left) & one
    open_m = _open_cells(middle) & one
    open_r = _open_cells(right) & one
    near = open_l + open_m + open_r
    near += _next_row(near) + _last_row(near) + _next_stack(near) + _last_stack(near)
    open_l += _next_row(open_l) + _last_row(open_l)
    open_m += _next_row(open_m) + _last_row(open_m)
    open_r += _next_row(open_r) + _last_row(open_r)
    rank_l = _rank(left, near + _next_band(open_l) + _last_band(open_l), _U0)
    rank_m = _rank(middle, near + _next_band(open_m) + _last_band(open_m), _U1)
    rank_r = _rank(right, near + _next_band(open_r) + _last_band(open_r), _U2)
    best = larger(larger(rank_l, rank_m), rank_r)
    return largest_of_low(best) & _NOWHERE, largest_of_high(best) & _NOWHERE


@inlined
def _split(vector: Lanes, index: np.uint64, place: np.uint64) -> Lanes:
    """Put the lowest candidate into the cell of a place on the low board, strike it on the high."""
    candidate = vector & (fill(_U0) - vector)
    candidate &= equal(load(_PLACES, index * _U64), fill(place))
    is_low = load(_IN_LOW_HALF, _U0)
    return choose(candidate & is_low, candidate, vector ^ candidate & ~is_low)


@compiled
def _load_puzzle(
    boards: npt.NDArray[np.uint16], base: np.uint64, puzzle: npt.NDArray[np.uint8]
) -> None:
    for cell in range(np.uint64(81)):
        boards[base + _WORD_OF_CELL[cell]] = _CANDIDATES[puzzle[cell]]


@compiled
def _copy_solution(
    boards: npt.NDArray[np.uint16], base: np.uint64, solution: npt.NDArray[np.uint8]
) -> None:
    for cell in range(np.uint64(81)):
        solution[cell] = lowest_bit(np.uint64(boards[base + _WORD_OF_CELL[cell]])) + _U1


@compiled
def begin(memory: Memory, puzzle: npt.NDArray[np.uint8]) -> None:
    """Load a puzzle, (81,) uint8, 0 = empty; clues that contradict each other are found later."""
    _load_puzzle(memory.boards, _U0, puzzle)
    memory.waiting[_U0] = _NOWHERE << _U16
    memory.progress[:] = _U0
    memory.progress[_WAITING] = _U1


@inlined
def _survey(
    boards: npt.NDArray[np.uint16], base: np.uint64, board: Board
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Propagate two boards and keep them.

    Returns:
        Lanes with a contradiction, lanes that are open, and the places to guess at.
    """
    board, dead = _propagate(board)
    left, middle, right = board
    is_open = which(_open_cells(left) | _open_cells(middle) | _open_cells(right))
    _store_board(boards, base, board)
    low = high = _U0
    if _is_either(is_open, dead):
        low, high = _choose_places(board)
    return dead, is_open, low, high


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
    waiting = memory.waiting
    progress = memory.progress
    while progress[_WAITING] and progress[FOUND] < np.uint64(limit):
        if progress[NODES] >= budget:
            return False
        progress[NODES] += _U1
        depth = progress[_WAITING] - _U1
        place = waiting[depth] >> _U16
        left, middle, right = _load_half(boards, waiting[depth] & np.uint64(0xFFFF))
        board = (_split(left, _U0, place), _split(middle, _U1, place), _split(right, _U2, place))
        base = (depth + _U1) * _U192
        dead, is_open, low, high = _survey(boards, base, board)
        if place == _NOWHERE:
            dead |= _LOW << _U32
        else:
            progress[GUESSES] += _U1
        for half in (_U32, _U0):
            if dead >> half & _LOW:
                continue
            if is_open >> half & _LOW:
                waiting[depth] = base | half | (high if half else low) << _U16
                depth += _U1
            elif progress[FOUND] < np.uint64(limit):
                if progress[FOUND] < np.uint64(len(solutions)):
                    _copy_solution(boards, base + half, solutions[progress[FOUND]])
                progress[FOUND] += _U1
        progress[_WAITING] = depth
    return True


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
    boards = memory.boards
    progress = memory.progress
    n = np.uint64(len(puzzles))
    nodes = _U0
    while nodes < _NODES_PER_CALL:
        first = claim(next_puzzle, _CLAIM)
        if first >= n:
            return False
        end = min(first + _CLAIM, n)
        for puzzle in range(first, end, _U2):
            # The first board of two puzzles at once, of the last one twice if it is alone.
            other = min(puzzle + _U1, end - _U1)
            _load_puzzle(boards, _U0, puzzles[puzzle])
            _load_puzzle(boards, _U32, puzzles[other])
            board = load(boards, _U0), load(boards, _U64), load(boards, _U128)
            dead, is_open, low, high = _survey(boards, _U0, board)
            for own in range(puzzle, other + _U1):
                half = _U0 if own == puzzle else _U32
                progress[:] = _U0
                progress[NODES] = _U1
                if not dead >> half & _LOW:
                    if is_open >> half & _LOW:
                        memory.waiting[_U0] = half | (high if half else low) << _U16
                        progress[_WAITING] = _U1
                    else:
                        _copy_solution(boards, half, solutions[own])
                        progress[FOUND] = _U1
                counts[own] = -1
                if budget and search(memory, limit, budget, solutions[own : own + _U1]):
                    counts[own] = progress[FOUND]
                guesses[own] = progress[GUESSES]
                nodes += progress[NODES]
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
        items[other], items[np.uint64(last)] = items[np.uint64(last)], items[other]


@compiled
def _draw_bit(bits: np.uint64, n: np.uint64) -> np.uint64:
    """Return the n-th of some bits, from 0."""
    while n:
        bits &= bits - _U1
        n -= _U1
    return bits & (_U0 - bits)


@compiled
def _fill_grid(
    memory: Memory, random: npt.NDArray[np.uint64], solution: npt.NDArray[np.uint8]
) -> None:
    """Fill a grid at random: three boxes that share no unit, then cell by cell, or all over again.

    Any grid can come out, though not each with the same probability.
    """
    boards = memory.boards
    digits = np.arange(1, 10).astype(np.uint8)
    while True:
        solution[:] = 0
        for box in range(3):
            _shuffle(digits, random)
            for place in range(9):
                solution[30 * box + 9 * (place // 3) + place % 3] = digits[place]
        _load_puzzle(boards, _U0, solution)
        while True:
            board, dead = _propagate(_load_half(boards, _U0))
            if dead:
                break
            _store_board(boards, _U0, board)
            n_pairs = n_open = _U0
            for word in _WORD_OF_CELL:
                n = popcount(np.uint64(boards[word]))
                n_pairs += np.uint64(n == _U2)
                n_open += np.uint64(n > _U1)
            if not n_open:
                _copy_solution(boards, _U0, solution)
                return
            skipped = _draw(random, n_pairs or n_open)
            for word in _WORD_OF_CELL:
                n = popcount(np.uint64(boards[word]))
                if n == _U2 or (n > _U1 and not n_pairs):
                    if not skipped:
                        boards[word] = _draw_bit(np.uint64(boards[word]), _draw(random, n))
                        break
                    skipped -= _U1


@compiled
def _is_unique_without(
    memory: Memory,
    puzzle: npt.NDArray[np.uint8],
    solution: npt.NDArray[np.uint8],
    cells: npt.NDArray[np.uint8],
) -> bool:
    """Clear the cells of some orbits, and tell whether the puzzle has one solution then."""
    nothing = np.zeros((0, 81), np.uint8)
    last_cell = _U0
    cleared = 0
    for cell in cells.flat:
        if cell < 81:
            puzzle[np.uint64(cell)] = 0
            last_cell = np.uint64(cell)
            cleared += 1
    begin(memory, puzzle)
    if cleared > 1:
        search(memory, 2, NO_BUDGET, nothing)
        return bool(memory.progress[FOUND] == _U1)
    # With one clue fewer, another solution has another digit there: look for those alone.
    memory.boards[_WORD_OF_CELL[last_cell]] ^= _CANDIDATES[solution[last_cell]]
    search(memory, 1, NO_BUDGET, nothing)
    return bool(memory.progress[FOUND] == _U0)


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
        cells = orbits[position : position + step]
        n_cells = 0
        for cell in cells.flat:
            n_cells += int(cell < 81)
        if left - n_cells >= n_clues:
            if _is_unique_without(memory, puzzle, solution, cells):
                left -= n_cells
                position += step
                continue
            for cell in cells.flat:
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
    for attempt in range(len(puzzles)):
        random[_U0] = _mix(_mix(seed) + first_attempt + np.uint64(attempt))
        puzzle = puzzles[attempt]
        solution = solutions[attempt]
        _fill_grid(memory, random, solution)
        puzzle[:] = solution
        order = np.arange(len(orbits)).astype(np.uint8)
        _shuffle(order, random)
        _clear_orbits(memory, puzzle, solution, orbits[order], n_clues)
