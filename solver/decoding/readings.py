"""Best-first search over readings of a board for one whose puzzle has exactly one solution.

A **reading** gives each cell a value, 0 for empty or a digit; its **loss** is the likelihood in
nats that it gives away against the most likely reading. A **family** is the set of readings whose
values are all in given sets; its leader is the most likely of them.
"""

import heapq
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from solver.decoding.clue_searches import MOST_NODES, KnownSolutions, find_core
from solver.grid import FEWEST_CLUES, PEERS
from solver.rules import Rules


@dataclass(frozen=True)
class ValidReading:
    """A reading whose puzzle has exactly one solution.

    Attributes:
        values: n² values 0..n.
        solution: n² digits.
        loss: nats.
    """

    values: list[int]
    solution: list[int]
    loss: float


@dataclass
class SearchState:
    """What a search found; it grows while the search runs.

    Attributes:
        best: the valid reading with least loss, or None.
        rival: the likeliest valid reading with another solution that is within the gap.
        top_solutions: how many solutions the top reading has, 0, 1 or 2 (= more); None where
            that was not decided in time.
        support: likelihood, against the top reading, of the readings met with the best's solution.
        frontier: no rival that was not met has a smaller loss; infinite when there is none.
        nodes: families looked at.
        is_complete: False when time or nodes ran out first.
    """

    best: ValidReading | None = None
    rival: ValidReading | None = None
    top_solutions: int | None = None
    support: float = 0.0
    frontier: float = math.inf
    nodes: int = 0
    is_complete: bool = True


_PEERS: Final[Sequence[Collection[int]]] = PEERS.tolist()
_EMPTY: Final = 1
"""The set of values that holds only 0."""

RivalPenalty = Callable[[Sequence[int]], float]
"""Takes a solution's n² digits and returns how many nats what else is known speaks against it."""


def no_penalty(solution: Sequence[int]) -> float:
    """Return 0: nothing else is known."""
    del solution
    return 0.0


@dataclass(frozen=True)
class Reach:
    """How far a search goes.

    Attributes:
        max_loss: a valid reading that gives away more nats is not looked for.
        gap: behind the top reading, if it is valid, rivals are looked for up to so many nats.
        max_nodes: families to look at.
        is_time_left: asked before each step.
        rival_penalty: another solution is a rival only if it is within the gap with this added.
        rules: of the puzzle; None for the classic ones.
    """

    max_loss: float
    gap: float
    max_nodes: int
    is_time_left: Callable[[], bool]
    rival_penalty: RivalPenalty = no_penalty
    rules: Rules | None = None


@dataclass(order=True)
class _Family:
    """See the module; `allowed` holds n² sets of values as bits, bit = value.

    Attributes:
        bound: no valid reading in the family has a smaller loss.
        serial: order of creation, which breaks ties the same way each time.
        loss: of the leader.
        leader: n² values.
        allowed: n² sets of values.
        conflicts: (price, cell, cell) of equal digits in one unit of the leader; the price is
            what it costs at least to change one of the two.
    """

    bound: float
    serial: int
    loss: float = field(compare=False)
    leader: list[int] = field(compare=False)
    allowed: list[int] = field(compare=False)
    conflicts: list[tuple[float, int, int]] = field(compare=False)


def search_readings(losses: Sequence[Sequence[float]], reach: Reach) -> SearchState:
    """Find the likeliest valid reading, and whether one with another solution is close behind.

    The partition of E. L. Lawler (1972, "A procedure for computing the K best solutions to
    discrete optimization problems") with its cells chosen by conflict: where a family's leader is
    not valid, some cells are known of which a valid reading must change at least one, and only
    there the family splits. They are two equal digits in a unit; or an unsatisfiable core of the
    clues; or, where there are two solutions, the cells that can take a digit which rules one out.
    The parts are disjoint and together keep every valid reading, so the order is exact.

    Args:
        losses: n² rows of n + 1 or more: nats lost by each value of each cell; infinite for a
            value that is never to be considered.
        reach: how far to go.
    """
    readings = _Readings(losses, reach)
    state = readings.state
    while readings.heap and state.rival is None:
        if readings.heap[0].bound > (reach.max_loss if state.best is None else readings.limit):
            break
        if state.nodes >= reach.max_nodes or not reach.is_time_left():
            state.is_complete = False
            break
        family = heapq.heappop(readings.heap)
        state.nodes += 1
        choices = readings.examine(family)
        if choices is None:
            state.is_complete = False
            break
        readings.split(family, choices)
    if readings.heap:
        state.frontier = min(state.frontier, readings.heap[0].bound)
    return state


