"""The one place where a puzzle becomes SOLVED: what a solver found is checked and proved."""

from typing import Final

import numpy as np

from solver.base import Effort, Limits, Result, Status
from solver.grid import Fault, Grid, as_grid, check_solution, find_conflicts
from solver.rules import Rules, admit_grid, check_rules, has_conflicts

_LAST_SECONDS: Final = 1.0
"""What is found at the last moment still gets so long for the proof that it is the only solution: a
hundred times what the worst puzzle of 9×9 needs."""


def proof_seconds(limits: Limits, effort: Effort) -> float | None:
    """Return how long a proof may take after an effort; None is no limit."""
    if limits.seconds is None:
        return None
    return max(limits.seconds - effort.seconds, _LAST_SECONDS)


_PROOF_NODES: Final = 20_000
"""Positions of a proof up to 9×9, a second at most: the hardest puzzles that are known take a
thousand, and of 100,000 boards of few clues at random none took 5,000."""


def conclude(
    clues: Grid,
    proposals: tuple[Grid, ...],
    effort: Effort,
    *,
    is_exhaustive: bool,
    note: str = "",
    proof_seconds: float | None = None,
    rules: Rules | None = None,
) -> Result:
    """Turn what a solver found into a result: the one place that makes SOLVED.

    Every proposal is checked against the rules and the clues, and one that fails is dropped.
    A solver that searched everything has proved by that how many solutions there are; for any
    other, a proposal that passes is proved to be the only solution here.

    Args:
        clues: (side, side) uint8, 0 = empty.
        proposals: the different solutions that the solver believes in, each (side, side) uint8.
        effort: what it cost.
        is_exhaustive: whether the solver proved that there is no solution beside the proposals.
        note: a remark for people.
        proof_seconds: how long a proof made here may take, which on large grids can be for ever;
            None is no limit. Up to 9×9 it is held to some nodes, too.
        rules: of the puzzle; None for the classic ones, which its shape tells.

    Raises:
        ValueError: if the clues are no grid.
    """
    if rules is None:
        clues = as_grid(clues)
        faults = [check_solution(clues, proposal) for proposal in proposals]
    else:
        clues = admit_grid(rules, clues)
        faults = [check_rules(rules, clues, proposal) for proposal in proposals]
    valid = [grid for grid, fault in zip(proposals, faults, strict=True) if not fault]
    # A solver that finds one solution twice has not found two.
    grids = [grid.astype(np.uint8, copy=False) for grid in valid]
    solutions = list({grid.tobytes(): grid for grid in grids}.values())
    if len(valid) < len(proposals):
        is_exhaustive = False
        note = note or f"the solver's proposal was wrong: {_name_faults(faults)}"
    if len(solutions) == 1 and not is_exhaustive:
        # Imported here because that solver itself concludes through this function.
        from solver.exact.bitmask import BitmaskSolver

        nodes = _PROOF_NODES if len(clues) <= 9 else None
        proof = BitmaskSolver().solve(clues, Limits(seconds=proof_seconds, nodes=nodes), rules)
        if proof.status is Status.GAVE_UP:
            note = note or "a solution was found, but not proved to be the only one"
        return Result(proof.status, proof.solution, effort, proof.examples, note)
    if len(solutions) > 1:
        return Result(Status.AMBIGUOUS, None, effort, tuple(solutions[:2]), note)
    if is_exhaustive and solutions:
        return Result(Status.SOLVED, solutions[0], effort, (), note)
    is_contradiction = find_conflicts(clues).any() if rules is None else has_conflicts(rules, clues)
    if is_exhaustive or is_contradiction:
        return Result(Status.UNSOLVABLE, None, effort, (), note)
    return Result(Status.GAVE_UP, None, effort, (), note)


def _name_faults(faults: list[Fault]) -> str:
    names = {flag.name or "" for fault in faults for flag in fault}
    return ", ".join(sorted(names)).lower().replace("_", " ")
