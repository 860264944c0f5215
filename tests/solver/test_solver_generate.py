import importlib.util
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from command_rig import run_python

from solver.exact.bitmask import count_solutions, find_solutions
from solver.generation.generate import (
    GenerateOptions,
    Generation,
    Symmetry,
    fill_grid,
    find_orbits,
    generate_puzzles,
)
from solver.grid import Grid, check_solution, parse_grid
from solver.layout import LAYOUTS

COUNT = 3 if importlib.util.find_spec("numba") is None else 12
"""Python alone is slow."""

WITHOUT_NUMBA = (
    "import importlib.util\n"
    "find_spec = importlib.util.find_spec\n"
    "importlib.util.find_spec = lambda name, *rest: (\n"
    "    None if name == 'numba' else find_spec(name, *rest))\n"
    "import sys\n"
    "from solver.generation.generate import GenerateOptions, Symmetry, generate_puzzles\n"
    "from solver.grid import format_grid\n"
    "options = GenerateOptions(symmetry=Symmetry(sys.argv[1]))\n"
    "for puzzle in generate_puzzles(3, options, seed=4).puzzles:\n"
    "    print(format_grid(puzzle))\n"
    "assert 'numba' not in sys.modules\n"
)


Pattern = npt.NDArray[np.bool_]


def count_clues(puzzle: Grid) -> float:
    return float(np.count_nonzero(puzzle))


def assert_sound(generation: Generation, count: int) -> None:
    """Check that each puzzle has one solution, which is the one that came with it."""
    assert len(generation.puzzles) == len(generation.solutions) == count
    for puzzle, solution in zip(generation.puzzles, generation.solutions, strict=True):
        assert not check_solution(puzzle, solution)
        (found,) = find_solutions(puzzle, 2)
        np.testing.assert_array_equal(found, solution)


def assert_minimal(puzzle: Grid, orbits: list[tuple[int, ...]]) -> None:
    for orbit in orbits:
        if puzzle.ravel()[orbit[0]]:
            fewer = puzzle.copy()
            fewer.ravel()[list(orbit)] = 0
            assert count_solutions(fewer) == 2


def are_equal(first: Generation, second: Generation) -> bool:
    return np.array_equal(first.puzzles, second.puzzles) and np.array_equal(
        first.solutions, second.solutions
    )


def test_puzzles_have_one_solution_and_no_clue_too_many() -> None:
    generation = generate_puzzles(COUNT, seed=1)

    assert_sound(generation, COUNT)
    assert generation.note == ""
    assert generation.ratings is None
    assert len({puzzle.tobytes() for puzzle in generation.puzzles}) == COUNT
    for puzzle in generation.puzzles:
        assert_minimal(puzzle, [(cell,) for cell in range(81)])


@pytest.mark.parametrize(
    ("symmetry", "move"),
    [
        (Symmetry.POINT, lambda pattern: np.rot90(pattern, 2)),
        (Symmetry.QUARTER_TURN, np.rot90),
        (Symmetry.HORIZONTAL, np.fliplr),
        (Symmetry.VERTICAL, np.flipud),
        (Symmetry.DIAGONAL, np.transpose),
    ],
)
def test_patterns_are_symmetric_and_cannot_be_thinned_out(
    symmetry: Symmetry, move: Callable[[Pattern], Pattern]
) -> None:
    generation = generate_puzzles(5, GenerateOptions(symmetry=symmetry), seed=2)

    assert_sound(generation, 5)
    for puzzle in generation.puzzles:
        np.testing.assert_array_equal(move(puzzle > 0), puzzle > 0)
        assert_minimal(puzzle, find_orbits(LAYOUTS[9], symmetry))


@pytest.mark.parametrize("n_clues", [25, 30, 50, 79, 80])
def test_puzzles_have_as_many_clues_as_wanted(n_clues: int) -> None:
    generation = generate_puzzles(5, GenerateOptions(clues=n_clues), seed=3)

    assert_sound(generation, 5)
    assert [count_clues(puzzle) for puzzle in generation.puzzles] == [n_clues] * 5


@pytest.mark.parametrize(
    ("count", "attempts", "note"),
    [(2, 20, "20 attempts made 0 of 2; allow more, or wish for less"), (0, 0, "")],
)
def test_what_is_not_reached_is_said(count: int, attempts: int, note: str) -> None:
    generation = generate_puzzles(count, GenerateOptions(clues=17, attempts=10), seed=3)

    assert_sound(generation, 0)
    assert generation.puzzles.shape == (0, 9, 9)
    assert (generation.attempts, generation.note) == (attempts, note)


def test_ratings_lie_where_they_were_wanted() -> None:
    options = GenerateOptions(rate=count_clues, difficulty=(23, 24))

    generation = generate_puzzles(5, options, seed=5)

    assert generation.ratings is not None
    assert generation.ratings.tolist() == [count_clues(puzzle) for puzzle in generation.puzzles]
    assert set(generation.ratings.tolist()) <= {23, 24}
    assert generation.attempts > 5


def test_the_same_seed_makes_the_same_puzzles_with_any_number_of_threads() -> None:
    options = GenerateOptions(clues=26)

    first = generate_puzzles(COUNT, options, seed=6)

    assert are_equal(first, generate_puzzles(COUNT, options, seed=6, threads=3))
    assert not are_equal(first, generate_puzzles(COUNT, options, seed=7))


