"""Boards found in rendered scenes and real photos, and what must not be taken for one."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from arrays import Image8, Points
from board_styles import BOARD_STYLES
from present import present
from puzzles import EASY_SOLUTION_GRID

from app.recognition.kinds.other_sides import SIDES
from app.recognition.pipeline_options import PipelineOptions
from models.board_detector import BoardDetector
from training.pages.flat_board import BoardStyle, render_board
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import draw_shape
from training.rendered.filled_board import BoardLook
from training.rendered.rendered_photos import render_photo
from vision.board import corners_from_lattice, lattice_from_corners
from vision.finder.detect import BoardFinder, is_among
from vision.finder.line_pieces import build_pyramid, measure_pieces, score_classic
from vision.finder.snap import BoardCandidate
from vision.finder.views import Look
from vision.geometry import order_corners, quad_overlap
from vision.media.images import load_image

pytestmark = pytest.mark.slow


_GRID = np.array(
    [[int(c) for c in row] for row in (
        "530070000", "600195000", "098000060", "800060003", "400803001",
        "700020006", "060000280", "000419005", "000080079",
    )],
    np.uint8,
)  # fmt: skip


def _scene(
    homography: npt.NDArray[np.float64], style: BoardStyle, size: tuple[int, int] = (640, 480)
) -> tuple[Image8, Points]:
    """Return a board seen through a homography on a table of its paper's colour, with noise."""
    board, corners = render_board(_GRID, 400, style)
    blank = np.full_like(board, style.paper)
    cover = cv2.warpPerspective(blank, homography, size, borderValue=(0, 0, 0))
    seen = cv2.warpPerspective(board, homography, size, flags=cv2.INTER_AREA)
    table = np.full((size[1], size[0], 3), (92, 110, 120), np.uint8)
    photo = np.where(cover.any(axis=2, keepdims=True), seen, table)
    noise = np.random.default_rng(0).normal(0, 4, photo.shape)
    photo = np.clip(cv2.GaussianBlur(photo, (3, 3), 0) + noise, 0, 255).astype(np.uint8)
    return photo, cv2.perspectiveTransform(corners[None], homography)[0].astype(np.float32)


def _placed(degrees: float, scale: float, tilt: float = 0.0) -> npt.NDArray[np.float64]:
    """Return a homography that turns, scales and tilts a board into a 640×480 picture."""
    middle = np.array([[1, 0, -244.0], [0, 1, -244.0], [0, 0, 1]])
    turn = np.vstack([cv2.getRotationMatrix2D((0, 0), degrees, scale), [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, 1, 0], [0, tilt, 1]])
    back = np.array([[1, 0, 320.0], [0, 1, 240.0], [0, 0, 1]])
    return np.asarray(back @ lean @ turn @ middle)


def find_boards(photo: Image8, looks: Sequence[Look] = (Look.WHOLE,)) -> list[BoardCandidate]:
    """Return the boards that looks show, the surest first."""
    finder, found = BoardFinder(photo, BoardDetector.load()), list[BoardCandidate]()
    for look in looks:
        clear = [one.lattice for one in found if one.score > 0.8]
        found += finder.find(look, partial(is_among, known=clear))
    return sorted(found, key=lambda board: -board.score)


def _corner_error(candidate: BoardCandidate, corners: Points) -> float:
    """Return the distance of the worst corner, in cells."""
    cell = float(np.sqrt(abs(cv2.contourArea(corners)))) / 9
    ordered = order_corners(candidate.corners)
    return min(float(np.abs(np.roll(corners, k, axis=0) - ordered).max()) / cell for k in range(4))


def _leaning(degrees: float) -> npt.NDArray[np.float64]:
    """Return the homography of a camera that sees a board lean away from it."""
    lean, distance = np.radians(degrees), 1200.0
    camera = np.diag([distance, distance * np.cos(lean), distance])
    camera[2, 1] = np.sin(lean)
    middle = np.array([[1, 0, -244.0], [0, 1, -244.0], [0, 0, 1]])
    back = np.array([[1, 0, 320.0], [0, 1, 240.0], [0, 0, 1]])
    return np.asarray(back @ camera @ middle)


