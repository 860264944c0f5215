"""Constraint programming as a library baseline: CP-SAT of Google OR-Tools (extra `baselines`).

L. Perron, F. Didier, "CP-SAT", https://developers.google.com/optimization/cp/cp_solver. The model
is the textbook one: an integer a cell, all different in each unit, and the sum of each cage.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from solver.base import Limits, MissingPackageError, Result, admit_clues
from solver.exact.meter import Clock, Meter, conclude_search
from solver.grid import Grid
from solver.layout import ALL_SIZES
from solver.rules import Rules, box_rules


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
        meter = Meter(limits, self.clock)
        solutions: list[list[int]] = []
        is_exhaustive = False
        if meter.may_go_on() and meter.steps_back_left() >= 1:
            is_exhaustive = self._list_two(wanted, clues.ravel().tolist(), meter, solutions)
        return conclude_search(clues, solutions, meter, is_exhaustive=is_exhaustive, rules=rules)

    def _list_two(
        self, rules: Rules, clues: Sequence[int], meter: Meter, solutions: list[list[int]]
    ) -> bool:
        """Collect up to two solutions; return whether there is none beside them."""
        cp_model = _import_cp_model()
        model, cells = _build_model(cp_model, rules, clues)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = self.seed
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.max_time_in_seconds = meter.seconds_left()
        if meter.steps_back_left() < float("inf"):
            solver.parameters.max_number_of_conflicts = int(meter.steps_back_left())

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
        meter.guesses = solver.num_branches
        meter.iterations = solver.num_conflicts
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