@pytest.mark.parametrize(
    "options", [GenerateOptions(rate=count_clues, difficulty=(24, 26)), GenerateOptions(clues=24)]
)
def test_more_puzzles_begin_with_the_same_ones(options: GenerateOptions) -> None:
    few, many = (generate_puzzles(count, options, seed=8) for count in (COUNT // 3, COUNT))

    np.testing.assert_array_equal(few.puzzles, many.puzzles[: COUNT // 3])
    if few.ratings is not None and many.ratings is not None:
        assert few.ratings.tolist() == many.ratings[: COUNT // 3].tolist()
    assert few.attempts <= many.attempts


def test_work_ends_when_it_shall() -> None:
    answers = iter([True, False])

    generation = generate_puzzles(
        1, GenerateOptions(clues=17), seed=3, may_go_on=lambda: next(answers)
    )

    assert_sound(generation, 0)
    assert generation.note.startswith("stopped after")
    assert next(answers, None) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("side", "n_clues"), [(4, None), (4, 6), (6, None), (6, 20), (16, 160), (25, 500)]
)
def test_other_sizes_are_made_too(side: int, n_clues: int | None) -> None:
    generation = generate_puzzles(2, GenerateOptions(side=side, clues=n_clues), seed=9)

    assert_sound(generation, 2)
    if n_clues is not None:
        assert [count_clues(puzzle) for puzzle in generation.puzzles] == [n_clues] * 2
    if side < 9 and n_clues is None:
        for puzzle in generation.puzzles:
            assert_minimal(puzzle, [(cell,) for cell in range(side**2)])
    assert are_equal(generation, generate_puzzles(2, GenerateOptions(side, n_clues), seed=9))


@pytest.mark.parametrize("symmetry", [Symmetry.NONE, Symmetry.POINT])
def test_without_numba_the_same_is_promised(symmetry: Symmetry) -> None:
    done = run_python("-c", WITHOUT_NUMBA, symmetry.value, check=True)

    puzzles = [parse_grid(line) for line in done.stdout.split()]
    assert len(puzzles) == 3
    for puzzle in puzzles:
        assert_minimal(puzzle, find_orbits(LAYOUTS[9], symmetry))
        assert count_solutions(puzzle) == 1


@pytest.mark.parametrize("side", [4, 6, 9, 16])
def test_full_grids_obey_the_rules_and_differ(side: int) -> None:
    random = np.random.default_rng(1)

    grids = [fill_grid(random, LAYOUTS[side]).reshape(side, side) for _ in range(8)]

    assert not any(check_solution(grid, grid) for grid in grids)
    assert len({grid.tobytes() for grid in grids}) > 4


@pytest.mark.parametrize(("side", "symmetry"), list(itertools.product([4, 6, 9], Symmetry)))
def test_orbits_hold_every_cell_once(side: int, symmetry: Symmetry) -> None:
    orbits = find_orbits(LAYOUTS[side], symmetry)

    assert sorted(itertools.chain.from_iterable(orbits)) == list(range(side**2))
    most = {Symmetry.NONE: 1, Symmetry.QUARTER_TURN: 4}.get(symmetry, 2)
    assert max(map(len, orbits)) == most


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"side": 8}, "side must be one of 4, 6, 9, 16, 25: 8"),
        ({"clues": 16}, r"clues must be 17\.\.80 for side 9: 16"),
        ({"clues": 81}, r"clues must be 17\.\.80"),
        ({"clues": 30, "symmetry": Symmetry.QUARTER_TURN}, "no quarter-turn pattern has 30 cells"),
        ({"side": 4, "clues": 7, "symmetry": Symmetry.POINT}, "no point pattern has 7 cells"),
        ({"attempts": 0}, "attempts must be at least 1"),
        ({"difficulty": (3.0, 2.0)}, "at least 3.0 and at most 2.0"),
        ({"difficulty": (math.nan, 2.0)}, "at least nan"),
        ({"count": -1}, "must not be negative"),
        ({"seed": -1}, "must not be negative"),
        ({"threads": 0}, "must not be negative"),
    ],
)
def test_wishes_that_cannot_come_true_are_refused(wishes: dict[str, Any], message: str) -> None:
    of_options = {
        name: wish for name, wish in wishes.items() if name in GenerateOptions.__dataclass_fields__
    }
    named = {"count": 1} | {
        name: wish
        for name, wish in wishes.items()
        if name not in GenerateOptions.__dataclass_fields__
    }

    with pytest.raises(ValueError, match=message):
        generate_puzzles(options=GenerateOptions(**of_options), **named)


@pytest.mark.slow
@pytest.mark.parametrize("side", [16, 25])
def test_a_long_attempt_is_left_when_the_time_is_over(side: int) -> None:
    answers = itertools.chain([True] * 10, itertools.repeat(False))
    asked = []

    def may_go_on() -> bool:
        asked.append(next(answers))
        return asked[-1]

    made = generate_puzzles(2, GenerateOptions(side=side), may_go_on=may_go_on)

    assert made.puzzles.shape == (0, side, side)
    assert made.note.startswith("stopped after 0 attempts")
    assert asked.count(True) == 10


@pytest.mark.parametrize("rate", [None, lambda puzzle: 1.0])
def test_what_is_kept_is_told_as_it_comes(rate: Callable[[Grid], float] | None) -> None:
    told: list[int] = []

    generate_puzzles(3, GenerateOptions(side=4, rate=rate), advance=told.append)

    assert sum(told) == 3
    assert len(told) > 1
