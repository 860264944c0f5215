"""Monte Carlo tree search: random play from many positions tells where to look next.

The tree of positions and how a child is chosen in it serve solvers with networks too.
"""

import enum
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from solver.base import EffortBudget, Limits, Result, admit_clues
from solver.grid import Grid
from solver.layout import layout_of
from solver.search.kernels import FlatUnits, Ints, build_rules, compiled, settle, settle_clues
from solver.verification import conclude, proof_seconds

Action = tuple[int, int]
"""A cell, and the digit 1..side to put into it."""


class ActionPolicy(Protocol):
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
        """Return the same probability for each action; see `ActionPolicy`."""
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
        masks: of candidates; see `ActionPolicy.priors`.
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


@dataclass(frozen=True)
class MctsSolver:
    """Fills a cell at a time; a position is worth the share of cells that random play fills.

    C. B. Browne et al., 2012, "A survey of Monte Carlo tree search methods", names the four steps
    of a round: a leaf of the tree is selected, expanded by a child, played to its end at random,
    and the reward is paid to all nodes above. After every action the forced cells are
    filled in, and play ends with a contradiction or a solution. The reward is that of
    https://github.com/H-G-11/Sudoku.

    An iteration is a round. Nodes are the positions considered, in the tree and in play; guesses
    are the actions taken in the tree.

    Attributes:
        policy: chooses in random play and, by `Selection.PRIOR`, in the tree.
        selection: the formula that chooses in the tree.
        weight: of what is little known in it.
        all_cells: whether the actions are the digits of all cells with fewest candidates, as
            published, rather than of one such cell.
        prunes: whether actions that are known to end in contradiction are not taken again (the
            proven losses of M. H. M. Winands, Y. Björnsson, J.-T. Saito, 2008, "Monte-Carlo tree
            search solver").
        hidden_singles: whether cells are also filled because a digit has no other place in a unit.
        rounds_per_move: rounds until the best child becomes the root for good, as published;
            None never gives anything up.
        seed: of the random numbers.
        max_iterations: to give up after, where the limits name no number.
        clock: returns seconds; only differences count.
    """

    policy: ActionPolicy = field(default_factory=UniformPolicy)
    selection: Selection = Selection.UCT
    weight: float = 1.0
    all_cells: bool = False
    prunes: bool = True
    hidden_singles: bool = True
    rounds_per_move: int | None = None
    seed: int = 0
    max_iterations: int = 20_000
    clock: Callable[[], float] = time.perf_counter

    is_complete = False
    sizes = frozenset({4, 6, 9, 16})

    @property
    def name(self) -> str:
        """The name that the registry knows it by."""
        return "mcts-committed" if self.rounds_per_move else "mcts"

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Play until a solution is met, the tree is dead, or a limit is met."""
        clues = admit_clues(clues, self)
        rules = build_rules(layout_of(clues), hidden=self.hidden_singles)
        search = _Search(self, rules, limits)
        solution = search.run(clues)
        left = clues.size - search.most_filled
        effort = search.budget.effort()
        return conclude(
            clues,
            () if solution is None else (solution,),
            effort,
            is_exhaustive=search.is_refuted,
            note="" if solution is not None or search.is_refuted else f"{left} cells left at best",
            proof_seconds=proof_seconds(limits, effort),
        )


def commit_early() -> MctsSolver:
    """Build the solver that plays as published: ten rounds a move, and no way back."""
    return MctsSolver(all_cells=True, prunes=False, hidden_singles=False, rounds_per_move=10)


class _Search:
    """One search.

    Attributes:
        most_filled: cells settled in the fullest position met.
        is_refuted: whether it is proved that there is no solution.
        budget: counts.
    """

    def __init__(self, options: MctsSolver, rules: FlatUnits, limits: Limits) -> None:
        self.options = options
        self.rules = rules
        self.random = random.Random(options.seed)
        self.most_filled = 0
        self.is_refuted = False
        self.budget = EffortBudget(limits, options.clock, options.max_iterations)

    def may_go_on(self) -> bool:
        """Return whether one node more would pass no limit."""
        return self.budget.iterations_left() > 0 and self.budget.may_go_on()

    def run(self, clues: Grid) -> Grid | None:
        """Return a solution, or None."""
        self.budget.nodes += 1
        masks, n_filled = settle_clues(clues, self.rules)
        self.most_filled = max(n_filled, 0)
        self.is_refuted = n_filled < 0
        found: Ints | None = masks
        if n_filled < len(masks):
            found = None if self.is_refuted else self._grow_tree(Node(masks))
        if found is None:
            return None
        digits = [int(mask).bit_length() for mask in found]
        return np.array(digits, np.uint8).reshape(clues.shape)

    def _grow_tree(self, root: Node) -> Ints | None:
        """Play round after round; return the masks of a solution, or None."""
        top = root
        rounds = 0
        while self.may_go_on():
            if root.is_dead or root.is_end:
                self.is_refuted = root is top
                return None
            if rounds == self.options.rounds_per_move:
                rounds = 0
                successor = root.most_rewarded()
                if successor is None:
                    return None
                # What lies above is not paid any more, and no way leads back.
                root = successor
                root.parent = None
            solution = self._play_round(root)
            self.budget.iterations += 1
            rounds += 1
            if solution is not None:
                return solution
        return None

    def _play_round(self, root: Node) -> Ints | None:
        """Select, expand, play and pay; return the masks of a solution where play met one."""
        child = self._grow(root)
        if child is None:
            return None
        masks = child.masks.copy()
        n_filled = self._play(masks)
        child.pay(self._worth(n_filled))
        return masks if n_filled == len(masks) else None

    def _grow(self, root: Node) -> Node | None:
        """Add a node to the tree, or return None where the way led to a contradiction."""
        node = root
        while True:
            if node.actions is None:
                actions = self._actions(node.masks)
                self.random.shuffle(actions)
                node.expand(actions, self._priors(node.masks, actions))
            index = node.choose(self.options.selection, self.options.weight)
            child = node.children[index]
            if child is None:
                break
            if child.is_end:
                child.pay(child.reward / child.visits)
                return None
            node = child
        child = Node(node.masks.copy(), node)
        node.children[index] = child
        self.budget.guesses += 1
        n_filled = self._take(child.masks, (node.actions or ())[index])
        if n_filled >= 0:
            return child
        child.is_end = True
        child.pay(self._worth(n_filled))
        if self.options.prunes:
            child.kill()
        return None

    def _play(self, masks: Ints) -> int:
        """Take actions at random until the end; return as `settle` does."""
        n_filled = sum(1 for mask in masks if not mask & (mask - 1))
        while 0 <= n_filled < len(masks) and self.may_go_on():
            actions = self._actions(masks)
            priors = self._priors(masks, actions)
            n_filled = self._take(masks, self.random.choices(actions, priors)[0])
        return n_filled

    def _take(self, masks: Ints, action: Action) -> int:
        """Put a digit into a cell and fill in what follows; return as `settle` does."""
        cell, digit = action
        rules = self.rules
        masks[cell] = 1 << (digit - 1)
        rules.pending[0] = cell
        self.budget.nodes += 1
        n_filled = int(settle(rules, masks, 1))
        self.most_filled = max(self.most_filled, n_filled)
        return n_filled

    def _worth(self, n_filled: int) -> float:
        return (n_filled if n_filled >= 0 else -n_filled - 1) / self.rules.side**2

    def _priors(self, masks: Ints, actions: list[Action]) -> Sequence[float]:
        self.budget.passes += self.options.policy.passes
        return self.options.policy.priors(masks, actions)

    def _actions(self, masks: Ints) -> list[Action]:
        """Return the digits of one or all of the open cells with fewest candidates."""
        cell = fewest_candidates(masks, self.random.randrange(len(masks)))
        cells = [cell]
        if self.options.all_cells:
            fewest = int(masks[cell]).bit_count()
            cells = [cell for cell, mask in enumerate(masks) if int(mask).bit_count() == fewest]
        return [
            (cell, digit)
            for cell in cells
            for digit in range(1, self.rules.side + 1)
            if masks[cell] >> (digit - 1) & 1
        ]


@compiled
def fewest_candidates(masks: Ints, begin: int) -> int:
    """Return the open cell with fewest candidates, of equal ones the first from `begin` on."""
    best, fewest = 0, 64
    n_cells = len(masks)
    for offset in range(n_cells):
        cell = (begin + offset) % n_cells
        rest = masks[cell]
        n_candidates = 0
        while rest and n_candidates < fewest:
            rest &= rest - 1
            n_candidates += 1
        if 1 < n_candidates < fewest:
            best, fewest = cell, n_candidates
            if fewest == 2:
                break
    return best
