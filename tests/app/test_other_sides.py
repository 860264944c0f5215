"""Boards of other sides than 9, from the photo to the solution."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from places_rig import Oracle, lattice_at

from app.recognition.kinds.other_sides import OtherSides
from app.recognition.reading import BoardReading
from app.recognition.results import BoardResult
from app.recognition.timing import StageClock
from solver.rules import Rules, box_rules, jigsaw_rules
from vision.finder.detect import BoardFinder, IsKnown
from vision.finder.snap import BoardCandidate
from vision.finder.views import Look
from vision.geometry import Points


class Finder:
    """Gives the places of each look, and counts the looks."""

    def __init__(
        self, places: Mapping[Look, list[BoardCandidate]], framed: BoardCandidate | None = None
    ) -> None:
        self._places = places
        self._framed = framed
        self.looks: list[Look] = []

    def find_counted(
        self, look: Look, sides: object, is_known: IsKnown
    ) -> Iterator[BoardCandidate]:
        self.looks.append(look)
        yield from (one for one in self._places.get(look, []) if not is_known(one.lattice))

    def count_framed(self, sides: object) -> Iterator[BoardCandidate]:
        yield from filter(None, [self._framed])


class Sides(Oracle):
    """Solves boards of any side as its parent does, and sees their boxes unless it is told not."""

    def __init__(
        self, solved_from: float, *, sees_boxes: bool = True, jigsaw: Rules | None = None
    ) -> None:
        super().__init__(solved_from, solved_from)
        self._sees_boxes = sees_boxes
        self._jigsaw = jigsaw

    def _solve(self, lattice: Points, is_first_sight: bool) -> BoardResult:
        board = super()._solve(lattice, is_first_sight)
        rules = self._jigsaw or box_rules(len(lattice) - 1)
        unseen = cast(BoardReading, SimpleNamespace(is_told=False))
        return replace(board, rules=rules, reading=None if self._sees_boxes else unseen)


def place_at(left: float, side: int, score: float = 1.0) -> BoardCandidate:
    return BoardCandidate(lattice_at(left, side), score, is_inverted=False)


def look_at(places: Mapping[Look, list[BoardCandidate]], oracle: Oracle) -> OtherSides:
    others = OtherSides(cast(BoardFinder, Finder(places)), oracle, StageClock())
    others.look()
    return others


def test_all_boards_of_a_look_are_read() -> None:
    places = {Look.WHOLE: [place_at(10, 6), place_at(300, 4)]}

    others = look_at(places, Sides(solved_from=0))

    assert [len(board.lattice) - 1 for board in others.boards] == [6, 4]


def test_a_board_of_nine_is_left_to_the_other_search() -> None:
    oracle = Sides(solved_from=0)

    others = look_at({Look.WHOLE: [place_at(10, 6), place_at(300, 9)]}, oracle)

    assert [len(board.lattice) - 1 for board in others.boards] == [6]
    assert oracle.asked == [(10, True)]


def test_what_does_not_show_its_boxes_is_no_board() -> None:
    oracle = Sides(1000, sees_boxes=False)

    others = look_at({Look.WHOLE: [place_at(10, 6)]}, oracle)

    assert list(others.boards) == []


def test_an_unsolved_board_needs_clear_lines() -> None:
    places = [place_at(10, 6, score=0.8), place_at(300, 6)]

    others = look_at({Look.WHOLE: places}, Sides(solved_from=1000))

    assert [float(board.lattice[0, 0, 0]) for board in others.boards] == [300]


@pytest.mark.parametrize(("score", "is_board"), [(0.63, False), (0.95, True)])
def test_regions_that_are_no_boxes_need_clear_lines(score: float, is_board: bool) -> None:
    rows = [range(4 * row, 4 * row + 4) for row in range(4)]
    oracle = Sides(solved_from=0, jigsaw=jigsaw_rules(rows))

    others = look_at({Look.WHOLE: [place_at(10, 4, score)]}, oracle)

    assert bool(others.boards) is is_board


@pytest.mark.parametrize(
    ("seen", "place", "looks"),
    [
        (Look.PARTS, place_at(10, 8), [Look.WHOLE, Look.TURNED, Look.PARTS]),
        (Look.WHOLE, place_at(10, 9), [Look.WHOLE]),
    ],
    ids=["nothing clear yet", "a clear board of nine"],
)
def test_closer_looks_are_taken_until_one_shows_something_clear(
    seen: Look, place: BoardCandidate, looks: list[Look]
) -> None:
    finder = Finder({seen: [place]})

    OtherSides(cast(BoardFinder, finder), Sides(solved_from=0), StageClock()).look()

    assert finder.looks == looks


@pytest.mark.parametrize(
    ("seen", "counted"),
    [({}, place_at(10, 6)), ({Look.WHOLE: [place_at(10, 6)]}, place_at(300, 4))],
    ids=["where the detector sees nothing", "never beside a solved board"],
)
def test_what_the_detector_misses_is_counted_in_frames(
    seen: dict[Look, list[BoardCandidate]], counted: BoardCandidate
) -> None:
    finder = cast(BoardFinder, Finder(seen, counted))
    others = OtherSides(finder, Sides(solved_from=0), StageClock())

    others.look()

    assert [len(board.lattice) - 1 for board in others.boards] == [6]


@pytest.mark.parametrize(("solved_from", "sides"), [(1000, [6]), (0, [])])
def test_frames_are_counted_beside_unsolved_boards(solved_from: float, sides: list[int]) -> None:
    found = Oracle(solved_from, solved_from).glance(lattice_at(0))
    finder = cast(BoardFinder, Finder({}, place_at(300, 6)))
    others = OtherSides(finder, Sides(0), StageClock())

    others.look(found=[found])

    assert [len(board.lattice) - 1 for board in others.boards] == sides
