"""Reads digits with Tesseract, the usual library for that, to compare the digit network with.

Tesseract's LSTM was trained on lines of text: of one character in a picture (`--psm 10`) it makes
less than of the same characters set side by side. So it is given all digits of a board as one
line, cleaned of grid lines and specks, in one call in place of 81.
"""

import os
import re
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.digits import CELL_PX, CLASSES, normalise_cells
from models.engine import Booleans, EngineError, Float32, UInt8

_BAND_PX: Final = 8
"""Width of the frame of a crop in which ink that reaches the outside is a grid line."""

_OUTSIDE_PX: Final = 3
"""Width of the frame that is paper and lines only."""

_LINE_INK: Final = 0.35
"""Ink from which a pixel belongs to a grid line."""

_DIGIT_INK: Final = 0.45
"""Ink from which a pixel belongs to a digit, once its darkest part is 1."""

_LEAST_INK: Final = 0.42
"""Softened ink of the tenth darkest pixel below which a cell is empty. Of the clues of 40
newspaper photos one in a hundred is below, of the empty cells 95 in a hundred."""

_FOG: Final = 0.25
"""Ink that is made paper in the line, where the edges of a digit are blurred."""

_DARKEST: Final = 10
"""Which of a cell's pixels, from the darkest, says how dark its digit is."""

_LEAST_PX: Final = 20
"""Pixels below which ink in one piece is noise, and no digit."""

_LEAST_HEIGHT_PX: Final = 8
"""Height below which it is a speck or a pencil candidate."""

_MOST_ASPECT: Final = 2.5
"""Width to height above which it is a piece of a grid line; a digit on its side has up to 2."""

_LINE_PX: Final = 32
"""Height of a digit in the line: Tesseract scales lines to a height of 36 anyhow."""

_GAP_PX: Final = 20
"""Paper between digits, and around the line."""


_MOST_IN_LINE: Final = (81, 9)
"""Digits in a line at most; those of which nothing was seen in a line are tried again in shorter
ones."""

_MOST_UPRIGHT_ASPECT: Final = 1.2
"""Width to height above which ink is no digit that stands upright, and Tesseract is not asked."""

_SEEN: Final = 0.2
"""Probability of a digit above which something was seen."""

_TRUST: Final = 0.98
"""Probability of a digit of which Tesseract is fully confident, and of emptiness without ink."""

_CAUTION: Final = 4
"""The probability falls with this power of the confidence, because Tesseract claims too much: of
what it read with 0.9 to 0.95 on newspaper photos, eight in ten were right."""

_OPTIONS: Final = (
    "--psm 7 --dpi 200 -c tessedit_char_whitelist=123456789 -c hocr_char_boxes=1"  # a single line
)
_CHARACTER: Final = re.compile(
    r"x_bboxes (\d+) \d+ (\d+) \d+; x_conf (-?[\d.]+)'>([1-9])</span>"  # of hOCR, one a character
)

_PROGRAM_ADVICE: Final = (
    "on Debian and Ubuntu run: sudo apt-get install -y tesseract-ocr; elsewhere see "
    "https://tesseract-ocr.github.io/tessdoc/Installation.html"
)


def cut_digits(cells: UInt8) -> list[Float32]:
    """Cut the digit out of every cell, without the grid's lines and without specks.

    Args:
        cells: (n, 32, 32) uint8 grey.

    Returns:
        For each cell the ink of its digit, (h, w) float32 in 0..1 at the cell's scale, or an
        empty array where there is none.

    Raises:
        ValueError: if the cells have another shape or type.
    """
    ink = np.clip(normalise_cells(cells)[..., 0], 0, 1.5)
    frame = np.ones((CELL_PX, CELL_PX), bool)
    frame[_OUTSIDE_PX:-_OUTSIDE_PX, _OUTSIDE_PX:-_OUTSIDE_PX] = False
    band = np.ones((CELL_PX, CELL_PX), bool)
    band[_BAND_PX:-_BAND_PX, _BAND_PX:-_BAND_PX] = False
    lines = _grow(np.broadcast_to(frame, ink.shape), (ink > _LINE_INK) & band)
    ink = np.where(_widen(lines) | frame, 0, ink)
    softened = _soften(ink).reshape(len(ink), CELL_PX**2)
    ink[np.sort(softened, axis=1)[:, -_DARKEST] < _LEAST_INK] = 0
    darkest = np.sort(ink.reshape(len(ink), CELL_PX**2), axis=1)[:, -_DARKEST]
    ink = np.clip(ink / np.maximum(darkest, 1e-6)[:, None, None], 0, 1)
    pieces = _label(ink > _DIGIT_INK)
    pieces *= _grow(np.broadcast_to(~band, ink.shape), pieces > 0)
    return [_crop(one, of_cell) for one, of_cell in zip(ink, pieces, strict=True)]


