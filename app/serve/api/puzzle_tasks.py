"""What workers do about puzzles, in the phone's language, without a window.

Puzzles are solved again, rated, read, written and made anew, and get hints; lessons are told.
"""

import secrets
import time
from dataclasses import replace
from math import isqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from app.help import help_words as texts
from app.help.assistance import Progress, name_rating
from app.help.help_words import words_of
from app.help.hints import Depth, HintSource, find_hint, tell_depth
from app.help.technique_lessons import LESSONS, find_pattern, find_practice
from app.puzzles.new_puzzle import PuzzleWish, make_puzzle, sides_of
from app.puzzles.puzzle_texts import SUFFIXES, write_puzzle
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult
from app.report.advice import find_faults
from app.report.board_marks import Highlight
from app.serve.api.problems import Problem, ProblemError
from app.serve.api.schemas import (
    CheckedPuzzle,
    CreationWish,
    ExportWish,
    HintWish,
    ImportWish,
    LessonWish,
    NotedPuzzle,
    PositionWish,
    Puzzle,
    RatingWish,
)
from solver.formats import parse_any_kind
from solver.formats_kinds import (
    KindPuzzle,
    format_cells,
    format_kind_fields,
    parse_kind_puzzle,
    read_cells,
)
from solver.grid import GridError, parse_grid
from solver.human.position import Technique
from solver.human.technique_engine import GaveUpError, allow_searches
from solver.human.walk import Level, UnsuitablePuzzleError, rate
from solver.human.words import Words
from solver.rules import Kind, Rules, find_repeated

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

_MOST_SIDE = 16
_PAPER_WIDTHS = (15, 21)  # of the samurais that the page and its addresses hold

_NOWHERE = np.zeros((10, 10, 2), np.float32)
"""The lattice of a puzzle without a photo."""


def solve_puzzle(pipeline: "Pipeline", wish: CheckedPuzzle) -> dict[str, Any]:
    """Solve clues, and hold the entries against the solution where there is one.

    Raises:
        ProblemError: if clues and entries are no digits of one board.
    """
    if max(wish.unsure, default=-1) >= len(wish.clues):
        raise ProblemError(Problem.INVALID)
    looked = _look_at(pipeline, wish)
    if looked is None:
        return _refuse(wish)
    progress, found = looked
    clues, rules = progress.clues, progress.rules
    report = _report(
        found.outcome, *(format_cells(rules, one) for one in (clues, progress.entries))
    )
    report["conflicts"] = np.flatnonzero(find_repeated(rules, clues)).tolist()
    report["faults"] = [fault.report() for fault in find_faults(found)]
    if progress.solution is not None:
        unsure = [cell for cell in progress.wrong if cell in wish.unsure]
        wrong = [cell for cell in progress.wrong if cell not in unsure]
        report["solution"] = format_cells(rules, progress.solution)
        report["checked"] = {"right": list(progress.right), "wrong": wrong, "unsure": unsure}
    return report


def _refuse(wish: Puzzle) -> dict[str, Any]:
    clues, entries = (text.replace("0", ".") for text in (wish.clues, wish.all_entries))
    # Of a samurai's grid alone nothing is proved: with the grids beside it, it may have a solution.
    is_open = wish.kind == Kind.SAMURAI.value
    return _report(Outcome.GAVE_UP if is_open else Outcome.NO_SOLUTION, clues, entries)


def _report(outcome: Outcome, clues: str, entries: str) -> dict[str, Any]:
    """Return what is told of a puzzle without a solution."""
    told = {"outcome": outcome.value, "clues": clues, "entries": entries, "solution": None}
    return {**told, "conflicts": [], "faults": [], "checked": None}


def export_puzzle(wish: ExportWish) -> dict[str, Any]:
    """Return a puzzle in a format, or why it cannot be: its rules are none, or not the format's."""
    suffix = SUFFIXES[wish.form]
    try:
        rules = _rules_of(wish)
        puzzle = KindPuzzle(rules, read_cells(wish.clues, rules))
        return {"text": write_puzzle(puzzle, wish.form), "suffix": suffix}
    except GridError as error:
        return {"suffix": suffix, "error": str(error)}


