"""Boards of a photo, found by a detector whose answers are given."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from models.boards.maps import INPUT_PX, SIDES, STRIDE, BoardMaps
from training.boards.targets import make_maps
from training.pages.board import KindLook, print_board
from training.pages.shape import draw_grid, draw_shape
from training.rendered_board import BoardLook
from vision.finder.detect import Eye, FoundBoard, detect_boards
from vision.geometry import Points

Image8 = npt.NDArray[np.uint8]

EYE = Eye(INPUT_PX, STRIDE, SIDES)
PHOTO_PX = 2 * INPUT_PX


class GivenDetector:
    """Gives answers in their order, and nothing after them; keeps what it was shown."""

    def __init__(self, *lattices: "list[Points]") -> None:
        self._answers = list(lattices)
        self.shown: list[Image8] = []

    def detect(self, pictures: Image8) -> list[BoardMaps]:
        self.shown += list(pictures)
        target = make_maps(self._answers.pop(0) if self._answers else [])
        sides = np.eye(len(SIDES), dtype=np.float32)[target[..., 5].astype(int)]
        return [BoardMaps(target[..., 0], target[..., 1:3], target[..., 3], target[..., 4], sides)]


def paste_board(photo: Image8, side: int, left: int, top: int, px: int) -> Points:
    rng = np.random.default_rng(side)
    shape = draw_shape("classic", side, rng)
    clues = np.where(rng.random((side, side)) < 0.4, draw_grid(shape, rng), 0).astype(np.uint8)
    printed = print_board(shape, clues, (), px, KindLook(BoardLook()))
    grey = cv2.cvtColor(printed.image, cv2.COLOR_BGR2GRAY)
    photo[top : top + len(grey), left : left + len(grey)] = grey
    return np.asarray(printed.lattices[0] + np.array([left, top]), np.float32)


def seen_whole(lattice: Points) -> Points:
    """Return a lattice of the photo in the detector's picture of all of it."""
    return ((lattice + 0.5) / 2 - 0.5).astype(np.float32)


def farthest(found: FoundBoard, lattice: Points) -> float:
    cell = np.linalg.norm(lattice[0, 1] - lattice[0, 0])
    return float(np.linalg.norm(found.lattice - lattice, axis=2).max() / cell)


@pytest.mark.parametrize("side", [4, 6, 9, 16])
def test_a_board_is_found_and_snapped_to_its_lines(side: int) -> None:
    photo = np.full((PHOTO_PX, PHOTO_PX), 255, np.uint8)
    lattice = paste_board(photo, side, 120, 90, 360)

    (found,) = detect_boards(photo, GivenDetector([seen_whole(lattice)]), EYE)

    assert farthest(found, lattice) < 0.05
    assert found.score > 0.9
    assert found.line_score > 0.9
    assert not found.is_inverted


def test_two_boards_of_different_sides_are_yielded_once_each() -> None:
    photo = np.full((PHOTO_PX, PHOTO_PX), 255, np.uint8)
    lattices = [paste_board(photo, 9, 10, 20, 280), paste_board(photo, 6, 330, 330, 240)]
    seen = [seen_whole(lattice) for lattice in lattices]

    found = list(detect_boards(photo, GivenDetector(seen, [], [], seen), EYE))

    assert sorted(len(board.lattice) - 1 for board in found) == [6, 9]


def test_boards_are_found_lazily() -> None:
    photo = np.full((PHOTO_PX, PHOTO_PX), 255, np.uint8)
    lattice = paste_board(photo, 9, 120, 90, 360)
    detector = GivenDetector([seen_whole(lattice)])

    boards = detect_boards(photo, detector, EYE)
    assert detector.shown == []
    next(boards)

    assert len(detector.shown) == 2  # the whole photo, and the board from near


def test_the_detector_sees_the_photo_whole_and_then_a_board_from_near() -> None:
    photo = np.full((PHOTO_PX, PHOTO_PX // 2), 200, np.uint8)
    lattice = paste_board(photo, 9, 40, 60, 180)
    seen = ((lattice + 0.5) / 2 - 0.5).astype(np.float32) + np.array([INPUT_PX / 4, 0], np.float32)
    detector = GivenDetector([seen.astype(np.float32)])

    next(iter(detect_boards(photo, detector, EYE)))

    whole, near = detector.shown[:2]
    ink = [np.argwhere(picture < 120) for picture in (whole, near)]
    extents = [np.ptp(points, axis=0).max() for points in ink]
    assert extents[0] == pytest.approx(90, abs=4)
    assert extents[1] == pytest.approx(0.8 * INPUT_PX, rel=0.05)


def test_a_photo_without_boards_yields_none_and_is_looked_at_twice() -> None:
    detector = GivenDetector()

    assert list(detect_boards(np.zeros((300, 500), np.uint8), detector, EYE)) == []
    assert len(detector.shown) == 2
