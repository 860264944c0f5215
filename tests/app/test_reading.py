"""Reading a board: quarter turns, and what someone wrote into it."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from puzzles import EASY_GRID

from app.recognition.readers import SecondReaders
from app.recognition.reading import BoardReader, BoardReading
from app.recognition.timing import StageClock
from models.digits import CLASSES, DigitReader
from models.engine import Engine
from models.hands import HandReader
from solver.decoding.decode import DecodeLimits, DecodeOutcome
from solver.exact.bitmask import find_solutions
from solver.grid import Grid, parse_grid
from training.pages.flat_board import render_board
from vision.board import lattice_from_corners, turn_lattice

Float32 = npt.NDArray[np.float32]

TWOFOLD = "5..6.8912.7...5.4..9...2567859.6......6853...7.39..8...6.....84.8...96.....2...7."
"""Has one solution, and another one with 3 for its first clue."""

BLANK_PHOTO = np.full((300, 300, 3), 255, np.uint8)
LATTICE = lattice_from_corners(np.array([[10, 10], [290, 10], [290, 290], [10, 290]], np.float32))


class SureEngine:
    """Sees the same digits on every board, and nothing on the sample that votes on the turn."""

    def __init__(self, printed: Grid, handwritten: Grid) -> None:
        classes = np.where(handwritten > 0, handwritten + 9, printed).ravel()
        self._probabilities = np.full((81, CLASSES), 0.001 / (CLASSES - 1), np.float32)
        self._probabilities[np.arange(81), classes] = 0.999

    def run(self, inputs: Float32) -> Float32:
        if len(inputs) == 81:
            return self._probabilities
        return np.full((len(inputs), CLASSES), 1 / CLASSES, np.float32)


def read(engine: Engine, limits: DecodeLimits | None = None, **options: Any) -> BoardReading:
    """Return what comes of a blank board in which an engine sees digits."""
    reader = BoardReader(DigitReader(engine), limits or DecodeLimits(), **options)
    return reader.read(BLANK_PHOTO, LATTICE, StageClock())


def read_handwriting(entries: dict[int, int]) -> "tuple[DecodeOutcome, Grid, Grid]":
    """Return outcome, clues and entries of the puzzle with digits written into some cells."""
    handwritten = np.zeros(81, np.uint8)
    for cell, digit in entries.items():
        handwritten[cell] = digit
    reading = read(SureEngine(EASY_GRID, handwritten.reshape(9, 9)))
    return reading.decoding.outcome, reading.decoding.clues, reading.entries


def test_a_right_entry_is_no_clue_where_print_alone_has_one_solution() -> None:
    outcome, clues, entries = read_handwriting({2: 4})

    assert outcome is DecodeOutcome.SOLVED
    assert (clues == EASY_GRID).all()
    assert np.flatnonzero(entries).tolist() == [2]
    assert entries[0, 2] == 4


def test_a_wrong_entry_is_told_apart_and_the_print_is_solved() -> None:
    outcome, clues, entries = read_handwriting({2: 8, 3: 6})

    assert outcome is DecodeOutcome.SOLVED
    assert (clues == EASY_GRID).all()
    assert (entries.ravel()[[2, 3]] == [8, 6]).all()
    assert (entries > 0).sum() == 2


def test_a_wrong_clue_in_print_is_not_explained_away() -> None:
    engine = SureEngine(parse_grid("535" + "." * 78), np.zeros((9, 9), np.uint8))

    reading = read(engine)

    assert reading.decoding.outcome is DecodeOutcome.NO_SOLUTION
    assert reading.decoding.solution is None


class NervousEngine(SureEngine):
    """Cannot tell a clue by one look, and can by those at the lattice moved."""

    def run(self, inputs: Float32) -> Float32:
        once = self._probabilities.copy()
        once[0] = 0
        once[0, [5, 3]] = 0.5, 0.5
        if len(inputs) % 81 == 0 and len(inputs) > 81:
            return np.concatenate([once, *[self._probabilities] * (len(inputs) // 81 - 1)])
        return once if len(inputs) == 81 else super().run(inputs)


def test_an_unsure_board_is_looked_at_again() -> None:
    puzzle = parse_grid(TWOFOLD)
    engine = NervousEngine(puzzle, np.zeros((9, 9), np.uint8))

    first = read(engine, looks_again=False).decoding
    second = read(engine).decoding

    assert first.outcome is DecodeOutcome.UNREADABLE
    assert second.outcome is DecodeOutcome.SOLVED
    assert (second.clues == puzzle).all()


def test_at_first_sight_no_board_is_looked_at_again() -> None:
    engine = NervousEngine(parse_grid(TWOFOLD), np.zeros((9, 9), np.uint8))
    reader = BoardReader(DigitReader(engine), DecodeLimits())

    glimpsed = reader.glance(BLANK_PHOTO, LATTICE, StageClock())
    closer = reader.look_closer(BLANK_PHOTO, glimpsed, StageClock())

    assert glimpsed.decoding.outcome is DecodeOutcome.UNREADABLE
    assert closer.decoding.outcome is DecodeOutcome.SOLVED
    assert reader.look_closer(BLANK_PHOTO, closer, StageClock()) is closer


def test_a_board_is_looked_at_again_even_if_its_search_was_spent() -> None:
    puzzle = parse_grid(TWOFOLD)
    engine = NervousEngine(puzzle, np.zeros((9, 9), np.uint8))

    looked_again = read(engine, DecodeLimits(nodes=1)).decoding
    looked_once = read(engine, DecodeLimits(nodes=1), is_patient=False).decoding

    assert looked_again.outcome is DecodeOutcome.SOLVED
    assert looked_once.outcome is DecodeOutcome.UNREADABLE


class FickleEngine(SureEngine):
    """Is not sure of one clue at first sight; later looks show other boards, in their order."""

    def __init__(self, shown: Grid, later: "list[Grid]") -> None:
        super().__init__(shown, shown * 0)
        self._probabilities[0] = 0
        self._probabilities[0, [5, 3]] = 0.7, 0.3
        self._later = [SureEngine(grid, grid * 0)._probabilities for grid in later]

    def run(self, inputs: Float32) -> Float32:
        looks = len(inputs) // 81
        return (
            np.concatenate(self._later * (looks // len(self._later)))
            if looks > 1
            else (super().run(inputs))
        )


def without_a_clue(puzzle: Grid) -> Grid:
    """Return a puzzle without one of its clues, which has several solutions then."""
    for cell in np.flatnonzero(puzzle):
        lacking = puzzle.copy()
        lacking.flat[cell] = 0
        if len(find_solutions(lacking, 2)) == 2:
            return lacking
    raise AssertionError("every clue can be spared")


MOVED = parse_grid(
    "64..8....7..216....19....7.9...7...45..9.4..28...3...7.7....39....521..6....9..81"
)
"""PUZZLE with every digit one higher: another solution."""


@pytest.mark.parametrize(
    ("later", "outcome"),
    [
        ([EASY_GRID], DecodeOutcome.SOLVED),
        ([MOVED], DecodeOutcome.UNREADABLE),
        ([EASY_GRID, MOVED], DecodeOutcome.UNREADABLE),
        ([without_a_clue(EASY_GRID)], DecodeOutcome.UNREADABLE),
    ],
)
def test_a_doubtful_claim_falls_if_more_looks_show_another_board(
    later: "list[Grid]", outcome: DecodeOutcome
) -> None:
    engine = FickleEngine(EASY_GRID, later)

    assert read(engine, looks_again=False).decoding.outcome is DecodeOutcome.SOLVED
    assert read(engine).decoding.outcome is outcome


class WaveringEngine(SureEngine):
    """Is not sure of the second clue at first sight, and of the first clue later."""

    def __init__(self, shown: Grid) -> None:
        super().__init__(shown, shown * 0)
        first, second = np.flatnonzero(shown)[:2]
        self._later = self._probabilities.copy()
        self._probabilities[second] *= 0.7 / self._probabilities[second].max()
        self._probabilities[second, 0] += 1 - self._probabilities[second].sum()
        self._later[first] = 0
        self._later[first, [5, 3]] = 0.55, 0.45

    def run(self, inputs: Float32) -> Float32:
        looks = len(inputs) // 81
        return np.concatenate([self._later] * looks) if looks > 1 else super().run(inputs)


def test_a_doubtful_claim_stands_if_more_looks_leave_it_open() -> None:
    engine = WaveringEngine(parse_grid(TWOFOLD))

    reading = read(engine)

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert reading.probabilities[0].max() > 0.9


class AgreeingEngine(SureEngine):
    """Gives a clue the same odds against another digit in every look, in nats."""

    def __init__(self, printed: Grid, odds: float) -> None:
        super().__init__(printed, np.zeros((9, 9), np.uint8))
        other = 1 / (1 + np.exp(odds))
        self.put(0, {5: 1 - other, 3: other})

    def put(self, cell: int, likely: dict[int, float]) -> None:
        """See these classes in a cell, with these probabilities, and nothing else."""
        self._probabilities[cell] = 0
        self._probabilities[cell, list(likely)] = list(likely.values())

    def write_by_hand(self) -> None:
        """See every printed digit as one by hand."""
        self._probabilities[:, 10:] = self._probabilities[:, 1:10]
        self._probabilities[:, 1:10] = 0

    def run(self, inputs: Float32) -> Float32:
        looks = len(inputs) // 81
        return np.tile(self._probabilities, (looks, 1)) if looks else super().run(inputs)


@pytest.mark.parametrize(
    ("odds", "outcome"), [(3.0, DecodeOutcome.SOLVED), (2.0, DecodeOutcome.UNREADABLE)]
)
def test_looks_that_agree_say_more_than_one(odds: float, outcome: DecodeOutcome) -> None:
    engine = AgreeingEngine(parse_grid(TWOFOLD), odds)

    assert read(engine, looks_again=False).decoding.outcome is DecodeOutcome.UNREADABLE
    assert read(engine).decoding.outcome is outcome


@pytest.mark.parametrize(
    ("second_odds", "outcome"),
    [
        (None, DecodeOutcome.UNREADABLE),
        (6.0, DecodeOutcome.SOLVED),
        (-2.0, DecodeOutcome.UNREADABLE),
    ],
)
def test_a_second_network_may_settle_what_the_first_leaves_open(
    second_odds: float | None, outcome: DecodeOutcome
) -> None:
    puzzle = parse_grid(TWOFOLD)
    seconds = SecondReaders()
    if second_odds is not None:
        seconds = SecondReaders(DigitReader(AgreeingEngine(puzzle, second_odds)))

    reading = read(AgreeingEngine(puzzle, odds=2.0), seconds=seconds)

    assert reading.decoding.outcome is outcome


def test_the_second_network_has_no_say_in_who_wrote_a_digit() -> None:
    puzzle = parse_grid(TWOFOLD)
    engine = AgreeingEngine(puzzle, odds=2.0)
    engine.put(80, {0: 0.2, 9 + 2: 0.8})
    second = AgreeingEngine(puzzle, odds=6.0)
    second.put(80, {2: 1.0})

    reading = read(engine, seconds=SecondReaders(DigitReader(second)))

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert reading.probabilities[80].argmax() == 9 + 2
    assert reading.probabilities[80, 2] < 1e-3


class WritingEngine:
    """Sees the digits of a puzzle in the shapes that are cut out of it, in reading order."""

    def __init__(self, written: Grid, *, first_is_digit: bool = True) -> None:
        digits = written[written > 0]
        if not first_is_digit:
            digits[0] = 0
        self._told = np.eye(10, dtype=np.float32)[digits] * 0.98 + 0.02 / 10

    def run(self, inputs: Float32) -> Float32:
        assert len(inputs) == 2 * len(self._told)  # with and without noise
        return np.tile(self._told, (2, 1))


@pytest.mark.parametrize("is_by_hand", [False, True])
def test_a_board_by_hand_is_held_against_a_reader_of_hands(is_by_hand: bool) -> None:
    puzzle = parse_grid(TWOFOLD)
    photo, corners = render_board(np.where(puzzle > 0, 8, 0).astype(np.uint8))
    first = AgreeingEngine(puzzle, odds=2.0)
    if is_by_hand:
        first.write_by_hand()
    leaves_open = DigitReader(AgreeingEngine(puzzle, -2.0))
    seconds = SecondReaders(leaves_open, HandReader(WritingEngine(puzzle)))

    reading = BoardReader(DigitReader(first), DecodeLimits(), seconds=seconds).read(
        photo, lattice_from_corners(corners), StageClock()
    )

    assert (reading.decoding.outcome is DecodeOutcome.SOLVED) is is_by_hand


@pytest.mark.parametrize("is_digit", [True, False])
@pytest.mark.parametrize("is_live", [True, False])
def test_a_scribble_that_one_look_takes_for_a_clue_is_none(is_digit: bool, is_live: bool) -> None:
    puzzle = parse_grid(TWOFOLD)
    photo, corners = render_board(np.where(puzzle > 0, 8, 0).astype(np.uint8))
    first = AgreeingEngine(puzzle, odds=12.0)
    first.write_by_hand()
    engine = WritingEngine(puzzle, first_is_digit=is_digit)

    seconds = SecondReaders(hands=HandReader(engine))
    reader = BoardReader(DigitReader(first), DecodeLimits(), seconds=seconds)
    lattice = lattice_from_corners(corners)

    if is_live:
        reading = reader.read_upright(photo, lattice, lambda seen: seen, StageClock())
    else:
        reading = reader.read(photo, lattice, StageClock())

    assert (reading.decoding.outcome is DecodeOutcome.SOLVED) is is_digit


def test_where_nothing_is_found_the_reader_of_hands_has_no_say() -> None:
    puzzle = parse_grid(TWOFOLD)
    first = AgreeingEngine(puzzle, odds=3.0)
    first.write_by_hand()
    seconds = SecondReaders(hands=HandReader(WritingEngine(puzzle)))

    reading = read(first, seconds=seconds)

    assert (reading.probabilities.argmax(axis=1) > 9).sum() == (puzzle > 0).sum()


@pytest.mark.parametrize(
    ("specks", "outcome"), [(2, DecodeOutcome.SOLVED), (3, DecodeOutcome.UNREADABLE)]
)
def test_two_specks_taken_for_entries_do_not_forbid_a_second_look_to_claim(
    specks: int, outcome: DecodeOutcome
) -> None:
    puzzle = parse_grid(TWOFOLD)
    engine = AgreeingEngine(puzzle, odds=3.0)
    solution = find_solutions(puzzle, limit=1)[0].ravel()
    for cell in np.flatnonzero(puzzle.ravel() == 0)[:specks]:
        wrong = solution[cell] % 9 + 1
        engine.put(int(cell), {0: 0.3, 9 + int(wrong): 0.7})

    reading = read(engine)

    assert reading.decoding.outcome is outcome


@pytest.mark.parametrize("turns", range(4))
def test_the_lattice_comes_back_upright_however_it_was_given(turns: int) -> None:
    photo, corners = render_board(EASY_GRID)
    upright = lattice_from_corners(corners)
    reader = BoardReader(DigitReader.load(), DecodeLimits())

    reading = reader.read(photo, turn_lattice(upright, turns), StageClock())

    assert (reading.decoding.clues == EASY_GRID).all()
    assert (reading.lattice == upright).all()
