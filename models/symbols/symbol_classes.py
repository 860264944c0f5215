"""What the symbol network tells apart in a cell."""

from typing import Final

FIGURES: Final = tuple("0123456789")
NUMBERS: Final = tuple(str(number) for number in range(10, 26))
LETTERS: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWXY")

EMPTY: Final = 0
"""Class of a cell in which nothing stands."""

SYMBOLS: Final = FIGURES + NUMBERS + LETTERS
"""The symbol of each class from 1 on."""

NO_SYMBOL: Final = len(SYMBOLS) + 1
"""Class of what is none of these: a symbol that lies on its side, or parts of several cells."""

CLASSES: Final = NO_SYMBOL + 1
"""53."""


def class_of(symbol: str) -> int:
    """Return the class of a symbol; an empty text is an empty cell.

    Raises:
        ValueError: if no class is that symbol's.
    """
    if not symbol:
        return EMPTY
    if symbol not in SYMBOLS:
        raise ValueError(f"no symbol {symbol!r}; known are 0-9, 10-25 and A-Y")
    return SYMBOLS.index(symbol) + 1
