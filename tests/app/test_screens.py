"""Pictures as programs show them: faint lines in large cells, entries in another colour."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from present import present
from puzzles import EASY_GRID, EASY_SOLUTION_GRID

from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.report.photo_report import check_entries
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid
from vision.geometry import Image8

FONT: Final = Path(__file__).parents[2] / "vision" / "fonts" / "Nunito-Bold.ttf"
PAPER, FRAME, FAINT = (253, 252, 255), (91, 62, 138), (203, 191, 224)
AROUND: Final = (106, 76, 147)
INK, ENTRY, FAULT, NOTE = (50, 36, 77), (43, 123, 228), (229, 92, 108), (122, 104, 160)


def draw_screen(
    clues: Grid,
    entries: Grid,
    faulty: int | None = None,
    *,
    box: tuple[int, int],
    has_notes: bool = False,
    entry_ink: tuple[int, int, int] = ENTRY,
) -> Image8:
    """Return a screen of 900×1,200 pixels, BGR, with a board of 800.

    Args:
        clues: (n, n) uint8.
        entries: (n, n) uint8, where there is no clue.
        faulty: cell whose entry is shown as wrong, in red.
        box: rows and columns of a box.
        has_notes: small digits stand in empty cells.
        entry_ink: of entries.
    """
    side, px = len(clues), 800
    cell = px / side
    screen = Image.new("RGB", (900, 1200), AROUND)
    draw = ImageDraw.Draw(screen)
    draw.rectangle((47, 97, 853, 903), fill=PAPER)
    for line in range(side + 1):
        for is_row, every in ((False, box[1]), (True, box[0])):
            at = line * cell
            ends = (50, 100 + at, 850, 100 + at) if is_row else (50 + at, 100, 50 + at, 900)
            is_thick = line % every == 0
            draw.line(ends, FRAME if is_thick else FAINT, 4 if is_thick else 1)
    large, small = (ImageFont.truetype(str(FONT), round(cell * share)) for share in (0.6, 0.26))
    for at in range(side * side):
        row, column = divmod(at, side)
        x, y = 50 + (column + 0.5) * cell, 100 + (row + 0.5) * cell
        clue, entry = int(clues[row, column]), int(entries[row, column])
        if clue or entry:
            ink = INK if clue else FAULT if at == faulty else entry_ink
            draw.text((x, y), str(clue or entry), ink, large, anchor="mm")
        elif has_notes:
            for digit in (1 + at % 3, 5, 7 + at % 3):
                right, down = (digit - 1) % 3 - 1, (digit - 1) // 3 - 1
                place = x + right * cell / 3, y + down * cell / 3
                draw.text(place, str(digit), NOTE, small, anchor="mm")
    return np.asarray(cv2.cvtColor(np.asarray(screen), cv2.COLOR_RGB2BGR), np.uint8)


def enter(solution: Grid, clues: Grid, n_entries: int) -> Grid:
    """Return the first so many cells without a clue, filled in right."""
    entries = np.zeros_like(clues)
    free = np.flatnonzero(clues == 0)[:n_entries]
    entries.flat[free] = solution.flat[free]
    return entries


@pytest.mark.parametrize(("side", "box"), [(6, (2, 3)), (8, (2, 4))])
def test_small_boards_with_faint_lines_are_found(
    side: int, box: tuple[int, int], pipeline: Pipeline
) -> None:
    (puzzle,) = generate_kind(1, KindOptions(side=side, clues=side * 2), seed=3)
    clues, solution = puzzle.clues, present(puzzle.solution)

    result = pipeline.solve_photo(
        draw_screen(clues, enter(solution, clues, side), box=box, has_notes=True)
    )

    assert [board.outcome for board in result.boards] == [Outcome.SOLVED]
    assert np.array_equal(present(result.boards[0].solution), solution)


def test_faint_lines_between_notes_are_found(pipeline: Pipeline) -> None:
    solution = EASY_SOLUTION_GRID
    screen = draw_screen(EASY_GRID, enter(solution, EASY_GRID, 12), box=(3, 3), has_notes=True)

    result = pipeline.solve_photo(screen)

    assert result.outcome is Outcome.SOLVED
    assert np.array_equal(present(result.boards[0].solution), solution)


@pytest.mark.parametrize("wrong_ink", [FAULT, ENTRY])
def test_a_wrong_entry_in_another_colour_is_told(
    wrong_ink: tuple[int, int, int], pipeline: Pipeline
) -> None:
    entries = enter(EASY_SOLUTION_GRID, EASY_GRID, 20)
    cell = int(np.flatnonzero(entries)[7])
    # Another digit of the same board, so that the digits contradict each other.
    entries.flat[cell] = entries.flat[cell] % 9 + 1
    faulty = cell if wrong_ink == FAULT else None

    result = pipeline.solve_photo(draw_screen(EASY_GRID, entries, faulty, box=(3, 3)))

    (board,) = result.boards
    assert board.outcome is Outcome.SOLVED
    assert np.array_equal(present(board.solution), EASY_SOLUTION_GRID)
    assert np.array_equal(board.clues, EASY_GRID)
    assert present(check_entries(board)).wrong == (cell,)


def test_entries_in_the_ink_of_the_clues_are_not_told_from_them(pipeline: Pipeline) -> None:
    entries = enter(EASY_SOLUTION_GRID, EASY_GRID, 20)
    cell = int(np.flatnonzero(entries)[7])
    entries.flat[cell] = entries.flat[cell] % 9 + 1

    result = pipeline.solve_photo(draw_screen(EASY_GRID, entries, box=(3, 3), entry_ink=INK))

    assert result.outcome is Outcome.NO_SOLUTION
