"""The solvers by name, each imported only when it is asked for."""

import importlib
from typing import Final

from solver.base import Solver

DEFAULT_SOLVER: Final = "bitmask"

RULE_SOLVERS: Final = (DEFAULT_SOLVER, "cp-sat", "sat")
"""The solvers that do every kind of puzzle: each is a `solver.base.RuleSolver`."""

_SOLVERS: Final = {
    "alpha-sudoku": "solver.neural.network_solver:AlphaSudokuSolver",
    "annealing": "solver.search.local_search:AnnealingSolver",
    "annealing-forced": "solver.search.local_search:anneal_after_forced",
    "backtracking": "solver.exact.backtracking:backtracking",
    "bitmask": "solver.exact.bitmask:BitmaskSolver",
    "bulk": "solver.exact.bulk.bulk_solver:BulkSolver",
    "constraint-network": "solver.neural.constraint_solver:ConstraintNetworkSolver",
    "cp-sat": "solver.exact.packaged_solvers:CpSatSolver",
    "dancing-links": "solver.exact.dancing_links:dancing_links",
    "deep-iterative": "solver.neural.network_solver:deep_iterative",
    "dfs": "solver.exact.backtracking:depth_first",
    "genetic": "solver.search.genetic:GeneticSolver",
    "heuristic-candidates": "solver.exact.backtracking:by_heuristic:candidates",
    "heuristic-remaining": "solver.exact.backtracking:by_heuristic:remaining",
    "heuristic-units": "solver.exact.backtracking:by_heuristic:units",
    "hill-climbing": "solver.search.local_search:HillClimbingSolver",
    "hill-climbing-strict": "solver.search.local_search:climb_strictly",
    "human": "solver.human.walk:HumanSolver",
    "mcts": "solver.search.mcts:MctsSolver",
    "mcts-committed": "solver.search.mcts:commit_early",
    "network-guided": "solver.neural.network_solver:by_policy:network-guided",
    "network-iterative": "solver.neural.network_solver:by_policy:network-iterative",
    "network-many": "solver.neural.network_solver:by_policy:network-many",
    "network-once": "solver.neural.network_solver:by_policy:network-once",
    "network-restarts": "solver.neural.network_solver:by_policy:network-restarts",
    "propagation": "solver.exact.backtracking:propagation",
    "py-sudoku": "solver.exact.packaged_solvers:PySudokuSolver",
    "sat": "solver.exact.packaged_solvers:SatSolver",
}
"""Module, builder, and what the builder takes."""


def solver_names() -> tuple[str, ...]:
    """Return the names of all solvers, the default first."""
    return (DEFAULT_SOLVER, *sorted(_SOLVERS.keys() - {DEFAULT_SOLVER}))


def load_solver(name: str = DEFAULT_SOLVER) -> Solver:
    """Import and build the solver of this name.

    Raises:
        ValueError: if no solver has this name; the text lists those that there are.
        MissingPackageError: if it needs a package that is not installed.
    """
    if name not in _SOLVERS:
        raise ValueError(f"no solver is called {name!r}; choose one of {', '.join(solver_names())}")
    module, builder, *arguments = _SOLVERS[name].split(":")
    solver: Solver = getattr(importlib.import_module(module), builder)(*arguments)
    return solver
