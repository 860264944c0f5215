"""Sudokus from Python: photos solved, puzzles solved, counted, rated, explained and made.

This module is the public interface. Everything in the packages below it may change.

    import sudoku_lens

    result = sudoku_lens.solve_photo("newspaper.jpg")
    for board in result.boards:
        print(board.outcome, board.solution)

A grid is (side, side) uint8 digits 1..side, 0 = empty. A function that takes a puzzle takes a grid,
or text: a line, a drawn grid or a link, as `sudoku-lens puzzle` does.
"""

import secrets
import threading
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from app.recognition.outcome import Outcome
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.results import BoardResult, PhotoResult
from solver.base import Limits, Result, RuleSolver, Status
from solver.generation.generate import GenerateOptions, Symmetry
from solver.grid import Grid, GridError, as_grid
from solver.human.walk import Hint, Level, Rating, Strength
from solver.layout import ALL_SIZES, USUAL_BOXES
from solver.rules import (
    Cage,
    Kind,
    Rules,
    admit_grid,
    box_rules,
    jigsaw_rules,
    killer_rules,
    samurai_rules,
)
from vision.media.images import ImageError

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

__all__ = [
    "BoardResult",
    "Cage",
    "GridError",
    "Hint",
    "ImageError",
    "Kind",
    "Level",
    "Limits",
    "Outcome",
    "PhotoResult",
    "PipelineOptions",
    "Rating",
    "Result",
    "Rules",
    "Status",
    "Strength",
    "Symmetry",
    "box_rules",
    "count_solutions",
    "draw_solutions",
    "generate",
    "hint",
    "jigsaw_rules",
    "killer_rules",
    "rate",
    "samurai_rules",
    "solve_photo",
    "solve_puzzle",
]

try:
    __version__ = version("sudoku-lens")
except PackageNotFoundError:  # a folder on the path, which nobody installed
    __version__ = "unknown"

Picture: TypeAlias = npt.NDArray[np.uint8]
"""(H, W, 3) BGR, upright."""

Photo: TypeAlias = str | Path | bytes | Picture
"""A file, its bytes, or its pixels."""

Puzzle: TypeAlias = str | Grid | Sequence[Sequence[int]]
"""Text in any format that is read, or a grid."""

_DEFAULTS: Final = PipelineOptions()

_one_at_a_time = threading.Lock()  # a pipeline serves one thread at a time


def solve_photo(photo: Photo, options: PipelineOptions = _DEFAULTS) -> PhotoResult:
    """Find, read and solve the boards of a photo.

    Networks are loaded at the first call and kept. Calls from several threads wait for each other.

    Args:
        photo: a file, its bytes, or (H, W, 3) uint8 BGR pixels, upright.
        options: the solver, the reader and the limits.

    Returns:
        The boards, best first. A board has a solution only where it was proved to be the only one.

    Raises:
        ImageError: if it is no picture, damaged, too small or too large.
        ValueError: if an array has another shape or type, or there is no such solver.
    """
    pixels = _load_pixels(photo)
    with _one_at_a_time:
        return _load_pipeline(options).solve_photo(pixels)


def draw_solutions(photo: Photo, result: PhotoResult) -> Picture | None:
    """Return the photo with the solutions of its boards on it, (H, W, 3) uint8 BGR.

    Args:
        photo: what `solve_photo` was given.
        result: what it returned.

    Returns:
        A new picture; None where no board is solved.

    Raises:
        ImageError: as `solve_photo` does.
    """
    from app.report.report_pictures import draw_solutions as draw

    return draw(_load_pixels(photo), result)


def solve_puzzle(
    puzzle: Puzzle,
    solver: str | None = None,
    limits: Limits | None = None,
    rules: Rules | None = None,
) -> Result:
    """Solve a puzzle, and prove that it has one solution.

    Args:
        puzzle: text or grid. A text may tell its rules: a JSON object of `docs/kinds.md`, or a
            link of f-puzzles or SudokuPad. Without rules, side 4, 6, 8, 9, 10, 12, 16 or 25.
        solver: a name that `docs/solvers.md` lists; None for the default one.
        limits: when to give up; None for never.
        rules: from `box_rules`, `jigsaw_rules`, `killer_rules` or `samurai_rules`; those that the
            text tells, or the classic ones, when None. The solvers bitmask, cp-sat and sat know
            them.

    Raises:
        GridError: if the text is no puzzle.
        ValueError: if there is no such solver, or it cannot do this size or these rules.
    """
    from solver.registry import DEFAULT_SOLVER, RULE_SOLVERS, load_solver

    chosen, limits = solver or DEFAULT_SOLVER, limits or Limits()
    clues, rules = _read_puzzle(puzzle, rules)
    if rules is None:
        return load_solver(chosen).solve(clues, limits)
    if chosen not in RULE_SOLVERS:
        raise ValueError(f"{chosen} knows the classic rules; use one of {', '.join(RULE_SOLVERS)}")
    return cast(RuleSolver, load_solver(chosen)).solve(clues, limits, rules)


