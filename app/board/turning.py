"""A photo turned by quarter turns: its boards go along, and nothing is read or solved anew."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from app.board.board_state import BoardState, PhotoState
from app.board.timeline import Timeline

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]


def turn_image(image: Image8, quarter_turns: int) -> Image8:
    """Return a photo turned clockwise, (H, W, 3) uint8."""
    return np.ascontiguousarray(np.rot90(image, -quarter_turns))


def turn_points(points: Points, size: tuple[int, int], quarter_turns: int) -> Points:
    """Return where points of a photo lie once it is turned clockwise.

    Args:
        points: (..., 2) float32, (x, y) in pixels, whose centres are integers.
        size: width and height of the photo before.
        quarter_turns: clockwise, not negative.
    """
    width, height = size
    turned = points
    for _ in range(quarter_turns % 4):
        turned = np.stack([height - 1 - turned[..., 1], turned[..., 0]], axis=-1)
        width, height = height, width
    return np.ascontiguousarray(turned, np.float32)


def turn_timeline(timeline: Timeline, size: tuple[int, int], quarter_turns: int) -> Timeline:
    """Return all states of a photo, as they are once it is turned clockwise.

    Args:
        timeline: states before.
        size: width and height of the photo before.
        quarter_turns: clockwise, not negative.
    """

    def turn(held: BoardState) -> BoardState:
        lattice = turn_points(held.board.lattice, size, quarter_turns)
        return replace(held, board=replace(held.board, lattice=lattice))

    def turn_all(states: tuple[PhotoState, ...]) -> tuple[PhotoState, ...]:
        return tuple(replace(one, boards=tuple(map(turn, one.boards))) for one in states)

    (present,) = turn_all((timeline.present,))
    return replace(
        timeline, present=present, past=turn_all(timeline.past), future=turn_all(timeline.future)
    )
