"""Stand-ins for a photo whose places are asked, each of which remembers what it was asked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from arrays import Points
from board_results import board_result

from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult
from solver.grid import Grid
from solver.rules import CLASSIC_RULES, Rules
from vision.board import lattice_from_corners
from vision.finder.detect import IsKnown
from vision.finder.snap import BoardCandidate
from vision.finder.views import Look
from vision.quality import BoardQuality


def lattice_at(left: float, side: int = 9) -> Points:
    """Return the lattice of a board of 90×90 pixels."""
    corners = np.array([[left, 0], [left + 90, 0], [left + 90, 90], [left, 90]], np.float32)
    return lattice_from_corners(corners, side)


def candidate_at(left: float, score: float = 0.8) -> BoardCandidate:
    """Return a place of 90×90 pixels."""
    return BoardCandidate(lattice_at(left), score, False)


class Oracle:
    """Solves the boards right of a place at first sight, those right of another by looking hard."""

    def __init__(
        self,
        at_sight_from: float,
        hard_from: float,
        clues: Grid | None = None,
        rules: Rules = CLASSIC_RULES,
    ) -> None:
        self._least = {True: at_sight_from, False: hard_from}
        self._rules = rules
        self._clues = np.ones((9, 9), np.uint8) if clues is None else clues
        self.asked: list[tuple[float, bool]] = []

    def glance(self, lattice: Points) -> BoardResult:
        """Solve what can be solved at first sight."""
        return self._solve(lattice, True)

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Solve what can be solved by looking hard."""
        is_solved = board.outcome is Outcome.SOLVED
        return board if is_solved else self._solve(board.lattice, False)

    def find_clearest(self, board: BoardResult, lattices: Iterable[Points]) -> Points | None:
        """Say that the last one is."""
        return next(reversed(list(lattices)), None)

    def lies_outside(self, rough: Points) -> bool:
        """Tell whether a board lies left of the picture, whose width has no end."""
        return bool(rough[0, 0, 0] < 0)

    def _solve(self, lattice: Points, is_first_sight: bool) -> BoardResult:
        left = float(lattice[0, 0, 0])
        self.asked.append((left, is_first_sight))
        is_solved = left >= self._least[is_first_sight]
        return board_result(
            outcome=Outcome.SOLVED if is_solved else Outcome.UNREADABLE,
            lattice=lattice,
            clues=self._clues,
            solution=np.ones((9, 9), np.uint8) if is_solved else None,
            confidence=float(is_solved),
            solver=None,
            rules=self._rules,
        )


class Page(Oracle):
    """A puzzle's digits on a page of cells, of which only the lattice at the origin has a solution.

    Lines are counted from there; cells without digits are paper.
    """

    def __init__(self, digits: dict[tuple[int, int], int], *, solved_from: int = 0) -> None:
        super().__init__(0, 0)
        self._digits = digits
        self._solved_from = solved_from
        self.quality: BoardQuality | None = None

    def glance(self, lattice: Points) -> BoardResult:
        """Show the cells of a lattice."""
        left, top = (round(float(edge) / 10) for edge in lattice[0, 0])
        clues = np.zeros((9, 9), np.uint8)
        for row, column in np.ndindex(9, 9):
            clues[row, column] = self._digits.get((row + top, column + left), 0)
        is_solved = left == 0 and self._solved_from <= top <= 0
        board = Oracle(at_sight_from=-1e6 if is_solved else 1e6, hard_from=1e6, clues=clues)
        return replace(board.glance(lattice), quality=None if is_solved else self.quality)

    def look_closer(self, board: BoardResult) -> BoardResult:
        """Show nothing more."""
        return board


class Shown:
    """Boards of side 9 that the detector shows, none clearly, all in the first look."""

    def __init__(self, *lefts: float, clearest: float | None = None) -> None:
        self._lefts = lefts
        self._clearest = clearest

    def find(self, look: Look, is_known: IsKnown) -> Iterator[BoardCandidate]:
        """Yield those that are not known."""
        for left in self._lefts if look is Look.WHOLE else ():
            if not is_known(lattice_at(left)):
                yield candidate_at(left, 1.0)

    def find_clear(self, look: Look) -> Iterator[BoardCandidate]:
        """Yield none."""
        return iter(())

    def find_others(self, look: Look, sides: Sequence[int]) -> Iterator[BoardCandidate]:
        """Yield none."""
        return iter(())

    def refit(self, found: BoardCandidate) -> Iterator[Points]:
        """Yield none."""
        return iter(())

    def snap(self, lattice: Points, *, may_refine: bool = True) -> BoardCandidate:
        """Show all lines of any lattice, or only of the one at the clearest place."""
        is_there = self._clearest is None or bool((lattice[0, 0] == (self._clearest, 0)).all())
        return BoardCandidate(lattice, 1.0 if is_there else 0.8, is_inverted=False)
