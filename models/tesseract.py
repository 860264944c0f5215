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

from models.digit_line import cut_digits, set_line
from models.digits import CLASSES
from models.engine import EngineError

_MOST_IN_LINE: Final = (81, 9)
"""Digits in a line at most; those of which nothing was seen in a line are tried again in shorter
ones."""

_MOST_ASPECT: Final = 1.2
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

Float32 = npt.NDArray[np.float32]


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

    def read(self, cells: npt.NDArray[np.uint8]) -> Float32:
        """Return how likely each class is in each cell; see `models.reader.Reader`."""
        glyphs = cut_digits(cells)
        probabilities = np.zeros((len(cells), CLASSES), np.float32)
        probabilities[:, :10] = (1 - _TRUST) / 9
        probabilities[:, 0] = _TRUST
        waiting = []
        for number, glyph in enumerate(glyphs):
            if glyph.size and glyph.shape[1] > _MOST_ASPECT * glyph.shape[0]:
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

    def _recognise(self, line: npt.NDArray[np.uint8]) -> list[Character]:
        try:
            told: Any = self.library.image_to_pdf_or_hocr(line, extension="hocr", config=_OPTIONS)
        except self.library.TesseractError as error:
            raise EngineError(f"Tesseract failed: {error}; {_PROGRAM_ADVICE}") from error
        return [
            Character(int(digit), (int(left) + int(right)) / 2, max(float(sure), 0.0) / 100)
            for left, right, sure, digit in _CHARACTER.findall(told.decode("utf-8"))
        ]


def weigh_characters(
    characters: list[Character], middles: npt.NDArray[np.float64]
) -> npt.NDArray[np.float32]:
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
