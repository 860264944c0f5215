"""What a policy is: the way from what a network says of a grid to digits in its cells.

A policy plays one puzzle as a generator: it yields a `Question` wherever it wants the network's
opinion, is sent the answer, and returns an `Ending`. So one and the same code solves a single
puzzle and thousands at a time; `solver.neural.question_batch` asks the network for them.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from models.grids import Booleans, Digits, Float32, are_filled
from solver.exact.meter import Meter
from solver.grid import PEERS


@dataclass(frozen=True, eq=False)
class Question:
    """A grid for the network to judge, as `GridNetwork.judge` takes it but for the axis of grids.

    Attributes:
        digits: (81,) uint8, 0 = empty.
        candidates: (81, 9) bool: the digits that are still possible.
        seed: of the network's random initial state.
    """

    digits: Digits
    candidates: Booleans
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Ending:
    """What a policy came to.

    Attributes:
        digits: (81,) uint8: its solution if no cell is 0, else how far it came. Nothing is
            checked yet.
        is_exhaustive: whether it proved that there is no solution beside these digits, or none at
            all where a cell is 0.
        note: a remark for people.
    """

    digits: Digits
    is_exhaustive: bool = False
    note: str = ""


Play = Generator[Question, Float32, Ending]
"""A puzzle being played. What is sent for a question is (81, 9) float32: how likely each digit is
in each cell."""


class Policy(Protocol):
    """Plays puzzles with any network."""

    @property
    def name(self) -> str:
        """The name that the registry knows a solver with this policy by."""

    @property
    def is_complete(self) -> bool:
        """Whether it decides every puzzle, whatever the network says."""

    def play(self, clues: Digits, meter: Meter) -> Play:
        """Begin a puzzle.

        Args:
            clues: (81,) uint8, 0 = empty. Not changed.
            meter: where nodes and guesses are counted; one that is spent ends the play. The
                network's passes are counted by whoever runs it.
        """


def find_solution(question: Question, answer: Float32) -> Digits | None:
    """Return the likeliest candidate of every cell where together they break no rule, else None.

    Args:
        question: what was asked.
        answer: (81, 9) float32.

    Returns:
        (81,) uint8 digits 1..9, which keep what was filled.
    """
    likely = np.where(question.candidates, answer, -np.inf)
    if not are_filled(likely[None])[0]:
        return None
    return np.asarray(likely.argmax(axis=1) + 1, np.uint8)


def most_telling(digits: Digits, candidates: Booleans, best: npt.NDArray[np.floating]) -> int:
    """Return the empty cell from which most will follow, of equals the one least sure of.

    Of the cells with two candidates, that is the one with most empty peers, a peer counted again
    for each candidate it shares if it has two itself, as in `solver.exact.bitmask`; where no cell
    has two, one with fewest.

    Args:
        digits: (81,) uint8, 0 = empty, at least one.
        candidates: (81, 9) bool.
        best: (81,) float, how sure the network is of its likeliest digit.
    """
    counts = candidates.sum(axis=1)
    is_pair = counts == 2
    if not is_pair.any():
        return int(np.where(digits == 0, counts + best, np.inf).argmin())
    of_pairs = np.where(is_pair[:, None], candidates, False)
    shared = (of_pairs[PEERS] & candidates[:, None]).sum(axis=(1, 2))
    telling = (digits == 0)[PEERS].sum(axis=1) + shared - best
    return int(np.where(is_pair, telling, -np.inf).argmax())
