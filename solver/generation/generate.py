"""New puzzles with exactly one solution: as few clues as can be, or so many, in a pattern, so hard.

A full grid is made at random and cleared, cell by cell in random order, wherever one solution is
left; what does not fit the wishes is thrown away. 9×9 is done by the bulk engine where numba is
installed, and everything else in Python alone, with the same rules but not the same puzzles.
"""

import enum
import importlib.util
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.exact.bitmask import count_solutions, search
from solver.exact.bulk.bulk_solver import load_kernels, solve_batch
from solver.grid import FEWEST_CLUES, Grid
from solver.layout import LAYOUTS, Cells, Layout
from solver.rules import Rules
from solver.symmetry import random_transformation

_NODES_TO_FILL: Final = 1000
"""Three times what 25×25 takes without a wrong guess."""
_TRIES_TO_FILL: Final = 20
_SCATTERED: Final = 3
"""Digits put anywhere in a small grid, so that not every grid comes from the same search."""

_NODES_TO_PROVE: Final = {4: 10**6, 6: 10**6, 8: 10**6, 9: 10**6, 10: 300, 12: 100, 16: 60, 25: 20}
"""When to keep a clue because the proof of uniqueness without it takes too long."""

Digits = npt.NDArray[np.uint8]
"""(side²,) uint8 in reading order."""


def _always() -> bool:
    return True


def fill_grid(
    random: np.random.Generator, layout: Layout, may_go_on: Callable[[], bool] = _always
) -> Digits:
    """Return a full grid: boxes that share no unit at random, the rest by search, then reordered.

    Grids do not have equal probabilities. Where the search takes long, as on some large grids, the
    grid is one in which each row is a shift of another, reordered at random.
    """
    side = layout.side
    for _ in range(_TRIES_TO_FILL):
        clues = np.zeros(layout.n_cells, np.uint8)
        for box in range(min(layout.box_rows, layout.box_columns)):
            # Boxes of the diagonal: box_rows of them lie beside each other.
            clues[layout.boxes[box * (layout.box_rows + 1)]] = random.permutation(side) + 1
        if side <= 9:
            empty = np.flatnonzero(clues == 0)
            clues[random.choice(empty, _SCATTERED)] = random.integers(1, side + 1, _SCATTERED)
        found = search(clues.tolist(), 1, lambda nodes: nodes < _NODES_TO_FILL and may_go_on())
        if found.solutions:
            grid = np.array(found.solutions[0], np.uint8).reshape(side, side)
            break
    else:
        row, column = np.indices((side, side))
        shift = layout.box_columns * (row % layout.box_rows) + row // layout.box_rows
        grid = ((shift + column) % side + 1).astype(np.uint8)
    return random_transformation(random, side).apply(grid).ravel()


