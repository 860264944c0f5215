"""The contract that every solver fulfils."""

import enum
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from solver.grid import Grid, as_grid
from solver.rules import Rules, admit_grid


class MissingPackageError(ImportError):
    """A solver needs a package that is not installed; the message says how to install it."""

    @classmethod
    def for_extra(cls, package: str, extra: str) -> "MissingPackageError":
        """Name the package, and the extra of this project that brings it."""
        advice = f"install it with: pip install 'sudoku-lens[{extra}]'"
        return cls(f"the package {package} is not installed; {advice}", name=package)


class Status(enum.Enum):
    """How a solver's attempt ended."""

    SOLVED = "solved"
    """One solution, checked against the rules and the clues, and proved to be the only one."""

    UNSOLVABLE = "unsolvable"
    """Proved to have no solution."""

    AMBIGUOUS = "ambiguous"
    """Proved to have more than one solution."""

    GAVE_UP = "gave_up"
    """Nothing was decided: a limit was met, or the solver found no solution."""


@dataclass(frozen=True)
class Limits:
    """When a solver stops although nothing is decided; None is no limit.

    A limit on what a solver does not count, that is, what stays zero in its `Effort`, does not
    bind it.

    Attributes:
        seconds: of wall time. A solver looks at the clock between steps, so that one step more
            may pass.
        nodes: positions looked at in a search tree.
        iterations: rounds of a solver that iterates, such as a local search or a network, or steps
            back in a search that counts them.
    """

    seconds: float | None = None
    nodes: int | None = None
    iterations: int | None = None


@dataclass(frozen=True)
class Effort:
    """What an attempt cost; a solver fills in what it counts, and the rest is zero.

    Attributes:
        seconds: of wall time; left out of comparisons, as it never repeats.
        nodes: positions looked at in a search tree, the root included.
        guesses: branchings, that is, digits tried without proof.
        iterations: rounds of a solver that iterates, or steps back.
        passes: runs of a network.
    """

    seconds: float = field(default=0.0, compare=False)
    nodes: int = 0
    guesses: int = 0
    iterations: int = 0
    passes: int = 0


Clock = Callable[[], float]
"""Returns seconds; only differences count."""


class EffortBudget:
    """What an attempt has cost so far, and whether it may go on.

    Attributes:
        limits: that it is held to.
        nodes, guesses, iterations, passes: see `Effort`.
    """

    def __init__(
        self, limits: Limits, clock: Clock = time.perf_counter, most_iterations: float = math.inf
    ) -> None:
        """Start the clock.

        Args:
            limits: when to give up.
            clock: returns seconds.
            most_iterations: when to give up where the limits do not say how many.
        """
        self.limits = limits
        self.nodes = self.guesses = self.iterations = self.passes = 0
        self._clock = clock
        self._start = clock()
        self._end = math.inf if limits.seconds is None else self._start + limits.seconds
        self._max_nodes = math.inf if limits.nodes is None else limits.nodes
        self._max_iterations = most_iterations if limits.iterations is None else limits.iterations

    def may_go_on(self) -> bool:
        """Return whether there may be one node more."""
        return self.nodes < self._max_nodes and self._clock() < self._end

    def iterations_left(self) -> float:
        """Return how many iterations more there may be, which may be infinite."""
        return self._max_iterations - self.iterations

    def allow(self, wanted: int) -> int:
        """Return how many of the wanted iterations may be made before the next look here."""
        if self.limits.seconds is not None and self._clock() >= self._end:
            return 0
        return int(min(wanted, self.iterations_left()))

    def seconds_left(self) -> float:
        """Return how much time is left, which may be infinite or below zero."""
        return self._end - self._clock()

    def effort(self) -> Effort:
        """Return what was counted."""
        seconds = self._clock() - self._start
        return Effort(seconds, self.nodes, self.guesses, self.iterations, self.passes)


@dataclass(frozen=True, eq=False)
class Result:
    """What came out of an attempt; made by `conclude` only.

    Attributes:
        status: how it ended.
        solution: (side, side) uint8 digits 1..side where the status is SOLVED, else None.
        effort: what it cost.
        examples: two different solutions, each (side, side) uint8, where the status is AMBIGUOUS.
        note: a remark for people, such as the reason for giving up.
    """

    status: Status
    solution: Grid | None
    effort: Effort
    examples: tuple[Grid, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        """Refuse a claim without its solution, and a solution without its claim.

        Raises:
            ValueError: if it is SOLVED without a solution, or has one and is not SOLVED.
        """
        if (self.status is Status.SOLVED) != (self.solution is not None):
            msg = f"a result that is {self.status.value!r} must not have solution={self.solution}"
            raise ValueError(msg)


class Solver(Protocol):
    """What every solver offers."""

    @property
    def name(self) -> str:
        """The name that the registry knows it by."""

    @property
    def is_complete(self) -> bool:
        """Whether it decides every puzzle, given time: solved, unsolvable or ambiguous."""

    @property
    def sizes(self) -> frozenset[int]:
        """The sides of the grids that it can solve, some of 4, 6, 9, 16 and 25."""

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Try to solve a puzzle.

        Args:
            clues: (side, side) uint8, 0 = empty. Not changed.
            limits: when to give up.

        Raises:
            ValueError: if the clues are no grid, or of a size that the solver cannot do. Clues
                that contradict each other are a grid, and UNSOLVABLE.
        """


class RuleSolver(Solver, Protocol):
    """A solver for all kinds of puzzles."""

    def solve(self, clues: Grid, limits: Limits, rules: Rules | None = None) -> Result:
        """Try to solve a puzzle.

        Args:
            clues: (side, side) uint8, or (width, width) of the rules, 0 = empty or no cell.
            limits: when to give up.
            rules: of the puzzle; None for the classic ones, which its shape tells.

        Raises:
            ValueError: if the clues are no grid of these rules.
        """


def admit_clues(clues: Grid, solver: Solver, rules: Rules | None = None) -> Grid:
    """Return the clues as a grid that the solver can work on; what every `solve` begins with.

    Raises:
        ValueError: if the clues are no grid, or of a size that the solver cannot do.
    """
    if rules is not None:
        return admit_grid(rules, clues)
    clues = as_grid(clues)
    side = len(clues)
    if side not in solver.sizes:
        able = ", ".join(f"{size}×{size}" for size in sorted(solver.sizes))
        raise ValueError(f"the solver {solver.name} cannot do {side}×{side}, only {able}")
    return clues
