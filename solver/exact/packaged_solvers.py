"""Library baselines (extra `baselines`): CP-SAT, a SAT solver, and py-sudoku.

CP-SAT of Google OR-Tools: L. Perron, F. Didier, "CP-SAT",
https://developers.google.com/optimization/cp/cp_solver. The model is the textbook one: an integer a
cell, all different in each unit, and the sum of each cage.

MiniSat 2.2 of python-sat: N. Eén, N. Sörensson, "An Extensible SAT-solver", 2003; the
clauses are the "extended encoding" of I. Lynce, J. Ouaknine, "Sudoku as a SAT Problem", 2006: a
variable for each digit in each cell, and for cells, rows, columns and boxes that there is one and
that there are not two. The sum of a cage is a choice among the sets of digits that have it.

https://github.com/jeffsieu/py-sudoku fills the blank with fewest candidates, depth first.
"""

import itertools
import sys
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from solver.base import Clock, EffortBudget, Limits, MissingPackageError, Result, admit_clues
from solver.exact.tree_search import conclude_search
from solver.grid import Grid
from solver.layout import ALL_SIZES, layout_of
from solver.rules import Rules, box_rules, cage_combinations

_CONFLICTS_PER_LOOK: Final = 1000
"""Conflicts between two looks at the clock: about 10 ms on 9×9."""


@dataclass(frozen=True)
class SatSolver:
    """Keeps one SAT solver for each size, with the rules as clauses and the clues as assumptions.

    What it learns from a puzzle stays for the next, so that the effort of a puzzle depends on those
    before it; rules that are given have a solver of their own each time. A decision is a guess, and
    a conflict, which is a step back, an iteration; there are no nodes. Uniqueness is proved by
    forbidding the first solution.

    Attributes:
        clock: returns seconds; only differences count.

    Raises:
        MissingPackageError: if python-sat is not installed.
    """

    clock: Clock = time.perf_counter
    _sizes: dict[int, "_Known"] = field(default_factory=dict, init=False, repr=False, compare=False)

    name = "sat"
    is_complete = True
    sizes = ALL_SIZES

    def __post_init__(self) -> None:
        _import_solver()

    def solve(self, clues: Grid, limits: Limits, rules: Rules | None = None) -> Result:
        """Search until a second solution or the end; see `solver.base.RuleSolver`."""
        clues = admit_clues(clues, self, rules)
        # Before the clock starts: at 25×25 it takes more than a second, and only once.
        known = self._know_size(len(clues)) if rules is None else _Known(rules)
        effort_budget = EffortBudget(limits, self.clock)
        solutions: list[list[int]] = []
        is_exhaustive = False
        if effort_budget.may_go_on():
            is_exhaustive = known.find_two(clues.ravel().tolist(), effort_budget, solutions)
        return conclude_search(
            clues, solutions, effort_budget, is_exhaustive=is_exhaustive, rules=rules
        )

    def _know_size(self, side: int) -> "_Known":
        if side not in self._sizes:
            self._sizes[side] = _Known(box_rules(side))
        return self._sizes[side]


