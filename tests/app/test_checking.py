"""Checking entries: what is right, what is surely wrong, and what is told about them."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from board_results import board_result, square_lattice
from present import present
from puzzles import EASY, EASY_SOLUTION

from app.recognition.outcome import Outcome
from app.recognition.reading import BoardReading
from app.recognition.results import PhotoResult
from app.report.advice import (
    Fault,
    FaultKind,
    Region,
    UnsureCell,
    advise,
    find_faults,
    find_unsure,
    leave_out,
    say_fault,
)
from app.report.photo_report import (
    CheckedEntries,
    CheckStyle,
    check_entries,
    format_report,
    format_summary,
    photo_report,
)
from app.report.report_pictures import draw_solutions
from solver.decoding.handwriting import decode_filled
from solver.grid import parse_grid
from solver.rules import box_rules
from vision.quality import BoardQuality

_CELL_PX = 40
_PHOTO = np.full((10 * _CELL_PX, 10 * _CELL_PX, 3), 220, np.uint8)
_LATTICE = square_lattice(_CELL_PX / 2, 9.5 * _CELL_PX)


def see(
    printed: str, written: dict[int, int], doubts: "dict[int, dict[int, float]] | None" = None
) -> npt.NDArray[np.float32]:
    """Return (81, 19): sure print and handwriting, but for cells with given class probabilities."""
    digits = parse_grid(printed).ravel().astype(int)
    for cell, digit in written.items():
        digits[cell] = digit + 9
    probabilities = np.full((81, 19), 1e-5, np.float32)
    probabilities[np.arange(81), digits] = 1
    for cell, chances in (doubts or {}).items():
        probabilities[cell] = 1e-5
        for index, chance in chances.items():
            probabilities[cell, index] = chance
    return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))


def solve(
    probabilities: npt.NDArray[np.float32], quality: BoardQuality | None = None
) -> PhotoResult:
    """Return what comes of a photo of one board on which a network saw that."""
    filled = decode_filled(probabilities)
    blank = np.zeros((81, 32, 32), np.uint8)
    board = np.zeros((256, 256), np.uint8)
    reading = BoardReading(
        _LATTICE, board, blank, probabilities, filled.decoding, filled.entries, filled.basis
    )
    result = board_result(
        outcome=Outcome(filled.decoding.outcome.value),
        lattice=_LATTICE,
        clues=filled.decoding.clues,
        entries=filled.entries,
        solution=filled.decoding.solution,
        confidence=filled.decoding.confidence,
        corrected=filled.decoding.corrected,
        reading=reading,
        quality=quality,
    )
    return PhotoResult(result.outcome, (result,), (), {"load": 0.25})


def check(probabilities: npt.NDArray[np.float32]) -> CheckedEntries:
    return present(check_entries(solve(probabilities).boards[0]))


def first_line(result: PhotoResult, *, reveal: bool = False) -> str:
    text = format_summary("a.jpg", result, is_terminal=False, check=CheckStyle(reveal))
    return text.splitlines()[0]


def make_quality(**changes: Any) -> BoardQuality:
    """Return the quality of a good photo, but for changes."""
    good: dict[str, Any] = {
        "cell_px": 50.0,
        "light": np.full((9, 9), 180, np.float32),
        "contrast": 0.7,
        "sharpness": 0.55,
        "outside": (),
    }
    return BoardQuality(**(good | changes))


def dim(rows: slice, columns: slice, grey: int = 40) -> npt.NDArray[np.float32]:
    """Return the light on a board of which one part is dark."""
    light = np.full((9, 9), 180, np.float32)
    light[rows, columns] = grey
    return light


SHADOW = dim(slice(5, 9), slice(0, 4))

UNREADABLE = see(
    EASY[:45] + "." * 36,
    {},
    {0: {3: 0.45, 5: 0.4, 8: 0.15}, 1: {3: 0.5, 8: 0.49}, 30: {0: 0.5, 1: 0.49}},
)


def test_right_and_wrong_entries_are_told_apart() -> None:
    checked = check(see(EASY, {2: 4, 3: 6, 10: 9}))

    assert (checked.right, checked.wrong, checked.unsure) == ((2, 3), (10,), ())
    assert checked.is_told_apart
    assert not checked.is_faultless


@pytest.mark.parametrize(
    ("doubt", "wrong"),
    [({17: 0.95, 13: 0.05}, ()), ({17: 0.8, 0: 0.2}, ()), ({17: 0.6, 12: 0.4}, (2,))],
    ids=["it may be right", "it may be notes in an empty cell", "read two ways, neither right"],
)
def test_an_entry_is_wrong_only_if_whatever_it_may_be_is(
    doubt: dict[int, float], wrong: tuple[int, ...]
) -> None:
    checked = check(see(EASY, {3: 6}, {2: doubt}))

    assert (checked.wrong, checked.unsure) == (wrong, () if wrong else (2,))


def test_a_mistake_on_a_full_board_in_one_hand_is_found_among_all_digits() -> None:
    written = {cell: int(digit) for cell, digit in enumerate(EASY_SOLUTION)} | {40: 9}

    result = solve(see("." * 81, written))

    checked = present(check_entries(result.boards[0]))
    assert checked.wrong == (40,)
    assert len(checked.right) == 80
    assert not checked.is_told_apart
    assert "were not told apart" in first_line(result)


def test_a_board_without_a_solution_is_not_checked() -> None:
    result = solve(see("55" + EASY[2:], {}))

    assert check_entries(result.boards[0]) is None
    text = format_summary("a.jpg", result, is_terminal=False, check=CheckStyle())
    assert "nothing to hold the entries against" in text


def test_the_summary_counts_and_names_cells_and_gives_away_what_is_asked_for() -> None:
    kept, shown = (
        format_summary(
            "a.jpg",
            solve(see(EASY, {2: 4, 3: 6, 10: 9})),
            is_terminal=False,
            check=CheckStyle(reveal),
        )
        for reveal in (False, True)
    )

    assert kept.splitlines()[0] == "a.jpg: 3 entries: 2 right, 1 wrong: r2c2 (9) (0.25 s)"
    assert "| 5 3 4 | 6 7 . | . . . |" in kept
    assert "should be" not in kept
    assert "2 right, 1 wrong: r2c2 (9, should be 7) (0.25 s)" in shown.splitlines()[0]
    assert "| 5 3 4 | 6 7 8 | 9 1 2 |" in shown


def test_unsure_entries_are_named() -> None:
    line = first_line(solve(see(EASY, {3: 6}, {2: {17: 0.95, 13: 0.05}})))

    assert line == "a.jpg: 2 entries: 1 right, 0 wrong, 1 not read for sure: r1c3 (8) (0.25 s)"


def note(result: PhotoResult, notes: dict[int, tuple[int, ...]]) -> PhotoResult:
    """Return what came of the photo if digits are noted in some cells."""
    candidates = np.zeros((9, 9), np.uint16)
    for cell, digits in notes.items():
        candidates.flat[cell] = sum(1 << digit for digit in digits)
    (board,) = result.boards
    return replace(result, boards=(replace(board, candidates=candidates),))


def test_a_needed_candidate_that_is_struck_out_is_named() -> None:
    result = note(solve(see(EASY, {3: 6})), {2: (1, 2), 5: (2, 8)})  # 4 and 8 are right

    (reported,) = photo_report(result, CheckStyle())["boards"]

    assert first_line(result) == (
        "a.jpg: 1 entry: 1 right, 0 wrong; the right candidate is struck out in r1c3 (0.25 s)"
    )
    assert reported["checked"]["struck"] == [2]
    assert reported["candidates"][:6] == ["", "", "12", "", "", "28"]
    checked = present(check_entries(result.boards[0]))
    assert not checked.is_faultless


def test_candidates_alone_are_checked_too() -> None:
    line = first_line(note(solve(see(EASY, {})), {2: (4, 2), 3: (6,)}))

    assert line.startswith("a.jpg: nothing to check: no entries by hand were found, and no right")


def test_the_report_holds_the_verdict_and_the_solution_only_when_revealed() -> None:
    result = solve(see(EASY, {2: 4, 10: 9}))

    kept, shown = (
        json.loads(format_report("a.jpg", result, CheckStyle(reveal)))["boards"][0]
        for reveal in (False, True)
    )

    expected = {"right": [2], "wrong": [10], "unsure": [], "struck": [], "told_apart": True}
    assert kept["checked"] == shown["checked"] == expected
    assert kept["solution"] is None
    assert shown["solution"] == EASY_SOLUTION
    assert "checked" not in json.loads(format_report("a.jpg", result))["boards"][0]


def test_the_picture_marks_entries_and_leaves_all_other_cells_alone() -> None:
    result = solve(see(EASY, {2: 4, 10: 9}))

    drawn = present(draw_solutions(_PHOTO, result, CheckStyle()))
    revealed = present(draw_solutions(_PHOTO, result, CheckStyle(reveal=True)))

    assert changed_cells(drawn) == {2, 10}
    assert {2, 10, 5, 11} <= changed_cells(revealed)
    green, red = (drawn[cell_slice(cell)].reshape(-1, 3).astype(int) for cell in (2, 10))
    assert (green[:, 1] - green[:, 2]).max() > 80
    assert (red[:, 2] - red[:, 1]).max() > 80
    assert (revealed[cell_slice(10)] != drawn[cell_slice(10)]).any()


def test_a_solution_is_not_drawn_over_what_is_rightly_written() -> None:
    drawn = present(draw_solutions(_PHOTO, solve(see(EASY, {2: 4, 10: 9}))))

    missing = {cell for cell in range(81) if EASY[cell] == "."}
    assert changed_cells(drawn) == missing - {2}


def test_the_solved_picture_crosses_what_is_surely_wrong_beside_the_solution() -> None:
    drawn = present(draw_solutions(_PHOTO, solve(see(EASY, {2: 4, 10: 9}))))
    unwritten = present(draw_solutions(_PHOTO, solve(see(EASY, {2: 4}))))

    differing = (drawn != unwritten).any(axis=2)
    assert {cell for cell in range(81) if differing[cell_slice(cell)].any()} == {10}
    cell = drawn[cell_slice(10)].astype(int)
    half = len(cell) // 2
    assert (cell[:half, :half, 2] - cell[:half, :half, 1]).max() > 80
    assert not differing[cell_slice(10)][half:, half:].any()


def test_the_summary_of_a_solved_board_counts_its_entries() -> None:
    lines = [
        format_summary("a.jpg", solve(see(EASY, written)), is_terminal=False).splitlines()[0]
        for written in ({2: 4, 3: 6}, {2: 4, 10: 9})
    ]

    status = "a.jpg: solved; checked, and the only solution, 30 clues, 2 entries by hand"
    assert lines == [
        f"{status}, all as in the solution (0.25 s)",
        f"{status}, 1 unlike the solution (0.25 s)",
    ]


def cell_slice(cell: int) -> tuple[slice, slice]:
    top, left = (_CELL_PX // 2 + index * _CELL_PX for index in divmod(cell, 9))
    return slice(top + 3, top + _CELL_PX - 3), slice(left + 3, left + _CELL_PX - 3)


def changed_cells(drawn: npt.NDArray[np.uint8]) -> set[int]:
    return {cell for cell in range(81) if (drawn[cell_slice(cell)] != 220).any()}


def test_doubtful_cells_are_named_with_what_may_stand_there() -> None:
    result = solve(UNREADABLE, make_quality())

    board = result.boards[0]
    assert board.outcome is Outcome.UNREADABLE
    assert [(one.cell, one.digits) for one in find_unsure(board)] == [
        (0, (3, 5, 8)),
        (1, (3, 8)),
        (30, (0, 1)),
    ]
    assert advise(board) == [
        "3 cells are not read for sure: r1c1 (3 or 5 or 8), r1c2 (3 or 8), r4c4 (empty or 1)."
    ]
    report = json.loads(format_report("a.jpg", result))["boards"][0]
    assert report["unsure"][1] == {"cell": 1, "digits": [3, 8]}
    assert report["advice"] == advise(board)
    assert report["faults"] == [{"code": "unsure", "cells": [0, 1, 30]}]


def test_of_several_solutions_the_cells_are_named_that_would_decide() -> None:
    # Without the 6 in r3c8 there are two, which differ in twelve cells.
    fewer = EASY[:25] + "." + EASY[26:]
    result = solve(see(fewer, {}, {28: {0: 0.9, 5: 0.09}}))

    board = result.boards[0]
    (fault,) = find_faults(board)
    assert board.outcome is Outcome.AMBIGUOUS
    assert fault.kind is FaultKind.HIDDEN
    # The clues are set symmetrically but for r3c8; of the others, most is seen in r4c2.
    cells = [one.cell for one in fault.cells]
    assert cells[:2] == [25, 28]
    assert sorted(cells) == [15, 16, 24, 25, 28, 32, 33, 46, 50, 52, 69, 70]
    assert fault.cells[0].digits == (5, 6)
    report = json.loads(format_report("a.jpg", result))["boards"][0]
    assert report["faults"] == [{"code": "hidden", "cells": cells}]
    assert report["advice"] == [
        "There are several solutions: a digit may be hidden or missing, perhaps in r3c8, r4c2, "
        "r2c7, r2c8, r3c7 or r4c6."
    ]


def test_few_deciding_cells_are_all_named_and_a_cell_that_was_set_is_not() -> None:
    hidden = Fault(FaultKind.HIDDEN, cells=(UnsureCell(8, (1,)), UnsureCell(29, (2, 3))))

    assert say_fault(hidden).endswith("a digit may be hidden or missing in r1c9 or r4c3.")
    left = present(leave_out(hidden, {8}))
    assert say_fault(left).endswith("hidden or missing in r4c3.")


def test_no_cell_is_named_where_no_single_digit_decides() -> None:
    result = solve(see(EASY[:27] + "." * 54, {}))

    assert result.outcome is Outcome.AMBIGUOUS
    assert find_faults(result.boards[0]) == ()


MEASURED = {
    "blurred": (FaultKind.BLURRED, make_quality(sharpness=0.2)),
    "8 pixels high": (FaultKind.SMALL, make_quality(cell_px=8.2, sharpness=0.2)),
    "hardly differ": (FaultKind.FAINT, make_quality(contrast=0.1)),
    "is dark": (FaultKind.DARK, make_quality(light=np.full((9, 9), 20, np.float32), contrast=0.4)),
    "over the lower left": (FaultKind.SHADED, make_quality(light=SHADOW)),
    "outside of the picture (left and top)": (
        FaultKind.OUTSIDE,
        make_quality(outside=("left", "top")),
    ),
}


@pytest.mark.parametrize("words", MEASURED)
def test_each_measured_fault_has_its_own_advice(words: str) -> None:
    kind, quality = MEASURED[words]
    board = solve(UNREADABLE, quality).boards[0]

    first, *others = advise(board)

    assert find_faults(board)[0].kind is kind
    assert words in first
    assert len(others) == 1
    assert "not read for sure" in others[0]


@pytest.mark.parametrize("changes", [{"sharpness": 0.1}, {"contrast": 0.1}])
def test_a_board_without_ink_to_measure_is_not_called_blurred_or_faint(
    changes: dict[str, float],
) -> None:
    quality = make_quality(**changes)
    few, more = EASY[:30] + "." * 51, EASY[:63] + "." * 18

    bare = solve(see(few, {}), quality).boards[0]
    filled = solve(see(more, {}), quality).boards[0]

    assert find_faults(bare) == ()
    assert find_faults(filled)[0].kind in (FaultKind.BLURRED, FaultKind.FAINT)


def test_cells_that_a_person_has_set_are_unsure_no_longer() -> None:
    (unsure,) = find_faults(solve(UNREADABLE, make_quality()).boards[0])

    left = present(leave_out(unsure, {0, 30}))

    assert say_fault(left) == "1 cell is not read for sure: r1c2 (3 or 8)."
    assert leave_out(unsure, {0, 1, 30, 80}) is None


def test_the_report_has_a_code_and_figures_beside_each_sentence_of_advice() -> None:
    quality = make_quality(
        cell_px=8.21, sharpness=0.2, light=SHADOW, outside=("left", "top"), contrast=0.1
    )

    report = json.loads(format_report("a.jpg", solve(UNREADABLE, quality)))["boards"][0]

    assert report["faults"] == [
        {"code": "outside", "edges": ["left", "top"]},
        {"code": "small", "cell_px": 8.2},
        {"code": "shaded", "region": "lower_left"},
        {"code": "unsure", "cells": [0, 1, 30]},
    ]
    assert len(report["advice"]) == len(report["faults"])


@pytest.mark.parametrize(
    ("rows", "columns", "grey", "region"),
    [
        (slice(0, 4), slice(0, 9), 40, Region.UPPER),
        (slice(5, 9), slice(0, 9), 40, Region.LOWER),
        (slice(0, 9), slice(0, 4), 40, Region.LEFT),
        (slice(0, 9), slice(0, 4), 0, Region.LEFT),
        (slice(0, 9), slice(5, 9), 40, Region.RIGHT),
        (slice(0, 4), slice(0, 4), 40, Region.UPPER_LEFT),
        (slice(0, 4), slice(5, 9), 40, Region.UPPER_RIGHT),
        (slice(5, 9), slice(5, 9), 40, Region.LOWER_RIGHT),
        (slice(3, 6), slice(3, 6), 40, Region.PARTS),
    ],
)
def test_the_dark_part_of_a_board_is_named(
    rows: slice, columns: slice, grey: int, region: Region
) -> None:
    quality = make_quality(light=dim(rows, columns, grey))

    fault = find_faults(solve(UNREADABLE, quality).boards[0])[0]

    assert (fault.kind, fault.region) == (FaultKind.SHADED, region)
    assert "falls off over" in say_fault(fault)


def test_a_small_board_lacks_digits_that_its_cells_look_like() -> None:
    board = solve(UNREADABLE, make_quality()).boards[0]
    seen = np.tile(np.eye(19)[0], (36, 1))
    seen[3, [0, 4, 8]] = 0, 0.3, 0.7
    small = replace(
        board,
        clues=np.zeros((6, 6), np.uint8),
        rules=box_rules(6),
        reading=replace(present(board.reading), probabilities=seen),
    )

    assert [(one.cell, one.digits) for one in find_unsure(small)] == [(3, (4,))]
    assert "r1c4 (4)" in advise(small)[0]


def test_entries_that_are_not_told_from_print_are_named_as_the_reason() -> None:
    doubts = {cell: {int(EASY_SOLUTION[cell]) % 9 + 1: 0.97, 18: 0.03} for cell in (2, 3, 5)}
    result = solve(see(EASY, {10: 7, 80 - 4: 3}, doubts), make_quality())

    board = result.boards[0]
    assert board.outcome is Outcome.UNREADABLE
    assert "not told from the printed ones" in advise(board)[0]
    text = format_summary("a.jpg", result, is_terminal=False)
    assert "| 6 7 . |" in text


def test_a_solved_board_needs_no_advice() -> None:
    board = solve(see(EASY, {}), make_quality(sharpness=0.1)).boards[0]

    assert advise(board) == []
    assert find_unsure(board) == ()
