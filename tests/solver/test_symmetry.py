import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from puzzles import EASY, HARD

from solver.base import Limits, Status
from solver.exact.bitmask import BitmaskSolver, count_solutions, find_solutions
from solver.grid import Grid, check_solution, find_conflicts, parse_grid, read_puzzles
from solver.layout import LAYOUTS
from solver.symmetry import (
    Transformation,
    canonical_form,
    canonical_forms,
    find_transformation,
    identity,
    mirror,
    random_transformation,
    to_canonical_form,
    turn_right,
)

FEW_CLUES = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
# Each digit d faces 10 - d across the centre.
POINT_SYMMETRIC = (
    "1.......2.3.....4...6...1......7........5........3......9...4...6.....7.8.......9"
)
BLANK = "." * 81
ONE_CLUE = "." * 40 + "5" + "." * 40
# The grid with most automorphisms: every row a shift of the one above.
CYCLIC = "".join(
    str((3 * (row % 3) + row // 3 + column) % 9 + 1)
    for row, column in itertools.product(range(9), range(9))
)

seeds = st.integers(0, 2**32 - 1)
sides = st.sampled_from(sorted(LAYOUTS))
texts = st.sampled_from([EASY, HARD, FEW_CLUES, POINT_SYMMETRIC, BLANK, ONE_CLUE, CYCLIC])


def random_grid(seed: int, side: int) -> Grid:
    """Return digits at random places, no puzzle as a rule."""
    random = np.random.default_rng(seed)
    grid = random.integers(1, side + 1, (side, side)).astype(np.uint8)
    return np.where(random.random((side, side)) < random.random(), grid, np.uint8(0))


@given(seed=seeds, side=sides)
def test_the_inverse_leads_back(seed: int, side: int) -> None:
    grid = random_grid(seed, side)
    there = random_transformation(seed, side)

    np.testing.assert_array_equal(there.inverse().apply(there.apply(grid)), grid)
    assert there.compose(there.inverse()) == identity(side)
    assert there.inverse().inverse() == there


@given(seed=seeds, side=sides)
def test_composing_is_doing_one_after_the_other(seed: int, side: int) -> None:
    grid = random_grid(seed, side)
    first, second = random_transformation(seed, side), random_transformation(seed + 1, side)

    np.testing.assert_array_equal(
        first.compose(second).apply(grid), second.apply(first.apply(grid))
    )


@settings(deadline=None)
@given(seed=seeds, text=st.sampled_from([EASY, HARD, FEW_CLUES]))
def test_a_transformed_puzzle_has_the_transformed_solution(seed: int, text: str) -> None:
    puzzle = parse_grid(text)
    change = random_transformation(seed)
    solution = find_solutions(puzzle, 1)[0]

    result = BitmaskSolver().solve(change.apply(puzzle), Limits())

    assert result.status is Status.SOLVED
    np.testing.assert_array_equal(result.solution, change.apply(solution))


@given(seed=seeds, side=sides)
def test_conflicts_stay_conflicts(seed: int, side: int) -> None:
    grid = random_grid(seed, side)

    moved = random_transformation(seed, side).apply(grid)

    assert find_conflicts(moved).sum() == find_conflicts(grid).sum()


@pytest.mark.parametrize("side", [4, 9, 16, 25])
def test_turning_and_mirroring_are_what_pictures_do(side: int) -> None:
    grid = random_grid(3, side)

    np.testing.assert_array_equal(turn_right(side).apply(grid), np.rot90(grid, -1))
    np.testing.assert_array_equal(mirror(side).apply(grid), np.fliplr(grid))
    half = turn_right(side).compose(turn_right(side))
    np.testing.assert_array_equal(half.apply(grid), np.rot90(grid, 2))


def test_boxes_that_are_wider_than_high_are_never_transposed() -> None:
    assert not any(random_transformation(seed, 6).is_transposed for seed in range(50))
    with pytest.raises(ValueError, match="6×6 grid cannot be transposed"):
        turn_right(6)


@pytest.mark.parametrize(
    ("rows", "digits", "message"),
    [
        ((0, 1, 3, 2, 4, 5, 6, 7, 8), tuple(range(1, 10)), "tear a band"),
        ((0, 0, 2, 3, 4, 5, 6, 7, 8), tuple(range(1, 10)), "permutation of 0..8"),
        (tuple(range(9)), (1, 1, 2, 3, 4, 5, 6, 7, 8), "permutation of 1..9"),
        (tuple(range(8)), tuple(range(1, 9)), "got 8"),
    ],
)
def test_what_would_break_puzzles_is_refused(
    rows: tuple[int, ...], digits: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Transformation(rows, tuple(range(len(rows))), digits)


def test_a_grid_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="must have 9 rows, got 4"):
        identity().apply(np.zeros((4, 4), np.uint8))
    with pytest.raises(ValueError, match="sizes differ: 9 and 4"):
        identity().compose(identity(4))


def test_random_transformations_repeat_with_their_seed_only() -> None:
    assert random_transformation(1) == random_transformation(1)
    assert len({random_transformation(seed) for seed in range(20)}) == 20


@pytest.mark.slow
@settings(deadline=None)
@given(seed=seeds, text=texts)
def test_equivalent_puzzles_have_the_same_canonical_form(seed: int, text: str) -> None:
    puzzle = parse_grid(text)

    form = canonical_form(random_transformation(seed).apply(puzzle))

    np.testing.assert_array_equal(form, canonical_form(puzzle))


@settings(deadline=None, max_examples=50)
@given(seed=seeds, side=st.sampled_from([4, 6, 9, 16]))
def test_any_grid_of_any_size_has_a_canonical_form(seed: int, side: int) -> None:
    grid = random_grid(seed, side)

    form = canonical_form(random_transformation(seed, side).apply(grid))

    np.testing.assert_array_equal(form, canonical_form(grid))
    np.testing.assert_array_equal(canonical_form(form), form)


@settings(deadline=None)
@given(seed=seeds, text=texts)
def test_the_form_is_a_transformation_of_the_puzzle(seed: int, text: str) -> None:
    puzzle = random_transformation(seed).apply(parse_grid(text))

    form = canonical_form(puzzle)

    np.testing.assert_array_equal(to_canonical_form(puzzle).apply(puzzle), form)
    if text != BLANK:
        first = form[form > 0][0]
        assert first == 1


@settings(deadline=None)
@given(seed=seeds, cell=st.integers(0, 80), digit=st.integers(0, 9))
def test_forms_are_equal_only_if_a_transformation_leads_there(
    seed: int, cell: int, digit: int
) -> None:
    puzzle = parse_grid(HARD)
    other = random_transformation(seed).apply(puzzle)
    other[divmod(cell, 9)] = digit

    change = find_transformation(puzzle, other)

    is_same = np.array_equal(canonical_form(puzzle), canonical_form(other))
    assert (change is not None) == is_same
    if change is not None:
        np.testing.assert_array_equal(change.apply(puzzle), other)


def test_every_pair_of_small_grids_is_told_apart_as_trying_everything_does() -> None:
    lines = [p for p in itertools.permutations(range(4)) if p[0] // 2 == p[1] // 2]
    everything = [
        Transformation(rows, columns, (1, 2, 3, 4), transposed)
        for rows, columns, transposed in itertools.product(lines, lines, (False, True))
    ]

    def smallest(grid: Grid) -> bytes:
        found = []
        for change in everything:
            moved = change.apply(grid).ravel().tolist()
            labels = {0: 0}
            found.append(bytes(labels.setdefault(d, len(labels)) for d in moved))
        return min(found)

    random = np.random.default_rng(5)
    grids = []
    for n_clues in range(1, 6):
        for _ in range(40):
            grid = np.zeros(16, np.uint8)
            grid[random.choice(16, n_clues, replace=False)] = random.integers(1, 5, n_clues)
            grids.append(grid.reshape(4, 4))

    by_trial = [smallest(grid) for grid in grids]
    by_form = [canonical_form(grid).tobytes() for grid in grids]

    assert 20 < len(set(by_trial)) < len(grids)
    for (a, b), (c, d) in zip(
        itertools.combinations(by_trial, 2), itertools.combinations(by_form, 2), strict=True
    ):
        assert (a == b) == (c == d)


def test_a_symmetric_puzzle_has_one_form_though_two_ways_lead_there() -> None:
    puzzle = parse_grid(POINT_SYMMETRIC)
    lines = tuple(range(9))
    onto_itself = Transformation(lines[::-1], lines[::-1], tuple(range(9, 0, -1)))
    to_form = to_canonical_form(puzzle)

    other_way = onto_itself.compose(to_form)

    np.testing.assert_array_equal(onto_itself.apply(puzzle), puzzle)
    assert other_way != to_form
    np.testing.assert_array_equal(other_way.apply(puzzle), to_form.apply(puzzle))


def test_puzzles_of_other_shapes_are_not_equivalent() -> None:
    assert find_transformation(np.zeros((9, 9), np.uint8), np.zeros((4, 4), np.uint8)) is None


def test_many_forms_are_those_of_each() -> None:
    grids = [random_transformation(7).apply(parse_grid(t)) for t in (EASY, HARD, BLANK, CYCLIC)]

    forms = canonical_forms(np.array([grid.ravel() for grid in grids]))

    for grid, form in zip(grids, forms, strict=True):
        np.testing.assert_array_equal(canonical_form(grid).ravel(), form)
    with pytest.raises(ValueError, match=r"\(n, side²\), got \(2, 80\)"):
        canonical_forms(np.zeros((2, 80), np.uint8))


def test_forms_keep_solutions() -> None:
    form = canonical_form(parse_grid(CYCLIC))

    assert not check_solution(form, form)
    assert count_solutions(canonical_form(parse_grid(EASY))) == 1


def test_published_puzzles_are_all_different(shared_data: Path) -> None:
    lines = (shared_data / "puzzles" / "clues17.txt").read_text(encoding="utf-8").splitlines()
    puzzles = [item.grid for item in read_puzzles(lines[:1500]) if item.grid is not None]
    moved = [random_transformation(i).apply(puzzle) for i, puzzle in enumerate(puzzles)]

    forms = canonical_forms(np.array(puzzles).reshape(-1, 81))

    np.testing.assert_array_equal(canonical_forms(np.array(moved).reshape(-1, 81)), forms)
    assert len({form.tobytes() for form in forms}) == len(puzzles)


def test_forms_are_the_same_without_numba(project: Path) -> None:
    pytest.importorskip("numba", reason="the extra bulk is not installed")
    code = (
        "import importlib.util\n"
        "find_spec = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: (\n"
        "    None if name == 'numba' else find_spec(name, *rest))\n"
        "import sys\n"
        "from solver.grid import format_grid, parse_grid\n"
        "from solver.symmetry import canonical_form\n"
        "for text in sys.argv[1:]:\n"
        "    print(format_grid(canonical_form(parse_grid(text))))\n"
        "assert 'numba' not in sys.modules\n"
    )
    puzzles = [EASY, HARD, FEW_CLUES, POINT_SYMMETRIC, BLANK, CYCLIC]

    done = subprocess.run(
        [sys.executable, "-c", code, *puzzles],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )

    forms = [canonical_form(parse_grid(text)) for text in puzzles]
    for line, form in zip(done.stdout.split(), forms, strict=True):
        np.testing.assert_array_equal(parse_grid(line), form)
