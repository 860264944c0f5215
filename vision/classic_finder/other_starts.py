"""Finds boards of which a lattice shows a part: legible, but of no puzzle."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from vision.classic_finder.inquiry import Answer, Inquiry
from vision.classic_finder.lattice import LatticeFit, step_lattice
from vision.classic_finder.lines import Pyramid

_GOES_ON: Final = 0.75
"""A score from which clear lines go on to the next step. A board that stands alone scores no more
than 0.63 a line further on: one line is missing, and a piece of each of ten others."""

_LEAST: Final = 0.5
"""The same of lines that are not clear themselves."""

_MOST_STEPS: Final = 8
"""Nine lines further on lies another board."""

_FEW_STEPS: Final = 2
"""Where lines are not clear, text or a frame beside the board was taken for one or two of them."""

_ALONG: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))
_ACROSS: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def find_other_starts(pyramid: Pyramid, scale: float, inquiry: Inquiry) -> list[LatticeFit]:
    """Return the boards that are found line by line from places whose digits are no puzzle's.

    Two boards may stand so close that the gap passes for a column, and lines beside a board may
    look more like its own than these do. The places that lead to a board then count as denied, and
    the board is sure. A board with a mistake in it stays what it is: its lines do not go on, or
    lead to no board.

    Args:
        pyramid: of the photo as it was searched.
        scale: how much larger than the photo that is.
        inquiry: into the photo, which knows these places.
    """
    found: list[LatticeFit] = []
    for place in list(inquiry.contradictory):
        board = _find_from(pyramid, scale, place, inquiry)
        if board is not None:
            inquiry.deny(place)
            found.append(replace(board, score=1.0))
    return found


def _find_from(
    pyramid: Pyramid, scale: float, place: LatticeFit, inquiry: Inquiry
) -> LatticeFit | None:
    for moved in _list_starts(pyramid, place.placed(scale)):
        board = moved.placed(1 / scale)
        if inquiry.ask(board) is Answer.BOARD:
            return board
    return None


def _list_starts(pyramid: Pyramid, fit: LatticeFit) -> Iterator[LatticeFit]:
    """Yield what the lattice becomes line by line, as long as there are lines."""
    if fit.is_convincing:
        for step in _ALONG:
            yield from _follow(pyramid, fit, step, _MOST_STEPS, _GOES_ON)
        return
    for step in _ALONG:
        yield from _follow(pyramid, fit, step, _FEW_STEPS, _LEAST)
    for step in _ACROSS:
        yield from _follow(pyramid, fit, step, 1, _LEAST)


def _follow(
    pyramid: Pyramid, fit: LatticeFit, step: tuple[int, int], most: int, least: float
) -> Iterator[LatticeFit]:
    for _ in range(most):
        moved = step_lattice(pyramid, fit, step)
        if moved is None or moved.score < least:
            return
        yield moved
        fit = moved