def import_puzzle(wish: ImportWish) -> dict[str, Any]:
    """Return the clues and the rules of the puzzle that a text holds, or why it holds none."""
    try:
        puzzle = parse_any_kind(wish.text)
    except GridError as error:
        return {"error": str(error)}
    if puzzle.rules.side > _MOST_SIDE:
        return {"error": f"puzzles of up to {_MOST_SIDE}×{_MOST_SIDE} can be opened here"}
    if puzzle.rules.kind is Kind.SAMURAI and puzzle.rules.width not in _PAPER_WIDTHS:
        sizes = " or ".join(f"{width}×{width}" for width in _PAPER_WIDTHS)
        return {"error": f"samurais of {sizes} places can be opened here"}
    fields = format_kind_fields(puzzle)
    return {name: fields[name] for name in ("clues", "kind", "regions", "cages")}


def give_hint(pipeline: "Pipeline", wish: HintWish) -> dict[str, Any]:
    """Tell the next step as far as is wanted, or what has to be said before there is one.

    Raises:
        ProblemError: if clues and entries are no digits of one board, or the steps before it take
            too much work.
    """
    words = words_of(wish.language)
    progress = _take_up(pipeline, wish)
    if progress is None:
        text = words.say(texts.UNVERIFIED)
        state = {"has_step": False, "is_stuck": False, "steps_taken": 0}
        return {"text": text, "lesson": None, **_describe(Highlight()), **state}
    try:
        source, taken = _find_hint(progress, wish.steps_taken)
    except GaveUpError as error:
        raise ProblemError(Problem.TOO_HARD) from error
    wanted = Depth[wish.depth.upper()]
    told = tell_depth(source, wanted, words)
    technique = None if source.step is None or wanted is Depth.LOOK else source.step.technique
    lesson = _tell_lesson(technique, progress.fit(words)) if technique in LESSONS else None
    state = {"has_step": source.step is not None, "is_stuck": source.is_stuck}
    shown = _describe(told.highlight)
    return {"text": told.text, "lesson": lesson, **shown, **state, "steps_taken": taken}


def _take_up(pipeline: "Pipeline", wish: NotedPuzzle) -> Progress | None:
    """Return a puzzle as help takes it up; None where its rules are none."""
    looked = _look_at(pipeline, wish)
    if looked is None:
        return None
    progress, _ = looked
    if len(wish.notes) not in (0, len(wish.clues)):
        raise ProblemError(Problem.INVALID)
    if wish.symbols is not None and len(wish.symbols) != progress.rules.side:
        raise ProblemError(Problem.INVALID)
    symbols = progress.symbols if wish.symbols is None else tuple(wish.symbols)
    return replace(progress, notes=tuple(wish.notes), symbols=symbols)


def rate_puzzle(_: "Pipeline", wish: RatingWish) -> dict[str, Any]:
    """Say how hard a puzzle is.

    Raises:
        ProblemError: if it does not have exactly one solution, or takes too much work.
    """
    grid = parse_grid(wish.clues)
    try:
        rating = rate(grid)
    except UnsuitablePuzzleError as error:
        raise ProblemError(Problem.NOT_UNIQUE) from error
    except GaveUpError as error:
        raise ProblemError(Problem.TOO_HARD) from error
    text = name_rating(rating, words_of(wish.language), is_full=bool(grid.all()))
    return {"text": text, "score": rating.score, "level": rating.level.value}


def _find_hint(progress: Progress, steps_taken: int) -> tuple[HintSource, int]:
    """Return the hint after so many steps, or as many as there are, and their number."""
    after_search = allow_searches()
    source = find_hint(progress, (), after_search)
    taken = 0
    while taken < steps_taken and source.step is not None:
        taken += 1
        source = find_hint(progress, (*source.taken, source.step), after_search)
    return source, taken


def _rules_of(wish: Puzzle | ExportWish) -> Rules:
    kind = Kind(wish.kind)
    cages = wish.cages or ([] if kind is Kind.KILLER else None)
    return parse_kind_puzzle(wish.clues, kind, wish.regions, cages).rules


def _look_at(pipeline: "Pipeline", wish: Puzzle) -> tuple[Progress, BoardResult] | None:
    """Return how far a puzzle has come, and what came of its clues.

    None is returned where no grid fulfils its rules: regions that are none of a jigsaw, or cages
    that are none.
    """
    n_cells = len(wish.clues)
    if not isqrt(n_cells) ** 2 == n_cells == len(wish.all_entries):
        raise ProblemError(Problem.INVALID)
    try:
        rules = _rules_of(wish)
    except GridError as error:
        if wish.kind == Kind.CLASSIC.value and (wish.regions or wish.cages):
            raise ProblemError(Problem.INVALID) from error
        return None
    try:
        clues, entries = (read_cells(text, rules) for text in (wish.clues, wish.all_entries))
        entries = np.where(clues > 0, 0, entries).astype(np.uint8)
        result = replace(pipeline.solve_clues(clues, _NOWHERE, rules=rules), entries=entries)
    except GridError as error:  # a digit above the side
        raise ProblemError(Problem.INVALID) from error
    return Progress(clues, entries, result.solution, rules), result