class _Readings:
    """The state of one search: the families still open, and what was found so far."""

    def __init__(self, losses: Sequence[Sequence[float]], reach: Reach) -> None:
        self.losses = losses
        self.reach = reach
        self.limit = reach.max_loss + reach.gap
        self.options = [
            sorted((loss, value) for value, loss in enumerate(row) if math.isfinite(loss))
            for row in losses
        ]
        self.heap: list[_Family] = []
        self.state = SearchState()
        self.known = KnownSolutions(reach.rules)
        self.peers = _PEERS if reach.rules is None else reach.rules.peers
        self.serial = 0
        if not all(self.options):  # a cell shows what no puzzle of these rules has
            self.state.top_solutions = 0
            return
        top = [row[0][1] for row in self.options]
        pairs = {pair for cell in range(len(top)) for pair in self._list_conflicts(top, cell)}
        values = [sum(1 << value for _, value in row) for row in self.options]
        self._queue(sum(row[0][0] for row in self.options), top, values, sorted(pairs))
        if not self.heap:
            self.state.top_solutions = 0

    def examine(self, family: _Family) -> dict[int, int] | None:
        """Record what a family's leader is worth, and say where the family must split.

        Returns:
            By cell the values of which every valid reading that is still of interest takes at
            least one somewhere; None when time ran out.
        """
        leader, allowed = family.leader, family.allowed
        solutions: list[list[int]] = []
        if family.conflicts:
            # The pair that is dearest to resolve leaves least to explore.
            _, *cells = max(family.conflicts)
        else:
            found = self.known.search(leader, 2, self._may_go_on)
            solutions = found.solutions
            if not found.is_exhaustive and len(solutions) < 2:
                return None
            if not solutions:
                steps = {
                    cell: self._step(family, cell) for cell, value in enumerate(leader) if value
                }
                budget = self.limit - family.loss
                cells = find_core(leader, steps, budget, self._may_go_on, self.known)
        if family.serial == 0:
            self.state.top_solutions = len(solutions)
        if not solutions:
            return {cell: allowed[cell] & ~(1 << leader[cell]) for cell in cells}
        if len(solutions) == 1:
            self._record(ValidReading(leader, solutions[0], family.loss))
        elif family.loss + self._price_of_enough_clues(family) > self.limit:
            return {}
        # A digit that rules out one of the solutions must come in somewhere: to empty a cell
        # rules nothing out, nor does a digit that both solutions have.
        choices = {}
        for cell, digits in enumerate(zip(*solutions, strict=True)):
            agreed = 1 << digits[0] if digits[0] == digits[-1] else 0
            choices[cell] = allowed[cell] & ~(_EMPTY | agreed)
        return choices

    def split(self, family: _Family, choices: dict[int, int]) -> None:
        """Queue the readings of a family that take one of the chosen values in some cell.

        The first such cell, in order of cost, names the part that a reading falls into.
        """
        priced = []
        for cell, values in choices.items():
            loss, value = self._cheapest(cell, values)
            if value is not None:
                loss += family.loss - self.losses[cell][family.leader[cell]]
                priced.append((loss, cell, value))
        allowed = family.allowed
        for loss, cell, value in sorted(priced):
            if loss > self.limit:
                self.state.frontier = min(self.state.frontier, loss)
                break
            leader = family.leader.copy()
            leader[cell] = value
            part = allowed.copy()
            part[cell] = choices[cell]
            pairs = [(one, other) for _, one, other in family.conflicts if cell not in (one, other)]
            self._queue(loss, leader, part, pairs + self._list_conflicts(leader, cell))
            allowed = allowed.copy()
            allowed[cell] &= ~choices[cell]

    def _queue(
        self, loss: float, leader: list[int], allowed: list[int], pairs: list[tuple[int, int]]
    ) -> None:
        family = _Family(loss, self.serial, loss, leader, allowed, [])
        self.serial += 1
        family.conflicts = [
            (min(self._step(family, cell), self._step(family, peer)), cell, peer)
            for cell, peer in pairs
        ]
        # Conflicts that share no cell need a change each, so their prices add up.
        used: set[int] = set()
        for price, cell, peer in sorted(family.conflicts, reverse=True):
            if cell not in used and peer not in used:
                used |= {cell, peer}
                family.bound += price
        if family.bound <= self.limit:
            heapq.heappush(self.heap, family)
        else:
            self.state.frontier = min(self.state.frontier, family.bound)

    def _record(self, valid: ValidReading) -> None:
        state = self.state
        if state.best is None:
            state.best = valid
            self.limit = valid.loss + self.reach.gap
        if valid.solution == state.best.solution:
            state.support += math.exp(-valid.loss)
            return
        rival_penalty = self.reach.rival_penalty
        loss = valid.loss + rival_penalty(valid.solution) - rival_penalty(state.best.solution)
        if loss <= self.limit:
            state.rival = valid
        else:
            state.frontier = min(state.frontier, loss)

    def _may_go_on(self, nodes: int) -> bool:
        return nodes < MOST_NODES and self.reach.is_time_left()

    def _cheapest(self, cell: int, values: int) -> tuple[float, int | None]:
        for loss, value in self.options[cell]:
            if values >> value & 1:
                return loss, value
        return math.inf, None

    def _step(self, family: _Family, cell: int) -> float:
        """Return what it costs at least to change the leader's value of a cell."""
        value = family.leader[cell]
        return (
            self._cheapest(cell, family.allowed[cell] & ~(1 << value))[0]
            - (self.losses[cell][value])
        )

    def _price_of_enough_clues(self, family: _Family) -> float:
        empty = [cell for cell, value in enumerate(family.leader) if not value]
        rules = self.reach.rules
        # Two digits that are not given at all could be swapped, where no sums tell them apart.
        of_others = 0 if rules is None or rules.cages else rules.side - 1
        fewest = FEWEST_CLUES if rules is None else of_others
        missing = max(fewest - (len(family.leader) - len(empty)), 0)
        prices = (self._cheapest(cell, family.allowed[cell] & ~_EMPTY)[0] for cell in empty)
        return sum(sorted(prices)[:missing])

    def _list_conflicts(self, values: Sequence[int], cell: int) -> list[tuple[int, int]]:
        """Return the pairs of a cell and a peer with the same digit, each in reading order."""
        digit = values[cell]
        if not digit:
            return []
        peers = self.peers[cell]
        return [(min(cell, peer), max(cell, peer)) for peer in peers if values[peer] == digit]
