"""How the values of a board are written: as its print has them, or a character a cell."""

from typing import Final

from app.recognition.results import BoardResult
from solver.formats_kinds import format_cells
from solver.grid import Grid, format_grid
from solver.rules import Rules, box_rules

_USUAL_SIDE: Final = 9

NUMBERS: Final = tuple(map(str, range(1, 26)))
"""Of boards that print numbers."""


def symbols_of(board: BoardResult) -> tuple[str, ...]:
    """Return what stands for each value of a board, from 1 on.

    A board whose print is not known, such as one given by hand, has numbers.
    """
    alphabet = board.alphabet
    return NUMBERS[: _count_values(board)] if alphabet is None else alphabet.symbols


def write_cells(board: BoardResult, grid: Grid) -> str:
    """Return a character a place, as reports have them; a samurai has places without a cell.

    Args:
        board: whose grid it is.
        grid: (n, n) integers 0..n.
    """
    rules = rules_to_write(board)
    return format_grid(grid) if rules is None else format_cells(rules, grid)


def rules_to_write(board: BoardResult) -> Rules | None:
    """Return the rules to write a board by, None for the classic ones of side 9."""
    if board.rules is None and len(board.clues) != _USUAL_SIDE:
        return box_rules(len(board.clues))
    return board.rules


def list_symbols(board: BoardResult) -> list[str] | None:
    """Return what is printed for each value, or None where that is 1 to 9 and no more."""
    symbols = symbols_of(board)
    return list(symbols) if len(symbols) > _USUAL_SIDE else None


def _count_values(board: BoardResult) -> int:
    return len(board.clues) if board.rules is None else board.rules.side
