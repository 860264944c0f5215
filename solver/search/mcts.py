"""Monte Carlo tree search: random play from many positions tells where to look next."""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from solver.base import Effort, Limits, Result, admit_clues, conclude
from solver.compilation import Ints, compiled
from solver.grid import Grid
from solver.layout import layout_of
from solver.search.forced_cells import Rules, build_rules, settle, settle_clues
from solver.search.play_tree import Action, Node, Policy, Selection, UniformPolicy


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

    policy: Policy = field(default_factory=UniformPolicy)
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
        if limits.iterations is None:
            limits = replace(limits, iterations=self.max_iterations)
        rules = build_rules(layout_of(clues), hidden=self.hidden_singles)
        search = _Search(self, rules, limits)
        solution = search.run(clues)
        left = clues.size - search.most_filled
        return conclude(
            clues,
            () if solution is None else (solution,),
            search.effort(),
            is_exhaustive=search.is_refuted,
            note="" if solution is not None or search.is_refuted else f"{left} cells left at best",
            proof_seconds=None if limits.seconds is None else max(search.seconds_left(), 1.0),
        )


def commit_early() -> MctsSolver:
    """Build the solver that plays as published: ten rounds a move, and no way back."""
    return MctsSolver(all_cells=True, prunes=False, hidden_singles=False, rounds_per_move=10)


class _Search:
    """One search.

    Attributes:
        most_filled: cells settled in the fullest position met.
        is_refuted: whether it is proved that there is no solution.
        nodes, guesses, iterations, passes: see `Effort` and `MctsSolver`.
    """

    def __init__(self, options: MctsSolver, rules: Rules, limits: Limits) -> None:
        self.options = options
        self.rules = rules
        self.random = random.Random(options.seed)
        self.most_filled = 0
        self.is_refuted = False
        self.nodes = self.guesses = self.iterations = self.passes = 0
        self.max_nodes = math.inf if limits.nodes is None else limits.nodes
        self.max_iterations = math.inf if limits.iterations is None else limits.iterations
        self.start = options.clock()
        self.end = math.inf if limits.seconds is None else self.start + limits.seconds

    def may_go_on(self) -> bool:
        """Return whether one node more would pass no limit."""
        return (
            self.nodes < self.max_nodes
            and self.iterations < self.max_iterations
            and self.options.clock() < self.end
        )

    def seconds_left(self) -> float:
        """Return how much time is left, which may be below zero."""
        return self.end - self.options.clock()

    def effort(self) -> Effort:
        """Return what was counted."""
        return Effort(
            self.options.clock() - self.start,
            nodes=self.nodes,
            guesses=self.guesses,
            iterations=self.iterations,
            passes=self.passes,
        )

    def run(self, clues: Grid) -> Grid | None:
        """Return a solution, or None."""
        self.nodes += 1
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
            self.iterations += 1
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
        self.guesses += 1
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
        self.nodes += 1
        n_filled = int(
            settle(rules.side, rules.peers, rules.units, rules.hidden, masks, rules.pending, 1)
        )
        self.most_filled = max(self.most_filled, n_filled)
        return n_filled

    def _worth(self, n_filled: int) -> float:
        return (n_filled if n_filled >= 0 else -n_filled - 1) / self.rules.side**2

    def _priors(self, masks: Ints, actions: list[Action]) -> Sequence[float]:
        self.passes += self.options.policy.passes
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
