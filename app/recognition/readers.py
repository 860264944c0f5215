"""What reads the cells of a board: digits of several scripts up to side 9, symbols beyond."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeVar

import numpy as np

from models.alike_digits import tell_kinds
from models.digits import (
    BOARD_DIGITS,
    DigitReader,
    Reader,
    ReaderKind,
    boards_beside,
    join_readers,
)
from models.engine import EngineError, EngineKind, load_engine
from models.hands import HandReader
from models.script_reader import NO_DIGIT, ScriptReader, knows_digits, tell_digits
from models.symbol_reader import (
    CLASSES,
    NO_SYMBOL,
    Alphabet,
    SymbolReader,
    choose_alphabet,
    tell_values,
)
from solver.decoding.decode import DecodeLimits, expect_misreadings
from solver.decoding.print_and_hand import lacks_print, merge_print_and_handwriting
from vision.geometry import Float32, Image8
from vision.written_digits import Written

logger = logging.getLogger(__name__)


_Reader = TypeVar("_Reader")

ReadSymbols = Callable[[Image8], Float32]
"""Takes cells, (n, 32, 32), and returns how likely each symbol is, (n, 53), as
`models.symbol_reader.SymbolReader.read` does."""

ReadScripts = Callable[[Image8], Float32 | None]
"""Takes cells, (n, 32, 32), and returns (n, 20) as `models.script_reader.ScriptReader.read` does;
None where it cannot."""


class CutWritten(Protocol):
    """Returns what is written in a board's cells, as `vision.written_digits.cut_written` does."""

    def __call__(self, *, is_denoised: bool) -> Written:
        """Cut them with or without the noise of single pixels."""
        ...


_MOST_DIGITS: Final = 9
"""Values up to which boards are printed in digits alone."""

_FLOOR: Final = 1e-3
"""Least likelihood of a cell in a vote, so that no single cell decides it."""

_LOOKS_WEIGHT: Final = 1.4
"""How much more ten looks of two networks say than one of them.

They are partly independent, so that the mean of their logarithms is too cautious; but they share
the noise of one picture. With an earlier second network, on 205 rendered photos, half of them of
level 5 and half in noise, blur, near-dark or 260 pixels, the mean of −log(probability of the true
content) is 0.149 with a weight of 1, and 0.125 with 1.4 and 1.6; on those of level 5 0.064, 0.046
and 0.045. One look of both has a weight of 1, as what it rules out wrongly is lost.
"""

_HANDS_SHARE: Final = 0.75
"""Of the reader of hands in the mean of the logarithms of digits."""

_FILLED_SHARE: Final = 0.75
"""The same in whether a cell is filled. `python -m training.evaluate written` counts what both
shares solve, and with `--hidden` what scribbles make them invent."""

_MAYBE_FILLED: Final = 0.01
"""Chance that a cell is filled, from which the reader of hands is asked about it. Of 100 boards by
hand of level 3 79 were solved with 0.01, and 78 with 1.2e-3 (one-off)."""

_STRONG_INK: Final = 0.5
"""Strength of ink, as a share of what is usual in the board's filled cells, from which it is asked
in any case: a tall 1 may pass for a line of the grid or of ruled paper. The lines of squared paper
have 0.15 to 0.2, the tall 1 that was overlooked 0.95 (one-off)."""

_LEGIBLE: Final = -0.1
"""Mean log likelihood of a board's cells in the best of its turns, from which other scripts are
not asked which way up it lies: of the same boards in other scripts none reached it."""

_UNSURE_SHARE: Final = 0.25
"""Share of the filled cells without a sure digit, from which a board may be printed in another
script: of 24 boards of level 3 in other scripts the least was 0.45 (one-off)."""

_PRINT_SHARE: Final = 0.99
"""Of a digit of another script that is print; its reader knows no hands."""

_DIGIT_OF_CLASS: Final = np.array([*range(10), *range(1, 10)])
"""Of the nineteen classes: empty, printed 1–9, handwritten 1–9."""

_LEAST_PROBABILITY: Final = 1e-6
"""Of a class in one look, before the looks are multiplied."""

_LEAST_OF_OTHER: Final = 0.01
"""Of the digit that the other reader sees, in what the reader of hands sees written: it sees a
shape without its cell, and where the two contradict each other the digit is in doubt. Without it 3
of 120 boards with digits as high as their cells are wrong, with it 1 of 140 (one-off)."""


