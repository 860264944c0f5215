"""Boards of a photo, found by a detector whose answers are given."""

import cv2
import numpy as np
import pytest
from arrays import Image8
from detector_rig import GivenDetector, seen_whole
from present import present

from models.board_detector import INPUT_PX
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import draw_grid, draw_shape
from training.rendered.filled_board import BoardLook
from training.rendered.rendered_photos import render_photo
from vision.board import corners_from_lattice, resample_lattice, turn_lattice
from vision.finder.detect import BoardFinder
from vision.finder.snap import BoardCandidate
from vision.finder.views import Look
from vision.geometry import Points

PHOTO_PX = 2 * INPUT_PX


def paste_board(photo: Image8, side: int, left: int, top: int, px: int) -> Points:
    rng = np.random.default_rng(side)
    shape = draw_shape("classic", side, rng)
    clues = np.where(rng.random((side, side)) < 0.4, draw_grid(shape, rng), 0).astype(np.uint8)
    printed = print_board(shape, clues, (), px, KindLook(BoardLook()))
    grey = cv2.cvtColor(printed.image, cv2.COLOR_BGR2GRAY)
    photo[top : top + len(grey), left : left + len(grey)] = grey
    return np.asarray(printed.lattices[0] + np.array([left, top]), np.float32)


def show_board(side: int = 9) -> tuple[Image8, Points]:
    """Return a photo of one board, and its lattice."""
    photo = np.full((PHOTO_PX, PHOTO_PX), 255, np.uint8)
    return photo, paste_board(photo, side, 120, 90, 360)


def find(photo: Image8, detector: GivenDetector, look: Look = Look.WHOLE) -> list[BoardCandidate]:
    return list(BoardFinder(photo, detector).find(look))


def farthest(found: BoardCandidate, lattice: Points) -> float:
    cell = np.linalg.norm(lattice[0, 1] - lattice[0, 0])
    return float(np.linalg.norm(found.lattice - lattice, axis=2).max() / cell)


def test_a_board_is_found_lazily_by_one_look_and_snapped_to_its_lines() -> None:
    photo, lattice = show_board()
    detector = GivenDetector([seen_whole(lattice, photo)])
    finder = BoardFinder(photo, detector)

    boards = finder.find(Look.WHOLE)
    assert detector.shown == []
    (found,) = boards
    (again,) = finder.find(Look.WHOLE)

    assert len(detector.shown) == 1
    assert np.array_equal(again.lattice, found.lattice)
    assert farthest(found, lattice) < 0.05
    assert found.score > 0.9
    assert not found.is_inverted
    assert list(finder.find(Look.WHOLE, lambda _: True)) == []  # all of it is known


def test_two_boards_of_different_sides_are_yielded_once_each() -> None:
    photo = np.full((PHOTO_PX, PHOTO_PX), 255, np.uint8)
    lattices = [paste_board(photo, 9, 10, 20, 280), paste_board(photo, 6, 330, 330, 240)]
    seen = [seen_whole(lattice, photo) for lattice in lattices]

    finder = BoardFinder(photo, GivenDetector(seen))

    found = finder.find_counted(Look.WHOLE, (9, 6))

    assert sorted(len(board.lattice) - 1 for board in found) == [6, 9]


