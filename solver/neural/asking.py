"""Asking a network, and proving what it claims: what all solvers with networks share.

A network's word is no proof, not even where it has searched to the end by itself. The proof of
SOLVED is `solver.base.conclude`'s.
"""

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np

from models.grids import Booleans, Digits, Float32, GridNetwork, load_grid_network
from solver.base import Effort, Limits, Result, Status, conclude
from solver.exact.bitmask import BitmaskSolver
from solver.grid import Grid

Judge = Callable[[Digits, Booleans, int], Float32]
"""`GridNetwork.judge`, or what stands for it."""

_SECONDS: Final = 1.0
"""What is found at the last moment still gets so long for its proof: a hundred times what the worst
puzzle needs."""


class HoldsNetwork(Protocol):
    """A solver with a network of its own.

    Attributes:
        network: None until it is loaded.
    """

    network: GridNetwork | None


def ask(judge: Judge, grids: Digits, candidates: Booleans, seed: int) -> Float32:
    """Return what a network says, with zero for whatever cannot be a probability.

    A broken network says negative or infinite numbers, or none. What comes of its answers is
    checked anyway; here it is seen to that every way of using them comes to an end.

    Args:
        judge: the network.
        grids: (n, 81) uint8, 0 = empty.
        candidates: (n, 81, 9) bool.
        seed: of the network's random initial state.

    Returns:
        (n, 81, 9) float32, finite and not negative.
    """
    answers = judge(grids, candidates, seed)
    is_sound = np.isfinite(answers) & (answers >= 0)
    return answers if is_sound.all() else np.where(is_sound, answers, np.float32(0))


def judge_of(solver: HoldsNetwork) -> Judge:
    """Return the judge that a solver's network is.

    The one that ships is loaded at the first question, as many a puzzle is solved without any.
    """

    def judge(grids: Digits, candidates: Booleans, seed: int) -> Float32:
        if solver.network is None:
            solver.network = load_grid_network()
        return solver.network.judge(grids, candidates, seed)

    return judge


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
