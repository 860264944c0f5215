"""Policies that fill cells and never look back: one pass, the surest cell a pass, or many cells.

A digit is only put where row, column and box leave it, so that what ends with all cells filled
obeys the rules; what ends before is a contradiction that the network has led into.
"""

from dataclasses import dataclass

import numpy as np

from models.grids import Booleans, Digits, Float32, legal_candidates
from solver.exact.meter import Meter
from solver.grid import PEERS, UNITS
from solver.neural.filling_policy import Ending, Play, Question, find_solution, most_telling


@dataclass(frozen=True)
class OnePass:
    """Takes the likeliest digit of every cell from a single pass, as a plain classifier does.

    Attributes:
        seed: of the network's random initial state.
    """

    seed: int = 0

    name = "network-once"
    is_complete = False

    def play(self, clues: Digits, meter: Meter) -> Play:
        """Ask once; see `solver.neural.filling_policy.Policy`."""
        digits = clues.copy()
        empty = np.flatnonzero(digits == 0)
        if empty.size:
            candidates = legal_candidates(clues[None])[0]
            answer = yield Question(clues, candidates, self.seed)
            likely = np.where(candidates, answer, -np.inf)
            digits[empty] = likely[empty].argmax(axis=1) + 1
        return Ending(digits)


@dataclass(frozen=True)
class Filling:
    """Fills the cells that the network is surest of, and asks again, until all are filled.

    With one cell a pass this is the iterative maximum probability of K. Park, "Can Convolutional
    Neural Networks Crack Sudoku Puzzles?", 2018.

    Attributes:
        name: that the registry knows it by.
        sure: probability above which every cell is filled; where none is, and always if this is
            None, the surest cell alone is.
        stops_early: whether a pass whose likeliest digits fill the grid and break no rule is the
            last, as there is nothing left to decide.
        restarts: how often to begin anew after a contradiction, each time from another random
            initial state of the network. As it would mostly be led astray again, a restart draws
            lots where nothing is sure: it takes the cell from which most will follow, and each of
            its digits with the network's probability.
        seed: of the first.
    """

    name: str
    sure: float | None = None
    stops_early: bool = True
    restarts: int = 0
    seed: int = 0

    is_complete = False

    def play(self, clues: Digits, meter: Meter) -> Play:
        """Fill until the end or a contradiction; see `solver.neural.filling_policy.Policy`."""
        digits = clues
        for attempt in range(self.restarts + 1):
            random = np.random.default_rng([self.seed, attempt]) if attempt else None
            digits = clues.copy()
            while not digits.all():
                candidates = legal_candidates(digits[None])[0]
                if not _is_open(candidates):
                    break
                question = Question(digits, candidates, self.seed + attempt)
                answer = yield question
                solution = find_solution(question, answer) if self.stops_early else None
                if solution is not None:
                    return Ending(solution)
                for cell, digit in self._choose(question, answer, random):
                    # A digit put before it may have ruled this one out.
                    if digit not in digits[PEERS[cell]]:
                        digits[cell] = digit
            if digits.all():
                return Ending(digits)
        left = int((digits == 0).sum())
        again = f" and {self.restarts} restarts" if self.restarts else ""
        return Ending(digits, note=f"a contradiction{again}, with {left} cells left")

    def _choose(
        self, question: Question, answer: Float32, random: np.random.Generator | None
    ) -> list[tuple[int, int]]:
        """Return the cells to fill and their digits, the surest first."""
        digits, candidates = question.digits, question.candidates
        likely = np.where(candidates & (digits == 0)[:, None], answer, -np.inf)
        best = likely.max(axis=1)
        cells = [int(best.argmax())]
        if self.sure is not None and best[cells[0]] > self.sure:
            order = np.argsort(-best, kind="stable")
            cells = order[best[order] > self.sure].tolist()
        elif random is not None:
            cell = most_telling(digits, candidates, best)
            return [(cell, _draw_digit(answer[cell], candidates[cell], random))]
        return [(cell, int(likely[cell].argmax()) + 1) for cell in cells]


def _draw_digit(answer: Float32, candidates: Booleans, random: np.random.Generator) -> int:
    """Draw one of a cell's candidates with the network's probability, alike where it gives none."""
    chances = np.where(candidates, np.maximum(answer, 0), 0).astype(np.float64)
    if not chances.any():
        chances = candidates.astype(np.float64)
    return int(random.choice(9, p=chances / chances.sum())) + 1


def _is_open(candidates: Booleans) -> bool:
    """Tell whether every cell has a candidate, and every digit a place in every unit."""
    return bool(candidates.any(axis=1).all() and candidates[UNITS].any(axis=1).all())
