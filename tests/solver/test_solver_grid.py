"""Grids of every size: written, read, and held against the rules."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from puzzles import EASY, EASY_SOLUTION

from solver.grid import (
    PEERS,
    UNITS,
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
from solver.layout import ALL_SIZES, LAYOUTS, Layout, layout_of
from solver.signs import SIGNS

grids = hnp.arrays(np.uint8, (9, 9), elements=st.integers(0, 9))

SIDES = pytest.mark.parametrize("side", sorted(ALL_SIZES))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"

any_grids = st.sampled_from(sorted(ALL_SIZES)).flatmap(
    lambda side: hnp.arrays(np.uint8, (side, side), elements=st.integers(0, side))
)


def test_every_cell_has_twenty_peers_and_three_units() -> None:
    assert PEERS.shape == (81, 20)
    assert np.bincount(UNITS.ravel()).tolist() == [3] * 81
    assert set(PEERS[0]) == {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20, 27, 36, 45, 54, 63, 72}


@given(grids, grids)
def test_a_grid_that_is_drawn_with_other_clues_parses_back(grid: Grid, clues: Grid) -> None:
    np.testing.assert_array_equal(parse_grid(draw_grid(grid, clues)), grid)


@given(grids, st.sampled_from("0._*xX?-"))
def test_every_sign_for_an_empty_cell_is_understood(grid: Grid, sign: str) -> None:
    line = format_grid(grid).replace(".", sign)
    rows = "\n".join(line[start : start + 9] for start in range(0, 81, 9))

    np.testing.assert_array_equal(parse_grid(line), grid)
    if sign != "-" or (grid > 0).any(axis=1).all():
        np.testing.assert_array_equal(parse_grid(rows), grid)


@pytest.mark.parametrize("rule", ["------+-------+------", "---------", "-----------", "======"])
def test_lines_of_dashes_between_rows_are_no_cells(rule: str) -> None:
    rows = [EASY[start : start + 9] for start in range(0, 81, 9)]
    text = "\n".join([*rows[:3], rule, *rows[3:6], rule, *rows[6:]])

    assert format_grid(parse_grid(text)) == EASY


def test_a_grid_in_unicode_boxes_parses() -> None:
    text = draw_grid(parse_grid(EASY)).translate(str.maketrans("|-+", "│─┼"))

    assert format_grid(parse_grid(text)) == EASY


def test_dashes_inside_drawn_rows_are_empty_cells_when_only_that_adds_up() -> None:
    text = draw_grid(parse_grid(EASY)).replace(".", "-")

    assert format_grid(parse_grid(text)) == EASY


@pytest.mark.parametrize(("text", "found"), [(EASY[:-1], 80), (EASY + "1", 82), ("", 0)])
def test_another_number_of_cells_is_refused_with_the_number(text: str, found: int) -> None:
    with pytest.raises(GridError, match=rf"81 cells, but {found} were found; write every cell"):
        parse_grid(text)


def test_a_letter_is_refused_with_its_place() -> None:
    with pytest.raises(GridError, match="'a' in line 2, position 3 is no digit"):
        parse_grid(EASY[:9] + "\n" + EASY[9:11] + "a" + EASY[12:])


def test_grids_of_a_wrong_kind_are_refused() -> None:
    with pytest.raises(ValueError, match=r"must be .*\(9, 9\).*, got \(81,\)"):
        as_grid(np.zeros(81, np.uint8))
    with pytest.raises(ValueError, match="must hold integers, got float64"):
        as_grid(np.zeros((9, 9)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"0\.\.9, got -1\.\.0"):
        as_grid(np.full((9, 9), [-1] + [0] * 8))


@pytest.mark.parametrize(
    ("cell", "digit", "faults"),
    [
        (0, 6, Fault.CLUE_CHANGED | Fault.ROW | Fault.COLUMN | Fault.BOX),
        (2, 0, Fault.EMPTY_CELL),
        (2, 10, Fault.OUT_OF_RANGE),
        (2, -1, Fault.OUT_OF_RANGE),
    ],
)
def test_one_wrong_cell_is_told(cell: int, digit: int, faults: Fault) -> None:
    solution = parse_grid(EASY_SOLUTION).astype(np.int16)
    solution.flat[cell] = digit

    assert check_solution(parse_grid(EASY), solution) == faults


def test_faults_of_rows_columns_and_boxes_are_told_apart() -> None:
    empty = np.zeros((9, 9), np.uint8)
    row = np.arange(9)
    same_rows = np.tile(row + 1, (9, 1))
    boxes_wrong = (row[:, None] + row) % 9 + 1
    rows_wrong = parse_grid(EASY_SOLUTION)
    rows_wrong[[0, 1], 0] = rows_wrong[[1, 0], 0]

    assert check_solution(empty, same_rows) == Fault.COLUMN | Fault.BOX
    assert check_solution(empty, same_rows.T) == Fault.ROW | Fault.BOX
    assert check_solution(empty, boxes_wrong) == Fault.BOX
    assert check_solution(empty, rows_wrong) == Fault.ROW


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
    assert "'n' in line 1, position 1" in str(items[2].error)


@pytest.mark.parametrize("empty", ["0", ".", "-", "_", "X"])
def test_an_sdk_file_is_one_puzzle(empty: str) -> None:
    text = EASY.replace(".", empty)
    rows = [text[start : start + 9] for start in range(0, 81, 9)]
    lines = ["#ANobody", "[Puzzle]", *rows, "[State]", *rows]

    (item,) = read_puzzles(lines)

    assert item.number == 3
    assert item.grid is not None
    assert format_grid(item.grid) == EASY


def test_several_drawn_grids_in_a_file_are_told_apart() -> None:
    clues, solution = parse_grid(EASY), parse_grid(EASY_SOLUTION)
    text = "\n\n".join([draw_grid(clues), draw_grid(solution), draw_grid(clues)])

    items = list(read_puzzles(text.splitlines()))

    assert [item.number for item in items] == [2, 16, 30]
    assert all(item.grid is not None for item in items)


def test_a_line_with_blanks_between_its_cells_is_one_puzzle() -> None:
    (item,) = read_puzzles([" ".join(EASY)])

    assert item.grid is not None
    assert format_grid(item.grid) == EASY


def test_an_empty_board_of_dashes_is_one_puzzle() -> None:
    (item,) = read_puzzles(["-" * 81])

    assert item.grid is not None
    assert not item.grid.any()


def pattern(side: int) -> Grid:
    """Return the plainest full grid: every row is shifted against the one above."""
    layout = LAYOUTS[side]
    row = np.arange(side)[:, None]
    shift = row * layout.box_columns + row // layout.box_rows
    return ((shift + np.arange(side)) % side + 1).astype(np.uint8)


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


@pytest.mark.parametrize("shape", [(81,), (9, 8), (12, 12), (9, 9, 1)])
def test_a_shape_that_no_grid_has_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"\(9, 9\), .* or \(25, 25\), got \("):
        layout_of(np.zeros(shape, np.uint8))


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
def test_letters_alone_count_from_a(side: int) -> None:
    grid = pattern(side)
    grid[::3, ::2] = 0
    text = "".join("." if digit == 0 else LETTERS[digit - 1] for digit in grid.ravel())

    np.testing.assert_array_equal(parse_grid(text), grid)


@pytest.mark.parametrize("side", [16, 25])
def test_a_nought_beside_other_empty_signs_is_the_last_digit(side: int) -> None:
    grid = pattern(side)
    grid[::3, ::2] = 0

    np.testing.assert_array_equal(parse_grid(format_grid(grid).replace(SIGNS[side - 1], "0")), grid)


def test_a_nought_is_an_empty_cell_where_no_other_sign_is() -> None:
    grid = pattern(16)
    grid[::3, ::2] = 0

    np.testing.assert_array_equal(parse_grid(format_grid(grid).replace(".", "0")), grid)


@pytest.mark.parametrize(
    ("side", "sign", "advice"),
    [(4, "5", "1-4"), (6, "7", "1-6"), (16, "Q", "A-G"), (25, "é", "A-P")],
)
def test_a_sign_that_the_size_does_not_have_is_refused(side: int, sign: str, advice: str) -> None:
    text = format_grid(pattern(side))

    with pytest.raises(GridError, match=rf"position 3 .* {side}×{side} grid; use .*{advice}"):
        parse_grid(text[:2] + sign + text[3:])


def test_a_large_grid_with_a_cell_too_few_is_told_what_it_lacks() -> None:
    with pytest.raises(GridError, match="a grid has 256 cells, but 255 were found"):
        parse_grid(format_grid(pattern(16))[1:])


@SIDES
def test_a_right_solution_of_any_size_has_no_fault_and_a_wrong_one_has(side: int) -> None:
    solution = pattern(side)
    wrong = solution.copy()
    wrong[0, [0, side - 1]] = wrong[0, [side - 1, 0]]

    assert not check_solution(solution, solution)
    assert not find_conflicts(solution).any()
    assert check_solution(np.zeros_like(wrong), wrong) == Fault.COLUMN | Fault.BOX
    assert find_conflicts(wrong)[0, [0, side - 1]].all()


def test_a_digit_beyond_the_side_is_out_of_range() -> None:
    solution = pattern(4)
    solution[0, 0] = 5

    assert check_solution(pattern(4), solution) & Fault.OUT_OF_RANGE
    with pytest.raises(ValueError, match=r"digits must be 0\.\.4, got 1\.\.5"):
        as_grid(solution)


def test_clues_and_solution_of_two_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"clues are \(4, 4\), but the solution is \(9, 9\)"):
        check_solution(pattern(4), pattern(9))


@SIDES
def test_puzzles_of_every_size_are_read_from_a_file_line_by_line(side: int) -> None:
    puzzle = pattern(side)
    puzzle[::2, ::3] = 0
    line = f"{format_grid(puzzle)},{format_grid(pattern(side))}"

    items = list(read_puzzles(["puzzle,solution", line, format_grid(puzzle)]))

    assert [item.number for item in items] == [2, 3]
    for item in items:
        assert item.grid is not None
        np.testing.assert_array_equal(item.grid, puzzle)


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
        assert item.grid is not None
        np.testing.assert_array_equal(item.grid, puzzle)


def test_sixteen_small_puzzles_in_a_row_are_not_one_large_one() -> None:
    puzzle = pattern(4)
    puzzle[0] = 0

    items = list(read_puzzles([format_grid(puzzle)] * 20))

    assert [item.number for item in items] == list(range(1, 21))
    assert all(item.grid is not None and item.grid.shape == (4, 4) for item in items)
