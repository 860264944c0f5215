"""Reads the candidates that a player noted in the empty cells of a board."""

from dataclasses import replace
from functools import cached_property, partial
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.outcome import Outcome
from app.recognition.readers import open_network
from app.recognition.results import BoardResult
from models.candidate_reader import CANDIDATES, CELL_PX, CROP_PX, N_DIGITS, CandidateReader
from models.engine import EngineKind
from vision.board import cut_windows

Image8 = npt.NDArray[np.uint8]

_INNER: Final = slice(7, -7)
"""Of a cell as the digit reader saw it: without its lines."""
_LEAST_CONTRAST: Final = 0.12
"""Of ink, in shares of the paper's brightness, for a cell to be asked about."""
_PAPER, _INK = 50, 2
"""Percentiles of a cell's pixels."""
_FEWEST: Final = 2
"""Cells with candidates: a single one may be dirt."""
_SURE: Final = 0.9
"""Likelihood from which a cell holds candidates."""
_SURER: Final = 0.98
"""The same where the digit reader saw a digit written by hand."""
_CLEAR: Final = 0.75
"""Likelihood that a digit is noted, or that it is not, from which that is told; a cell with a
digit in between is left out."""


class CandidateNotes:
    """Opens the network when a board needs it, and does without where it is missing."""

    def __init__(self, engine: EngineKind = "litert") -> None:
        """Begin without the network.

        Args:
            engine: what runs it.
        """
        self._engine = engine

    @cached_property
    def _reader(self) -> CandidateReader | None:
        return open_network(
            partial(CandidateReader.load, self._engine), "noted candidates cannot be read"
        )

    def add_to(self, board: BoardResult, image: Image8) -> BoardResult:
        """Return a board with what is noted in its cells, if anything is.

        What was read as an entry by hand may be candidates, and is no entry then. A killer's sums
        look like candidates, so that none is read there.

        Args:
            board: what came of it.
            image: (H, W, 3) BGR uint8, in which it lies.
        """
        side, reading = len(board.lattice) - 1, board.reading
        has_cages = board.rules is not None and bool(board.rules.cages)
        if reading is None or board.outcome is Outcome.UNREADABLE or has_cages or side > N_DIGITS:
            return board
        is_asked = (board.clues.ravel() == 0) & _has_ink(reading.cells)
        if is_asked.sum() < _FEWEST or self._reader is None:
            return board
        seen = self._reader.read(cut_windows(image, board.lattice, CELL_PX, CROP_PX)[is_asked])
        is_written = board.entries.ravel()[is_asked] > 0
        likely = seen.contents[:, CANDIDATES]
        is_noted = likely >= np.where(is_written, _SURER, _SURE)
        digits = seen.digits[:, :side]
        is_clear = (np.abs(digits - 0.5) >= _CLEAR - 0.5).all(axis=1)
        told = ((digits > 0.5) * (2 << np.arange(side))).sum(axis=1)
        told = np.where(is_noted & is_clear, told, 0)
        if (told > 0).sum() < _FEWEST:
            return board
        candidates = np.zeros(side * side, np.uint16)
        candidates[is_asked] = told
        entries = board.entries.copy()
        entries.flat[np.flatnonzero(is_asked)[is_noted]] = 0
        return replace(
            board,
            entries=entries,
            candidates=candidates.reshape(side, side),
            reading=replace(reading, entries=entries),
        )


def _has_ink(cells: Image8) -> npt.NDArray[np.bool_]:
    """Tell of cells, (n², 32, 32), whether something stands in them, (n²,) bool."""
    inner = np.sort(cells[:, _INNER, _INNER].reshape(len(cells), -1), axis=1)
    low, paper, high = (
        inner[:, share * inner.shape[1] // 100].astype(np.float32)
        for share in (_INK, _PAPER, 100 - _INK)
    )
    contrast = np.maximum(paper - low, high - paper)
    return np.asarray(contrast > _LEAST_CONTRAST * np.maximum(paper, 1), np.bool_)