def count_solutions(puzzle: Puzzle, limit: int = 2, rules: Rules | None = None) -> int:
    """Count the solutions of a puzzle.

    Args:
        puzzle: text or grid, of any side that `solve_puzzle` takes.
        limit: counting ends there.
        rules: as `solve_puzzle` takes them.

    Raises:
        GridError: if the text is no puzzle.
    """
    from solver.exact.bitmask import count_solutions as count

    clues, rules = _read_puzzle(puzzle, rules)
    return count(clues, limit, rules)


def hint(
    puzzle: Puzzle, strength: Strength = Strength.WHERE, rules: Rules | None = None
) -> Hint | None:
    """Return a hint at the next step of a puzzle; None where no technique finds one.

    Args:
        puzzle: clues and entries together, as text or grid, of any side that `solve_puzzle` takes.
        strength: how much to give away.
        rules: as `solve_puzzle` takes them.

    Raises:
        GridError: if the text is no puzzle.
        ValueError: if it has no solution, or several, or there is no such strength.
    """
    from solver.human.masks import masks_of
    from solver.human.walk import make_hint, next_step

    clues, rules = _read_puzzle(puzzle, rules)
    rules = rules or box_rules(len(clues))
    strength = Strength(strength)
    step = next_step(clues, rules=rules)
    return None if step is None else make_hint(step, strength, masks_of(rules))


def rate(puzzle: Puzzle) -> Rating | None:
    """Rate a 9×9 puzzle on the Sudoku Explainer scale; None where no technique goes on.

    Args:
        puzzle: text or grid.

    Raises:
        GridError: if the text is no puzzle.
        ValueError: if it has no solution, or several, or is no 9×9 grid.
    """
    from solver.human.walk import rate as find_rating

    clues, rules = _read_puzzle(puzzle)
    if rules is not None:
        raise ValueError(
            f"only classic puzzles of 9×9 are rated, not a {rules.kind.value} one of side "
            f"{rules.side}"
        )
    return find_rating(clues)


def generate(
    count: int = 1,
    *,
    side: int = 9,
    clues: int | None = None,
    symmetry: Symmetry = Symmetry.NONE,
    seed: int | None = None,
) -> list[Grid]:
    """Make puzzles, each proved to have exactly one solution.

    Args:
        count: how many.
        side: 4, 6, 8, 9, 10, 12, 16 or 25.
        clues: how many; None clears until no clue can be taken away.
        symmetry: of the clues' pattern.
        seed: the same leads to the same puzzles; None draws one.

    Returns:
        (side, side) uint8 grids; fewer than `count` where so few clues are hard to reach.

    Raises:
        ValueError: if what is wanted cannot be.
    """
    from solver.generation.generate import generate_puzzles
    from solver.generation.generate_kinds import KindOptions, generate_kind

    if seed is not None and seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")
    symmetry = Symmetry(symmetry)
    seed = secrets.randbits(32) if seed is None else seed
    if side not in ALL_SIZES:
        wanted = KindOptions(side=side, clues=clues, symmetry=symmetry)
        return [puzzle.clues for puzzle in generate_kind(count, wanted, seed)]
    options = GenerateOptions(side=side, clues=clues, symmetry=symmetry)
    return list(generate_puzzles(count, options, seed).puzzles)


@cache
def _load_pipeline(options: PipelineOptions) -> "Pipeline":
    from app.recognition.pipeline import Pipeline

    return Pipeline.load(options)


def _load_pixels(photo: Photo) -> Picture:
    if not isinstance(photo, str | Path | bytes | np.ndarray):
        raise TypeError(
            f"a photo is a file's name, its bytes or pixels, not {type(photo).__name__}"
        )
    from vision.media.images import MIN_SIDE_PX, load_image

    if not isinstance(photo, np.ndarray):
        return load_image(photo)
    if photo.ndim != 3 or photo.shape[2] != 3 or photo.dtype != np.uint8:
        raise ValueError(f"pixels must be (H, W, 3) uint8, got {photo.shape} {photo.dtype}")
    if min(photo.shape[:2]) < MIN_SIDE_PX:
        raise ValueError(f"pixels must be {MIN_SIDE_PX} a side at least, got {photo.shape}")
    return photo


def _read_puzzle(puzzle: Puzzle, rules: Rules | None = None) -> tuple[Grid, Rules | None]:
    """Return the clues, and the rules where they are more than the shape of a grid tells."""
    if not isinstance(puzzle, str):
        puzzle = np.asarray(puzzle)
        if rules is None and puzzle.ndim and len(puzzle) in USUAL_BOXES.keys() - ALL_SIZES:
            rules = box_rules(len(puzzle))
    if rules is not None:
        from solver.formats_kinds import read_cells

        if isinstance(puzzle, str):
            return read_cells(puzzle, rules), rules
        return admit_grid(rules, puzzle), rules
    if isinstance(puzzle, str):
        from solver.formats import parse_any_kind

        read = parse_any_kind(puzzle)
        return read.clues, None if read.has_shape_alone else read.rules
    return as_grid(puzzle), None
