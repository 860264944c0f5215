"""Boards in Arabic and Persian digits, from the picture to the solution."""

from pathlib import Path

import numpy as np
import pytest
from arrays import Float32, Image8
from large_boards import LargeBoard, print_large
from present import present

from app.recognition.readers import SecondReaders, read_no_scripts
from app.recognition.reading import BoardReader, BoardReading
from app.recognition.timing import StageClock
from models.digits import BOARD_DIGITS, DigitReader
from models.script_reader import CLASSES, ScriptReader
from solver.decoding.decode import DecodeLimits, DecodeOutcome
from vision.board import turn_lattice


@pytest.fixture(scope="module")
def face() -> str:
    """Return a typeface that has the digits, and that the network did not learn from."""
    matplotlib = pytest.importorskip("matplotlib", reason="its typeface has Arabic digits")
    return str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    seconds = SecondReaders(DigitReader.load(name=BOARD_DIGITS))
    return BoardReader(DigitReader.load(), DecodeLimits(), seconds=seconds)


def read(reader: BoardReader, board: LargeBoard) -> BoardReading:
    return reader.read(board.image, board.lattice, StageClock())


@pytest.mark.parametrize("script", ["arabic", "persian"])
@pytest.mark.parametrize("turn", range(4))
def test_a_board_is_read_whichever_way_it_lies(
    reader: BoardReader, face: str, script: str, turn: int
) -> None:
    board = print_large(9, script, turn=turn, missing=0.6, face=face)

    reading = reader.read(board.image, turn_lattice(board.lattice, 3), StageClock())

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert np.array_equal(reading.decoding.clues, board.clues)
    assert np.array_equal(present(reading.decoding.solution), board.solution)
    assert np.allclose(reading.lattice, board.lattice)
    assert not reading.decoding.handwritten.any()


@pytest.mark.parametrize(
    ("side", "hidden", "missing"), [(4, None, 0.4), (6, None, 0.4), (9, 7, 0.3)]
)
def test_small_boards_and_one_that_lacks_a_digit_are_solved(
    reader: BoardReader, face: str, side: int, hidden: int | None, missing: float
) -> None:
    board = print_large(side, "persian", hidden=hidden, missing=missing, face=face)

    reading = read(reader, board)

    assert np.array_equal(reading.decoding.clues, board.clues)
    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert np.array_equal(present(reading.decoding.solution), board.solution)


def test_a_digit_that_may_be_another_is_not_claimed(reader: BoardReader, face: str) -> None:
    """Every 4 might be printed like a 3, and no rule would object."""
    board = print_large(9, "persian", hidden=4, missing=0.3, face=face)
    network = ScriptReader.load()

    def read_alike(cells: Image8) -> Float32:
        seen = network.read(cells)
        seen[:, [3, 4]] = seen[:, 3:5].sum(axis=1, keepdims=True) * (0.8, 0.2)
        return seen

    reading = read(BoardReader(DigitReader.load(), DecodeLimits(), scripts=read_alike), board)

    assert np.array_equal(reading.decoding.clues, board.clues)
    assert reading.decoding.outcome is DecodeOutcome.UNREADABLE
    assert reading.decoding.solution is None


def test_the_usual_digits_are_not_asked_about() -> None:
    asked = []

    def scripts(cells: Image8) -> Float32:
        asked.append(len(cells))
        return np.full((len(cells), CLASSES), 1 / CLASSES, np.float32)

    board = print_large(9, "numbers", missing=0.6, face="Newsreader-Bold")

    reading = read(BoardReader(DigitReader.load(), DecodeLimits(), scripts=scripts), board)

    assert np.array_equal(reading.decoding.clues, board.clues)
    assert not asked


def test_without_the_network_nothing_is_claimed(face: str) -> None:
    board = print_large(9, "persian", missing=0.6, face=face)

    reading = read(BoardReader(DigitReader.load(), DecodeLimits(), scripts=read_no_scripts), board)

    assert reading.decoding.outcome is not DecodeOutcome.SOLVED
