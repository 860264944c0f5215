"""Asking a network: the one place where its answers come in, whatever drives it."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from models.grids import Booleans, Digits, Float32, GridNetwork, load_grid_network

Judge = Callable[[Digits, Booleans, int], Float32]
"""`GridNetwork.judge`, or what stands for it."""


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