class _Known:
    """A SAT solver that knows some rules; variable = 1 + place × side + digit - 1."""

    def __init__(self, rules: Rules) -> None:
        self._side = rules.side
        self._cells = rules.cells
        self._n_variables = rules.width**2 * rules.side
        clauses = rule_clauses(rules)
        self._solver = _import_solver()(name="minisat22", bootstrap_with=clauses)
        # Left to the end of the process, python-sat's own clean-up fails, and says so on stderr.
        weakref.finalize(self, self._solver.delete)
        self._last_variable = max(self._n_variables, max(map(max, clauses)))
        self._counted = (0, 0)

    def find_two(
        self, clues: Sequence[int], effort_budget: EffortBudget, solutions: list[list[int]]
    ) -> bool:
        """Collect up to two solutions; return whether there is none beside them."""
        side = self._side
        assumed = [cell * side + clue for cell, clue in enumerate(clues) if clue]
        is_exhaustive = self._solve(assumed, effort_budget, solutions)
        if is_exhaustive is False:
            # Forbid the solution as long as a new variable is assumed, and then no more.
            self._last_variable += 1
            switch = self._last_variable
            first = [cell * side + solutions[0][cell] for cell in self._cells]
            self._solver.add_clause(
                [-switch, *(-literal for literal in first if literal not in set(assumed))]
            )
            is_exhaustive = self._solve([*assumed, switch], effort_budget, solutions)
            self._solver.add_clause([-switch])
        return is_exhaustive is True

    def _solve(
        self, assumed: Sequence[int], effort_budget: EffortBudget, solutions: list[list[int]]
    ) -> bool | None:
        """Return whether there is no solution, or None at a limit; append the one that there is."""
        answer: bool | None = None
        while answer is None and effort_budget.may_go_on() and effort_budget.iterations_left() >= 1:
            budget = min(_CONFLICTS_PER_LOOK, effort_budget.iterations_left())
            self._solver.conf_budget(int(budget))
            answer = self._solver.solve_limited(assumptions=assumed)
            self._count(effort_budget)
        if answer is None:
            return None
        if answer:
            digits = [0] * (self._n_variables // self._side)
            for literal in self._solver.get_model()[: self._n_variables]:
                if literal > 0:
                    cell, digit = divmod(literal - 1, self._side)
                    digits[cell] = digit + 1
            solutions.append(digits)
        return not answer

    def _count(self, effort_budget: EffortBudget) -> None:
        stats = self._solver.accum_stats()
        counted = stats["decisions"], stats["conflicts"]
        effort_budget.guesses += counted[0] - self._counted[0]
        effort_budget.iterations += counted[1] - self._counted[1]
        self._counted = counted


def rule_clauses(rules: Rules) -> list[list[int]]:
    """Return the rules as clauses; the variables are 1 + place × side + digit - 1.

    A cage has a further variable for each set of digits that it can hold.
    """
    side = rules.side
    digits = range(1, side + 1)
    groups = [[cell * side + digit for digit in digits] for cell in rules.cells]
    for unit in rules.units:
        groups += [[cell * side + digit for cell in unit] for digit in digits]
    apart = groups + [
        [cell * side + digit for cell in cage.cells] for cage in rules.cages for digit in digits
    ]
    pairs = {pair for group in apart for pair in itertools.combinations(sorted(group), 2)}
    return groups + [[-one, -other] for one, other in sorted(pairs)] + _cage_clauses(rules)


def _cage_clauses(rules: Rules) -> list[list[int]]:
    side = rules.side
    last_variable = rules.width**2 * side
    clauses = []
    for cage in rules.cages:
        choices = []
        for held in cage_combinations(cage.total, len(cage.cells), side):
            last_variable += 1
            choices.append(last_variable)
            others = [digit for digit in range(1, side + 1) if digit not in held]
            clauses += [
                [-last_variable, -(cell * side + digit)] for cell in cage.cells for digit in others
            ]
        clauses.append(choices)
    return clauses


def _import_solver() -> Any:
    """Return the class that python-sat has for all its solvers."""
    try:
        from pysat.solvers import Solver
    except ImportError as error:
        raise MissingPackageError.for_extra("python-sat", "baselines") from error
    return Solver


@dataclass(frozen=True)
class CpSatSolver:
    """Lets CP-SAT list the solutions of a puzzle, on one thread, until there are two.

    A branch is a guess, and a conflict, which is a step back, an iteration; there are no nodes.

    Attributes:
        seed: of the solver's randomness.
        clock: returns seconds; only differences count.

    Raises:
        MissingPackageError: if OR-Tools is not installed.
    """

    seed: int = 0
    clock: Clock = time.perf_counter

    name = "cp-sat"
    is_complete = True
    sizes = ALL_SIZES

    def __post_init__(self) -> None:
        _import_cp_model()

    def solve(self, clues: Grid, limits: Limits, rules: Rules | None = None) -> Result:
        """Search until a second solution or the end; see `solver.base.RuleSolver`."""
        clues = admit_clues(clues, self, rules)
        wanted = box_rules(len(clues)) if rules is None else rules
        effort_budget = EffortBudget(limits, self.clock)
        solutions: list[list[int]] = []
        is_exhaustive = False
        if effort_budget.may_go_on() and effort_budget.iterations_left() >= 1:
            is_exhaustive = self._list_two(wanted, clues.ravel().tolist(), effort_budget, solutions)
        return conclude_search(
            clues, solutions, effort_budget, is_exhaustive=is_exhaustive, rules=rules
        )

    def _list_two(
        self,
        rules: Rules,
        clues: Sequence[int],
        effort_budget: EffortBudget,
        solutions: list[list[int]],
    ) -> bool:
        """Collect up to two solutions; return whether there is none beside them."""
        cp_model = _import_cp_model()
        model, cells = _build_model(cp_model, rules, clues)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = self.seed
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.max_time_in_seconds = effort_budget.seconds_left()
        if effort_budget.iterations_left() < float("inf"):
            solver.parameters.max_number_of_conflicts = int(effort_budget.iterations_left())

        def collect(listing: Any) -> None:
            digits = [0] * len(clues)
            for place, variable in cells.items():
                digits[place] = listing.value(variable)
            solutions.append(digits)
            if len(solutions) == 2:
                listing.stop_search()

        listing = type(
            "Listing", (cp_model.CpSolverSolutionCallback,), {"on_solution_callback": collect}
        )
        status = solver.solve(model, listing())
        effort_budget.guesses = solver.num_branches
        effort_budget.iterations = solver.num_conflicts
        return status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)


