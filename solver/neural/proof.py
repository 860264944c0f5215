"""Proofs for what networks claim, by the exact solver; that of SOLVED is `solver.base.conclude`'s.

A network's word is no proof, not even where it has searched to the end by itself.
"""

from typing import Final

from solver.base import Effort, Limits, Result, Status, conclude
from solver.exact.bitmask import BitmaskSolver
from solver.grid import Grid

_SECONDS: Final = 1.0
"""What is found at the last moment still gets so long for its proof: a hundred times what the worst
puzzle needs."""


def proof_seconds(limits: Limits, effort: Effort) -> float | None:
    """Return how long a proof may take after an effort; None is no limit."""
    if limits.seconds is None:
        return None
    return max(limits.seconds - effort.seconds, _SECONDS)


def conclude_none(clues: Grid, effort: Effort, limits: Limits) -> Result:
    """Turn the claim that there is no solution into a result: UNSOLVABLE only if it is so.

    Where the claim is wrong nothing is shown, as whoever made it has found nothing.

    Args:
        clues: (9, 9) uint8, 0 = empty.
        effort: what it cost to come to the claim.
        limits: under which it was made.
    """
    proof = BitmaskSolver().solve(clues, Limits(seconds=proof_seconds(limits, effort)))
    note = {
        Status.UNSOLVABLE: "",
        Status.GAVE_UP: "the network found no solution, but that there is none was not proved",
    }.get(proof.status, "the network found no solution, but there is one")
    is_true = proof.status is Status.UNSOLVABLE
    return conclude(clues, (), effort, is_exhaustive=is_true, note=note)
