"""What the largest lines of a photo enclose is cut out and laid flat."""

import cv2
import numpy as np

from vision.finder.ink_frames import cut_large_frames


def _paper() -> np.ndarray:
    return np.full((600, 800, 3), 220, np.uint8)


def _draw_grid(photo: np.ndarray, left: int, top: int, cell: int, cells: int) -> None:
    for line in range(cells + 1):
        end, at = cell * cells, cell * line
        cv2.line(photo, (left, top + at), (left + end, top + at), (0, 0, 0), 2)
        cv2.line(photo, (left + at, top), (left + at, top + end), (0, 0, 0), 2)


def test_a_grid_is_laid_flat_with_some_room() -> None:
    photo = _paper()
    _draw_grid(photo, 200, 100, 40, 10)
    photo[104:138, 204:238] = 0

    first = cut_large_frames(photo, 192)[0]

    assert np.abs(first.corners - [[200, 100], [600, 100], [600, 500], [200, 500]]).max() < 4
    assert first.picture.shape == (192, 192)
    assert first.picture[20, 20] < 80  # the black cell
    assert first.picture[5, 5] > 200  # the paper around


def test_small_frames_beside_a_large_one_are_left_out() -> None:
    photo = _paper()
    _draw_grid(photo, 250, 50, 50, 10)
    _draw_grid(photo, 20, 50, 12, 10)

    for frame in cut_large_frames(photo, 192):
        assert frame.corners[:, 0].min() > 200


def test_paper_without_lines_has_no_frames() -> None:
    assert list(cut_large_frames(_paper(), 192)) == []