class Seen(NamedTuple):
    """What the cells of a board look like.

    Attributes:
        probabilities: (n², 19) float32 as `DigitReader.read` returns them; of a side beyond 9
            (n², n + 1), empty and the board's values.
        alphabet: that the values are printed in; None of digits.
        is_told: whether it is known what the symbols mean.
    """

    probabilities: Float32
    alphabet: Alphabet | None = None
    is_told: bool = True


class SecondReaders(NamedTuple):
    """Networks that are asked about the digits of a board besides the reader of single cells.

    Attributes:
        boards: is always asked; takes all cells of one board, (n², 32, 32) uint8, which it sees
            beside each other.
        hands: in its place of a board in doubt that is written by hand; takes what is cut out of
            its cells.
    """

    boards: Reader | None = None
    hands: HandReader | None = None


class RareReaders:
    """Opens the networks of symbols and scripts when a board needs them.

    Where one is missing it does without.
    """

    def __init__(self, engine: EngineKind = "litert") -> None:
        """Begin without the networks.

        Args:
            engine: what runs them.
        """
        self._engine = engine

    @cached_property
    def _symbols(self) -> SymbolReader | None:
        lack = "boards with more than nine values cannot be read"
        return open_network(partial(SymbolReader.load, self._engine), lack)

    @cached_property
    def _scripts(self) -> ScriptReader | None:
        lack = "Arabic, Persian and Devanagari digits cannot be read"
        return open_network(partial(ScriptReader.load, self._engine), lack)

    def read_symbols(self, cells: Image8) -> Float32:
        """Return how likely each symbol is, (n, 53) float32; none is known without the network."""
        if self._symbols is None:
            nothing = np.zeros((len(cells), CLASSES), np.float32)
            nothing[:, NO_SYMBOL] = 1
            return nothing
        return self._symbols.read(cells)

    def read_scripts(self, cells: Image8) -> Float32 | None:
        """Return how likely each digit of each script is, (n, 20) float32; None without it."""
        return None if self._scripts is None else self._scripts.read(cells)


def open_network(load: Callable[[], _Reader], lack: str) -> _Reader | None:
    """Return a network that is loaded, or None, with a warning of what is lacking then."""
    try:
        return load()
    except EngineError as error:
        logger.warning("%s: %s", lack, error)
        return None


def read_no_scripts(_cells: Image8) -> None:
    """Stand in for the reader of other scripts where none is wanted."""


