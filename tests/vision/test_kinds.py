"""What a board shows of its kind, thick lines and marks, and how large its digits are."""

from itertools import cycle

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from kind_puzzles import kind_photo
from present import present

from solver.decoding.regions import decode_regions
from solver.rules import Kind, box_rules
from training.pages.flat_board import BoardStyle, make_puzzle, render_board
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import Shape, box_regions
from training.rendered.filled_board import BoardLook
from training.rendered.kind_photos import KindPhoto
from vision.board import (
    cut_cells,
    cut_middles,
    lattice_from_corners,
    rectify,
    show_board,
    turn_cells,
)
from vision.digit_size import PLACED, cut_digits, find_digits
from vision.geometry import Image8
from vision.kinds.drawn_lines import erase_diagonals, has_drawn_diagonals
from vision.kinds.line_weights import LineWeights, is_dark, weigh_lines
from vision.kinds.markings import (
    CELL_PX,
    PaperSteps,
    is_outlined,
    is_tinted,
    may_be_tinted,
    measure_steps,
)

pytestmark = pytest.mark.slow


def marks_of(kind: Kind) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    marked = np.zeros((9, 9), np.bool_)
    for unit in box_rules(9, kind).added_units:
        marked.flat[list(unit)] = True
    return marked


def board_of(shown: KindPhoto) -> Image8:
    return rectify(shown.photo, shown.lattice)


def steps_of(board: Image8) -> PaperSteps:
    return measure_steps(board[2:-2, 2:-2, None], is_dark=is_dark(board))


@pytest.fixture
def classic() -> Image8:
    image, corners = render_board(make_puzzle(3, 28).clues, 400)
    return rectify(image, lattice_from_corners(corners))


@pytest.mark.parametrize("seed", [1, 2, 4, 5])
def test_thick_lines_of_a_photo_tell_the_regions(seed: int) -> None:
    shown = kind_photo(Kind.JIGSAW, 2, seed)

    found = present(decode_regions(*weigh_lines(board_of(shown))))

    assert set(found) == set(shown.puzzle.rules.regions)


def test_a_photo_that_lies_on_its_side_shows_the_same_lines() -> None:
    board = board_of(kind_photo(Kind.JIGSAW, 2, 1))
    right, below = weigh_lines(board)
    turned = weigh_lines(np.ascontiguousarray(np.rot90(board)))

    assert turned.below == pytest.approx(np.rot90(right), abs=0.02)
    assert turned.right == pytest.approx(np.rot90(below), abs=0.02)


def test_the_boxes_of_a_classic_board_are_its_regions(classic: Image8) -> None:
    found = present(decode_regions(*weigh_lines(classic)))

    assert set(found) == set(box_rules(9).regions)


@pytest.mark.parametrize("light", [1.0, 0.3, 0.15])
def test_paper_in_little_light_is_not_taken_for_dark(classic: Image8, light: float) -> None:
    assert not is_dark((classic * light).astype(np.uint8))
    assert is_dark(((255 - classic) * light).astype(np.uint8))


def test_a_classic_board_shows_no_marks(classic: Image8) -> None:
    assert not has_drawn_diagonals(classic)
    assert not is_tinted(steps_of(classic), marks_of(Kind.DIAGONAL))
    assert not is_tinted(steps_of(classic), marks_of(Kind.WINDOKU))


@pytest.mark.parametrize("kind", [Kind.DIAGONAL, Kind.WINDOKU])
def test_marks_of_photos_are_seen_and_never_those_of_another_kind(kind: Kind) -> None:
    other = Kind.WINDOKU if kind is Kind.DIAGONAL else Kind.DIAGONAL

    for seed in range(6):
        shown = kind_photo(kind, 3, seed)
        board = board_of(shown)
        steps = measure_steps(
            show_board(shown.photo, shown.lattice, CELL_PX), is_dark=is_dark(board)
        )

        assert has_drawn_diagonals(board) or is_tinted(steps, marks_of(kind))
        assert not is_tinted(steps, marks_of(other))


