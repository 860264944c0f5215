"""How the values of a board are written: as its print has them."""

from typing import Final

from app.recognition.results import BoardResult

NUMBERS: Final = tuple(map(str, range(1, 26)))
"""Of boards that print numbers."""


def symbols_of(board: BoardResult) -> tuple[str, ...]:
    """Return what stands for each value of a board, from 1 on.

    A board whose print is not known, such as one given by hand, has numbers.
    """
    alphabet = board.alphabet
    return NUMBERS[: _count_values(board)] if alphabet is None else alphabet.symbols


def _count_values(board: BoardResult) -> int:
    return len(board.clues) if board.rules is None else board.rules.side
