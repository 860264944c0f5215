"""What is told about a photo: one JSON line for programs, a few lines for people.

Which of a person's entries are right, as far as the reading is sure, is told here, too.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult, PhotoResult
from app.report.advice import (
    ABOUT_LOOKALIKES,
    advise,
    find_faults,
    find_other_kinds,
    find_unsure,
    name_cell,
    say_fault,
    say_lookalike,
)
from app.report.board_marks import find_struck, list_symbols, symbols_of
from solver.decoding.handwriting import Basis
from solver.decoding.print_and_hand import merge_print_and_handwriting
from solver.formats_kinds import KindPuzzle, draw_kind, format_cells, format_kind_fields
from solver.grid import FEWEST_CLUES, Grid, draw_grid
from solver.rules import CLASSIC_RULES, Kind, find_repeated

_TINY: Final = 0.04
"""Probability of the right digit, or of an empty cell, above which an entry is not called wrong:
notes in the middle of a cell were once read as a digit with 0.87."""


@dataclass(frozen=True, eq=False)
class CheckedEntries:
    """The entries of a solved board; cells are 0..n² − 1, ascending.

    Attributes:
        unsure: cells that look wrong, but may be misread; `wrong` ones surely are.
        digits: (n, n) uint8, all entries as they were read.
        struck: empty cells whose noted candidates lack the right digit.
        is_told_apart: whether the solution rests on the printed digits alone. Where it does not,
            entries count as clues, and only what contradicts all others is found.
    """

    right: tuple[int, ...]
    wrong: tuple[int, ...]
    unsure: tuple[int, ...]
    digits: Grid
    is_told_apart: bool
    struck: tuple[int, ...] = ()

    @property
    def is_faultless(self) -> bool:
        """Whether every entry is right, and no needed candidate is struck out."""
        return not self.wrong and not self.unsure and not self.struck


def check_entries(board: BoardResult) -> CheckedEntries | None:
    """Compare what was written with the solution, or return None where there is none.

    An entry is wrong only if the reading is sure of it: if neither the right digit nor an empty
    cell, which may hold notes, is a possible reading.
    """
    reading = board.reading
    if board.solution is None or reading is None:
        return None
    written_clues = np.where(reading.decoding.handwritten, board.clues.ravel(), 0)
    is_told_apart = reading.basis is Basis.PRINT
    digits = board.entries.ravel().copy()
    if not is_told_apart:
        digits = np.where(digits > 0, digits, written_clues).astype(np.uint8)
    solution = board.solution.ravel()
    chance = merge_print_and_handwriting(reading.probabilities)
    may_be_right = chance[np.arange(len(solution)), solution] > _TINY
    may_be_empty = chance[:, 0] > _TINY
    is_right = (digits > 0) & (digits == solution)
    is_doubtful = (digits > 0) & ~is_right & (may_be_right | may_be_empty)
    is_wrong = (digits > 0) & ~is_right & ~is_doubtful
    return CheckedEntries(
        right=_cells(is_right),
        wrong=_cells(is_wrong),
        unsure=_cells(is_doubtful),
        digits=digits.reshape(board.clues.shape),
        is_told_apart=is_told_apart,
        struck=_find_struck(board),
    )


def _find_struck(board: BoardResult) -> tuple[int, ...]:
    if board.candidates is None or board.solution is None:
        return ()
    standing = np.maximum(board.clues, board.entries)
    return find_struck(board.candidates.ravel().tolist(), standing, board.solution)


def _cells(chosen: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(chosen).tolist())


@dataclass(frozen=True)
class CheckStyle:
    """How entries are judged: `reveal` also shows what is right and what is missing."""

    reveal: bool = False


def photo_report(result: PhotoResult, check: CheckStyle | None = None) -> dict[str, Any]:
    """Return the report of a photo but for its first field, `file`; docs/report.md lists them.

    With a check, entries are judged, and the solution is left out unless it shall be revealed.
    """
    report: dict[str, Any] = {
        "outcome": result.outcome.value,
        "boards": [_board_report(board, check) for board in result.boards],
        "seconds": {stage: round(spent, 4) for stage, spent in result.seconds.items()},
    }
    if result.lookalike is not None:
        report["looks_like"] = result.lookalike.value
    if result.warnings:
        report["warnings"] = list(result.warnings)
    return report


def format_report(file: str, result: PhotoResult, check: CheckStyle | None = None) -> str:
    """Return the report as one JSON line, without its end."""
    return json.dumps({"file": file, **photo_report(result, check)})


def format_summary(
    file: str, result: PhotoResult, *, is_terminal: bool, check: CheckStyle | None = None
) -> str:
    """Return what a person wants to know: a line of status, and each board's grid, clues in bold.

    With a check, entries are judged instead of telling the solution.
    """
    if result.outcome is Outcome.BAD_IMAGE:
        # The message on stderr tells the cause, and what to do about that.
        return f"{file}: {result.outcome.sentence}"
    seconds = sum(result.seconds.values())
    if not result.boards:
        told, advice = result.outcome.sentence, _ADVICE[result.outcome]
        if result.lookalike is not None:
            advice = f"{say_lookalike(result.lookalike)}. {ABOUT_LOOKALIKES}"
        return f"{file}: {told} ({seconds:.2f} s)\n{advice}"
    parts = []
    for number, board in enumerate(result.boards, start=1):
        which = f", board {number} of {len(result.boards)}" if len(result.boards) > 1 else ""
        checked = None if check is None else check_entries(board)
        status = _status(board) if checked is None else _verdict(board, checked, check)
        parts.append(f"{file}{which}: {status} ({seconds:.2f} s)")
        if checked is not None and not (check and check.reveal):
            seen = np.where(checked.digits > 0, checked.digits, board.clues).astype(np.uint8)
            parts.append(_draw(board, seen, is_terminal=is_terminal))
        elif board.solution is not None:
            parts.append(_draw(board, board.solution, is_terminal=is_terminal))
        elif board.clues.any():
            seen = np.where(board.entries > 0, board.entries, board.clues).astype(np.uint8)
            drawn = _draw(board, seen, is_terminal=False)
            parts.append(f"The digits as they were read:\n{drawn}")
        if check is not None and checked is None:
            parts.append("So there is nothing to hold the entries against.")
        if board.outcome is not Outcome.SOLVED:
            parts += _advise(board)
    return "\n".join(parts)


def _board_report(board: BoardResult, check: CheckStyle | None) -> dict[str, Any]:
    report = _told(board)
    if check is None:
        return report
    checked = check_entries(board)
    if not check.reveal:
        report["solution"] = None
    report["checked"] = None
    if checked is not None:
        report["checked"] = {
            "right": list(checked.right),
            "wrong": list(checked.wrong),
            "unsure": list(checked.unsure),
            "struck": list(checked.struck),
            "told_apart": checked.is_told_apart,
        }
    return report


def _told(board: BoardResult) -> dict[str, Any]:
    faults, symbols = find_faults(board), symbols_of(board)
    puzzle = format_kind_fields(KindPuzzle(board.rules, board.clues))
    solution = board.solution
    return {
        "outcome": board.outcome.value,
        "kind": puzzle["kind"],
        "side": puzzle["side"],
        "symbols": list_symbols(board),
        "regions": puzzle["regions"],
        "cages": puzzle["cages"],
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in board.corners],
        "clues": puzzle["clues"],
        "entries": format_cells(board.rules, board.entries),
        "candidates": _list_candidates(board),
        "solution": None if solution is None else format_cells(board.rules, solution),
        "confidence": round(board.confidence, 4),
        "corrected": list(board.corrected),
        "solver": board.solver,
        "unsure": [{"cell": one.cell, "digits": list(one.digits)} for one in find_unsure(board)],
        "advice": [say_fault(fault, width=len(board.clues), symbols=symbols) for fault in faults],
        "faults": [fault.report() for fault in faults],
    }


def _draw(board: BoardResult, grid: Grid, *, is_terminal: bool) -> str:
    """Return a drawing of a grid, with the cages of a killer; clues are bold on a terminal."""
    clues = board.clues if is_terminal else None
    if set(board.rules.regions) == _BOXES and not board.rules.cages:
        return draw_grid(grid, clues)
    return draw_kind(board.rules, grid, clues, symbols_of(board))


def _list_candidates(board: BoardResult) -> list[str] | None:
    if board.candidates is None:
        return None
    digits = range(1, len(board.clues) + 1)
    return [
        "".join(str(digit) for digit in digits if noted >> digit & 1)
        for noted in board.candidates.ravel().tolist()
    ]


def _advise(board: BoardResult) -> list[str]:
    told = advise(board)
    is_measured = len(told) > len(find_other_kinds(board))
    return told if is_measured else [_ADVICE[board.outcome], *told]


def _verdict(board: BoardResult, checked: CheckedEntries, check: CheckStyle | None) -> str:
    """Return what came of the entries, without giving away more than was asked for."""
    count = int((checked.digits > 0).sum())
    if not count and not checked.struck:
        text = "nothing to check: no entries by hand were found"
        return text if board.candidates is None else f"{text}, and no right candidate is struck out"
    text = f"{count} {'entry' if count == 1 else 'entries'}: {len(checked.right)} right"
    text += f", {len(checked.wrong)} wrong{_list_cells(board, checked, checked.wrong, check)}"
    if checked.unsure:
        unsure = _list_cells(board, checked, checked.unsure, check)
        text += f", {len(checked.unsure)} not read for sure{unsure}"
    if checked.struck:
        names = ", ".join(name_cell(cell, width=len(board.clues)) for cell in checked.struck)
        text += f"; the right candidate is struck out in {names}"
    if not checked.is_told_apart:
        text += "; print and handwriting were not told apart, so all digits were compared"
    return text


def _list_cells(
    board: BoardResult, checked: CheckedEntries, cells: Sequence[int], check: CheckStyle | None
) -> str:
    """Return the cells as in `: r3c5 (1)`, with the right digit where it may be told."""
    named = []
    for cell in cells:
        text = f"{checked.digits.flat[cell]}"
        if check is not None and check.reveal and board.solution is not None:
            text += f", should be {board.solution.flat[cell]}"
        named.append(f"{name_cell(cell, width=len(board.clues))} ({text})")
    return f": {', '.join(named)}" if named else ""


def _status(board: BoardResult) -> str:
    count = int((board.clues > 0).sum())
    kind = "" if board.kind is Kind.CLASSIC else f", {board.kind.value}"
    if board.rules.side != CLASSIC_RULES.side:
        kind += f", {board.rules.side}×{board.rules.side}"
    text = f"{board.outcome.sentence}{kind}, {count or 'no'} {'clue' if count == 1 else 'clues'}"
    if board.kind is Kind.KILLER:
        text += _describe_cages(board)
    elif board.outcome is Outcome.AMBIGUOUS and not count:
        text = f"{board.outcome.sentence}, no digits were found on it"
    elif (
        board.outcome is Outcome.AMBIGUOUS and count < FEWEST_CLUES and board.rules == CLASSIC_RULES
    ):
        text += f", fewer than the {FEWEST_CLUES} that are the least"
    elif board.outcome is Outcome.NO_SOLUTION:
        text += _name_conflicts(board)
    count = int((board.entries > 0).sum())
    if count:
        text += f", {count} {'entry' if count == 1 else 'entries'} by hand"
    if count and board.solution is not None:
        differing = int(((board.entries > 0) & (board.entries != board.solution)).sum())
        text += f", {differing} unlike the solution" if differing else ", all as in the solution"
    if board.outcome is Outcome.SOLVED and board.corrected and board.kind is not Kind.KILLER:
        digits, symbols = board.clues.ravel(), ("empty", *symbols_of(board))
        cells = [
            f"{name_cell(cell, width=len(board.clues))} as {symbols[digits[cell]]}"
            for cell in board.corrected
        ]
        text += f", read anew by the rules: {', '.join(cells)}"
    return text


def _describe_cages(board: BoardResult) -> str:
    count = len(board.rules.cages)
    text = f" and {count} cages" if count else ", its cages were not read for sure"
    total = {cage.cells[0]: cage.total for cage in board.rules.cages}
    told = [f"{name_cell(cell)} as {total[cell]}" for cell in board.corrected if cell in total]
    if told:
        text += f", sum read anew by the total of all: {', '.join(told)}"
    traits = None if board.reading is None else board.reading.traits.cages
    if not count and traits is not None and traits.doubtful:
        text += f"; doubtful sums: {', '.join(map(name_cell, traits.doubtful))}"
    return text


def _name_conflicts(board: BoardResult) -> str:
    clues = board.clues
    conflicts = find_repeated(board.rules, clues)
    parts = []
    for digit, symbol in enumerate(symbols_of(board), start=1):
        cells = [
            name_cell(int(cell), width=len(clues))
            for cell in np.flatnonzero(conflicts & (clues == digit))
        ]
        if cells:
            parts.append(f"{symbol} in {', '.join(cells)}")
    return f", equal ones: {'; '.join(parts)}" if parts else ""


_BOXES = frozenset(CLASSIC_RULES.regions)

_ADVICE = {
    Outcome.AMBIGUOUS: "Perhaps a digit was missed: compare with the photo.",
    Outcome.NO_SOLUTION: "Perhaps a digit was misread: compare with the photo.",
    Outcome.GAVE_UP: "Try another solver with --solver; the default one decides every puzzle.",
    Outcome.UNREADABLE: "The picture itself looks well: compare the digits with the photo.",
    Outcome.NO_BOARD: "Take the photo from above, near, with the whole border of the board on it.",
}
