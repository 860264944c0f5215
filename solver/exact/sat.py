"""A SAT solver as a library baseline: python-sat (extra `baselines`), MiniSat 2.2 by default.

N. Eén, N. Sörensson, "An Extensible SAT-solver", 2003; the clauses are the "extended encoding" of
I. Lynce, J. Ouaknine, "Sudoku as a SAT Problem", 2006: a variable for each digit in each cell, and
for cells, rows, columns and boxes that there is one and that there are not two.
"""

import itertools
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from solver.base import Limits, MissingPackageError, Result, admit_clues
from solver.exact.meter import Clock, Meter, conclude_search
from solver.grid import Grid
from solver.layout import ALL_SIZES, LAYOUTS

_CONFLICTS_PER_LOOK: Final = 1000
"""Conflicts between two looks at the clock: about 10 ms on 9×9."""


@dataclass(frozen=True)
class SatSolver:
    """Keeps one SAT solver for each size, with the rules as clauses and the clues as assumptions.

    What it learns from a puzzle stays for the next, so that the effort of a puzzle depends on those
    before it. A decision is a guess, and a conflict, which is a step back, an iteration; there are
    no nodes. Uniqueness is proved by forbidding the first solution.

    Attributes:
        engine: the name that python-sat has for a solver with conflict budgets.
        clock: returns seconds; only differences count.

    Raises:
        MissingPackageError: if python-sat is not installed.
    """

    engine: str = "minisat22"
    clock: Clock = time.perf_counter
    _rules: dict[int, "_Rules"] = field(default_factory=dict, init=False, repr=False, compare=False)

    name = "sat"
    is_complete = True
    sizes = ALL_SIZES

    def __post_init__(self) -> None:
        _import_solver()

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search until a second solution or the end; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        side = len(clues)
        if side not in self._rules:
            # Before the clock starts: at 25×25 it takes more than a second, and only once.
            self._rules[side] = _Rules(side, self.engine)
        meter = Meter(limits, self.clock)
        solutions: list[list[int]] = []
        is_exhaustive = False
        if meter.may_go_on():
            rules = self._rules[side]
            is_exhaustive = rules.find_two(clues.ravel().tolist(), meter, solutions)
        return conclude_search(clues, solutions, meter, is_exhaustive=is_exhaustive)


class _Rules:
    """A SAT solver that knows the rules of a size; variable = 1 + cell × side + digit - 1."""

    def __init__(self, side: int, engine: str) -> None:
        self._side = side
        self._solver = _import_solver()(name=engine, bootstrap_with=rule_clauses(side))
        # Left to the end of the process, python-sat's own clean-up fails, and says so on stderr.
        weakref.finalize(self, self._solver.delete)
        self._last_variable = side**3
        self._counted = (0, 0)

    def find_two(self, clues: Sequence[int], meter: Meter, solutions: list[list[int]]) -> bool:
        """Collect up to two solutions; return whether there is none beside them."""
        side = self._side
        assumed = [cell * side + clue for cell, clue in enumerate(clues) if clue]
        is_exhaustive = self._solve(assumed, meter, solutions)
        if is_exhaustive is False:
            # Forbid the solution as long as a new variable is assumed, and then no more.
            self._last_variable += 1
            switch = self._last_variable
            first = [cell * side + digit for cell, digit in enumerate(solutions[0])]
            self._solver.add_clause(
                [-switch, *(-literal for literal in first if literal not in set(assumed))]
            )
            is_exhaustive = self._solve([*assumed, switch], meter, solutions)
            self._solver.add_clause([-switch])
        return is_exhaustive is True

    def _solve(
        self, assumed: Sequence[int], meter: Meter, solutions: list[list[int]]
    ) -> bool | None:
        """Return whether there is no solution, or None at a limit; append the one that there is."""
        answer: bool | None = None
        while answer is None and meter.may_go_on() and meter.steps_back_left() >= 1:
            budget = min(_CONFLICTS_PER_LOOK, meter.steps_back_left())
            self._solver.conf_budget(int(budget))
            answer = self._solver.solve_limited(assumptions=assumed)
            self._count(meter)
        if answer is None:
            return None
        if answer:
            side = self._side
            model = self._solver.get_model()[: side**3]
            true = [literal - 1 for literal in model if literal > 0]
            solutions.append([literal % side + 1 for literal in true])
        return not answer

    def _count(self, meter: Meter) -> None:
        stats = self._solver.accum_stats()
        counted = stats["decisions"], stats["conflicts"]
        meter.guesses += counted[0] - self._counted[0]
        meter.iterations += counted[1] - self._counted[1]
        self._counted = counted


def rule_clauses(side: int) -> list[list[int]]:
    """Return the rules of a size as clauses; the variables are 1 + cell × side + digit - 1."""
    groups = [[cell * side + digit for digit in range(1, side + 1)] for cell in range(side**2)]
    for unit in LAYOUTS[side].units.tolist():
        groups += [[cell * side + digit for cell in unit] for digit in range(1, side + 1)]
    pairs = {pair for group in groups for pair in itertools.combinations(sorted(group), 2)}
    return groups + [[-one, -other] for one, other in sorted(pairs)]


def _import_solver() -> Any:
    """Return the class that python-sat has for all its solvers."""
    try:
        from pysat.solvers import Solver
    except ImportError as error:
        raise MissingPackageError.for_extra("python-sat", "baselines") from error
    return Solver
