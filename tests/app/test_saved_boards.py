"""A session that an earlier version saved: each grid of a samurai was a board of its own."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.board.board_state import BoardState, Pending, PhotoState, begin_puzzle
from app.board.board_values import pencil_rows
from app.board.saved_boards import join_saved_grids, resume_clocks, resume_saved_photo, save_board
from app.board.saved_session import FILE_NAME, SavedDocument, load_session
from app.recognition.outcome import Outcome
from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import format_grid
from solver.rules import Kind, find_grids
from vision.board import lattice_from_corners, turn_lattice

WIDTH = 15
CORNERS = np.array([[40, 60], [640, 80], [620, 660], [30, 640]], np.float32)


@cache
def samurai() -> KindPuzzle:
    return next(generate_kind(1, KindOptions(Kind.SAMURAI, n_grids=2, clues=70), seed=2))


@cache
def fresh() -> PhotoState:
    """The photo as it is read now: one samurai of two grids, solved."""
    puzzle = samurai()
    held = begin_puzzle(puzzle.clues, is_revealed=True, rules=puzzle.rules).board
    assert held is not None
    board = replace(
        held.board,
        lattice=lattice_from_corners(CORNERS, WIDTH),
        outcome=Outcome.SOLVED,
        solution=puzzle.solution,
    )
    return PhotoState((replace(held, board=board, is_typed=False, pending=None),), 0)


def old_board(number: int, turns: int = 0) -> dict[str, Any]:
    """Return what the version before wrote of a grid that nobody touched."""
    row, column = find_grids(samurai().rules)[number]
    lattice = lattice_from_corners(CORNERS, WIDTH)[row : row + 10, column : column + 10]
    lattice = turn_lattice(lattice, turns)
    clues = np.rot90(samurai().clues[row : row + 9, column : column + 9], turns)
    corners = [lattice[0, 0], lattice[0, -1], lattice[-1, -1], lattice[-1, 0]]
    return {
        "clues": format_grid(clues),
        "entries": "." * 81,
        "by_hand": [],
        "revealed": list(range(81)),
        "is_given": False,
        "is_solved": True,
        "corners": [[float(x), float(y)] for x, y in corners],
        "pencil": [],
        "seconds": 0.0,
        "is_paused": False,
        "rules": "",
        "is_kind_named": False,
        "alphabet": "",
        "groups": [],
        "sums": [],
    }


def play(board: dict[str, Any], cell: int, digit: int, *, is_entry: bool = True) -> None:
    name = "entries" if is_entry else "clues"
    board[name] = board[name][:cell] + str(digit) + board[name][cell + 1 :]
    board["by_hand"] = [*board["by_hand"], cell]
    board["is_given"] = is_entry


def load(folder: Path, *boards: dict[str, Any], chosen: int | None = 0) -> SavedDocument:
    document = {"name": "page", "path": "page.png", "is_copy": False, "checksum": 7}
    document |= {"boards": boards, "chosen": chosen, "turns": 0}
    told = {"version": 1, "documents": [document], "current": 0}
    (folder / FILE_NAME).write_text(json.dumps(told))
    (loaded,) = load_session(folder).documents
    return loaded


def resume(saved: SavedDocument) -> PhotoState:
    return resume_saved_photo(fresh(), join_saved_grids(fresh(), saved))


def only(state: PhotoState) -> BoardState:
    (held,) = state.boards
    return held


def empty_place(row: int, column: int) -> int:
    """Return an empty cell of the samurai, the first right of and below a place."""
    first = row * WIDTH + column
    cells = (cell for cell in samurai().rules.cells if cell >= first and cell % WIDTH >= column)
    return next(cell for cell in cells if not samurai().clues.flat[cell])


@pytest.mark.parametrize("turns", range(4))
def test_grids_that_were_saved_one_by_one_are_one_samurai(tmp_path: Path, turns: int) -> None:
    saved = load(tmp_path, old_board(1, turns), old_board(0), chosen=1)

    state = resume(saved)

    held, solution = only(state), samurai().solution
    assert held.rules == samurai().rules
    assert held.pending is None
    assert held.solution is not None
    assert solution is not None
    assert np.array_equal(held.solution, solution)
    assert held.is_open
    assert held.board.clues.tolist() == samurai().clues.tolist()
    assert state.chosen == 0


@pytest.mark.parametrize("turns", range(4))
def test_what_was_played_in_a_grid_is_at_its_place_in_the_samurai(
    tmp_path: Path, turns: int
) -> None:
    place = empty_place(10, 10)
    row, column = place // WIDTH - 6, place % WIDTH - 6
    cells = np.rot90(np.arange(81).reshape(9, 9), turns).ravel().tolist()
    part = old_board(1, turns)
    play(part, cells.index(9 * row + column), 4)
    part |= {"pencil": [[cells.index(80), 2, 4, 3]], "revealed": [cells.index(0)], "seconds": 9.5}

    saved = join_saved_grids(fresh(), load(tmp_path, old_board(0) | {"revealed": []}, part))
    held = only(resume_saved_photo(fresh(), saved))

    assert held.board.entries.flat[place] == 4
    assert np.count_nonzero(held.board.entries) == 1
    assert held.by_hand == {place}
    assert held.is_given
    assert held.revealed == {6 * WIDTH + 6}
    assert pencil_rows(held.pencil) == ((WIDTH**2 - 1, 2, 4, 3),)
    assert held.solution is not None
    assert resume_clocks(saved)[0].seconds == 9.5


def test_a_clue_that_was_set_by_hand_is_solved_with(tmp_path: Path) -> None:
    place = empty_place(0, 0)
    part = old_board(0)
    play(part, place // WIDTH * 9 + place % WIDTH, 4, is_entry=False)

    held = only(resume(load(tmp_path, part, old_board(1))))

    assert held.board.clues.flat[place] == 4
    assert held.by_hand == {place}
    assert held.pending is Pending.SOLVE
    assert held.solution is None


def test_what_grids_say_differently_or_the_photo_shows_otherwise_is_dropped(
    tmp_path: Path,
) -> None:
    place = empty_place(6, 6)
    row, column = place // WIDTH, place % WIDTH
    assert max(row, column) < 9  # both grids have it
    printed = next(cell for cell in range(9) if samurai().clues.flat[cell])
    first, second = old_board(0), old_board(1)
    play(first, row * 9 + column, 1, is_entry=False)
    play(second, (row - 6) * 9 + column - 6, 2, is_entry=False)
    play(first, printed, int(samurai().clues.flat[printed]) % 9 + 1, is_entry=False)

    held = only(resume(load(tmp_path, first, second)))

    assert held.by_hand == frozenset()
    assert held.board.clues.tolist() == samurai().clues.tolist()
    assert held.solution is not None


def test_other_boards_of_the_page_stay_and_the_one_looked_at_stays_chosen(tmp_path: Path) -> None:
    other = old_board(0) | {"corners": [[700, 0], [900, 0], [900, 200], [700, 200]]}
    saved = load(tmp_path, old_board(0), old_board(1), other, chosen=2)

    state = resume(saved)

    assert [held.side for held in state.boards] == [WIDTH, 9]
    assert state.chosen == 1


def test_a_grid_beside_a_samurai_that_was_saved_whole_stays(tmp_path: Path) -> None:
    whole = vars(save_board(only(fresh())))
    saved = load(tmp_path, json.loads(json.dumps(whole)), old_board(0))

    assert join_saved_grids(fresh(), saved) is saved


def test_boards_of_a_photo_without_a_samurai_stay(tmp_path: Path) -> None:
    saved = load(tmp_path, old_board(0), old_board(1))

    assert join_saved_grids(PhotoState(), saved) is saved
