"""The live view, frame by frame: right digits in their place, and never those of another board."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from arrays import Image8, Points
from filming import RATE, Recognise, is_shown, play
from present import present

from app.live.frame_recognition import (
    Evidence,
    LiveAnswer,
    LiveRequest,
    Puzzle,
    find_contradictions,
    recognise,
)
from app.live.live_session import LiveSession, SearchPace
from app.live.live_view import LiveState, LiveView
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.results import BoardResult
from solver.grid import Grid
from training.pages.flat_board import make_puzzle, render_board
from vision.board import corners_from_lattice, lattice_from_corners
from vision.drawing.overlay import is_dark_board
from vision.tracker.key_frame import prepare_frame
from vision.tracker.tracking import move_points

_SIZE = (800, 600)


class _Page:
    """A printed puzzle, shown to a camera from above."""

    def __init__(self, seed: int, clues: Grid | None = None) -> None:
        puzzle = make_puzzle(seed, 30)
        self.solution = puzzle.solution
        self.clues = puzzle.clues if clues is None else clues
        self.image, corners = render_board(self.clues, 400)
        self.lattice = lattice_from_corners(corners)

    def shoot(self, x: float = 0.0, y: float = 0.0, turn: float = 0.0) -> tuple[Image8, Points]:
        """Return a frame and the lattice in it."""
        middle = np.array(self.image.shape[:2]) / 2
        angle = np.radians(turn)
        cos, sin = np.cos(angle), np.sin(angle)
        about = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
        camera = np.array([[cos, -sin, 400 + x], [sin, cos, 300 + y], [0, 0, 1]]) @ about
        frame = cv2.warpPerspective(self.image, camera, _SIZE, borderValue=(70, 90, 110))
        return np.asarray(frame, np.uint8), move_points(self.lattice, camera)


def _table() -> Image8:
    grain = np.random.default_rng(0).normal(100, 12, (_SIZE[1], _SIZE[0], 3))
    return np.asarray(grain, np.uint8)


@pytest.fixture(scope="module")
def recogniser(pipeline: Pipeline) -> Recognise:
    return lambda request: recognise(pipeline, request)


@pytest.fixture(scope="module")
def page() -> _Page:
    return _Page(1)


def _assert_right(view: LiveView, page: _Page, lattice: Points) -> None:
    assert view.opacity > 0
    assert float(np.abs(corners_from_lattice(present(view.lattice) - lattice)).max()) < 2.5
    assert np.array_equal(view.digits, np.where(page.clues > 0, 0, page.solution))


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0])
def test_the_solution_appears_upright_on_the_board_and_stays(
    recogniser: Recognise, page: _Page, turn: float
) -> None:
    frame, lattice = page.shoot(turn=turn)

    views = play(LiveSession(), [frame] * 14, recogniser)

    shown = [number for number, view in enumerate(views) if is_shown(view)]
    assert shown == list(range(shown[0], 14))
    assert shown[0] <= 5
    assert views[-1].state is LiveState.SOLVED
    assert views[-1].opacity == 1.0
    _assert_right(views[-1], page, lattice)


@pytest.mark.parametrize(("is_dark", "is_grey"), [(False, True), (True, False)])
def test_the_papers_darkness_is_decided_once_a_puzzle(
    recogniser: Recognise, page: _Page, is_dark: bool, is_grey: bool
) -> None:
    frame, lattice = page.shoot()
    later = frame // 3  # in dim light
    if is_dark:
        frame, later = 255 - frame, 255 - later
    is_other = is_dark_board(later, lattice)
    if is_grey:
        frame, later = frame[:, :, 1], later[:, :, 1]

    views = play(LiveSession(), [frame] * 10 + [later] * 3, recogniser)

    assert is_other is not is_dark
    assert is_shown(views[9])
    assert views[-1].lattice is not None
    assert [view.is_dark for view in views[9:]] == [is_dark] * 4


def test_nothing_is_drawn_before_an_answer_has_come(recogniser: Recognise, page: _Page) -> None:
    frame, _ = page.shoot()

    views = play(LiveSession(), [frame] * 6, recogniser, delay=100)

    assert {view.state for view in views} == {LiveState.SEARCHING}
    assert not any(is_shown(view) for view in views)


def test_a_late_answer_is_carried_to_where_the_board_is(recogniser: Recognise, page: _Page) -> None:
    shots = [page.shoot(x=-150 + 16 * n, y=4 * n, turn=0.5 * n) for n in range(16)]

    views = play(LiveSession(), [frame for frame, _ in shots], recogniser, delay=6)

    shown = [number for number, view in enumerate(views) if is_shown(view)]
    assert shown
    for number in shown:
        _assert_right(views[number], page, shots[number][1])


@pytest.mark.parametrize("has_same_cells", [False, True])
def test_another_page_in_the_same_place_never_bears_the_old_digits(
    recogniser: Recognise, page: _Page, has_same_cells: bool
) -> None:
    other = _Page(2)
    if has_same_cells:
        other = _Page(1, np.where(page.clues > 0, page.clues % 9 + 1, 0).astype(np.uint8))
        other.solution = (page.solution % 9 + 1).astype(np.uint8)
    first, second = page.shoot()[0], other.shoot()[0]

    views = play(LiveSession(), [first] * 12 + [second] * 14, recogniser)

    assert is_shown(views[11])
    for view in views[12:]:
        assert not is_shown(view) or ((view.digits == 0) | (view.digits == other.solution)).all()
    _assert_right(views[-1], other, other.shoot()[1])


def test_a_page_on_which_a_clue_stands_elsewhere_bears_the_old_digits_no_longer(
    recogniser: Recognise, page: _Page
) -> None:
    clues = page.clues.copy()
    (gone, *_), (row, column) = np.argwhere(clues > 0), np.argwhere(clues == 0)[0]
    clues[*gone] = 0
    clues[row, column] = page.solution[row, column] % 9 + 1

    frames = [page.shoot()[0]] * 15 + [_Page(1, clues).shoot()[0]] * 20
    views = play(LiveSession(), frames, recogniser)

    assert is_shown(views[14])
    assert not is_shown(views[-1])


def test_the_solution_fades_and_returns_with_the_board(recogniser: Recognise, page: _Page) -> None:
    away = [page.shoot(y=-45.0 * n)[0] for n in range(14)]
    still = page.shoot()[0]

    frames = [still] * 10 + away + [_table()] * 4 + [still] * 8
    views = play(LiveSession(), frames, recogniser)

    fading = [view.opacity for view in views[10:24]]
    assert fading == sorted(fading, reverse=True)
    assert any(0 < opacity < 1 for opacity in fading)
    assert not any(is_shown(view) for view in views[24:28])
    _assert_right(views[-1], page, page.shoot()[1])


def _show_and_leave(
    session: LiveSession, page: _Page, recogniser: Recognise
) -> tuple[LiveView, LiveView]:
    """Show a board in ten frames, then a table in forty; return the last view of each."""
    shown = play(session, [page.shoot()[0]] * 10, recogniser)[-1]
    return shown, [session.advance(_table(), number / RATE) for number in range(10, 50)][-1]


def test_a_board_that_comes_back_elsewhere_shows_its_solution_unread(
    recogniser: Recognise, page: _Page
) -> None:
    session, (back, lattice) = LiveSession(), page.shoot(x=120, y=-40)
    _, gone = _show_and_leave(session, page, recogniser)

    view = session.advance(back, 50 / RATE)

    assert gone.state is LiveState.SEARCHING
    _assert_right(view, page, lattice)


def test_a_board_that_flies_in_waits_for_a_sharp_frame(recogniser: Recognise, page: _Page) -> None:
    session, back = LiveSession(), page.shoot(x=120, y=-40)[0]
    _show_and_leave(session, page, recogniser)

    smeared = session.advance(np.asarray(cv2.blur(back, (31, 1)), np.uint8), 50 / RATE)
    sharp = session.advance(back, 51 / RATE)

    assert not is_shown(smeared)
    assert is_shown(sharp)


@pytest.mark.parametrize("has_same_cells", [False, True])
def test_another_page_that_comes_instead_never_bears_the_old_digits(
    recogniser: Recognise, page: _Page, has_same_cells: bool
) -> None:
    other = _Page(2)
    if has_same_cells:
        other = _Page(1, np.where(page.clues > 0, page.clues % 9 + 1, 0).astype(np.uint8))
    session, elsewhere = LiveSession(), other.shoot(x=60, y=-20)[0]
    shown, _ = _show_and_leave(session, page, recogniser)

    views = [session.advance(elsewhere, number / RATE) for number in range(50, 60)]

    assert is_shown(shown)
    assert not any(is_shown(view) for view in views)


@pytest.mark.parametrize("cell", range(0, 30, 3))
def test_a_page_with_one_other_clue_never_bears_the_old_digits(
    recogniser: Recognise, page: _Page, cell: int
) -> None:
    clues = page.clues.copy()
    row, column = np.argwhere(clues > 0)[cell]
    clues[row, column] = {3: 8, 8: 6, 6: 8, 9: 8}.get(int(clues[row, column]), 9)
    session, elsewhere = LiveSession(), _Page(1, clues).shoot(x=60, y=-20)[0]
    shown, _ = _show_and_leave(session, page, recogniser)

    views = [session.advance(elsewhere, number / RATE) for number in range(50, 60)]

    assert is_shown(shown)
    assert not any(is_shown(view) for view in views)


def test_a_board_that_comes_back_shows_nothing_unread_until_all_of_it_is_there(
    recogniser: Recognise, page: _Page
) -> None:
    session = LiveSession()
    _show_and_leave(session, page, recogniser)

    partly = session.advance(page.shoot(y=-160)[0], 50 / RATE)
    wholly = session.advance(page.shoot(y=-60)[0], 51 / RATE)

    assert not is_shown(partly)
    assert is_shown(wholly)


def test_a_board_seen_from_all_sides_leaves_room_for_others(
    recogniser: Recognise, page: _Page
) -> None:
    other, session = _Page(2), LiveSession()
    shots = [page.shoot(), *(other.shoot(turn=90.0 * quarters) for quarters in range(4))]

    frames = [frame for shot, _ in shots for frame in [shot] * 10 + [_table()] * 25]
    play(session, frames, recogniser)
    view = session.advance(page.shoot(x=60)[0], len(frames) / RATE)

    _assert_right(view, page, page.shoot(x=60)[1])


def test_a_board_that_a_hand_leaves_shows_its_solution_unread(
    recogniser: Recognise, page: _Page
) -> None:
    frame, lattice = page.shoot()
    covered = frame.copy()
    cv2.circle(covered, (520, 420), 170, (120, 150, 190), -1)
    session = LiveSession()

    hidden = play(session, [frame] * 10 + [covered] * 30, recogniser)[-1]
    views = [session.advance(frame, (40 + number) / RATE) for number in range(2)]

    assert not is_shown(hidden)
    _assert_right(views[-1], page, lattice)


def test_a_board_without_a_solution_shows_none(recogniser: Recognise) -> None:
    clues = make_puzzle(3, 30).clues
    row, column = np.argwhere(clues == 0)[0]
    digits = {int(digit) for digit in clues[row] if digit}
    clues[row, column] = digits.pop()
    frame, _ = _Page(3, clues).shoot()

    views = play(LiveSession(), [frame] * 16, recogniser)

    assert not any(is_shown(view) for view in views)
    assert views[-1].state in (LiveState.NO_SOLUTION, LiveState.UNREADABLE)
    assert views[-1].lattice is not None


def test_a_board_with_many_solutions_shows_none(recogniser: Recognise) -> None:
    clues = make_puzzle(4, 30).clues
    for cell in np.flatnonzero(clues.ravel())[:10]:
        clues.flat[cell] = 0
    frame, _ = _Page(4, clues).shoot()

    views = play(LiveSession(), [frame] * 12, recogniser)

    assert not any(is_shown(view) for view in views)
    assert views[-1].state is LiveState.AMBIGUOUS


def test_a_doubtful_solution_waits_for_a_second_look(recogniser: Recognise, page: _Page) -> None:
    frame, _ = page.shoot()
    answers = 0

    def doubting(request: LiveRequest) -> LiveAnswer:
        nonlocal answers
        answers += 1
        answer = recogniser(request)
        return replace(answer, result=replace(present(answer.result), confidence=0.6))

    shown_after = []
    session = LiveSession()
    for number in range(12):
        view = session.advance(frame, number / RATE)
        if is_shown(view):
            shown_after.append(answers)
        request = session.take_request()
        if request is not None:
            session.accept(doubting(request))

    assert shown_after[0] >= 2


def test_looks_at_other_digits_take_the_solution_away(recogniser: Recognise, page: _Page) -> None:
    frame, _ = page.shoot()
    other = _Page(2)
    session = LiveSession()
    views = play(session, [frame] * 12, recogniser)
    assert is_shown(views[-1])

    def misled(request: LiveRequest) -> LiveAnswer:
        told = recogniser(replace(request, frame=other.shoot()[0]))
        return replace(told, request=request)

    seconds = 12 / RATE
    shown = True
    for _ in range(60):
        view = session.advance(frame, seconds)
        shown = is_shown(view)
        if not shown:
            break
        request = session.take_request()
        if request is not None:
            session.accept(misled(request))
        seconds += 1 / RATE

    assert not shown


def test_two_runs_over_the_same_frames_are_alike(recogniser: Recognise, page: _Page) -> None:
    frames = [page.shoot(x=6.0 * n, turn=n)[0] for n in range(10)]

    first, second = (play(LiveSession(), frames, recogniser) for _ in range(2))

    for one, other in zip(first, second, strict=True):
        assert (one.state, one.opacity, one.agreement) == (
            other.state, other.opacity, other.agreement,
        )  # fmt: skip
        assert (one.lattice is None) == (other.lattice is None)
        assert one.lattice is None or np.array_equal(one.lattice, np.asarray(other.lattice))


def test_frames_of_another_size_begin_anew(recogniser: Recognise, page: _Page) -> None:
    frame, _ = page.shoot()
    session = LiveSession()
    views = play(session, [frame] * 10, recogniser)
    assert is_shown(views[-1])

    smaller = np.asarray(cv2.resize(frame, (640, 480)), np.uint8)
    view = session.advance(smaller, 1.0)

    assert view.state is LiveState.SEARCHING
    assert session.take_request() is not None


def test_an_answer_to_a_given_up_request_is_passed_over(recogniser: Recognise, page: _Page) -> None:
    frame, _ = page.shoot()
    session = LiveSession()
    session.advance(frame, 0.0)
    request = present(session.take_request())
    assert session.take_request() is None

    session.accept(None)
    session.accept(recogniser(request))

    assert session.advance(frame, 0.1).state is LiveState.SEARCHING


def test_a_puzzle_solved_before_is_not_solved_again(recogniser: Recognise, page: _Page) -> None:
    frame, _ = page.shoot()
    first = present(recogniser(LiveRequest(1, frame)).result)
    known: dict[Puzzle, BoardResult] = {
        (first.clues.tobytes(), first.rules): replace(first, solver="memory")
    }

    again = present(recogniser(LiveRequest(2, frame, known=known)).result)

    assert again.solver == "memory"
    assert again.outcome is Outcome.SOLVED


def _look(cell: int, digit: int, probability: float) -> npt.NDArray[np.float32]:
    """Return a reading (81, 19) of an empty board, with a digit that is so probable in a cell."""
    look = np.full((81, 19), 0.001, np.float32)
    look[:, 0] = 1 - 0.018
    look[cell] = (1 - probability) / 18
    look[cell, digit] = probability
    return look


def test_doubtful_looks_that_agree_make_a_sure_one() -> None:
    evidence = Evidence.of(_look(40, 7, 0.6))

    for _ in range(8):
        evidence = evidence.join(_look(40, 7, 0.6))

    assert evidence.looks == 9
    assert evidence.probabilities()[40, 7] > 0.95
    assert evidence.probabilities().sum(axis=1) == pytest.approx(1.0, abs=1e-5)


def test_evidence_forgets_what_was_long_ago() -> None:
    evidence = Evidence.of(_look(40, 7, 0.99))

    for _ in range(60):
        evidence = evidence.join(_look(40, 3, 0.99))

    assert evidence.looks == 16
    assert evidence.probabilities()[40].argmax() == 3


def test_sure_looks_of_different_digits_contradict_each_other() -> None:
    seven, three, doubtful = _look(40, 7, 0.97), _look(40, 3, 0.97), _look(40, 3, 0.6)

    assert find_contradictions(seven, three) == (40,)
    assert find_contradictions(seven, doubtful) == ()
    assert find_contradictions(seven, seven) == ()


def test_a_digit_that_is_covered_contradicts_nothing() -> None:
    seven, covered = _look(40, 7, 0.97), _look(40, 0, 0.97)

    assert find_contradictions(seven, covered) == ()
    assert find_contradictions(covered, seven) == (40,)


def test_a_page_that_flies_in_is_searched_when_its_first_sharp_frame_comes(page: _Page) -> None:
    pace = SearchPace(patience=0.1)
    desk = prepare_frame(np.full((_SIZE[1], _SIZE[0], 3), (70, 90, 110), np.uint8))
    flying = [page.shoot(x=x)[0] for x in range(500, 0, -90)]
    smeared = [prepare_frame(np.asarray(cv2.blur(one, (91, 1)), np.uint8)) for one in flying]
    sharp = prepare_frame(page.shoot()[0])
    frames = [sharp, *[desk] * 60, *smeared, sharp]
    asked = []
    for number, frame in enumerate(frames):
        before = frames[number - 1] if number else None
        pace.observe(before, frame, 1 / RATE)
        if pace.may_search(number / RATE):
            asked.append(number)
        if number == 0:
            pace.find()

    first = 1 + 60
    assert not any(first <= number < len(frames) - 1 for number in asked)
    assert asked[-1] == len(frames) - 1
