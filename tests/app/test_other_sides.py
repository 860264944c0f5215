"""Boards of other sides than 9, from the photo to the solution."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from command_rig import RunCommand
from kind_puzzles import kind_photo
from places_rig import Oracle, lattice_at
from present import present

from app.recognition.kinds.other_sides import OtherSides
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.results import BoardResult
from app.recognition.timing import StageClock
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.rules import Kind, Rules, box_rules, check_rules, jigsaw_rules
from training.pages.flat_board import make_puzzle, render_board
from training.pages.printed_board import KindLook, choose_kind_look, print_board
from training.rendered.kind_photos import render_kind_photo, shape_of
from training.rendered.photographed_decoys import render_decoy
from vision.board import corners_from_lattice
from vision.finder.detect import BoardFinder, IsKnown, Look
from vision.finder.snap import BoardCandidate
from vision.geometry import Points
from vision.media.images import save_image


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

    def count_between(self, corners: Points, sides: object) -> BoardCandidate | None:
        return self._framed


class Sides(Oracle):
    """Solves boards of any side as its parent does, and sees their boxes unless it is told not."""

    def __init__(
        self, solved_from: float, *, sees_boxes: bool = True, rules: Rules | None = None
    ) -> None:
        super().__init__(solved_from, solved_from)
        self._sees_boxes = sees_boxes
        self._rules = rules

    def _solve(self, lattice: Points, is_first_sight: bool) -> BoardResult:
        board = super()._solve(lattice, is_first_sight)
        rules = self._rules or box_rules(len(lattice) - 1)
        return replace(board, rules=rules if self._sees_boxes else None)


def place_at(left: float, side: int, score: float = 1.0) -> BoardCandidate:
    return BoardCandidate(lattice_at(left, side), score, is_inverted=False)


def look_at(places: Mapping[Look, list[BoardCandidate]], oracle: Oracle) -> OtherSides:
    others = OtherSides(lambda: cast(BoardFinder, Finder(places)), oracle, StageClock())
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
    oracle = Sides(solved_from=0, rules=jigsaw_rules(rows))

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

    OtherSides(lambda: cast(BoardFinder, finder), Sides(solved_from=0), StageClock()).look()

    assert finder.looks == looks


@pytest.mark.parametrize(
    ("seen", "counted"),
    [({}, place_at(10, 6)), ({Look.WHOLE: [place_at(10, 6)]}, place_at(300, 4))],
    ids=["where the detector sees nothing", "never beside a solved board"],
)
def test_what_the_detector_misses_is_counted_in_frames(
    seen: dict[Look, list[BoardCandidate]], counted: BoardCandidate
) -> None:
    finder, frames = Finder(seen, counted), [counted.corners]
    others = OtherSides(
        lambda: cast(BoardFinder, finder), Sides(solved_from=0), StageClock(), lambda: frames
    )

    others.look()

    assert [len(board.lattice) - 1 for board in others.boards] == [6]


@pytest.mark.parametrize(("solved_from", "sides"), [(1000, [6]), (0, [])])
def test_frames_are_counted_beside_boards_that_are_not_solved(
    solved_from: float, sides: list[int]
) -> None:
    found = Oracle(solved_from, solved_from).glance(lattice_at(0))
    framed = place_at(300, 6)
    finder = cast(BoardFinder, Finder({}, framed))
    others = OtherSides(lambda: finder, Sides(0), StageClock(), lambda: [framed.corners])

    others.look(found=[found])

    assert [len(board.lattice) - 1 for board in others.boards] == sides


def test_without_a_detector_nothing_is_found() -> None:
    others = OtherSides(lambda: None, Sides(solved_from=0), StageClock())

    others.look()

    assert others.is_asked
    assert list(others.boards) == []


@pytest.mark.slow
@pytest.mark.parametrize("side", [4, 6, 8])
def test_a_photo_of_another_side_is_solved(pipeline: Pipeline, side: int) -> None:
    shown = kind_photo(Kind.CLASSIC, 2, 5, side)

    (board,) = pipeline.solve_photo(shown.photo).boards

    assert board.rules is not None
    assert board.solution is not None
    assert board.rules.regions == shown.puzzle.rules.regions
    assert np.array_equal(board.solution, present(shown.puzzle.solution))
    assert not check_rules(board.rules, board.clues, board.solution)


@pytest.mark.slow
@pytest.mark.parametrize("side", [6, 8, 10])
def test_boxes_that_colours_alone_part_are_told(pipeline: Pipeline, side: int) -> None:
    def colour_boxes(look: KindLook, _: np.random.Generator) -> KindLook:
        style = replace(look.base.style, paper=(255, 255, 255), box_tint=(240, 220, 200))
        style = replace(style, ink=(0, 0, 0), thin_ink=(90, 90, 90), border_width=style.thin_width)
        base = replace(look.base, style=style, digit_ink=(0, 0, 0))
        return replace(look, base=base, region_width=style.thin_width)

    shown = render_kind_photo(Kind.CLASSIC, 1, 5, side, colour_boxes)

    (board,) = pipeline.solve_photo(shown.photo).boards

    assert shown.puzzle.solution is not None
    assert present(board.rules).regions == shown.puzzle.rules.regions
    assert np.array_equal(present(board.solution), shown.puzzle.solution)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 24])
def test_a_small_jigsaw_is_no_suguru(pipeline: Pipeline, seed: int) -> None:
    (puzzle,) = generate_kind(1, KindOptions(Kind.JIGSAW, side=6, clues=12), seed)
    shape = shape_of(puzzle)
    look = choose_kind_look(shape, "newspaper", np.random.default_rng(seed))

    (board,) = pipeline.solve_photo(print_board(shape, puzzle.clues, (), 400, look).image).boards

    assert board.kind is Kind.JIGSAW
    assert puzzle.solution is not None
    assert np.array_equal(present(board.solution), puzzle.solution)


@pytest.mark.slow
@pytest.mark.parametrize("side", [6, 9, 12])
def test_corners_by_hand_take_the_side_that_lines_tell(pipeline: Pipeline, side: int) -> None:
    kind = Kind.CLASSIC if side != 9 else Kind.DIAGONAL
    shown = kind_photo(kind, 1, 5, side)
    by_hand = corners_from_lattice(shown.lattice) + np.array(
        [[2, 1], [-1, 2], [1, -2], [0, 1]], np.float32
    )

    board = pipeline.solve_corners(shown.photo, by_hand)

    assert shown.puzzle.solution is not None
    assert np.array_equal(present(board.solution), shown.puzzle.solution)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_kenken_is_claimed_by_no_rules(pipeline: Pipeline, seed: int) -> None:
    result = pipeline.solve_photo(render_decoy("kenken", seed, 2).photo)

    assert result.outcome is not Outcome.SOLVED


@pytest.mark.slow
def test_a_page_with_boards_of_two_sides_has_both(pipeline: Pipeline) -> None:
    small = kind_photo(Kind.CLASSIC, 1, 3, 6)
    classic, _ = render_board(make_puzzle(3, 30).clues, 420)
    height = max(small.photo.shape[0], len(classic) + 200)
    page = np.full((height, small.photo.shape[1] + 700, 3), 255, np.uint8)
    page[: small.photo.shape[0], : small.photo.shape[1]] = small.photo
    page[100 : 100 + len(classic), -600 : -600 + len(classic)] = classic

    boards = pipeline.solve_photo(page).boards

    solved = [board for board in boards if board.outcome is Outcome.SOLVED]
    assert sorted(len(board.clues) for board in solved) == [6, 9]


@pytest.mark.slow
def test_the_report_tells_the_side(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    shown = kind_photo(Kind.CLASSIC, 2, 5, 6)
    save_image(tmp_path / "page.png", shown.photo)

    told = sudoku_lens("solve", str(tmp_path / "page.png"))
    done = sudoku_lens("solve", "--json", str(tmp_path / "page.png"))
    (board,) = json.loads(done.stdout)["boards"]

    assert "6×6" in told.stdout
    assert (board["kind"], board["side"]) == ("classic", 6)
    assert board["regions"] is None
    assert len(board["solution"]) == 36
