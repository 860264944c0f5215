"""Reading a board: quarter turns, and what someone wrote into it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from arrays import Float32, Image8
from puzzles import EASY_GRID

from app.recognition.augmentation import decode_seen
from app.recognition.kinds.killer_board import KillerLook, KillerReader
from app.recognition.pipeline import Pipeline
from app.recognition.readers import CellReaders, RareReaders, SecondReaders, Seen, read_no_scripts
from app.recognition.reading import BoardReader, BoardReading
from app.recognition.timing import StageClock
from models.digits import CLASSES, DigitReader
from models.engine import Engine
from models.hands import HandReader
from solver.decoding.cages import CageDecoding
from solver.decoding.decode import DecodeLimits, DecodeOutcome
from solver.decoding.handwriting import FilledDecoding
from solver.decoding.print_and_hand import lacks_print, merge_print_and_handwriting
from solver.exact.bitmask import find_solutions
from solver.grid import Grid, parse_grid
from training.pages.flat_board import make_puzzle, render_board
from training.rendered.rendered_photos import render_written
from vision.board import cut_cells, lattice_from_corners, rectify, turn_lattice
from vision.geometry import Points
from vision.ruled_paper import erase_ruling
from vision.written_digits import Written

TWOFOLD = parse_grid(
    "5..6.8912.7...5.4..9...2567859.6......6853...7.39..8...6.....84.8...96.....2...7."
)
"""Has one solution, and another one with 3 for its first clue."""

BLANK_PHOTO = np.full((300, 300, 3), 255, np.uint8)
RULED_PHOTO = BLANK_PHOTO.copy()
RULED_PHOTO[::14] = 190
LATTICE = lattice_from_corners(np.array([[10, 10], [290, 10], [290, 290], [10, 290]], np.float32))


class GivenEngine:
    """Sees a board as it is given, and by several looks others in their order, if there are any.

    It sees nothing on the sample that votes on the turn.
    """

    def __init__(self, first: Float32, *later: Float32) -> None:
        self._first = first
        self._later = later or (first,)

    def run(self, inputs: Float32) -> Float32:
        looks = len(inputs) // 81
        if looks > 1:
            return np.concatenate(self._later * (looks // len(self._later)))
        return self._first if looks else np.full((len(inputs), CLASSES), 1 / CLASSES, np.float32)


def show(printed: Grid, handwritten: Grid | None = None) -> Float32:
    """Return what is seen of a board that leaves no doubt, (81, 19)."""
    written = printed * 0 if handwritten is None else handwritten
    seen = np.full((81, CLASSES), 0.001 / (CLASSES - 1), np.float32)
    seen[np.arange(81), np.where(written > 0, written + 9, printed).ravel()] = 0.999
    return seen


def put(seen: Float32, cell: int, likely: dict[int, float]) -> Float32:
    """See these classes in a cell, with these probabilities, and nothing else."""
    seen[cell] = 0
    seen[cell, list(likely)] = list(likely.values())
    return seen


def show_odds(odds: float, *, is_by_hand: bool = False) -> Float32:
    """Return what is seen of the twofold puzzle, its first clue with odds, in nats, against a 3."""
    other = 1 / (1 + float(np.exp(odds)))
    seen = put(show(TWOFOLD), 0, {5: 1 - other, 3: other})
    if is_by_hand:
        seen[:, 10:], seen[:, 1:10] = seen[:, 1:10].copy(), 0
    return seen


def waver() -> GivenEngine:
    """Cannot tell the first clue by one look, and can by several."""
    sure = show(TWOFOLD)
    return GivenEngine(put(sure.copy(), 0, {5: 0.5, 3: 0.5}), sure)


def read(engine: Engine, limits: DecodeLimits | None = None, **options: Any) -> BoardReading:
    """Return what comes of a blank board in which an engine sees digits."""
    reader = BoardReader(DigitReader(engine), limits or DecodeLimits(), **options)
    return reader.read(BLANK_PHOTO, LATTICE, StageClock())


@pytest.mark.parametrize("entries", [{2: 4}, {2: 8, 3: 6}], ids=["right", "wrong"])
def test_entries_are_told_apart_and_the_print_alone_is_solved(entries: dict[int, int]) -> None:
    handwritten = np.zeros((9, 9), np.uint8)
    for cell, digit in entries.items():
        handwritten.flat[cell] = digit

    reading = read(GivenEngine(show(EASY_GRID, handwritten)))

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert (reading.decoding.clues == EASY_GRID).all()
    assert (reading.entries == handwritten).all()


def test_a_wrong_clue_in_print_is_not_explained_away() -> None:
    reading = read(GivenEngine(show(parse_grid("535" + "." * 78))))

    assert reading.decoding.outcome is DecodeOutcome.NO_SOLUTION
    assert reading.decoding.solution is None


def test_an_unsure_board_is_looked_at_again() -> None:
    first = read(waver(), augments=False).decoding
    second = read(waver()).decoding

    assert first.outcome is DecodeOutcome.UNREADABLE
    assert second.outcome is DecodeOutcome.SOLVED
    assert (second.clues == TWOFOLD).all()


def test_at_first_sight_no_board_is_looked_at_again() -> None:
    reader = BoardReader(DigitReader(waver()), DecodeLimits())

    glimpsed = reader.glance(BLANK_PHOTO, LATTICE, StageClock())
    closer = reader.look_closer(BLANK_PHOTO, glimpsed, StageClock())

    assert glimpsed.decoding.outcome is DecodeOutcome.UNREADABLE
    assert closer.decoding.outcome is DecodeOutcome.SOLVED
    assert reader.look_closer(BLANK_PHOTO, closer, StageClock()) is closer


def test_a_board_is_looked_at_again_even_if_its_search_was_spent() -> None:
    looked_again = read(waver(), DecodeLimits(nodes=1)).decoding
    looked_once = read(waver(), DecodeLimits(nodes=1), retry_unfinished=False).decoding

    assert looked_again.outcome is DecodeOutcome.SOLVED
    assert looked_once.outcome is DecodeOutcome.UNREADABLE


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
def test_a_claim_falls_if_more_looks_differ(later: "list[Grid]", outcome: DecodeOutcome) -> None:
    engine = GivenEngine(put(show(EASY_GRID), 0, {5: 0.7, 3: 0.3}), *map(show, later))

    assert read(engine, augments=False).decoding.outcome is DecodeOutcome.SOLVED
    assert read(engine).decoding.outcome is outcome


def test_a_doubtful_claim_stands_if_more_looks_leave_it_open() -> None:
    second = int(np.flatnonzero(TWOFOLD)[1])
    first_look = put(show(TWOFOLD), second, {int(TWOFOLD.flat[second]): 0.7, 0: 0.3})
    later = put(show(TWOFOLD), 0, {5: 0.55, 3: 0.45})

    reading = read(GivenEngine(first_look, later))

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert reading.probabilities[0].max() > 0.9


@pytest.mark.parametrize(
    ("odds", "outcome"), [(3.0, DecodeOutcome.SOLVED), (2.0, DecodeOutcome.UNREADABLE)]
)
def test_looks_that_agree_say_more_than_one(odds: float, outcome: DecodeOutcome) -> None:
    engine = GivenEngine(show_odds(odds))

    assert read(engine, augments=False).decoding.outcome is DecodeOutcome.UNREADABLE
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
    second = None if second_odds is None else DigitReader(GivenEngine(show_odds(second_odds)))

    reading = read(GivenEngine(show_odds(2.0)), seconds=SecondReaders(second))

    assert reading.decoding.outcome is outcome


def test_a_second_network_is_asked_at_first_sight_too() -> None:
    engine, second = GivenEngine(show_odds(2.0)), DigitReader(GivenEngine(show_odds(12.0)))

    alone, joined = (
        read(engine, augments=False, seconds=SecondReaders(one)) for one in (None, second)
    )

    assert alone.decoding.outcome is DecodeOutcome.UNREADABLE
    assert joined.decoding.outcome is DecodeOutcome.SOLVED


def test_a_second_network_that_knows_a_typeface_less_makes_no_board_unsure() -> None:
    engine = GivenEngine(show_odds(12.0))
    vague = show_odds(12.0)
    vague[10:30] = 1 / CLASSES

    reading = read(engine, seconds=SecondReaders(DigitReader(GivenEngine(vague))))

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert np.array_equal(reading.probabilities, show_odds(12.0))


class WholeBoards:
    """Reads the cells of one board at a time."""

    def read(self, cells: Image8) -> Float32:
        assert len(cells) == 81
        return show(EASY_GRID)


def test_a_reader_of_boards_never_sees_the_cells_of_two_looks_beside_each_other() -> None:
    engine = GivenEngine(show(EASY_GRID))
    readers = CellReaders(
        DigitReader(engine),
        SecondReaders(WholeBoards()),
        RareReaders().read_symbols,
        read_no_scripts,
    )

    found = readers.see_jointly(np.zeros((2, 81, 32, 32), np.uint8), 9, cut_nothing)

    assert np.array_equal(found.probabilities.argmax(axis=1), EASY_GRID.ravel())


def cut_nothing(*, is_denoised: bool) -> Written:
    raise AssertionError(f"nothing here is by hand ({is_denoised})")


def test_the_reader_of_hands_is_asked_where_both_readers_together_see_no_print() -> None:
    first, second = show_odds(2.0), show_odds(2.0, is_by_hand=True)
    filled = TWOFOLD.ravel() > 0
    for seen, share in ((first, 0.3), (second, 0.95)):
        digits = seen[filled, 1:10] + seen[filled, 10:]
        seen[filled, 1:10], seen[filled, 10:] = (1 - share) * digits, share * digits
    asked = []

    def cut(*, is_denoised: bool) -> Written:
        asked.append(is_denoised)
        return Written(np.zeros((81, 28, 28), np.uint8), np.zeros(81, np.float32))

    hands = HandReader(WritingEngine(TWOFOLD))
    boards = DigitReader(GivenEngine(second))
    readers = CellReaders(
        DigitReader(GivenEngine(first)),
        SecondReaders(boards, hands),
        RareReaders().read_symbols,
        read_no_scripts,
    )

    readers.see_jointly(np.zeros((1, 81, 32, 32), np.uint8), 9, cut)

    assert not lacks_print(first)
    assert asked


def test_both_networks_say_who_wrote_a_digit() -> None:
    engine = GivenEngine(put(show_odds(4.0), 80, {2: 0.6, 9 + 2: 0.4}))
    second = GivenEngine(put(show_odds(12.0), 80, {2: 0.1, 9 + 2: 0.9}))

    reading = read(engine, augments=False, seconds=SecondReaders(DigitReader(second)))

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    assert reading.probabilities[80].argmax() == 9 + 2


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


def print_twofold() -> tuple[Image8, Points]:
    """Return a photo with an 8 for each clue of the twofold puzzle, and its lattice."""
    photo, corners = render_board(np.where(TWOFOLD > 0, 8, 0).astype(np.uint8))
    return photo, lattice_from_corners(corners)


def read_with_hands(
    seen: Float32,
    *,
    second_odds: float | None = None,
    first_is_digit: bool = True,
    is_live: bool = False,
) -> BoardReading:
    """Return what comes of a photo of the twofold puzzle, whose digits a reader of hands knows."""
    hands = HandReader(WritingEngine(TWOFOLD, first_is_digit=first_is_digit))
    seconds = SecondReaders(hands=hands)
    if second_odds is not None:
        second = show_odds(second_odds, is_by_hand=not seen[:, 1:10].any())
        seconds = SecondReaders(DigitReader(GivenEngine(second)), hands)
    reader = BoardReader(DigitReader(GivenEngine(seen)), DecodeLimits(), seconds=seconds)
    if is_live:
        return reader.read_upright(
            *print_twofold(), lambda probabilities: probabilities, StageClock()
        )
    return reader.read(*print_twofold(), StageClock())


@pytest.mark.parametrize("is_by_hand", [False, True])
def test_a_board_by_hand_is_held_against_a_reader_of_hands(is_by_hand: bool) -> None:
    reading = read_with_hands(show_odds(2.0, is_by_hand=is_by_hand), second_odds=-2.0)

    assert (reading.decoding.outcome is DecodeOutcome.SOLVED) is is_by_hand


def test_the_reader_of_hands_is_asked_about_all_ink_that_is_as_strong_as_digits() -> None:
    photo, corners = render_board(np.where(TWOFOLD > 0, 1, 0).astype(np.uint8))
    line = np.flatnonzero(TWOFOLD)[3]  # for which the first reader takes a tall 1
    first = GivenEngine(put(show_odds(2.0, is_by_hand=True), int(line), {0: 1.0}))
    seconds = SecondReaders(hands=HandReader(WritingEngine(TWOFOLD)))

    reading = BoardReader(DigitReader(first), DecodeLimits(), seconds=seconds).read(
        photo, lattice_from_corners(corners), StageClock()
    )

    assert merge_print_and_handwriting(reading.probabilities)[line].argmax() == TWOFOLD.flat[line]


def test_print_that_looks_written_is_held_against_a_reader_of_hands() -> None:
    seen = show_odds(2.0, is_by_hand=True)
    seen[:, 1:10], seen[:, 10:] = 0.1 * seen[:, 10:], 0.9 * seen[:, 10:]

    reading = read_with_hands(seen, second_odds=-2.0)

    assert reading.decoding.outcome is DecodeOutcome.SOLVED
    is_written = reading.probabilities.argmax(axis=1) > 9
    assert not is_written.any()  # nor is the only one of its digit, which the second sees printed


def test_the_reader_of_hands_is_asked_where_digits_are_unlike_the_sure_print() -> None:
    unsure = np.flatnonzero(TWOFOLD)[14:]
    shown = np.where(TWOFOLD > 0, 8, 0).astype(np.uint8)
    shown.flat[unsure] = np.arange(len(unsure)) % 7 + 1
    photo, corners = render_board(shown)
    seen = show_odds(2.0)
    seen[unsure, 10:], seen[unsure, 1:10] = 0.45 * seen[unsure, 1:10], 0.55 * seen[unsure, 1:10]
    asked = []

    def cut(*, is_denoised: bool) -> Written:
        asked.append(is_denoised)
        return Written(np.zeros((81, 28, 28), np.uint8), np.zeros(81, np.float32))

    seconds = SecondReaders(hands=HandReader(WritingEngine(TWOFOLD)))
    readers = CellReaders(
        DigitReader(GivenEngine(seen)), seconds, RareReaders().read_symbols, read_no_scripts
    )
    looks = cut_cells(rectify(photo, lattice_from_corners(corners)))[None]

    found = readers.see_jointly(looks, 9, cut).probabilities

    assert lacks_print(found)
    assert asked


@pytest.mark.parametrize("is_digit", [True, False])
@pytest.mark.parametrize("is_live", [True, False])
def test_a_scribble_that_one_look_takes_for_a_clue_is_none(is_digit: bool, is_live: bool) -> None:
    seen = show_odds(12.0, is_by_hand=True)

    reading = read_with_hands(seen, first_is_digit=is_digit, is_live=is_live)

    assert (reading.decoding.outcome is DecodeOutcome.SOLVED) is is_digit


def test_a_written_one_that_passes_for_a_line_is_a_clue() -> None:
    reading = read_with_hands(put(show_odds(12.0, is_by_hand=True), 0, {0: 0.99, 10: 0.01}))

    assert (reading.decoding.clues == TWOFOLD).all()


def test_where_nothing_is_found_the_reader_of_hands_has_no_say() -> None:
    first = GivenEngine(show_odds(3.0, is_by_hand=True))
    seconds = SecondReaders(hands=HandReader(WritingEngine(TWOFOLD)))

    reading = read(first, seconds=seconds)

    assert (reading.probabilities.argmax(axis=1) > 9).sum() == (TWOFOLD > 0).sum()


@pytest.mark.parametrize(
    ("specks", "outcome"), [(2, DecodeOutcome.SOLVED), (3, DecodeOutcome.UNREADABLE)]
)
def test_two_specks_as_entries_forbid_no_second_look(specks: int, outcome: DecodeOutcome) -> None:
    seen = show_odds(3.0)
    solution = find_solutions(TWOFOLD, limit=1)[0].ravel()
    for cell in np.flatnonzero(TWOFOLD.ravel() == 0)[:specks]:
        wrong = solution[cell] % 9 + 1
        put(seen, int(cell), {0: 0.3, 9 + int(wrong): 0.7})

    reading = read(GivenEngine(seen))

    assert reading.decoding.outcome is outcome


class TurningEngine:
    """Sees a board for sure, and after it turns that are a little less likely."""

    def __init__(self) -> None:
        doubtful = show(EASY_GRID)
        doubtful[0] = 0.1 / (CLASSES - 1)
        doubtful[0, 5] = 0.9
        self._looks = iter([show(EASY_GRID)] + 3 * [doubtful])

    def run(self, inputs: Float32) -> Float32:
        if len(inputs) == 81:
            return next(self._looks)
        return np.full((len(inputs), CLASSES), 1 / CLASSES, np.float32)


def test_turns_that_cannot_be_likelier_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[Seen] = []

    def decode(seen: Seen, *rest: Any) -> FilledDecoding:
        decoded.append(seen)
        return decode_seen(seen, *rest)

    monkeypatch.setattr("app.recognition.reading.decode_seen", decode)

    assert read(TurningEngine(), augments=False).decoding.outcome is DecodeOutcome.SOLVED
    assert len(decoded) == 1


def test_a_turn_whose_look_is_as_likely_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[Seen] = []

    def decode(seen: Seen, *rest: Any) -> FilledDecoding:
        """Decode as after lines were erased, which makes a board likelier than it looked."""
        decoded.append(seen)
        filled = decode_seen(seen, *rest)
        return replace(filled, decoding=replace(filled.decoding, log_likelihood=0.0))

    monkeypatch.setattr("app.recognition.reading.decode_seen", decode)

    read(GivenEngine(show(EASY_GRID)), augments=False)

    assert len(decoded) == 4


@pytest.mark.parametrize("turns", range(4))
def test_the_lattice_comes_back_upright_however_it_was_given(turns: int) -> None:
    photo, corners = render_board(EASY_GRID)
    upright = lattice_from_corners(corners)
    reader = BoardReader(DigitReader.load(), DecodeLimits())

    reading = reader.read(photo, turn_lattice(upright, turns), StageClock())

    assert (reading.decoding.clues == EASY_GRID).all()
    assert (reading.lattice == upright).all()


@pytest.mark.parametrize("is_ruled", [False, True])
def test_what_is_half_sure_without_the_lines_of_the_paper_is_not_claimed(is_ruled: bool) -> None:
    photo = RULED_PHOTO if is_ruled else BLANK_PHOTO
    sure = show(TWOFOLD)
    first = sure.copy()
    for cell in np.flatnonzero(TWOFOLD)[:4].tolist():
        put(first, cell, {int(TWOFOLD.flat[cell]): 0.5, 0: 0.5})
    # A 1 in this cell leaves several solutions.
    later = put(sure.copy(), 14, {int(TWOFOLD.flat[14]): 0.6, 1: 0.4})
    reader = BoardReader(DigitReader(GivenEngine(first, later)), DecodeLimits())

    reading = reader.read(photo, LATTICE, StageClock())

    assert (reading.decoding.outcome is DecodeOutcome.SOLVED) is not is_ruled


@pytest.mark.parametrize("is_ruled", [False, True])
def test_a_frame_claims_nothing_half_sure_without_the_lines_of_the_paper(is_ruled: bool) -> None:
    photo = RULED_PHOTO if is_ruled else BLANK_PHOTO
    seen = show(TWOFOLD)
    for cell in np.flatnonzero(TWOFOLD)[-3:].tolist():
        in_row = next(int(one) for one in TWOFOLD[cell // 9] if one not in (0, TWOFOLD.flat[cell]))
        put(seen, cell, {int(TWOFOLD.flat[cell]): 0.7, in_row: 0.3})
    # A 1 in this cell leaves several solutions.
    put(seen, 14, {int(TWOFOLD.flat[14]): 0.6, 1: 0.4})
    reader = BoardReader(DigitReader(GivenEngine(seen)), DecodeLimits(), augments=False)

    reading = reader.read_upright(photo, LATTICE, lambda probabilities: probabilities, StageClock())

    assert (reading.decoding.solution is None) is is_ruled


class FlatKillers(KillerReader):
    """Tells a killer only where a board was flattened for the lines of its paper."""

    def read(self, image: Image8, lattice: Points) -> KillerLook | None:
        is_flat = image.shape != BLANK_PHOTO.shape
        return KillerLook(0, np.zeros(81, np.bool_), CageDecoding()) if is_flat else None


@pytest.mark.parametrize("is_live", [True, False])
def test_a_killer_that_lines_of_the_paper_hide_is_read_as_one(is_live: bool) -> None:
    doubtful = np.full((81, CLASSES), 1 / CLASSES, np.float32)
    reader = BoardReader(DigitReader(GivenEngine(doubtful)), DecodeLimits(), killers=FlatKillers())

    if is_live:
        reading = reader.read_upright(RULED_PHOTO, LATTICE, lambda seen: seen, StageClock())
    else:
        reading = reader.read(RULED_PHOTO, LATTICE, StageClock())

    assert reading.traits.cages is not None
    assert (reading.lattice == LATTICE).all()


@pytest.mark.slow  # reads a whole photo with the networks
def test_a_board_drawn_on_squared_paper_is_read_without_the_squares() -> None:
    puzzle = make_puzzle(4, 30)
    photo, _ = render_written(puzzle.clues, 2, np.random.default_rng([4, 5]), is_sketched=True)

    (board,) = Pipeline.load().solve_photo(photo).boards

    assert board.solution is not None
    assert (board.solution == puzzle.solution).all()
    assert (board.clues == puzzle.clues).all()
    assert erase_ruling(photo, board.lattice) is not None


def test_ink_that_one_look_does_not_show_is_read_in_the_other() -> None:
    shapes = np.zeros((81, 28, 28), np.uint8)
    shapes[0, 4:24, 13:15] = 255
    looks = {False: shapes, True: np.zeros_like(shapes)}

    def cut(*, is_denoised: bool) -> Written:
        return Written(looks[is_denoised], np.zeros(81, np.float32))

    class InkEngine:
        """Takes any ink for a 1."""

        def run(self, inputs: Float32) -> Float32:
            digits = inputs.any(axis=(1, 2, 3)).astype(int)
            return np.eye(10, dtype=np.float32)[digits] * 0.98 + 0.002

    seconds = SecondReaders(hands=HandReader(InkEngine()))
    first = np.zeros((81, 19), np.float32)
    first[:, 0] = 1
    first[0] = [0.5, *np.zeros(9), 0.5, *np.zeros(8)]
    readers = CellReaders(
        DigitReader(GivenEngine(first)), seconds, RareReaders().read_symbols, read_no_scripts
    )

    found = readers.see_jointly(np.zeros((1, 81, 32, 32), np.uint8), 9, cut).probabilities

    assert merge_print_and_handwriting(found)[0, 1] > 0.9