def test_colours_are_worth_a_look_where_windows_are_seen_in_grey() -> None:
    shown = kind_photo(Kind.WINDOKU, 3, 2)

    assert may_be_tinted(steps_of(board_of(shown)), marks_of(Kind.WINDOKU))
    assert not may_be_tinted(steps_of(board_of(shown)), marks_of(Kind.DIAGONAL))


def test_a_shadow_across_a_board_is_no_mark_and_hides_none(classic: Image8) -> None:
    windows = np.kron(marks_of(Kind.WINDOKU), np.ones((28, 28), np.bool_))
    marked = classic.copy()
    marked[2:-2, 2:-2][windows] = (marked[2:-2, 2:-2][windows] * 0.9).astype(np.uint8)
    for board in (classic, marked):
        board[60:, :150] = (board[60:, :150] * 0.7).astype(np.uint8)

    assert not is_tinted(steps_of(classic), marks_of(Kind.DIAGONAL))
    assert not is_tinted(steps_of(classic), marks_of(Kind.WINDOKU))
    assert is_tinted(steps_of(marked), marks_of(Kind.WINDOKU))


@pytest.mark.parametrize("is_inverted", [False, True])
@pytest.mark.parametrize(("width", "grey"), [(0.05, 20), (0.1, 130)])
def test_lines_around_windows_mark_them(width: float, grey: int, is_inverted: bool) -> None:
    boxes = box_regions(3, 3)
    look = KindLook(BoardLook(), cage_colour=(grey,) * 3, window_width=width)
    clues, windows = make_puzzle(3, 28).clues, marks_of(Kind.WINDOKU)
    shapes = [Shape("windoku", boxes, windows=one) for one in (windows, None)]
    printed = [print_board(shape, clues, (), 400, look) for shape in shapes]
    images = [255 - one.image if is_inverted else one.image for one in printed]

    lines = [weigh_lines(rectify(image, printed[0].lattices[0])) for image in images]

    assert is_outlined(lines[0], windows, boxes)
    assert not is_outlined(lines[1], windows, boxes)


def weigh_outlines(lighter: float, where: npt.NDArray[np.bool_]) -> LineWeights:
    """Return the weights of a board whose lines around some cells are so much lighter."""
    right, below = (np.diff(where.astype(int), axis=axis) != 0 for axis in (1, 0))
    right, below = (np.where(one, 0.6 - lighter, 0.6) for one in (right, below))
    return LineWeights(right.astype(np.float32), below.astype(np.float32))


@pytest.mark.parametrize("lighter", [-0.4, 0.4])
def test_windows_are_outlined_by_heavier_or_by_lighter_lines(lighter: float) -> None:
    windows = marks_of(Kind.WINDOKU)

    assert is_outlined(weigh_outlines(lighter, windows), windows, box_regions(3, 3))


def test_lines_that_are_heavier_elsewhere_too_outline_no_windows() -> None:
    windows = marks_of(Kind.WINDOKU)
    lines = weigh_outlines(-0.4, windows)
    lines.right[:, 1] += 0.4
    lines.below[1] += 0.4

    assert not is_outlined(lines, windows, box_regions(3, 3))


def test_lines_that_are_hardly_heavier_outline_no_windows() -> None:
    windows = marks_of(Kind.WINDOKU)

    assert not is_outlined(weigh_outlines(-0.05, windows), windows, box_regions(3, 3))


def test_two_windows_that_a_player_outlined_are_no_kind() -> None:
    windows, upper = marks_of(Kind.WINDOKU), marks_of(Kind.WINDOKU)
    upper[4:] = False

    assert not is_outlined(weigh_outlines(-0.4, upper), windows, box_regions(3, 3))