@pytest.mark.parametrize(
    "homography",
    [
        *(_placed(degrees, 0.7) for degrees in (-170, -100, -45, -20, 33, 45, 90)),
        *(_placed(10, 0.75, tilt) for tilt in (-1.5e-3, 1e-3, 1.5e-3)),
        _leaning(55),
    ],
)
def test_boards_that_are_turned_or_tilted_are_found(homography: npt.NDArray[np.float64]) -> None:
    photo, corners = _scene(homography, BOARD_STYLES["plain"])

    assert _corner_error(find_boards(photo, tuple(Look))[0], corners) < 0.15


def test_a_corner_that_is_a_line_aside_is_brought_back() -> None:
    photo, corners = _scene(_placed(45, 0.7), BOARD_STYLES["plain"])
    lattice = lattice_from_corners(corners)
    slipped = lattice.copy()
    slipped[8:, 6:] += 0.9 * (lattice[1, 0] - lattice[0, 0])

    found = BoardFinder(photo, BoardDetector.load()).snap(slipped)

    assert _corner_error(present(found), corners) < 0.15


def test_a_bent_board_is_followed_by_its_lattice() -> None:
    board, corners = render_board(_GRID, 400)
    y, x = np.mgrid[0 : board.shape[0], 0 : board.shape[1]].astype(np.float32)
    bend = 14 * np.sin(np.pi * (x - corners[0, 0]) / 400)
    photo = np.asarray(cv2.remap(board, x, y - bend, cv2.INTER_LINEAR, borderValue=(255,) * 3))

    lattice = find_boards(photo.astype(np.uint8))[0].lattice

    row, column = np.mgrid[0:10, 0:10]
    true_x = corners[0, 0] + column * 400 / 9
    true_y = corners[0, 1] + row * 400 / 9 + 14 * np.sin(np.pi * column / 9)
    assert np.abs(lattice - np.stack([true_x, true_y], axis=-1)).max() < 3


def test_a_board_cut_off_by_the_pictures_edge_at_its_border_is_found() -> None:
    board, corners = render_board(_GRID, 400, BoardStyle(margin=0.0))

    assert _corner_error(find_boards(board)[0], corners) < 0.15


@pytest.mark.parametrize("style", ["plain", "dark"])
def test_a_board_without_a_frame_is_found_by_the_lines_that_end_in_the_open(style: str) -> None:
    look = BOARD_STYLES[style]
    board, corners = render_board(_GRID, 400, look)
    first, last = corners[0].astype(int), corners[2].astype(int)
    cv2.rectangle(board, first.tolist(), last.tolist(), look.paper, 9)

    found = find_boards(board)[0]

    assert _corner_error(found, corners) < 0.25  # nothing holds its edges
    assert found.score > PipelineOptions().sure_score


def test_the_board_wins_over_a_table_beside_it_and_the_pages_edge() -> None:
    page = np.full((700, 1000, 3), 250, np.uint8)
    board, corners = render_board(_GRID, 360, BoardStyle(margin=0.5))
    page[100 : 100 + board.shape[0], 60 : 60 + board.shape[1]] = board
    for y in range(80, 641, 40):
        cv2.line(page, (560, y), (960, y), (0, 0, 0), 2)
    for x in range(560, 961, 200):
        cv2.line(page, (x, 80), (x, 640), (0, 0, 0), 2)
    desk = np.full((780, 1080, 3), (40, 60, 70), np.uint8)
    desk[40:-40, 40:-40] = page

    boards = find_boards(desk)

    assert _corner_error(boards[0], corners + np.array([100, 140], np.float32)) < 0.15
    assert all(board.score < 0.7 for board in boards[1:])


@pytest.mark.parametrize("heading_px", [60, 180])
def test_the_board_within_a_frame_that_holds_its_heading_too_is_shown_by_lines(
    heading_px: int,
) -> None:
    board, corners = render_board(_GRID, 360, BoardStyle(margin=0.3))
    page = np.full((520 + heading_px, 520, 3), 250, np.uint8)
    top, left = 40 + heading_px, 60
    page[top : top + board.shape[0], left : left + board.shape[1]] = board
    cv2.rectangle(page, (40, 20), (left + board.shape[1] + 20, top + board.shape[0] + 20), 0, 3)

    first = find_boards(page, (Look.LINES,))[0]

    assert first.score > 0.93
    assert _corner_error(first, corners + np.array([left, top], np.float32)) < 0.15


