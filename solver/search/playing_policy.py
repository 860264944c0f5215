"""What guides a tree search: how likely each action is to be right, before it was ever tried."""

from collections.abc import Sequence
from typing import Final, Protocol

from solver.compilation import Ints

Action = tuple[int, int]
"""A cell, and the digit 1..side to put into it."""


class Policy(Protocol):
    """Judges the actions of a position; a network that reads grids can be one."""

    @property
    def passes(self) -> int:
        """Runs of a network that one call costs, for `Effort.passes`."""

    def priors(self, masks: Ints, actions: Sequence[Action]) -> Sequence[float]:
        """Return the probability of each action, the sum 1.

        Args:
            masks: of candidates for each cell, bit = digit - 1; a settled cell has one bit. Not
                changed.
            actions: at least one, each a candidate.
        """


class UniformPolicy:
    """Knows nothing: every action is as likely as any other."""

    passes: Final = 0

    def priors(self, masks: Ints, actions: Sequence[Action]) -> Sequence[float]:
        """Return the same probability for each action; see `Policy`."""
        return [1 / len(actions)] * len(actions)
