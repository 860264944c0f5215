"""Grids of every size: written, read, and held against the rules."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from present import present
from puzzles import EASY, EASY_SOLUTION, pattern

from solver.charset import DIGIT_CHARS
from solver.grid import (
    PEERS,
    Fault,
    Grid,
    GridError,
    as_grid,
    check_solution,
    draw_grid,
    find_conflicts,
    format_grid,
    parse_grid,
    read_puzzles,
)
from solver.layout import ALL_SIZES, LAYOUTS, Layout

grids = hnp.arrays(np.uint8, (9, 9), elements=st.integers(0, 9))

SIDES = pytest.mark.parametrize("side", sorted(ALL_SIZES))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"

any_grids = st.sampled_from(sorted(ALL_SIZES)).flatmap(
    lambda side: hnp.arrays(np.uint8, (side, side), elements=st.integers(0, side))
)


@given(grids, st.sampled_from("0._*xX?-"))
def test_every_sign_for_an_empty_cell_is_understood(grid: Grid, sign: str) -> None:
    line = format_grid(grid).replace(".", sign)
    rows = "\n".join(line[start : start + 9] for start in range(0, 81, 9))

    np.testing.assert_array_equal(parse_grid(line), grid)
    if sign != "-" or (grid > 0).any(axis=1).all():
        np.testing.assert_array_equal(parse_grid(rows), grid)


ROWS = [EASY[start : start + 9] for start in range(0, 81, 9)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "\n".join([*ROWS[:3], rule, *ROWS[3:6], rule, *ROWS[6:]])
            for rule in ("------+-------+------", "---------", "-----------", "======")
        ),
        draw_grid(parse_grid(EASY)).translate(str.maketrans("|-+", "│─┼")),
        draw_grid(parse_grid(EASY)).replace(".", "-"),  # empty cells, as only that adds up
        " ".join(EASY),
    ],
)
def test_however_a_puzzle_is_drawn_it_is_that_puzzle(text: str) -> None:
    assert format_grid(parse_grid(text)) == EASY


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (EASY[:-1], "81 cells, but 80 were found; write every cell"),
        (EASY + "1", "81 cells, but 82 were found; write every cell"),
        ("", "81 cells, but 0 were found; write every cell"),
        (EASY[:9] + "\n" + EASY[9:11] + "a" + EASY[12:], "'a' in line 2, position 3 is no digit"),
        ("1" * 255, "a grid has 256 cells, but 255 were found"),
        ("..5" + "." * 13, "position 3 .* 4×4 grid; use .*1-4"),
        ("..7" + "." * 33, "position 3 .* 6×6 grid; use .*1-6"),
        ("..Q" + "." * 252 + "G", "position 3 .* 16×16 grid; use .*A-G"),
        ("..é" + "." * 621 + "P", "position 3 .* 25×25 grid; use .*A-P"),
    ],
)
def test_what_is_no_grid_is_refused_with_what_to_do(text: str, complaint: str) -> None:
    with pytest.raises(GridError, match=complaint):
        parse_grid(text)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        *(
            (np.zeros(shape, np.uint8), r"\(9, 9\), .* or \(25, 25\), got \(")
            for shape in ((81,), (9, 8), (12, 12), (9, 9, 1))
        ),
        (np.zeros((9, 9)), "must hold integers, got float64"),
        (np.full((9, 9), [-1] + [0] * 8), r"0\.\.9, got -1\.\.0"),
        (np.full((4, 4), [5, 1, 1, 1]), r"digits must be 0\.\.4, got 1\.\.5"),
    ],
)
def test_arrays_of_a_wrong_kind_are_refused(values: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        as_grid(values)


def changed(cell: int, digit: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    solution = parse_grid(EASY_SOLUTION).astype(np.int16)
    solution.flat[cell] = digit
    return solution


ROW = np.arange(9)
IN_COLUMN = parse_grid(EASY_SOLUTION)
IN_COLUMN[[0, 1], 0] = IN_COLUMN[[1, 0], 0]


@pytest.mark.parametrize(
    ("solution", "faults"),
    [
        (changed(0, 6), Fault.CLUE_CHANGED | Fault.ROW | Fault.COLUMN | Fault.BOX),
        (changed(2, 0), Fault.EMPTY_CELL),
        (changed(2, 10), Fault.OUT_OF_RANGE),
        (changed(2, -1), Fault.OUT_OF_RANGE),
        (np.tile(ROW + 1, (9, 1)), Fault.COLUMN | Fault.BOX | Fault.CLUE_CHANGED),
        (np.tile(ROW + 1, (9, 1)).T, Fault.ROW | Fault.BOX | Fault.CLUE_CHANGED),
        ((ROW[:, None] + ROW) % 9 + 1, Fault.BOX | Fault.CLUE_CHANGED),
        (IN_COLUMN, Fault.ROW | Fault.CLUE_CHANGED),
    ],
)
def test_what_is_wrong_with_a_solution_is_told(solution: Any, faults: Fault) -> None:
    assert check_solution(parse_grid(EASY), solution) == faults


def test_clues_and_solution_of_two_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"clues are \(4, 4\), but the solution is \(9, 9\)"):
        check_solution(pattern(4), pattern(9))


@given(grids)
def test_conflicts_are_the_cells_with_an_equal_peer(grid: Grid) -> None:
    digits = grid.ravel()
    expected = [digits[cell] > 0 and digits[cell] in digits[PEERS[cell]] for cell in range(81)]

    np.testing.assert_array_equal(find_conflicts(grid).ravel(), expected)


def test_a_file_of_lines_is_read_with_header_comments_and_columns() -> None:
    lines = [
        "quizzes,solutions\n",
        "# a comment\n",
        f"{EASY},{EASY_SOLUTION}\n",
        "\n",
        f"{EASY_SOLUTION};7.2\n",
        f"{EASY} {EASY_SOLUTION}",
    ]

    items = list(read_puzzles(lines))

    assert [item.number for item in items] == [3, 5, 6]
    assert [format_grid(item.grid) for item in items if item.grid is not None] == [
        EASY,
        EASY_SOLUTION,
        EASY,
    ]


def test_a_bad_line_yields_its_error_and_the_file_goes_on() -> None:
    lines = [EASY, EASY[:80], "not a puzzle", "12", EASY, "345"]

    items = list(read_puzzles(lines))

    assert [item.number for item in items] == [1, 2, 3, 4, 5, 6]
    assert [item.grid is None for item in items] == [False, True, True, True, False, True]
    assert ["81 cells" in str(items[i].error) for i in (1, 3, 5)] == [True] * 3
    assert "'n' at position 1" in str(items[2].error)


@pytest.mark.parametrize("empty", ["0", ".", "-", "_", "X"])
def test_an_sdk_file_is_one_puzzle(empty: str) -> None:
    text = EASY.replace(".", empty)
    rows = [text[start : start + 9] for start in range(0, 81, 9)]
    lines = ["#ANobody", "[Puzzle]", *rows, "[State]", *rows]

    (item,) = read_puzzles(lines)

    assert item.number == 3
    assert format_grid(present(item.grid)) == EASY


@pytest.mark.parametrize("line", [" ".join(EASY), "-" * 81])
def test_a_line_that_might_be_something_else_is_one_puzzle(line: str) -> None:
    (item,) = read_puzzles([line])

    np.testing.assert_array_equal(present(item.grid), parse_grid(line))


@pytest.mark.parametrize("drawing", ["|-+", "│─┼", "║═╬"])
def test_several_drawn_grids_in_a_file_are_told_apart(drawing: str) -> None:
    clues, solution = parse_grid(EASY), parse_grid(EASY_SOLUTION)
    text = "\n\n".join([draw_grid(clues), draw_grid(solution), draw_grid(clues)])
    text = text.translate(str.maketrans("|-+", drawing))

    items = list(read_puzzles(text.splitlines()))

    assert [item.number for item in items] == [2, 16, 30]
    assert all(item.grid is not None for item in items)


def test_a_list_of_lists_is_one_puzzle() -> None:
    rows = ",\n".join(str(row) for row in parse_grid(EASY).tolist())

    (item,) = read_puzzles(f"[\n{rows}\n]\n".splitlines())

    np.testing.assert_array_equal(present(item.grid), parse_grid(EASY))


@SIDES
def test_every_cell_has_three_units_and_is_its_peers_peer(side: int) -> None:
    layout = LAYOUTS[side]

    assert (np.bincount(layout.units.ravel()) == 3).all()
    for cell in range(layout.n_cells):
        in_units = set(layout.units[layout.units_of_cell[cell]].ravel().tolist())
        assert in_units - {cell} == set(layout.peers[cell].tolist())
        assert all((layout.units[unit] == cell).any() for unit in layout.units_of_cell[cell])


def test_boxes_of_a_six_by_six_grid_have_two_rows_and_three_columns() -> None:
    assert LAYOUTS[6] == Layout(box_rows=2, box_columns=3)
    assert LAYOUTS[6].boxes[1].tolist() == [3, 4, 5, 9, 10, 11]
    assert LAYOUTS[6].boxes[2].tolist() == [12, 13, 14, 18, 19, 20]


@given(any_grids)
def test_a_formatted_or_drawn_grid_of_any_size_parses_back(grid: Grid) -> None:
    np.testing.assert_array_equal(parse_grid(format_grid(grid)), grid)
    np.testing.assert_array_equal(parse_grid(format_grid(grid).lower()), grid)
    np.testing.assert_array_equal(parse_grid(draw_grid(grid, grid)), grid)
    np.testing.assert_array_equal(parse_grid(draw_grid(grid)), grid)


@given(any_grids)
def test_numbers_with_blanks_or_commas_between_them_parse(grid: Grid) -> None:
    np.testing.assert_array_equal(parse_grid(str(grid.tolist())), grid)
    np.testing.assert_array_equal(parse_grid(" ".join(map(str, grid.ravel().tolist()))), grid)


@pytest.mark.parametrize("side", [16, 25])
def test_large_grids_are_written_in_several_ways(side: int) -> None:
    grid = pattern(side)
    grid[::3, ::2] = 0
    usual = format_grid(grid)

    letters = "".join("." if digit == 0 else LETTERS[digit - 1] for digit in grid.ravel())
    last_is_nought = usual.replace(DIGIT_CHARS[side - 1], "0")

    for text in (letters, last_is_nought, usual.replace(".", "0")):
        np.testing.assert_array_equal(parse_grid(text), grid)


@SIDES
def test_a_right_solution_of_any_size_has_no_fault_and_a_wrong_one_has(side: int) -> None:
    solution = pattern(side)
    wrong = solution.copy()
    wrong[0, [0, side - 1]] = wrong[0, [side - 1, 0]]

    assert not check_solution(solution, solution)
    assert not find_conflicts(solution).any()
    assert check_solution(np.zeros_like(wrong), wrong) == Fault.COLUMN | Fault.BOX
    assert find_conflicts(wrong)[0, [0, side - 1]].all()


@SIDES
def test_puzzles_of_every_size_are_read_from_a_file_line_by_line(side: int) -> None:
    puzzle = pattern(side)
    puzzle[::2, ::3] = 0
    line = f"{format_grid(puzzle)},{format_grid(pattern(side))}"

    items = list(read_puzzles(["puzzle,solution", line, format_grid(puzzle)]))

    assert [item.number for item in items] == [2, 3]
    for item in items:
        np.testing.assert_array_equal(present(item.grid), puzzle)


@SIDES
@pytest.mark.parametrize("form", ["plain", "drawn", "numbers"])
def test_puzzles_of_every_size_are_read_from_a_file_row_by_row(side: int, form: str) -> None:
    puzzle = pattern(side)
    puzzle[::2, ::3] = 0
    plain = [format_grid(puzzle)[start : start + side] for start in range(0, side**2, side)]
    rows = {
        "plain": plain,
        "drawn": draw_grid(puzzle).splitlines(),
        "numbers": [" ".join(map(str, row)) for row in puzzle.tolist()],
    }[form]

    items = list(read_puzzles([*rows, "", *rows]))

    assert len(items) == 2
    for item in items:
        np.testing.assert_array_equal(present(item.grid), puzzle)


def test_sixteen_small_puzzles_in_a_row_are_not_one_large_one() -> None:
    puzzle = pattern(4)
    puzzle[0] = 0

    items = list(read_puzzles([format_grid(puzzle)] * 20))

    assert [item.number for item in items] == list(range(1, 21))
    assert all(item.grid is not None and item.grid.shape == (4, 4) for item in items)
