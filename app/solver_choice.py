"""The solver that the user names, or the default one."""

from app.exits import UsageError
from solver.registry import DEFAULT_SOLVER, solver_names


def choose_solver(name: str | None) -> str:
    """Return the name if there is such a solver, or the default one's for None.

    Raises:
        UsageError: if there is no such solver; the message lists them.
    """
    if name is not None and name not in solver_names():
        raise UsageError(f"there is no solver {name}; choose one of: {', '.join(solver_names())}")
    return name or DEFAULT_SOLVER