@dataclass(frozen=True)
class CellReaders:
    """Reads the cells of boards of every side.

    Attributes:
        digits: of boards up to side 9.
        seconds: read these digits, too.
        symbols: reads those of larger boards.
        scripts: reads digits of other scripts, where those of a board seem to be none.
    """

    digits: Reader
    seconds: SecondReaders
    symbols: ReadSymbols
    scripts: ReadScripts

    def see(self, cells: Image8, n_values: int) -> Seen:
        """Return what the cells of a board look like.

        Args:
            cells: (n², 32, 32) uint8.
            n_values: that the board's cells can have.
        """
        if n_values > _MOST_DIGITS:
            return _tell(self.symbols(cells), n_values)
        usual = self.see_usual(cells)
        return self._ask_scripts(cells[None], usual.probabilities, n_values) or usual

    def see_usual(self, cells: Image8) -> Seen:
        """Return what cells, (n², 32, 32) uint8, look like where all digits are the usual ones."""
        digits = self.digits.read(cells)
        return Seen(_see_once(cells, digits, self._ask_boards(digits, cells[None])))

    def see_jointly(self, looks: Image8, n_values: int, cut_written: CutWritten) -> Seen:
        """Return what several looks at a board, and all its readers, say together.

        Looks are multiplied, so that what one of them rules out stays out.

        Args:
            looks: (k, n², 32, 32) uint8, k looks at the board.
            n_values: that its cells can have.
            cut_written: cuts out what is written in cells, on a board that is written by hand.
        """
        flat = looks.reshape(-1, *looks.shape[2:])
        if n_values > _MOST_DIGITS:
            return _tell(_join(_mean_log(self.symbols(flat), len(looks))), n_values)
        digits, hands, n_cells = self.digits.read(flat), self.seconds.hands, looks.shape[1]
        both = self._ask_boards(digits, looks)
        first = _see_once(looks[0], digits[:n_cells], both[:n_cells])
        other = self._ask_scripts(looks, first, n_values)
        if other is not None:
            return other
        alone, logs = (_mean_log(tell_kinds(looks[0], one), len(looks)) for one in (digits, both))
        # A typeface may look like handwriting, though its copies are alike.
        kinds = logs, _mean_log(digits, len(looks)), _mean_log(both, len(looks))
        if hands is not None and any(lacks_print(_join(one)) for one in kinds):
            return Seen(_join(_ask_hands(hands, _with_kinds(alone, logs), cut_written)))
        return Seen(_choose_surer(_join(alone), _join(logs)))

    def _ask_boards(self, seen: Float32, looks: Image8) -> Float32:
        """Return the geometric mean of what both readers see, or `seen` if there is one alone.

        Args:
            seen: (k · n², 19) float32, what the reader of single cells sees.
            looks: (k, n², 32, 32) uint8, k looks at the board.
        """
        boards = self.seconds.boards
        if boards is None:
            return seen
        told = np.concatenate([boards.read(look) for look in looks])
        return join_readers(seen, told)

    def _ask_scripts(self, looks: Image8, seen: Float32, n_values: int) -> Seen | None:
        """Return what the cells of a board are in another script, if it has one.

        Args:
            looks: (k, n², 32, 32) uint8, k looks at the board.
            seen: (n², 19) float32, the usual digits that the first of them shows.
            n_values: that the board's cells can have.
        """
        of_values = merge_print_and_handwriting(seen)
        is_filled = of_values[:, 0] < 0.5
        is_unsure = is_filled & (of_values.max(axis=1) < DecodeLimits.sure)
        if not is_unsure.sum() > _UNSURE_SHARE * is_filled.sum():
            return None
        told = self.scripts(looks.reshape(-1, *looks.shape[2:]))
        if told is None:
            return None
        told = told if len(looks) == 1 else _join(_mean_log(told, len(looks)))
        digits = tell_digits(told)
        if digits is None:
            return None
        printed, written = _PRINT_SHARE * digits[:, 1:], (1 - _PRINT_SHARE) * digits[:, 1:]
        return Seen(
            np.column_stack([digits[:, :1], printed, written]),
            is_told=knows_digits(digits, n_values, len(looks)),
        )

    def weigh_upright(self, turned: Image8, n_values: int) -> Float32:
        """Return the log likelihood of cells as they lie, (t, k) float32.

        Args:
            turned: (t, k, 32, 32) uint8, k cells in t turns.
            n_values: that the cells of their board can have.
        """
        cells = np.ascontiguousarray(turned.reshape(-1, *turned.shape[2:]))
        if n_values > _MOST_DIGITS:
            likely = 1 - self.symbols(cells)[:, NO_SYMBOL]
        else:
            seen = self.digits.read(cells)
            digit = (seen[:, 1:10] + seen[:, 10:]).max(axis=1)
            # Dirt that is surely empty in every turn must not vote.
            likely = np.maximum(digit, seen[:, 0])
        weighed = np.log(likely.reshape(turned.shape[:2]) + _FLOOR)
        if n_values <= _MOST_DIGITS and weighed.mean(axis=1).max() < _LEGIBLE:
            # Digits of another script may look like others upside down.
            told = self.scripts(cells)
            if told is not None:
                likely = np.maximum(likely, told[:, :NO_DIGIT].max(axis=1))
                weighed = np.log(likely.reshape(turned.shape[:2]) + _FLOOR)
        return np.asarray(weighed, np.float32)


def load_readers(
    kind: ReaderKind, engine: EngineKind, weights: Path | None = None
) -> tuple[Reader, SecondReaders]:
    """Return the reader of all boards, and those that give a second opinion, if any.

    Args:
        kind: the digit network, or a library to compare it with.
        engine: what runs the digit networks.
        weights: another reader of single cells than the one that ships, `.tflite` or `.keras`,
            whose suffix then names its engine. A file that `boards_beside` finds takes the place of
            the reader of boards.

    Raises:
        models.engine.EngineError: if weights or the engine's package are missing.
    """
    if kind == "tesseract":
        from models.tesseract import TesseractReader

        return TesseractReader.load(), SecondReaders()
    own = None if weights is None else boards_beside(weights)
    reader = DigitReader.load(engine) if weights is None else _load_own(weights)
    boards = DigitReader.load(engine, name=BOARD_DIGITS) if own is None else _load_own(own)
    return reader, SecondReaders(boards, HandReader.load(engine))


def _load_own(weights: Path) -> DigitReader:
    """Open weights that do not ship with the project; their suffix names the engine."""
    kind: EngineKind = "keras" if weights.suffix == ".keras" else "litert"
    return DigitReader(load_engine(weights.stem, kind, folder=weights.parent))


def _tell(seen: Float32, side: int) -> Seen:
    """Return what symbols, (n, 53), mean on a board of a side."""
    alphabet, is_clear = choose_alphabet(seen, side)
    return Seen(tell_values(seen, alphabet), alphabet, is_clear)