@pytest.mark.parametrize("is_inverted", [False, True])
def test_cells_are_freed_from_the_lines_of_diagonals(classic: Image8, is_inverted: bool) -> None:
    crossed = classic.copy()
    ends = 2, len(classic) - 3
    cv2.line(crossed, (ends[0], ends[0]), (ends[1], ends[1]), 60, 1, cv2.LINE_AA)
    cv2.line(crossed, (ends[0], ends[1]), (ends[1], ends[0]), 60, 1, cv2.LINE_AA)
    as_shown = 255 - crossed if is_inverted else crossed
    own = [*range(0, 81, 10), *range(8, 73, 8)]
    clean = cut_cells(255 - classic if is_inverted else classic).astype(int)
    inner = slice(6, -6)  # where lines of the board are not crossed
    empty = [cell for cell in own if clean[cell, inner, inner].std() < 1]

    freed = erase_diagonals(cut_cells(as_shown), is_dark=is_inverted).astype(int)

    before = np.abs(cut_cells(as_shown) - clean)[:, inner, inner]
    after = np.abs(freed - clean)[:, inner, inner]
    others = np.setdiff1d(np.arange(81), own)
    assert has_drawn_diagonals(as_shown)
    assert after[empty].mean() < 0.1 * before[empty].mean()
    assert np.array_equal(freed[others], cut_cells(as_shown)[others])


def test_digits_of_a_usual_size_are_not_enlarged(classic: Image8) -> None:
    assert find_digits(cut_cells(classic)) == PLACED


@pytest.mark.parametrize("height", [0.22, 0.3])
def test_small_digits_are_enlarged_to_a_usual_size(height: float) -> None:
    style = BoardStyle(digit_height=height)
    image, corners = render_board(make_puzzle(3, 28).clues, 900, style)
    lattice = lattice_from_corners(corners)

    placed = find_digits(cut_cells(rectify(image, lattice)))

    assert placed.zoom == pytest.approx(0.42 / height, rel=0.2)
    assert find_digits(cut_digits(image, lattice, placed)) == PLACED


def test_small_old_style_figures_are_enlarged_though_they_are_not_of_one_height() -> None:
    image = np.full((900, 900), 255, np.uint8)
    image[::100] = image[:, ::100] = 0
    # Some reach from the base line to the middle, some above it, and some hang below.
    for cell, (top, bottom) in zip(range(0, 81, 2), cycle([(45, 67), (34, 67), (45, 78)])):
        row, column = divmod(cell, 9)
        image[100 * row + top : 100 * row + bottom, 100 * column + 43 : 100 * column + 57] = 0
    lattice = lattice_from_corners(np.array([[0, 0], [900, 0], [900, 900], [0, 900]], np.float32))

    placed = find_digits(cut_cells(rectify(image, lattice)))

    assert placed[1:] == (0, 0)
    assert placed.zoom == pytest.approx(0.42 / 0.33, rel=0.15)


@pytest.mark.parametrize("turns", [0, 2])
def test_digits_in_the_corners_of_cells_are_put_in_the_middle(turns: int) -> None:
    image = np.full((900, 900), 255, np.uint8)
    image[::100] = image[:, ::100] = 0
    for cell in range(0, 81, 2):
        row, column = divmod(cell, 9)
        # Middles lie 20 px to the right and 15 px below those of the cells.
        image[100 * row + 45 : 100 * row + 85, 100 * column + 60 : 100 * column + 80] = 0
    lattice = lattice_from_corners(np.array([[0, 0], [900, 0], [900, 900], [0, 900]], np.float32))

    placed = find_digits(cut_cells(rectify(image, lattice)))
    turned = find_digits(cut_cells(np.ascontiguousarray(np.rot90(rectify(image, lattice), turns))))

    assert placed[1:] == pytest.approx((0.2, 0.15), abs=0.03)
    assert turned == pytest.approx(placed.turn(turns), abs=0.03)
    cells = cut_digits(image, lattice, placed)
    assert find_digits(cells).is_usual
    assert (cells[:, :5] == 255).all()


def test_the_middles_of_cells_are_the_cells_themselves_without_a_zoom() -> None:
    image, corners = render_board(make_puzzle(3, 28).clues, 600)
    lattice = lattice_from_corners(corners)
    cells, middles = cut_cells(rectify(image, lattice)), cut_middles(image, lattice, 1.0)

    assert np.abs(cells.astype(int) - middles.astype(int)).mean() < 1


@pytest.mark.parametrize("turns", range(4))
def test_turned_cells_are_those_of_the_turned_board(classic: Image8, turns: int) -> None:
    turned = cut_cells(np.ascontiguousarray(np.rot90(classic, turns)))

    assert np.array_equal(turn_cells(cut_cells(classic), turns), turned)
