"""Where a closer look is taken: beside known boards, around frames, and never twice."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.classic_finder.windows import (
    keep_promising,
    window_around,
    windows_beside,
    windows_of_lines,
)

Points = npt.NDArray[np.float32]


def _board(left: float, top: float, side: float = 100) -> Points:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return np.asarray(square * side + np.array([left, top], np.float32), np.float32)


def _holds(window: npt.NDArray[np.float32], board: Points) -> bool:
    low, high = board.min(axis=0), board.max(axis=0)
    return bool(np.all(window[:2] <= low) and np.all(window[2:] >= high))


def test_three_boards_of_a_page_tell_where_the_fourth_stands() -> None:
    known = [_board(50, 50), _board(250, 50), _board(50, 250)]

    windows = list(keep_promising(windows_beside(known), (400, 400), known, []))

    assert len(windows) == 1
    assert _holds(windows[0], _board(250, 250))


def test_one_board_tells_nothing_of_others() -> None:
    assert windows_beside([_board(50, 50)]) == []


def test_frames_are_looked_at_and_letters_and_long_rules_are_not() -> None:
    ink = np.zeros((400, 400), np.uint8)
    cv2.rectangle(ink, (200, 200), (300, 300), 255, 2)
    cv2.rectangle(ink, (20, 20), (30, 34), 255, 2)
    cv2.line(ink, (10, 380), (390, 380), 255, 2)

    windows = windows_of_lines(ink, [_board(50, 50)])

    assert len(windows) == 1
    assert _holds(windows[0], _board(200, 200))


def test_a_window_that_was_seen_or_shows_a_known_board_is_left_out() -> None:
    board, other = _board(50, 50), _board(250, 50)
    windows = [window_around(board), window_around(other)]

    assert len(list(keep_promising(windows, (400, 400), [], []))) == 2
    assert list(keep_promising(windows, (400, 400), [board], [window_around(other)])) == []
