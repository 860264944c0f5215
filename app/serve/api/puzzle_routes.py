"""What is asked about a puzzle's digits; the phone sends them along, so nothing is kept here."""

from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, Request

from app.puzzles.new_puzzle import PuzzleWish
from app.serve.api.practice_tasks import LessonTask, find_position, make_new, tell_technique
from app.serve.api.problems import Problem
from app.serve.api.puzzle_tasks import (
    HintTask,
    PuzzleTask,
    export_puzzle,
    give_hint,
    import_puzzle,
    rate_puzzle,
    solve_puzzle,
)
from app.serve.api.schemas import (
    CheckedPuzzle,
    Creation,
    CreationWish,
    Export,
    ExportWish,
    Hint,
    HintWish,
    Import,
    ImportWish,
    LessonPage,
    LessonWish,
    NotedPuzzle,
    Position,
    PositionWish,
    Puzzle,
    PuzzleReport,
    Rating,
    RatingWish,
    refusals,
)
from app.serve.api.worker_requests import ask
from solver.human.rating import Level
from solver.rules import Kind

router = APIRouter()

_ASKED: Final = (
    Problem.BAD_REQUEST,
    Problem.TOO_SLOW,
    Problem.TOO_LARGE,
    Problem.WRONG_TYPE,
    Problem.INVALID,
)
_WORKED_OUT: Final = (*_ASKED, Problem.TOO_HARD, Problem.BUSY)


@router.post(
    "/api/puzzles",
    summary="Solve clues, and check entries",
    response_model=PuzzleReport,
    responses=refusals(*_WORKED_OUT),
)
async def solve(request: Request, wish: CheckedPuzzle) -> dict[str, Any]:
    """Solve once more after a correction; the solution is verified, or there is none."""
    task = replace(_puzzle(wish), unsure=tuple(wish.unsure))
    answer: dict[str, Any] = await ask(request, solve_puzzle, task)
    return answer


@router.post(
    "/api/hints",
    summary="Give a hint",
    response_model=Hint,
    responses=refusals(*_WORKED_OUT),
)
async def hint(request: Request, wish: HintWish) -> dict[str, Any]:
    """Tell the next step as far as is wanted: where to look, its cells, or what follows."""
    task = HintTask(_noted(wish), wish.depth, wish.language, wish.steps_taken)
    answer: dict[str, Any] = await ask(request, give_hint, task)
    return answer


@router.post(
    "/api/ratings",
    summary="Rate a puzzle",
    response_model=Rating,
    responses=refusals(*_WORKED_OUT, Problem.NOT_UNIQUE),
)
async def rate(request: Request, wish: RatingWish) -> dict[str, Any]:
    """Say how hard a puzzle is; the hardest take seconds."""
    answer: dict[str, Any] = await ask(request, rate_puzzle, wish.clues, wish.language)
    return answer


@router.post(
    "/api/exports",
    summary="Write a puzzle in a format",
    response_model=Export,
    responses=refusals(*_ASKED),
)
def export(wish: ExportWish) -> dict[str, Any]:
    """Return the text of a file that other programs open, or a link."""
    return export_puzzle(_puzzle(wish), wish.form)


@router.post(
    "/api/imports",
    summary="Read a puzzle from a text",
    response_model=Import,
    responses=refusals(*_ASKED),
)
def read(wish: ImportWish) -> dict[str, Any]:
    """Return the puzzle that a text in any format holds, or that a link holds with its rules."""
    return import_puzzle(wish.text)


@router.post(
    "/api/creations",
    summary="Make a new puzzle",
    response_model=Creation,
    responses=refusals(*_WORKED_OUT),
)
async def create(request: Request, wish: CreationWish) -> dict[str, Any]:
    """Make a puzzle with exactly one solution; whoever goes away calls it off."""
    level = None if wish.level is None else Level(wish.level)
    wanted = PuzzleWish(level, kind=Kind(wish.kind), side=wish.side, n_grids=wish.grids)
    answer: dict[str, Any] = await ask(request, make_new, wanted)
    return answer


@router.post(
    "/api/lessons",
    summary="Tell of a technique",
    response_model=LessonPage,
    responses=refusals(*_WORKED_OUT),
)
async def teach(request: Request, wish: LessonWish) -> dict[str, Any]:
    """Tell what a technique is, and show it on the board at hand or in an example."""
    puzzle = None if wish.puzzle is None else _noted(wish.puzzle)
    task = LessonTask(wish.technique, wish.language, puzzle)
    answer: dict[str, Any] = await ask(request, tell_technique, task)
    return answer


@router.post(
    "/api/practices",
    summary="Find a position to practise on",
    response_model=Position,
    responses=refusals(*_WORKED_OUT),
)
async def practise(request: Request, wish: PositionWish) -> dict[str, Any]:
    """Look for a position that needs a technique next; whoever goes away calls it off."""
    answer: dict[str, Any] = await ask(request, find_position, wish.technique)
    return answer


def _noted(wish: NotedPuzzle) -> PuzzleTask:
    symbols = None if wish.symbols is None else tuple(wish.symbols)
    return replace(_puzzle(wish), notes=tuple(wish.notes), symbols=symbols)


def _puzzle(wish: Puzzle | ExportWish) -> PuzzleTask:
    entries = "." * len(wish.clues)
    if isinstance(wish, Puzzle) and "entries" in wish.model_fields_set:
        entries = wish.entries
    cages = tuple((total, tuple(cells)) for total, cells in wish.cages or ())
    return PuzzleTask(wish.clues, entries, (), wish.kind, wish.regions, cages)
