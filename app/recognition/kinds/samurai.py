"""Reads and solves a samurai as one board: its grids lie on one lattice over the whole paper."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.kinds.puzzle_kind import BoardView, TellRules
from app.recognition.outcome import Outcome
from app.recognition.reading import BoardReader
from app.recognition.results import BoardResult, SolveReading
from app.recognition.timing import StageClock
from solver.rules import Rules, samurai_rules
from vision.board import turn_lattice
from vision.geometry import Image8, Points
from vision.kinds.samurai_grids import SamuraiPlace, find_samurai, hide_places, may_be_grid

MakeReader = Callable[[TellRules], BoardReader]
"""Returns a reader of boards whose rules are told so."""

_MOST_TRIES: Final = 8
"""Grids in vain from which a photo has no samurai."""

_PATIENCE: Final = 8.0
"""Seconds after which a samurai that is not solved is read from no other of its grids."""


class SamuraiSearch:
    """Looks for the samurai of one photo, from grids that are found."""

    def __init__(
        self, make_reader: MakeReader, solve: SolveReading, image: Image8, clock: StageClock
    ) -> None:
        """Begin with a photo.

        Args:
            make_reader: of boards.
            solve: solves what it read.
            image: (H, W, 3) BGR uint8.
            clock: where the stages' seconds are added.
        """
        self._make_reader = make_reader
        self._solve = solve
        self._image = image
        self._clock = clock
        self._tries = 0

    def find(self, lattice: Points) -> BoardResult | None:
        """Return what came of the samurai that a grid belongs to, or None where it stands alone.

        Args:
            lattice: (10, 10, 2) float32 of the grid, in pixels of the photo.
        """
        if self._tries >= _MOST_TRIES:
            return None
        place = self._find_place(lattice)
        if place is None:
            self._tries += 1
            return None
        self._tries = _MOST_TRIES
        begun = self._spent()
        board = self._read(place)
        for grid in place.cut_grids():
            if board.outcome is Outcome.SOLVED or self._spent() - begun > _PATIENCE:
                break
            other = self._find_place(grid)
            again = board if other is None else self._read(other)
            if again.outcome is Outcome.SOLVED:
                board = again
        return board

    def _spent(self) -> float:
        return sum(self._clock.seconds().values())

    def _find_place(self, lattice: Points) -> SamuraiPlace | None:
        with self._clock.stage("find"):
            return find_samurai(self._image, lattice)

    def _read(self, place: SamuraiPlace) -> BoardResult:
        reader = self._make_reader(_rules_by_turn(place))
        is_cell = find_cells(samurai_rules(place.grids))
        cleared = hide_places(self._image, place.lattice, ~is_cell)
        reading = reader.read(cleared, place.lattice, self._clock)
        return self._solve(reading, (self._image.shape[1], self._image.shape[0]), self._clock)

    def is_likely(self, lattice: Points) -> bool:
        """Tell at little cost whether a board, (10, 10, 2), may be a grid of a samurai."""
        with self._clock.stage("find"):
            return may_be_grid(self._image, lattice)


def find_cells(rules: Rules) -> npt.NDArray[np.bool_]:
    """Return which places of the paper are cells, (width, width)."""
    is_cell = np.zeros(rules.width**2, np.bool_)
    is_cell[list(rules.cells)] = True
    return is_cell.reshape(rules.width, rules.width)


def _rules_by_turn(place: SamuraiPlace) -> TellRules:
    """Return what tells the rules of a samurai, whichever way it is turned."""
    turned = [
        (turn_lattice(place.lattice, turn), samurai_rules(place.turn_grids(turn)))
        for turn in range(4)
    ]

    def tell_rules(view: BoardView) -> Rules | None:
        return next(rules for lattice, rules in turned if np.array_equal(lattice, view.lattice))

    return tell_rules
