"""Boards with more than nine values, from the picture to the report."""

import json
from dataclasses import replace

import numpy as np
import pytest
from arrays import Float32, Image8
from large_boards import LargeBoard, lie_otherwise, print_large
from present import present

from app.live.live_view import LiveState, LiveView, draw_view
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.reading import BoardReader, BoardReading
from app.recognition.results import BoardResult, PhotoResult
from app.recognition.timing import StageClock
from app.report.advice import advise
from app.report.photo_report import format_report, format_summary
from app.report.report_pictures import draw_solutions, draw_stages
from models.digits import DigitReader
from models.symbol_reader import CLASSES, NO_SYMBOL, class_of
from solver.decoding.decode import DecodeLimits, DecodeOutcome
from training.pages.flat_board import render_board
from training.rendered.large_digits import ALPHABETS
from vision.board import lattice_from_corners


class NoSight:
    """Stands for a symbol network that is missing."""

    asked = 0

    def read(self, cells: Image8) -> Float32:
        self.asked += 1
        seen = np.zeros((len(cells), CLASSES), np.float32)
        seen[:, NO_SYMBOL] = 1
        return seen


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader(DigitReader.load(), DecodeLimits())


def read(reader: BoardReader, board: LargeBoard) -> BoardReading:
    return reader.read(board.image, board.lattice, StageClock())


@pytest.mark.parametrize(
    ("side", "alphabet"),
    [(10, "numbers"), (12, "letters"), *((16, alphabet) for alphabet in ALPHABETS)],
)
def test_a_board_is_read_in_its_own_alphabet(reader: BoardReader, side: int, alphabet: str) -> None:
    board = print_large(side, alphabet)

    reading = read(reader, board)

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert np.array_equal(reading.decoding.clues, board.clues)
    assert present(reading.traits.alphabet).name == alphabet
    assert reading.probabilities.shape == (side**2, side + 1)


@pytest.mark.parametrize(("turn", "corner"), [(0, 1), (1, 0), (2, 1), (3, 0)])
def test_it_is_told_which_way_up_a_board_lies(reader: BoardReader, turn: int, corner: int) -> None:
    board = print_large(12, "letters", turn=turn)

    reading = reader.read(board.image, lie_otherwise(board, corner), StageClock())

    assert np.array_equal(reading.decoding.clues, board.clues)
    assert np.allclose(reading.lattice, board.lattice)


@pytest.mark.parametrize("alphabet", ["numbers", "letters"])
def test_nothing_is_claimed_where_no_alphabet_is_told(reader: BoardReader, alphabet: str) -> None:
    board = print_large(10, alphabet, hidden=10, missing=0.1)

    reading = read(reader, board)

    assert reading.decoding.outcome is DecodeOutcome.UNREADABLE
    assert reading.decoding.solution is None


def test_one_symbol_that_is_seen_beyond_doubt_tells_it(reader: BoardReader) -> None:
    board = print_large(10, "numbers", hidden=10, missing=0.1)
    shown = print_large(10, "numbers", missing=0.1)
    row, column = np.argwhere(shown.clues == 10)[0]
    top, left = (np.floor(shown.lattice[row, column, ::-1]) + 3).astype(int)
    part = slice(top, top + 24), slice(left, left + 24)
    board.image[part] = shown.image[part]

    reading = read(reader, board)

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert present(reading.traits.alphabet).symbols[-1] == "10"


def test_without_the_network_nothing_is_claimed() -> None:
    sight = NoSight()
    reader = BoardReader(DigitReader.load(), DecodeLimits(), symbols=sight.read)

    reading = read(reader, print_large(12, "numbers"))

    assert reading.decoding.outcome is DecodeOutcome.UNREADABLE
    assert sight.asked > 0


