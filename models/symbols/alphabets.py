"""The alphabets that boards with more than nine values are printed in, and which one a board has.

Cells say what stands in them; only all of them together say what it means: 0 is the first value of
one alphabet, and an A the tenth of another and the first of a third. Letters: n cells of a board of
side s.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.symbols.symbol_classes import (
    CLASSES,
    EMPTY,
    FIGURES,
    LETTERS,
    NO_SYMBOL,
    NUMBERS,
    class_of,
)

Float32 = npt.NDArray[np.float32]

_LEAST_SIDE: Final = 10
_MOST_SIDE: Final = len(LETTERS)

_MOST_OF_FIGURES: Final = 16
"""Side of the largest board that is printed as hexadecimal numbers are."""

_LEAST: Final = 0.01
"""Likelihood of a cell under an alphabet that it does not speak for, at least: dirt in one cell
must not outweigh several symbols."""

_CLEAR_LEAD: Final = 4.0
"""Nats by which an alphabet must lead: one cell that no other explains, if it is read beyond doubt.
Of 38 clues of a board of side 10, one alone shows the tenth value in 8 of 100."""


_TWINS: Final = (("0", "O"), ("1", "I"))
"""Symbols that some typefaces draw alike: a cell that looks like one of them may hold the other,
where the alphabet has only that."""


@dataclass(frozen=True)
class Alphabet:
    """How the values of a board are printed.

    Attributes:
        name: of its kind.
        symbols: what is printed for each value, from 1 on.
    """

    name: str
    symbols: tuple[str, ...]


class AlphabetChoice(NamedTuple):
    """Which alphabet a board is printed in.

    Attributes:
        alphabet: the likeliest one.
        is_clear: whether it leads so far that a solution may rest on it.
    """

    alphabet: Alphabet
    is_clear: bool


@cache
def list_alphabets(side: int) -> tuple[Alphabet, ...]:
    """Return the alphabets in which boards of a side are printed.

    Raises:
        ValueError: if no symbols beyond 9 are needed, or there are too few.
    """
    if not _LEAST_SIDE <= side <= _MOST_SIDE:
        raise ValueError(f"alphabets are for sides {_LEAST_SIDE} to {_MOST_SIDE}, got {side}")
    alphabets = [
        Alphabet("numbers", (FIGURES[1:] + NUMBERS)[:side]),
        Alphabet("letters", (FIGURES[1:] + LETTERS)[:side]),
        Alphabet("all letters", LETTERS[:side]),
    ]
    if side <= _MOST_OF_FIGURES:
        alphabets.insert(2, Alphabet("hexadecimal", (FIGURES + LETTERS)[:side]))
    return tuple(alphabets)


def choose_alphabet(seen: Float32, side: int) -> AlphabetChoice:
    """Return the alphabet that explains all cells of a board best.

    It is told from what the cells look like, never from what could be solved.

    Args:
        seen: (n, 53) float32, as `SymbolReader.read` returns them.
        side: s of the board, which may be shown in part.
    """
    alphabets = list_alphabets(side)
    likelihoods = [weigh_alphabet(seen, alphabet) for alphabet in alphabets]
    order = np.argsort([-one for one in likelihoods], kind="stable").tolist()
    lead = likelihoods[order[0]] - likelihoods[order[1]]
    return AlphabetChoice(alphabets[order[0]], lead >= _CLEAR_LEAD)


def weigh_alphabet(seen: Float32, alphabet: Alphabet) -> float:
    """Return the log likelihood of a board's cells, if its symbols are those of an alphabet.

    Args:
        seen: (n, 53) float32, as `SymbolReader.read` returns them.
        alphabet: of the board.
    """
    explained = (seen @ _values_of_classes(alphabet.symbols)).sum(axis=1) + seen[:, NO_SYMBOL]
    return float(np.log(np.maximum(explained, _LEAST)).sum())


def tell_values(seen: Float32, alphabet: Alphabet) -> Float32:
    """Return how likely each value is in each cell of a board whose alphabet is known.

    Symbols that are not in the alphabet are ruled out: where 8 is in it and B is not, what looks
    like either is an 8. What looks like none of all symbols may be anything.

    Args:
        seen: (n, 53) float32, as `SymbolReader.read` returns them.
        alphabet: of the board.

    Returns:
        (n, s + 1) float32, rows sum to 1; column 0 is empty.
    """
    known = seen.astype(np.float64) @ _values_of_classes(alphabet.symbols)
    known /= np.maximum(known.sum(axis=1, keepdims=True), 1e-12)
    unknown = seen[:, NO_SYMBOL, None].astype(np.float64)
    values = (1 - unknown) * known + unknown / known.shape[1]
    return np.asarray(values / values.sum(axis=1, keepdims=True), np.float32)


@cache
def _values_of_classes(symbols: Sequence[str]) -> Float32:
    """Return which value each class stands for, (53, s + 1) float32 of 0 and 1; 0 is empty."""
    stands_for = np.zeros((CLASSES, len(symbols) + 1), np.float32)
    stands_for[EMPTY, 0] = 1
    for value, symbol in enumerate(symbols, start=1):
        stands_for[class_of(symbol), value] = 1
    for one, other in (*_TWINS, *((other, one) for one, other in _TWINS)):
        if one in symbols and other not in symbols:
            stands_for[class_of(other), symbols.index(one) + 1] = 1
    return stands_for
