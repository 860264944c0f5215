"""What is asked about a puzzle's digits; the phone sends them along, so nothing is kept here."""

from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, Request

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
    Export,
    ExportWish,
    Hint,
    HintWish,
    Import,
    ImportWish,
    Puzzle,
    PuzzleReport,
    Rating,
    RatingWish,
    refusals,
)
from app.serve.api.worker_requests import ask

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
    whole = None
    if wish.whole is not None:
        whole = (wish.whole.clues, wish.whole.row, wish.whole.column)
    symbols = None if wish.symbols is None else tuple(wish.symbols)
    task = HintTask(_puzzle(wish), wish.depth, wish.language, wish.steps_taken, whole, symbols)
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


def _puzzle(wish: Puzzle | ExportWish) -> PuzzleTask:
    entries = "." * len(wish.clues)
    if isinstance(wish, Puzzle) and "entries" in wish.model_fields_set:
        entries = wish.entries
    cages = tuple((total, tuple(cells)) for total, cells in wish.cages or ())
    return PuzzleTask(wish.clues, entries, (), wish.kind, wish.regions, cages)