def _describe(highlight: Highlight) -> dict[str, Any]:
    return {
        "marks": {str(cell): mark.name.lower() for cell, mark in highlight.marks.items()},
        "notes": [
            {"cell": note.cell, "digit": note.digit, "kind": note.kind.name.lower()}
            for note in highlight.notes
        ],
        "digits": {str(cell): digit for cell, digit in highlight.digits.items()},
    }


def _tell_lesson(technique: Technique, words: Words) -> dict[str, str]:
    what, spot, effect = LESSONS[technique].tell(words)
    name = technique.name.lower()
    title = words.technique(technique)
    return {"technique": name, "title": title, "what": what, "spot": spot, "effect": effect}


_MAKING_SECONDS: Final = 20.0
"""For a new puzzle: less than a worker may take, so that it ends by itself."""

_LOOKING_SECONDS: Final = 12.0
"""For practice among new puzzles, before a stored position is taken."""


def make_new(
    pipeline: "Pipeline", wish: CreationWish, seconds: float = _MAKING_SECONDS
) -> dict[str, Any]:
    """Make a puzzle with exactly one solution.

    Raises:
        ProblemError: if no puzzle can be so, or none was made in time.
    """
    level = None if wish.level is None else Level(wish.level)
    wanted = PuzzleWish(level, kind=Kind(wish.kind), side=wish.side, n_grids=wish.grids)
    if wish.side not in sides_of(wanted.kind) or (level is not None and not wanted.is_rated):
        raise ProblemError(Problem.INVALID)
    end = time.monotonic() + seconds
    made = make_puzzle(wanted, secrets.randbits(32), lambda: time.monotonic() < end)
    if made is None:
        raise ProblemError(Problem.TOO_HARD)
    solution = _solve(pipeline, made)
    if solution is None:
        raise ProblemError(Problem.TOO_HARD)
    return {**format_kind_fields(made), "solution": solution}


def find_position(
    pipeline: "Pipeline", wish: PositionWish, seconds: float = _LOOKING_SECONDS
) -> dict[str, Any]:
    """Look for a position that needs a technique next, for so many seconds at most.

    Raises:
        ProblemError: if there is no lesson on it.
    """
    found = find_practice(_lesson_on(wish.technique), secrets.randbits(32), lambda: True, seconds)
    assert found is not None  # it is None only where the search is called off
    solution = _solve(pipeline, found.puzzle)
    assert solution is not None  # every position has exactly one
    told = {"solution": solution, "notes": list(found.notes)}
    state = {"is_new": found.is_new, "is_next": found.is_next}
    return {**format_kind_fields(found.puzzle), **told, **state}


def tell_technique(pipeline: "Pipeline", wish: LessonWish) -> dict[str, Any]:
    """Tell of a technique, and show it on the board at hand or in an example.

    Raises:
        ProblemError: if there is no lesson on it.
    """
    words = words_of(wish.language)
    technique = next(iter(LESSONS)) if wish.technique is None else _lesson_on(wish.technique)
    progress = None if wish.puzzle is None else _take_up(pipeline, wish.puzzle)
    shown = find_pattern(technique, progress, words)
    return {
        "names": [{"technique": one.name.lower(), "name": words.technique(one)} for one in LESSONS],
        "lesson": _tell_lesson(technique, words),
        "is_at_hand": shown.is_at_hand,
        **format_kind_fields(shown.puzzle),
        "text": shown.told.text,
        **_describe(shown.told.highlight),
    }


def _lesson_on(name: str) -> Technique:
    technique = next((one for one in LESSONS if one.name.lower() == name), None)
    if technique is None:
        raise ProblemError(Problem.INVALID)
    return technique


def _solve(pipeline: "Pipeline", puzzle: KindPuzzle) -> str | None:
    solution = pipeline.solve_clues(puzzle.clues, _NOWHERE, rules=puzzle.rules).solution
    return None if solution is None else format_cells(puzzle.rules, solution)
