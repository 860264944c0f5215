"""The tree of a Monte Carlo tree search over Sudoku positions, and how a child is chosen in it."""

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
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


class Selection(enum.Enum):
    """What makes a child worth the next visit; Q is its mean reward, N its visits, P its prior."""

    UCT = "uct"
    """Q + w·√(ln N(parent) / N), each child once first (L. Kocsis, C. Szepesvári, 2006, "Bandit
    based Monte-Carlo planning"): it needs no prior."""

    PRIOR = "prior"
    """Q + w·P / (1 + N), as in AlphaGo (D. Silver et al., 2016, "Mastering the game of Go with deep
    neural networks and tree search", without its √N(parent)); Q of a child that was never visited
    is its parent's."""


@dataclass(eq=False)
class Node:
    """A position in the tree.

    Attributes:
        masks: of candidates; see `Policy.priors`.
        parent: None at the root.
        actions: that can be taken here; None until the node is expanded.
        priors: of each action.
        children: the node that each action led to, None where it was not taken yet.
        n_open: actions not known to be dead ends.
        visits: how often the search came through.
        reward: sum over the visits, each 0..1.
        is_end: whether the position contradicts itself.
        is_dead: whether it is known that no solution lies below.
    """

    masks: Ints
    parent: "Node | None" = None
    actions: Sequence[Action] | None = None
    priors: Sequence[float] = ()
    children: list["Node | None"] = field(default_factory=list)
    n_open: int = 0
    visits: int = 0
    reward: float = 0.0
    is_end: bool = False
    is_dead: bool = False

    def expand(self, actions: Sequence[Action], priors: Sequence[float]) -> None:
        """Say what can be done here."""
        self.actions = actions
        self.priors = priors
        self.children = [None] * len(actions)
        self.n_open = len(actions)

    def choose(self, selection: Selection, weight: float) -> int:
        """Return the index of the action to take next; of equal ones the first.

        Args:
            selection: the formula.
            weight: w in it: how much what is little known counts against what went well.
        """
        best, best_value = 0, -math.inf
        log_visits = math.log(self.visits) if self.visits else 0.0
        mean = self.reward / self.visits if self.visits else 0.0
        for index, child in enumerate(self.children):
            if child is None:
                if selection is Selection.UCT:
                    return index
                value = mean + weight * self.priors[index]
            elif child.is_dead:
                continue
            else:
                value = child.reward / child.visits
                if selection is Selection.UCT:
                    value += weight * math.sqrt(log_visits / child.visits)
                else:
                    value += weight * self.priors[index] / (1 + child.visits)
            if value > best_value:
                best, best_value = index, value
        return best

    def most_rewarded(self) -> "Node | None":
        """Return the living child with the highest mean reward, or None if there is none."""
        alive = [child for child in self.children if child is not None and not child.is_dead]
        return max(alive, key=lambda child: child.reward / child.visits, default=None)

    def pay(self, reward: float) -> None:
        """Count a visit of this node and of all above it."""
        node: Node | None = self
        while node is not None:
            node.visits += 1
            node.reward += reward
            node = node.parent

    def kill(self) -> None:
        """Mark a dead end, and every node above all of whose actions are dead ends."""
        node: Node | None = self
        while node is not None:
            node.is_dead = True
            node = node.parent
            if node is not None:
                node.n_open -= 1
                if node.n_open:
                    return
