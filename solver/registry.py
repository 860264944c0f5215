"""The solvers by name, each imported only when it is asked for."""

import importlib
from typing import Final

from solver.base import Solver

DEFAULT_SOLVER: Final = "bitmask"

_SOLVERS: Final = {
    "bitmask": "solver.exact.bitmask:BitmaskSolver",
}


def solver_names() -> tuple[str, ...]:
    """Return the names of all solvers, the default first."""
    return (DEFAULT_SOLVER, *sorted(_SOLVERS.keys() - {DEFAULT_SOLVER}))


def load_solver(name: str = DEFAULT_SOLVER) -> Solver:
    """Import and build the solver of this name.

    Raises:
        ValueError: if no solver has this name; the text lists those that there are.
    """
    if name not in _SOLVERS:
        raise ValueError(f"no solver is called {name!r}; choose one of {', '.join(solver_names())}")
    module, builder = _SOLVERS[name].split(":")
    solver: Solver = getattr(importlib.import_module(module), builder)()
    return solver