def test_boards_of_nine_do_without_the_network() -> None:
    sight = NoSight()
    reader = BoardReader(DigitReader.load(), DecodeLimits(), symbols=sight.read)
    solution = (np.add.outer(np.arange(9) // 3 + np.arange(9) * 3, np.arange(9)) % 9 + 1) % 10
    image, corners = render_board(solution.astype(np.uint8))

    reading = reader.read(image, lattice_from_corners(corners), StageClock())

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert reading.traits.alphabet is None
    assert sight.asked == 0


@pytest.fixture(scope="module")
def letters(pipeline: Pipeline) -> tuple[LargeBoard, BoardResult]:
    board = print_large(16, "all letters")
    return board, pipeline.solve_lattice(board.image, board.lattice)


def as_photo(board: BoardResult) -> PhotoResult:
    return PhotoResult(board.outcome, (board,), (), {"read": 0.1})


def test_the_solution_has_the_letters_of_the_print(letters: tuple[LargeBoard, BoardResult]) -> None:
    truth, board = letters

    text = format_summary("a.png", as_photo(board), is_terminal=False)

    assert board.outcome is Outcome.SOLVED
    first = "".join(chr(ord("A") + int(value) - 1) for value in truth.solution[0])
    assert [row.replace(" ", "").replace("|", "") for row in text.splitlines()][2] == first


def test_numbers_of_two_figures_stand_in_columns(pipeline: Pipeline) -> None:
    truth = print_large(12, "numbers")
    board = pipeline.solve_lattice(truth.image, truth.lattice)

    rows = format_summary("a.png", as_photo(board), is_terminal=False).splitlines()

    numbers = [row.replace("|", " ").split() for row in rows if row.startswith("|")]
    assert [list(map(int, row)) for row in numbers] == truth.solution.tolist()
    assert len({len(row) for row in rows if row.startswith("|")}) == 1


def test_the_report_names_the_symbols(letters: tuple[LargeBoard, BoardResult]) -> None:
    truth, board = letters

    (told,) = json.loads(format_report("a.png", as_photo(board)))["boards"]

    assert told["side"] == 16
    assert told["symbols"] == list("ABCDEFGHIJKLMNOP")
    signs = "123456789ABCDEFG"
    assert told["solution"] == "".join(signs[value - 1] for value in truth.solution.ravel())


def test_the_picture_shows_what_is_missing(
    reader: BoardReader, letters: tuple[LargeBoard, BoardResult]
) -> None:
    truth, board = letters

    drawn = present(draw_solutions(truth.image, as_photo(board)))

    written = read(reader, truth._replace(image=drawn))
    seen = written.probabilities.argmax(axis=1).reshape(16, 16)
    is_missing = truth.clues == 0
    assert (seen == truth.solution)[is_missing].mean() > 0.9


def test_the_live_view_writes_as_the_board_prints(letters: tuple[LargeBoard, BoardResult]) -> None:
    truth, board = letters
    missing = np.where(truth.clues == 0, truth.solution, 0).astype(np.uint8)
    view = LiveView(0.0, LiveState.SOLVED, board.lattice, missing, 1.0, board, 1.0)

    shown = present(draw_solutions(truth.image, as_photo(board)))

    assert np.array_equal(draw_view(truth.image, view), shown)


def test_cells_in_doubt_are_named_by_their_symbols(letters: tuple[LargeBoard, BoardResult]) -> None:
    _, board = letters
    assert board.reading is not None
    doubtful = board.reading.probabilities.copy()
    doubtful[17] = 0
    doubtful[17, [0, 2, 15]] = 0.1, 0.5, 0.4
    unread = replace(
        board,
        outcome=Outcome.UNREADABLE,
        solution=None,
        reading=replace(board.reading, probabilities=doubtful),
    )

    assert "r2c2 (B or O or empty)" in " ".join(advise(unread))


def test_stages_of_a_large_board_are_drawn(letters: tuple[LargeBoard, BoardResult]) -> None:
    truth, board = letters

    stages = dict(draw_stages(truth.image, as_photo(board), None))

    assert stages["3-cells"].shape[:2] == (16 * 116 + 4, 16 * 100 + 4)


class HesitantSight:
    """Sees a board's symbols, but at first sight one of them as others of its row."""

    def __init__(self, truth: LargeBoard, symbols: tuple[str, ...]) -> None:
        self._classes = [class_of(symbol) for symbol in ("", *symbols)]
        self._clues = truth.clues.ravel()
        self._doubtful = int(np.flatnonzero(self._clues)[0])

    def _classes_of_first_row(self) -> list[int]:
        row = self._clues[: len(self._classes) - 1]
        return [self._classes[value] for value in row if value]

    def read(self, cells: Image8) -> Float32:
        n_cells = len(self._clues)
        seen = np.full((len(cells), CLASSES), 1e-4, np.float32)
        if len(cells) % n_cells:  # those that vote on the turn
            return seen
        for row, value in zip(seen, np.tile(self._clues, len(cells) // n_cells), strict=True):
            row[self._classes[value]] = 1
        if len(cells) == n_cells:
            first, *others = self._classes_of_first_row()
            seen[self._doubtful, [first, *others[:2]]] = 1e-4, 0.7, 0.3
        return np.asarray(seen / seen.sum(axis=1, keepdims=True), np.float32)


def test_a_contradiction_that_rests_on_a_doubtful_cell_is_looked_at_again() -> None:
    board = print_large(12, "numbers")
    sight = HesitantSight(board, tuple(map(str, range(1, 13))))
    once, again = (
        BoardReader(DigitReader.load(), DecodeLimits(), augments=augments, symbols=sight.read)
        for augments in (False, True)
    )

    assert read(once, board).decoding.outcome is DecodeOutcome.NO_SOLUTION
    solution = present(read(again, board).decoding.solution)
    assert np.array_equal(solution, board.solution)
