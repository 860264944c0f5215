"""Reads the candidates that a player noted in the empty cells of a board."""

from dataclasses import replace
from functools import cached_property, partial
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.noted_sets import choose_sets
from app.recognition.outcome import Outcome
from app.recognition.readers import open_network
from app.recognition.results import BoardResult
from models.candidate_reader import CANDIDATES, CELL_PX, CROP_PX, N_DIGITS, CandidateReader
from models.engine import EngineKind
from solver.grid import Grid
from solver.rules import Rules
from vision.board import cut_windows
from vision.geometry import Float32, Image8

_INNER: Final = slice(10, -10)
"""Of a cell as the network sees it: up to near its lines, as candidates stand in its corners."""
_LEAST_CONTRAST: Final = 0.06
"""Of ink, in shares of the paper's brightness, for a cell to be asked about."""
_PAPER, _INK = 50, 1
"""Percentiles of a cell's pixels."""
_FIRST: Final = 8
"""Cells that are asked about first. `training.evaluate photos --sample 120 --seed 78`: with them
95 % of the newspapers are read within 20 ms, with all cells at once within 35 ms (one-off)."""
_FEWEST: Final = 2
"""Cells with candidates: a single one may be dirt."""
_SURE: Final = 0.9
_LIKELY: Final = 0.65
"""Likelihoods from which a cell holds candidates: on a board of which no other is known to hold
any, or where an entry is read; and in other cells of one of which that is known."""
_LOOK_PX: Final = 2
"""By which two further looks at the cells lie above and below the first."""


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
        if reading is None or board.outcome is Outcome.UNREADABLE:
            return board
        if board.rules.cages or side > N_DIGITS:
            return board
        crops = cut_windows(image, board.lattice, CELL_PX, CROP_PX + 2 * _LOOK_PX)
        inner = slice(_LOOK_PX, -_LOOK_PX)
        contrast = _measure_contrast(crops[:, inner, inner])
        is_asked = (board.clues.ravel() == 0) & (contrast > _LEAST_CONTRAST)
        if is_asked.sum() < _FEWEST or self._reader is None:
            return board
        # Most boards have none: then the cells that show most, but for entries, tell it.
        shows = np.where(is_asked, contrast - (board.entries.ravel() > 0), -np.inf)
        first = np.argsort(-shows)[: min(_FIRST, is_asked.sum())]
        likely = self._reader.read(crops[first, inner, inner]).contents[:, CANDIDATES]
        if (likely < _SURE).all():
            return board
        asked = crops[is_asked, :, inner]
        seen = self._reader.read(
            *(asked[:, y : y + CROP_PX] for y in range(0, 2 * _LOOK_PX + 1, _LOOK_PX))
        )
        likely = seen.contents[:, CANDIDATES]
        is_entry = board.entries.ravel()[is_asked] > 0
        is_noted = likely >= np.where(is_entry, _SURE, _LIKELY)
        allowed = _find_allowed(board.clues, board.rules)[is_asked]
        right = None if board.solution is None else board.solution.ravel()[is_asked]
        told = choose_sets(seen, likely, allowed, right) * is_noted
        if (told[likely >= _SURE] > 0).sum() < _FEWEST:
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


def _find_allowed(clues: Grid, rules: Rules) -> npt.NDArray[np.bool_]:
    """Return which digits the clues leave to each cell of any kind of board, (n², n)."""
    allowed = np.ones((clues.size, len(clues)), np.bool_)
    for cell in np.flatnonzero(clues).tolist():
        allowed[list(rules.peers[cell]), clues.flat[cell] - 1] = False
    return allowed


def _measure_contrast(crops: Image8) -> Float32:
    """Return how far ink in cells, (n², 68, 68), is from their paper, in shares of it, (n²,)."""
    inner = np.sort(crops[:, _INNER, _INNER].reshape(len(crops), -1), axis=1)
    low, paper, high = (
        inner[:, share * inner.shape[1] // 100].astype(np.float32)
        for share in (_INK, _PAPER, 100 - _INK)
    )
    return np.asarray(np.maximum(paper - low, high - paper) / np.maximum(paper, 1), np.float32)