def clear_grid(
    solution: Digits,
    orbits: Sequence[tuple[int, ...]],
    n_clues: int,
    may_go_on: Callable[[], bool] = _always,
    rules: Rules | None = None,
) -> Digits | None:
    """Clear sets of cells in this order, each unless the grid would lose its only solution.

    A puzzle that is unique stays so with more clues. So where many sets can be cleared at once,
    they could be cleared one by one: the first of them go in a few large steps.

    Args:
        solution: a full grid.
        orbits: sets of cells that are cleared together.
        n_clues: stop at so many clues.
        may_go_on: asked now and then; False leaves the work undone.
        rules: of the puzzle; None for the classic ones, which its number of cells tells.

    Returns:
        The puzzle, or None where it was left undone.
    """
    most_nodes = _NODES_TO_PROVE[int(len(solution) ** 0.5) if rules is None else rules.side]
    puzzle = solution.copy()
    left = int(np.count_nonzero(puzzle))
    position, step = 0, max(1, 2 * len(orbits) // 5)
    while position < len(orbits) and left > n_clues:
        if not may_go_on():
            return None
        cells = [cell for orbit in orbits[position : position + step] for cell in orbit]
        if left - len(cells) >= n_clues:
            puzzle[cells] = 0
            found = search(
                puzzle.tolist(),
                2,
                lambda nodes: nodes < most_nodes and may_go_on(),
                keep=0,
                rules=rules,
            )
            if found.is_exhaustive:
                left -= len(cells)
                position += step
                continue
            puzzle[cells] = solution[cells]
        if step > 1:
            step //= 2
        else:
            position += 1
    return puzzle


_FEWEST_CLUES: Final = {4: 4, 6: 8, 9: FEWEST_CLUES, 16: 15, 25: 24}
"""No puzzle with one solution has fewer. Up to 9×9 that is known; beyond, all digits but one must
be shown, and nothing near that is known to exist."""

_SMALLEST_ROUND: Final = 16
_LARGEST_ROUND: Final = 4096
"""Attempts between two looks at whether there are enough: at most a quarter of a second."""

_SLICE: Final = 64
"""Attempts that a thread makes in one go."""


class Symmetry(enum.Enum):
    """How the cells with clues lie."""

    NONE = "none"
    POINT = "point"
    """A half turn leaves the pattern as it is."""
    QUARTER_TURN = "quarter-turn"
    HORIZONTAL = "horizontal"
    """Left and right mirror each other."""
    VERTICAL = "vertical"
    """Top and bottom mirror each other."""
    DIAGONAL = "diagonal"
    """Mirrored along the diagonal from the top left."""


@dataclass(frozen=True)
class GenerateOptions:
    """What puzzles are wanted.

    Attributes:
        side: 4, 6, 9, 16 or 25.
        clues: how many; None clears as far as one solution is left, so that the puzzle is minimal:
            no clue, or with a pattern no set of clues that lie alike, can be taken away. From 16×16
            on, clues stay too where the proof would take long.
        symmetry: of the pattern.
        rate: tells how hard a puzzle is; None takes all.
        difficulty: least and greatest rating that is wanted.
        attempts: how many puzzles may be made and thrown away for each that is wanted. Of 200,000
            minimal puzzles, 1 in 29 had 22 clues, 1 in 440 had 21, 1 in 17,000 had 20, none fewer.

    Raises:
        ValueError: if no puzzle can be so.
    """

    side: int = 9
    clues: int | None = None
    symmetry: Symmetry = Symmetry.NONE
    rate: Callable[[Grid], float] | None = None
    difficulty: tuple[float, float] = (-math.inf, math.inf)
    attempts: int = 10_000

    def __post_init__(self) -> None:
        if self.side not in LAYOUTS:
            raise ValueError(f"side must be one of {', '.join(map(str, LAYOUTS))}: {self.side}")
        if self.attempts < 1:
            raise ValueError(f"attempts must be at least 1, got {self.attempts}")
        low, high = self.difficulty
        if not low <= high:
            raise ValueError(f"no rating is at least {low} and at most {high}")
        if self.clues is None:
            return
        fewest, most = _FEWEST_CLUES[self.side], self.side**2 - 1
        if not fewest <= self.clues <= most:
            raise ValueError(f"clues must be {fewest}..{most} for side {self.side}: {self.clues}")
        if self.clues not in _reachable_counts(find_orbits(LAYOUTS[self.side], self.symmetry)):
            raise ValueError(f"no {self.symmetry.value} pattern has {self.clues} cells")


@dataclass(frozen=True, eq=False)
class Generation:
    """What was made.

    Attributes:
        puzzles: (n, side, side) uint8, 0 = empty; each with exactly one solution, proved.
        solutions: (n, side, side) uint8.
        ratings: (n,) float64, or None where no rating was asked for.
        attempts: puzzles that were made for it.
        note: why there are fewer than wanted, or empty.
    """

    puzzles: npt.NDArray[np.uint8]
    solutions: npt.NDArray[np.uint8]
    ratings: npt.NDArray[np.float64] | None
    attempts: int
    note: str


_Attempts = tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]
"""Puzzles and solutions, both (n, side²)."""

_DEFAULT_OPTIONS: Final = GenerateOptions()


def generate_puzzles(
    count: int,
    options: GenerateOptions = _DEFAULT_OPTIONS,
    seed: int = 0,
    threads: int = 1,
    may_go_on: Callable[[], bool] = lambda: True,
    advance: Callable[[int], None] = lambda _: None,
) -> Generation:
    """Make puzzles with exactly one solution.

    Args:
        count: how many.
        options: what they shall be like.
        seed: the same leads to the same puzzles, whatever the number of threads, and more of them
            begin with the same ones. With and without numba they differ.
        threads: how many to work with; one without numba.
        may_go_on: asked now and then; False ends the work with what there is.
        advance: told how many puzzles more were kept, as they come.

    Returns:
        At most `count` puzzles; `note` tells why they are fewer.

    Raises:
        ValueError: if count, seed or threads are negative, or threads is 0.
    """
    if count < 0 or seed < 0 or threads < 1:
        raise ValueError(
            f"count and seed must not be negative, threads at least 1: {count}, {seed}, {threads}"
        )
    orbits = find_orbits(LAYOUTS[options.side], options.symmetry)
    cells = options.side**2
    parts: list[tuple[npt.NDArray[np.uint8], ...]] = [(np.zeros((0, cells), np.uint8),) * 2]
    ratings: list[float] = []
    n_kept = n_attempts = n_used = 0
    limit = count * options.attempts
    note = ""
    while n_kept < count:
        if n_attempts == limit:
            note = f"{limit:,} attempts made {n_kept} of {count}; allow more, or wish for less"
            break
        # As many as will do if things go on as they went; the result does not depend on it.
        needed = (count - n_kept) * (n_attempts + 1) // (n_kept + 1)
        size = min(max(needed, _SMALLEST_ROUND), _LARGEST_ROUND, limit - n_attempts)
        if _is_compiled(options.side):
            made = _make_compiled(n_attempts, size, options, orbits, seed, threads)
        else:
            made = _make_one(n_attempts, options, orbits, seed, may_go_on)
        puzzles, solutions = made
        wanted = _find_wanted(puzzles, options, count - n_kept, ratings, advance)
        parts.append((puzzles[wanted], solutions[wanted]))
        n_kept += len(wanted)
        n_used = n_attempts + (wanted[-1] + 1 if n_kept == count else len(puzzles))
        n_attempts += len(puzzles)
        if n_kept < count and (not len(puzzles) or not may_go_on()):
            note = f"stopped after {n_attempts:,} attempts, with {n_kept} of {count}"
            break
    all_puzzles, all_solutions = (
        np.concatenate(part).reshape(-1, options.side, options.side)
        for part in zip(*parts, strict=True)
    )
    rated = np.array(ratings, np.float64) if options.rate else None
    return Generation(all_puzzles, all_solutions, rated, n_used, note)


