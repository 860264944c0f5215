"""Reads the symbols of boards with more than nine values, and tells which alphabet a board has.

Cells say what stands in them; only all of them together say what it means: 0 is the first value of
one alphabet, and an A the tenth of another and the first of a third. Letters: n cells of a board of
side s.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from models.digits import CELL_PX, normalise_cells
from models.engine import INPUT_SHAPE, Engine, EngineKind, Float32, Job, UInt8, load_engine

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


READS_SYMBOLS: Final = Job(
    "reads symbols", INPUT_SHAPE, (CLASSES,), "docs/model_card_symbols.md"
)  # fmt: skip


OUTPUT_LAYER: Final = "probabilities"

_BARE: Final = 0.3
"""Ink, as `models.digits.normalise_cells` measures it, that is nowhere in a bare cell: 0.05 of the
paper's brightness, while print-through has 0.03 to 0.07."""

_SURE: Final = 0.97
"""Probability that a bare cell is empty: what the network of digits says of one."""


class SymbolReader:
    """Says what stands in a cell; one instance must not be shared by two threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(cls, kind: EngineKind = "litert", threads: int = 2) -> "SymbolReader":
        """Open the shipped network.

        Raises:
            models.engine.EngineError: if weights or the engine's package are missing or broken.
        """
        return cls(load_engine("symbols", kind, job=READS_SYMBOLS, threads=threads))

    def read(self, cells: UInt8) -> Float32:
        """Return how likely each symbol is in each cell.

        Args:
            cells: (n, 32, 32) uint8 grey, n may be 0.

        Returns:
            (n, 53) float32; every row sums to 1. Columns as in `models.symbol_reader`.

        Raises:
            ValueError: if the cells have another shape or type.
        """
        tensor = normalise_cells(cells)
        if len(tensor) == 0:
            return np.zeros((0, CLASSES), np.float32)
        probabilities = self._engine.run(tensor)
        # The network learnt from cells that all show something: print-through, noise or lines.
        is_bare = (np.abs(tensor) < _BARE).all(axis=(1, 2, 3))
        probabilities[is_bare] = (1 - _SURE) / (CLASSES - 1)
        probabilities[is_bare, EMPTY] = _SURE
        return probabilities


def build_symbol_net() -> Any:
    """Return the network, untrained: (b, 32, 32, 1) float32 → (b, 53) probabilities.

    4.8 million multiply-adds a cell. Two figures are told apart by where they stand, so the last
    map is flattened.
    """
    return build_cell_net("symbols", (16, 32, 48, 56, 72, 72, 32), 96, 0.15, CLASSES)


def build_cell_net(
    name: str, filters: Sequence[int], units: int, dropout: float, classes: int
) -> Any:
    """Return an untrained network of single cells, (b, 32, 32, 1) float32 → (b, classes).

    Args:
        name: of the network.
        filters: of the convolutions; every second one halves the map, the last one sees a place.
        units: of the dense layer.
        dropout: share of these.
        classes: that it tells by their probabilities.
    """
    import keras
    from keras import layers

    def convolve(x: Any, filters: int, size: int = 3, strides: int = 1) -> Any:
        x = layers.Conv2D(filters, size, strides=strides, padding="same", use_bias=False)(x)
        return layers.ReLU()(layers.BatchNormalization()(x))

    cell = layers.Input((CELL_PX, CELL_PX, 1), name="cell")
    x = cell
    for number, wide in enumerate(filters[:-1]):
        x = convolve(x, wide, strides=1 + (number + 1) % 2)
    x = layers.Dropout(0.1)(layers.Flatten()(convolve(x, filters[-1], size=1)))
    x = layers.Dense(units, use_bias=False)(x)
    x = layers.Dropout(dropout)(layers.ReLU()(layers.BatchNormalization()(x)))
    told = layers.Dense(classes, activation="softmax", name=OUTPUT_LAYER)(x)
    return keras.Model(cell, told, name=name)


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