def _see_once(cells: Image8, digits: Float32, both: Float32) -> Float32:
    """Return what one look shows, (n², 19), from what the first reader sees, and what both do."""
    return _choose_surer(tell_kinds(cells, digits), tell_kinds(cells, both))


def _choose_surer(alone: Float32, both: Float32) -> Float32:
    """Return what both readers see, (n², 19), or the one of single cells where it is surer alone.

    That one learnt many more typefaces, and small digits.
    """
    errors = [expect_misreadings(merge_print_and_handwriting(one)) for one in (alone, both)]
    return alone if errors[0] < errors[1] else both


def _with_kinds(logs: Float32, kinds: Float32) -> Float32:
    """Return logarithms whose digits are as likely, but written by whom others say, (n², 19)."""
    taken = logs.copy()
    for digit in range(1, 10):
        pair = [digit, digit + 9]
        taken[:, pair] = kinds[:, pair] + _sum_logs(logs[:, pair]) - _sum_logs(kinds[:, pair])
    return taken


def _ask_hands(hands: HandReader, logs: Float32, cut_written: CutWritten) -> Float32:
    """Return logarithms of the nineteen classes, in which the reader of hands has its say.

    Who wrote a digit stays as it was seen.
    """
    looks = [cut_written(is_denoised=one) for one in (False, True)]
    is_found = np.any([look.shapes.any(axis=(1, 2)) for look in looks], axis=0)
    strengths = np.mean([look.strengths for look in looks], axis=0)
    chances = _join(logs)
    chance_filled = 1 - chances[:, 0]
    sure = strengths[is_found & (chance_filled > 0.5)]
    least = _STRONG_INK * np.median(sure) if len(sure) else np.inf
    is_asked = is_found & ((chance_filled > _MAYBE_FILLED) | (strengths > least))
    if not is_asked.any():
        return logs
    told = _read_looks(hands, [look.shapes[is_asked] for look in looks])
    likeliest = merge_print_and_handwriting(chances[is_asked])[:, 1:].argmax(axis=1) + 1
    other = np.arange(len(told)), likeliest
    told[other] = np.maximum(told[other], _LEAST_OF_OTHER * (1 - told[:, 0]))
    told = np.log(told)
    seen, digits = logs[is_asked], told[:, _DIGIT_OF_CLASS[1:]]
    filled, written = _sum_logs(seen[:, 1:]), _sum_logs(told[:, 1:])
    mixed = (1 - _HANDS_SHARE) * seen[:, 1:] + _HANDS_SHARE * digits
    asked = logs.copy()
    asked[is_asked, 0] = (1 - _FILLED_SHARE) * seen[:, 0] + _FILLED_SHARE * told[:, 0]
    asked[is_asked, 1:] = (
        mixed - _sum_logs(mixed) + (1 - _FILLED_SHARE) * filled + _FILLED_SHARE * written
    )
    return asked


def _read_looks(hands: HandReader, looks: Sequence[Image8]) -> Float32:
    """Return how likely each class is, (k, 10) float32, in those looks that show ink.

    Args:
        hands: the reader.
        looks: (k, 28, 28) uint8 each; every shape has ink in one of them at least.
    """
    shows_ink = np.stack([shapes.any(axis=(1, 2)) for shapes in looks]).astype(np.float32)
    told = np.log(np.maximum(hands.read(np.concatenate(looks)), _LEAST_PROBABILITY))
    logs = told.reshape(len(looks), -1, told.shape[1]) * shows_ink[..., None]
    return np.asarray(np.exp(logs.sum(axis=0) / shows_ink.sum(axis=0)[:, None]), np.float32)


def _sum_logs(logs: Float32) -> Float32:
    """Return the logarithm of each row's sum, (k, 1) float32."""
    return np.asarray(np.log(np.exp(logs).sum(axis=1, keepdims=True)), np.float32)


def _join(logs: Float32) -> Float32:
    """Return probabilities from mean logarithms of several looks."""
    joined = np.exp(_LOOKS_WEIGHT * logs)
    return np.asarray(joined / joined.sum(axis=1, keepdims=True), np.float32)


def _mean_log(seen: Float32, looks: int) -> Float32:
    """Return the mean logarithm of each cell's classes, (n², classes) float32."""
    parted = seen.reshape(looks, len(seen) // looks, -1)
    logs: Float32 = np.log(np.maximum(parted, _LEAST_PROBABILITY))
    return np.asarray(logs.mean(axis=0), np.float32)
