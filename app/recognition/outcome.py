"""How a photo, a board or a puzzle ended, in the words of the report and in words for people."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # it loads NumPy, which would keep a batch's first photo waiting
    from solver.base import Status


class Outcome(StrEnum):
    """How it ended; from the best to the worst."""

    SOLVED = "solved"
    AMBIGUOUS = "ambiguous"
    NO_SOLUTION = "no_solution"
    GAVE_UP = "gave_up"
    UNREADABLE = "unreadable"
    NO_BOARD = "no_board"
    BAD_IMAGE = "bad_image"

    @classmethod
    def of(cls, status: "Status") -> "Outcome":
        """Return the outcome that a solver's status amounts to."""
        return _OF_STATUS[status.name]

    @property
    def rank(self) -> int:
        """0 for the best outcome, more for worse ones."""
        return list(Outcome).index(self)

    @property
    def sentence(self) -> str:
        """What happened, for people."""
        return _SENTENCES[self]


_OF_STATUS: Final = {
    "SOLVED": Outcome.SOLVED,
    "UNSOLVABLE": Outcome.NO_SOLUTION,
    "AMBIGUOUS": Outcome.AMBIGUOUS,
    "GAVE_UP": Outcome.GAVE_UP,
}
"""By the status's name."""

_SENTENCES: Final = {
    Outcome.SOLVED: "solved; checked, and the only solution",
    Outcome.AMBIGUOUS: "more than one solution",
    Outcome.NO_SOLUTION: "no solution: the clues contradict each other",
    Outcome.GAVE_UP: "the solver gave up",
    Outcome.UNREADABLE: "a board was found, but not all of its digits can be read",
    Outcome.NO_BOARD: "no board was found",
    Outcome.BAD_IMAGE: "no picture could be read",
}