def _build_model(cp_model: Any, rules: Rules, clues: Sequence[int]) -> tuple[Any, dict[int, Any]]:
    """Return the model of a puzzle, and its variable for each cell."""
    model = cp_model.CpModel()
    cells = {
        place: model.new_int_var(clues[place] or 1, clues[place] or rules.side, "")
        for place in rules.cells
    }
    for unit in rules.units:
        model.add_all_different([cells[cell] for cell in unit])
    for cage in rules.cages:
        model.add_all_different([cells[cell] for cell in cage.cells])
        model.add(sum(cells[cell] for cell in cage.cells) == cage.total)
    return model, cells


def _import_cp_model() -> Any:
    if "tensorflow" in sys.modules and "ortools" not in sys.modules:
        # OR-Tools 9.15 ends the whole process when TensorFlow 2.21 was loaded before it; the
        # other way round both work.
        raise MissingPackageError("OR-Tools cannot run beside TensorFlow; use --engine litert")
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise MissingPackageError.for_extra("ortools", "baselines") from error
    return cp_model


class _LimitMetError(Exception):
    """Ends the package's search from within."""


@dataclass(frozen=True)
class PySudokuSolver:
    """Lets the package search once with the digits upwards and once with them downwards.

    The two find the first and the last solution of the same search tree, which are equal where
    there is only one. A position of the tree is a node. The package has no limits of its own: its
    search calls itself once a node, and there the limits are kept.

    Attributes:
        clock: returns seconds; only differences count.

    Raises:
        MissingPackageError: if py-sudoku is not installed.
    """

    clock: Clock = time.perf_counter

    name = "py-sudoku"
    is_complete = True
    sizes = frozenset({4, 6, 9})

    def __post_init__(self) -> None:
        _import_sudoku()

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Search for the first and the last solution; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        effort_budget = EffortBudget(limits, self.clock)
        try:
            solutions = _find_first_and_last(clues, effort_budget)
        except _LimitMetError:
            return conclude_search(clues, (), effort_budget, is_exhaustive=False)
        return conclude_search(clues, solutions, effort_budget, is_exhaustive=len(solutions) < 2)


def _find_first_and_last(clues: Grid, effort_budget: EffortBudget) -> list[list[int]]:
    """Return the different ones of a puzzle's first and last solution.

    Raises:
        _LimitMetError: if a limit is met.
    """
    package = _import_sudoku()
    layout = layout_of(clues)
    board = [[digit or None for digit in row] for row in clues.tolist()]
    puzzle = package.Sudoku(layout.box_columns, layout.box_rows, board=board)
    solutions: list[list[int]] = []
    base = package._SudokuSolver
    search = base._SudokuSolver__get_solution

    def search_within_limits(self: Any, *arguments: Any, **options: Any) -> Any:
        if not effort_budget.may_go_on():
            raise _LimitMetError
        effort_budget.nodes += 1
        found = search(self, *arguments, **options)
        if found:
            digits = [digit for row in found for digit in row]
            if digits not in solutions:
                solutions.append(digits)
        return found

    limited = type("Limited", (base,), {"_SudokuSolver__get_solution": search_within_limits})
    if puzzle.validate():
        limited(puzzle)._has_multiple_solutions()
    return solutions


def _import_sudoku() -> Any:
    try:
        from sudoku import sudoku
    except ImportError as error:
        raise MissingPackageError.for_extra("py-sudoku", "baselines") from error
    return sudoku