def warm_up_generator(side: int) -> None:
    """Compile what makes puzzles of this size, which takes long the first time it is done."""
    if _is_compiled(side):
        generate_puzzles(1, GenerateOptions(side=side))


def find_orbits(layout: Layout, symmetry: Symmetry) -> list[tuple[int, ...]]:
    """Return the sets of cells that a symmetric pattern has, or has not, together."""
    return orbits_of(layout.rows, symmetry)


def orbits_of(cells: Cells, symmetry: Symmetry) -> list[tuple[int, ...]]:
    """Return the sets of places that a symmetric pattern has, or has not, together.

    Args:
        cells: (width, width) int: the places of the paper in reading order.
        symmetry: of the pattern.
    """
    turned = {
        Symmetry.NONE: [cells],
        Symmetry.POINT: [cells, np.rot90(cells, 2)],
        Symmetry.QUARTER_TURN: [np.rot90(cells, turns) for turns in range(4)],
        Symmetry.HORIZONTAL: [cells, np.fliplr(cells)],
        Symmetry.VERTICAL: [cells, np.flipud(cells)],
        Symmetry.DIAGONAL: [cells, cells.T],
    }[symmetry]
    together = np.stack([grid.ravel() for grid in turned], axis=1).tolist()
    return sorted({tuple(sorted(set(orbit))) for orbit in together})


def _find_wanted(
    puzzles: npt.NDArray[np.uint8],
    options: GenerateOptions,
    most: int,
    ratings: list[float],
    advance: Callable[[int], None],
) -> list[int]:
    """Return which puzzles are wanted, at most so many, and append their ratings."""
    indices: Sequence[int] = range(len(puzzles))
    if options.clues is not None:
        indices = np.flatnonzero((puzzles > 0).sum(axis=1) == options.clues).tolist()
    if options.rate is None:
        advance(len(indices[:most]))
        return list(indices[:most])
    low, high = options.difficulty
    wanted: list[int] = []
    for index in indices:
        rating = options.rate(puzzles[index].reshape(options.side, options.side))
        if low <= rating <= high:
            wanted.append(index)
            ratings.append(rating)
            advance(1)
            if len(wanted) == most:
                break
    return wanted


def _is_compiled(side: int) -> bool:
    return side == 9 and importlib.util.find_spec("numba") is not None


def _make_compiled(
    first: int,
    size: int,
    options: GenerateOptions,
    orbits: list[tuple[int, ...]],
    seed: int,
    threads: int,
) -> _Attempts:
    """Return so many attempts from the first on, all proved unique."""
    kernels = load_kernels()
    filled_up = np.full((len(orbits), 4), 255, np.uint8)
    for row, orbit in zip(filled_up, orbits, strict=True):
        row[: len(orbit)] = orbit
    puzzles, solutions = np.zeros((2, size, 81), np.uint8)

    def make(begin: int) -> None:
        part = slice(begin, begin + _SLICE)
        kernels.generate_slice(
            np.uint64(seed & (1 << 64) - 1),
            np.uint64(first + begin),
            options.clues or 0,
            filled_up,
            puzzles[part],
            solutions[part],
        )

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(make, range(0, size, _SLICE)))
    # A second proof, by a search that knows nothing of how they were made.
    batch = solve_batch(puzzles, limit=2, threads=threads)
    if (batch.counts != 1).any() or (batch.solutions != solutions).any():
        raise RuntimeError("a generated puzzle has another number of solutions than one")
    return puzzles, solutions


def _make_one(
    attempt: int,
    options: GenerateOptions,
    orbits: list[tuple[int, ...]],
    seed: int,
    may_go_on: Callable[[], bool],
) -> _Attempts:
    """Return the attempt, proved unique, or none where the time is over before it is done."""
    random = np.random.default_rng([seed, attempt])
    solution = fill_grid(random, LAYOUTS[options.side], may_go_on)
    order = [orbits[index] for index in random.permutation(len(orbits))]
    puzzle = clear_grid(solution, order, options.clues or 0, may_go_on)
    if puzzle is None:
        return (np.zeros((0, len(solution)), np.uint8),) * 2
    if count_solutions(puzzle.reshape(options.side, options.side)) != 1:
        raise RuntimeError("a generated puzzle has another number of solutions than one")
    return puzzle[None], solution[None]


def _reachable_counts(orbits: list[tuple[int, ...]]) -> set[int]:
    counts = {0}
    for orbit in orbits:
        counts |= {count + len(orbit) for count in counts}
    return counts