def test_a_board_that_lacks_lines_is_looked_at_from_near() -> None:
    photo = np.full((PHOTO_PX, PHOTO_PX // 2), 200, np.uint8)
    lattice = paste_board(photo, 9, 40, 60, 180)
    photo[80:, 150:] = 200
    seen = ((lattice + 0.5) / 2 - 0.5).astype(np.float32) + np.array([INPUT_PX / 4, 0], np.float32)
    detector = GivenDetector([seen.astype(np.float32)])

    find(photo, detector)

    whole, near = detector.shown[:2]
    ink = [np.argwhere(picture < 120) for picture in (whole, near)]
    extents = [np.ptp(points, axis=0).max() for points in ink]
    assert extents[0] == pytest.approx(90, abs=6)
    assert extents[1] == pytest.approx(0.8 * INPUT_PX, rel=0.05)


@pytest.mark.parametrize(("look", "views"), [(Look.WHOLE, 1), (Look.TURNED, 1), (Look.PARTS, 9)])
def test_a_photo_without_boards_yields_none_by_any_look(look: Look, views: int) -> None:
    detector = GivenDetector()

    assert find(np.zeros((300, 500), np.uint8), detector, look) == []
    assert len(detector.shown) == views


def test_a_small_board_is_large_in_the_part_that_shows_it() -> None:
    photo = np.full((4 * INPUT_PX, 4 * INPUT_PX), 255, np.uint8)
    lattice = paste_board(photo, 9, 700, 720, 160)
    # The middle one of nine parts, a half of the photo each way, shows it at half its size.
    seen = ((lattice - 320 + 0.5) / 2 - 0.5).astype(np.float32)
    detector = GivenDetector([], [], [], [], [seen])

    (found,) = find(photo, detector, Look.PARTS)

    assert farthest(found, lattice) < 0.05


@pytest.mark.parametrize("side", [6, 8, 9, 12, 16])
def test_a_clear_board_is_found_at_first_sight_with_its_own_side_alone(side: int) -> None:
    photo, lattice = show_board(side)
    as_nine = seen_whole(resample_lattice(lattice, 9), photo)
    finder = BoardFinder(photo, GivenDetector([as_nine]))

    nines = list(finder.find_clear(Look.WHOLE))
    others = list(finder.find_others(Look.WHOLE, (10, 9, 16, 12, 8, 6, 4)))

    (found,) = [*nines, *others]
    assert bool(nines) is (side == 9)
    assert farthest(found, lattice) < 0.05


@pytest.mark.parametrize("side", [4, 6, 8, 9, 12, 16])
def test_lines_tell_the_side_whatever_the_network_says(side: int) -> None:
    photo, lattice = show_board(side)
    as_nine = seen_whole(resample_lattice(lattice, 9), photo)
    finder = BoardFinder(photo, GivenDetector([as_nine]))

    (found,) = finder.find_counted(Look.WHOLE, (9, 16, 12, 8, 6, 4))

    assert found.lattice.shape == lattice.shape
    assert farthest(found, lattice) < 0.05


@pytest.mark.parametrize("part", [np.s_[:10, :10], np.s_[1:, :10], np.s_[:9, 2:], np.s_[2:, 2:]])
def test_a_part_of_a_board_is_no_board(part: tuple[slice, slice]) -> None:
    photo, lattice = show_board(10)
    finder = BoardFinder(photo, GivenDetector([seen_whole(lattice[part], photo)]))

    (found,) = finder.find_counted(Look.WHOLE, (10, 9, 16, 12, 8, 6, 4))

    assert found.lattice.shape == lattice.shape
    assert farthest(found, lattice) < 0.05


def test_a_board_is_looked_at_from_near_where_no_side_fits_its_place() -> None:
    photo, lattice = show_board(6)
    too_far = seen_whole(lattice + np.float32(50), photo)
    near = ((lattice - lattice.mean(axis=(0, 1))) * 0.71 + INPUT_PX / 2).astype(np.float32)
    detector = GivenDetector([too_far], [near + np.float32(-35)])

    (found,) = BoardFinder(photo, detector).find_counted(Look.WHOLE, (9, 6, 4))

    assert len(detector.shown) >= 2
    assert farthest(found, lattice) < 0.05


def test_parts_are_worth_a_look_where_the_whole_shows_no_board_and_a_blank_photo_none() -> None:
    photo, lattice = show_board()
    seen = seen_whole(lattice, photo)
    blank = BoardFinder(np.full_like(photo, 255), GivenDetector())

    in_whole, in_parts = (
        BoardFinder(photo, GivenDetector(*looks)) for looks in ([[seen]], [[], [], [seen]])
    )

    assert list(in_whole.choose_looks()) == [Look.WHOLE, Look.TURNED]
    assert list(in_parts.choose_looks()) == [Look.PARTS]
    assert blank.choose_looks() == ()


def test_a_part_of_a_board_is_not_the_one_between_corners_set_by_hand() -> None:
    shown = render_photo(5, 72)
    height, width = shown.photo.shape[:2]
    moves = np.random.default_rng(47).normal(0, 0.006 * np.hypot(height, width), (4, 2))
    corners = np.asarray(shown.boards[0].corners + moves, np.float32)

    found = BoardFinder(shown.photo, GivenDetector([])).count_between(corners, (9, 8, 6))

    assert found is None or len(found.lattice) == 10


def test_between_corners_within_a_larger_ruling_lies_what_they_enclose() -> None:
    photo, lattice = show_board(12)
    corners = corners_from_lattice(lattice[2:11, 2:11])

    found = BoardFinder(photo, GivenDetector()).count_between(corners, (10, 9, 16, 12, 8, 6, 4))

    assert farthest(present(found), lattice[2:11, 2:11]) < 0.05


def turn(photo: Image8, lattice: Points, degrees: float) -> tuple[Image8, Points]:
    """Return a photo turned about its middle, and its lattice."""
    matrix = cv2.getRotationMatrix2D((PHOTO_PX / 2, PHOTO_PX / 2), degrees, 1.0)
    turned = cv2.warpAffine(photo, matrix, photo.shape, borderValue=(255,))
    return np.asarray(turned, np.uint8), np.asarray(cv2.transform(lattice, matrix), np.float32)


@pytest.mark.parametrize("degrees", [-40, -25, 40])
def test_a_board_stands_upright_when_it_is_looked_at_from_near(degrees: float) -> None:
    photo, lattice = turn(*show_board(), degrees)
    rough = resample_lattice(lattice, 9) + np.float32(1.5) * (lattice[0, 1] - lattice[0, 0])
    detector = GivenDetector([seen_whole(np.asarray(rough, np.float32), photo)])

    find(photo, detector)

    # Lines that run along the picture's edges darken whole rows and columns.
    whole, near = (255.0 - picture for picture in detector.shown[:2])
    for axis in (0, 1):
        assert near.sum(axis=axis).max() > 1.5 * whole.sum(axis=axis).max()


@pytest.mark.parametrize("quarter_turns", range(4))
def test_other_lattices_of_a_board_are_turned_as_it_was(quarter_turns: int) -> None:
    photo, lattice = show_board()
    slipped = lattice.copy()
    slipped[7:, 7:] = lattice[6:9, 7:]
    start = turn_lattice(slipped, quarter_turns)

    found = list(BoardFinder(photo, GivenDetector()).refit(BoardCandidate(start, 0.8, False)))

    true = turn_lattice(lattice, quarter_turns)
    away = [farthest(BoardCandidate(one, 1.0, False), true) for one in found]
    assert len(found) >= 3
    assert max(away) < 0.1