@pytest.mark.parametrize("degrees", [-80, -10, 0, 10, 80, 170])
def test_corners_go_clockwise_from_the_photos_top_left(degrees: float) -> None:
    photo, corners = _scene(_placed(degrees, 0.7), BOARD_STYLES["plain"])

    board = find_boards(photo)[0]

    assert np.abs(board.corners - order_corners(corners)).max() < 6
    np.testing.assert_array_equal(board.corners[1], board.lattice[0, 9])


@pytest.mark.parametrize("style", ["plain", "dark"])
def test_a_board_of_a_fifth_of_the_pictures_side_is_found(style: str) -> None:
    homography = np.diag([0.5, 0.5, 1.0])
    homography[:2, 2] = 560, 300
    photo, corners = _scene(homography, BOARD_STYLES[style], (1000, 750))

    assert _corner_error(find_boards(photo, tuple(Look))[0], corners) < 0.15


def test_a_dark_board_with_faint_lines_is_found_by_its_edge_on_a_page_of_dots() -> None:
    """As photographed from a screen: every other light thing on the page is clearer."""
    bare = replace(BOARD_STYLES["dark"], thin_width=0, thick_width=0, border_width=0, margin=0.2)
    board, corners = render_board(_GRID, 400, bare)
    for at in np.linspace(corners[0], corners[2], 10).round().astype(int).tolist():
        first, last = corners[[0, 2]].round().astype(int).tolist()
        cv2.line(board, (at[0], first[1]), (at[0], last[1]), (50, 50, 50), 2)
        cv2.line(board, (first[0], at[1]), (last[0], at[1]), (50, 50, 50), 2)
    page = np.full((480, 640, 3), 10, np.uint8)
    page[30:450, 30:] = 235
    for y in range(40, 440, 16):
        for x in (*range(40, 170, 16), *range(472, 640, 16)):
            cv2.circle(page, (x, y), 5, (20, 20, 20), -1)
    homography = _placed(4, 0.5)
    cover = cv2.warpPerspective(np.full_like(board, 255), homography, (640, 480))
    seen = cv2.warpPerspective(board, homography, (640, 480), flags=cv2.INTER_AREA)
    clear = cv2.GaussianBlur(np.where(cover > 0, seen, page), (0, 0), 1.0)
    noise = np.random.default_rng(0).normal(0, 3, clear.shape)

    found = find_boards(np.clip(0.65 * clear + noise, 0, 255).astype(np.uint8), tuple(Look))[0]

    place = cv2.perspectiveTransform(corners[None], homography)[0].astype(np.float32)
    assert found.is_inverted
    assert _corner_error(found, place) < 0.15


def test_every_board_of_a_page_of_nine_looks_is_found() -> None:
    names = [*sorted(BOARD_STYLES), "plain"]
    page = np.full((1020, 1020, 3), 255, np.uint8)
    places = []
    for index, name in enumerate(names):
        board, corners = render_board(_GRID, 260, replace(BOARD_STYLES[name], margin=0.4))
        top, left = 20 + index // 3 * 330, 20 + index % 3 * 330
        page[top : top + board.shape[0], left : left + board.shape[1]] = board
        places.append(corners + np.array([left, top], np.float32))

    boards = [board for board in find_boards(page, tuple(Look)) if board.score > 0.8]

    for place in places:
        assert min(_corner_error(board, place) for board in boards) < 0.15
    assert len(boards) == len(places)


def test_a_fold_across_a_board_is_followed_by_its_lattice() -> None:
    board, corners = render_board(_GRID, 400)
    y, x = np.mgrid[0 : board.shape[0], 0 : board.shape[1]].astype(np.float32)
    low = corners[0]
    fold = low[0] + 5.2 * 400 / 9
    photo = cv2.remap(
        board, x, y - 0.18 * np.abs(x - fold), cv2.INTER_LINEAR, borderValue=(255,) * 3
    )

    lattice = find_boards(np.asarray(photo, np.uint8))[0].lattice

    row, column = np.mgrid[0:10, 0:10]
    true_x = low[0] + column * 400 / 9
    true_y = low[1] + row * 400 / 9 + 0.18 * np.abs(true_x - fold)
    inside = true_y < photo.shape[0] - 10
    miss = np.hypot(lattice[..., 0] - true_x, lattice[..., 1] - true_y)[inside]
    assert miss.mean() < 0.06 * 400 / 9
    assert miss.max() < 0.2 * 400 / 9