def _grow(seed: Booleans, allowed: Booleans) -> Booleans:
    """Return the allowed pixels, (n, 32, 32), that are connected to allowed ones of the seed."""
    grown = seed & allowed
    while True:
        wider = _widen(grown) & allowed
        if (wider == grown).all():
            return grown
        grown = wider


def _soften(ink: Float32) -> Float32:
    """Return the mean of every pixel of (n, 32, 32) and its eight neighbours."""
    padded = np.pad(ink, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    softened: Float32 = windows.mean(axis=(3, 4), dtype=np.float32)
    return softened


def _label(mask: Booleans) -> npt.NDArray[np.int64]:
    """Number the connected pieces of every cell, (n, 32, 32); 0 is what is not in the mask."""
    labels = np.where(mask, np.arange(1, CELL_PX**2 + 1).reshape(CELL_PX, CELL_PX), 0)
    while True:
        wider = np.where(mask, _widen(labels), 0)
        if (wider == labels).all():
            return labels
        labels = wider


def _widen(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the most of every pixel of (n, 32, 32) and its four neighbours."""
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1)))
    across = np.maximum(padded[:, 1:-1, :-2], padded[:, 1:-1, 2:])
    down = np.maximum(padded[:, :-2, 1:-1], padded[:, 2:, 1:-1])
    widened: npt.NDArray[Any] = np.maximum(values, np.maximum(across, down))
    return widened


def _crop(ink: Float32, pieces: npt.NDArray[np.int64]) -> Float32:
    """Return the largest piece, or an empty array where that is no digit."""
    empty = np.zeros((0, 0), np.float32)
    if not pieces.any():
        return empty
    sizes = np.bincount(pieces.ravel())
    sizes[0] = 0
    mask = pieces == sizes.argmax()
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    height, width = rows[-1] - rows[0] + 1, columns[-1] - columns[0] + 1
    is_small = sizes.max() < _LEAST_PX or height < _LEAST_HEIGHT_PX
    if is_small or width > _MOST_ASPECT * height:
        return empty
    # A pixel more on each side: a digit's edge is softer than the mask.
    edged = np.where(_widen(mask[None])[0], ink, 0).astype(np.float32)
    return edged[max(rows[0] - 1, 0) : rows[-1] + 2, max(columns[0] - 1, 0) : columns[-1] + 2]


def set_line(glyphs: list[Float32]) -> tuple[UInt8, npt.NDArray[np.float64]]:
    """Set digits as a line of text, black on white.

    Args:
        glyphs: at least one, each (h, w) float32, ink in 0..1.

    Returns:
        The line, uint8 grey, and the middle of each digit in pixels from the left.
    """
    space = np.zeros((_LINE_PX, _GAP_PX), np.float32)
    parts, middles, x = [space], [], _GAP_PX
    for glyph in glyphs:
        large = _enlarge(glyph)
        middles.append(x + large.shape[1] / 2)
        parts += [large, space]
        x += large.shape[1] + _GAP_PX
    ink = np.pad(np.hstack(parts), ((_GAP_PX, _GAP_PX), (0, 0)))
    ink = np.clip((ink - _FOG) / (1 - _FOG), 0, 1)
    return np.round(255 * (1 - ink)).astype(np.uint8), np.array(middles)


def _enlarge(glyph: Float32) -> Float32:
    """Bring a digit to the height of the line, bilinear."""
    height, width = glyph.shape
    rows = _interpolation(_LINE_PX, height)
    columns = _interpolation(max(1, round(width * _LINE_PX / height)), width)
    enlarged: Float32 = (rows @ glyph @ columns.T).astype(np.float32)
    return enlarged


def _interpolation(size: int, old_size: int) -> Float32:
    """Return (size, old_size) float32: the weights of the old samples in each new one."""
    place = np.clip((np.arange(size) + 0.5) * old_size / size - 0.5, 0, old_size - 1)
    weights = np.maximum(1 - np.abs(place[:, None] - np.arange(old_size)), 0)
    return np.asarray(weights, np.float32)


class Character(NamedTuple):
    """A character that Tesseract saw: its middle in pixels of the line, and 0..1 how sure."""

    digit: int
    middle: float
    confidence: float


@dataclass(frozen=True)
class TesseractReader:
    """Reads cells with Tesseract's English model; make one with `load`.

    It does not tell handwriting from print: all that it reads counts as print.
    """

    library: ModuleType

    @classmethod
    def load(cls) -> "TesseractReader":
        """Look for the program and the package that runs it.

        Raises:
            EngineError: if one of them is missing; the text says how to install it.
        """
        try:
            import pytesseract
        except ImportError as error:
            raise EngineError(
                "the reader tesseract cannot be used: the package pytesseract is not installed; "
                "install it with: pip install 'sudoku-lens[baselines]'"
            ) from error
        # Several threads take eight times as long for a line, and were never quicker.
        os.environ.setdefault("OMP_THREAD_LIMIT", "1")
        try:
            languages = pytesseract.get_languages()
        except (pytesseract.TesseractNotFoundError, pytesseract.TesseractError) as error:
            raise EngineError(
                f"the reader tesseract cannot be used: its program is not installed or does not "
                f"run; {_PROGRAM_ADVICE}"
            ) from error
        if "eng" not in languages:
            raise EngineError(
                f"the reader tesseract cannot be used: it has no English model; {_PROGRAM_ADVICE}"
            )
        return cls(pytesseract)

    def read(self, cells: UInt8) -> Float32:
        """Return how likely each class is in each cell; see `models.digits.Reader`."""
        glyphs = cut_digits(cells)
        probabilities = np.zeros((len(cells), CLASSES), np.float32)
        probabilities[:, :10] = (1 - _TRUST) / 9
        probabilities[:, 0] = _TRUST
        waiting = []
        for number, glyph in enumerate(glyphs):
            if glyph.size and glyph.shape[1] > _MOST_UPRIGHT_ASPECT * glyph.shape[0]:
                probabilities[number, :10] = 1 / 10
            elif glyph.size:
                waiting.append(number)
        for most in _MOST_IN_LINE:
            missed = []
            for start in range(0, len(waiting), most):
                chosen = waiting[start : start + most]
                line, middles = set_line([glyphs[number] for number in chosen])
                weighed = weigh_characters(self._recognise(line), middles)
                probabilities[chosen] = weighed
                missed += [n for n, row in zip(chosen, weighed, strict=True) if row.max() < _SEEN]
            waiting = missed
        return probabilities

    def program_version(self) -> str:
        """Return the version of the program, which comes apart from the package."""
        return str(self.library.get_tesseract_version())

    def _recognise(self, line: UInt8) -> list[Character]:
        try:
            told: Any = self.library.image_to_pdf_or_hocr(line, extension="hocr", config=_OPTIONS)
        except self.library.TesseractError as error:
            raise EngineError(f"Tesseract failed: {error}; {_PROGRAM_ADVICE}") from error
        return [
            Character(int(digit), (int(left) + int(right)) / 2, max(float(sure), 0.0) / 100)
            for left, right, sure, digit in _CHARACTER.findall(told.decode("utf-8"))
        ]


def weigh_characters(characters: list[Character], middles: npt.NDArray[np.float64]) -> Float32:
    """Return how likely each class is at each place of a line.

    Where Tesseract saw two digits at one place they are its two guesses. What it is not sure of
    goes to all other digits and to emptiness alike.

    Args:
        characters: what it saw.
        middles: (n,) where the digits stand, n ≥ 1.

    Returns:
        (n, 19) float32, rows sum to 1.
    """
    votes = np.zeros((len(middles), 9))
    for one in characters:
        place = int(np.abs(middles - one.middle).argmin())
        votes[place, one.digit - 1] = max(votes[place, one.digit - 1], one.confidence)
    total = votes.sum(axis=1, keepdims=True)
    trust = _TRUST * votes.max(axis=1, keepdims=True) ** _CAUTION
    probabilities = np.zeros((len(middles), CLASSES), np.float32)
    probabilities[:, 1:10] = trust * votes / np.maximum(total, 1e-9)
    probabilities[:, :10] += (1 - trust) / 10
    return probabilities