def test_a_folded_board_of_another_side_shows_all_its_lines() -> None:
    shape = draw_shape("classic", 12, np.random.default_rng(0))
    look, blank = KindLook(BoardLook()), np.zeros((12, 12), np.uint8)
    flat = cv2.copyMakeBorder(
        print_board(shape, blank, (), 500, look).image, 60, 60, 60, 60,
        cv2.BORDER_CONSTANT, value=(255, 255, 255),
    )  # fmt: skip
    y, x = np.mgrid[0 : flat.shape[0], 0 : flat.shape[1]].astype(np.float32)
    bent = y - 0.1 * np.abs(x - 0.58 * flat.shape[1])
    photo = cv2.remap(flat, x, bent, cv2.INTER_LINEAR, borderValue=(255,) * 3)

    finder = BoardFinder(np.asarray(photo, np.uint8), BoardDetector.load())
    (found,) = finder.find_others(Look.WHOLE, SIDES)

    assert len(found.lattice) == 13
    assert found.score > 0.99


def test_paper_noise_and_letters_hold_no_convincing_board() -> None:
    rng = np.random.default_rng(3)
    blank = np.full((480, 640, 3), 230, np.uint8)
    noise = rng.integers(0, 256, (480, 640, 3), dtype=np.uint8)
    letters = blank.copy()
    for y in range(20, 480, 22):
        text = "".join(rng.choice(list("abcdefghijklmnopqr   "), 60))
        cv2.putText(letters, text, (10, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1)

    for picture in (blank, noise, letters):
        assert max((board.score for board in find_boards(picture)), default=0.0) < 0.7


def test_the_smallest_pictures_hold_no_board_and_do_no_harm() -> None:
    for shape in ((1, 1, 3), (2, 50, 3), (12, 12, 3)):
        assert find_boards(np.full(shape, 128, np.uint8)) == []


def test_one_look_locates_real_photos(shared_data: Path) -> None:
    with (shared_data / "photos" / "photos.csv").open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["corners"]][::12]

    missed = []
    for row in rows:
        label = np.array(
            [[float(n) for n in point.split(",")] for point in row["corners"].split()], np.float32
        )
        photo = load_image(shared_data / "photos" / row["file"])
        if not any(quad_overlap(one.corners, label) >= 0.8 for one in find_boards(photo)):
            missed.append(row["file"])

    assert len(rows) > 40
    assert missed == []


@pytest.mark.usefixtures("shared_data")
def test_faint_light_lines_on_a_dark_screen_are_found() -> None:
    pytest.importorskip("matplotlib")  # without its typefaces the seed gives another photo
    rendered = render_photo(level=3, seed=110027)

    best = find_boards(rendered.photo, tuple(Look))[0]

    truth = corners_from_lattice(rendered.boards[0].lattice)
    assert quad_overlap(best.corners, truth) > 0.95
    assert best.is_inverted


@pytest.mark.parametrize("shape", [(64, 200_000), (200_000, 64)])
def test_a_strip_that_shrinks_to_nothing_holds_no_board(shape: tuple[int, int]) -> None:
    strip = np.random.default_rng(5).integers(0, 256, shape, np.uint8)

    assert find_boards(strip) == []


def board_among_paper() -> tuple[npt.NDArray[np.uint8], Points]:
    """Return a full board in grey with wide paper around it, and its lattice."""
    board, corners = render_board(
        EASY_SOLUTION_GRID, 270, BoardStyle(thin_ink=(200, 200, 200), margin=2.0)
    )
    return np.asarray(board.mean(axis=2), np.uint8), lattice_from_corners(corners)


def test_lines_beyond_the_board_do_not_raise_the_score_of_the_true_lattice() -> None:
    grey, lattice = board_among_paper()

    maps = measure_pieces(build_pyramid(grey), lattice, False)

    assert 0.9 < score_classic(maps) <= 1
