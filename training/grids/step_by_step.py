"""Training of a network that judges one cell at a time and fills a grid step by step.

As published by Modulai, 2020, https://github.com/modulai/pytorch_sudoku: the surest empty cell is
filled with its likeliest digit, right or wrong, until none is left; the loss is taken after the
last, between what was said of each cell while it was last empty and the solution. The choice of a
cell has no gradient, so the grids are filled first, and the network learns from what it saw of each
cell when that cell's turn came: the same gradients at a small part of the cost.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from models.published.published_net import CONSTRAINTS, see_constraints
from solver.grid import PEERS

Digits = npt.NDArray[np.uint8]
Float32 = npt.NDArray[np.float32]


def fill_step_by_step(cell_network: Any, grids: Digits) -> tuple[Digits, Float32]:
    """Fill the grids, the surest cell of each in every step.

    Args:
        cell_network: Keras model, (m, 27) float32 to (m, 9) logits.
        grids: (n, 81) uint8, 0 = empty. Not changed.

    Returns:
        The filled grids, (n, 81) uint8, and what was seen of each cell when it was filled,
        (n, 81, 27) float32, zero for the cells that were not empty.
    """
    from keras import ops

    filled = grids.copy()
    seen_last = np.zeros((*grids.shape, CONSTRAINTS), np.float32)
    logits = np.zeros((*grids.shape, 9), np.float32)
    surest = np.full(grids.shape, -np.inf, np.float32)
    # Only the peers of a filled cell have to be judged again.
    is_stale = grids == 0
    while True:
        open_grids = np.flatnonzero((filled == 0).any(axis=1))
        if not len(open_grids):
            return filled, seen_last
        seen = np.zeros_like(seen_last)
        seen[open_grids] = ops.convert_to_numpy(see_constraints(filled[open_grids].astype(int)))
        told = np.asarray(cell_network(seen[is_stale], training=False), np.float32)
        logits[is_stale] = told
        powers = np.exp(told - told.max(axis=1, keepdims=True))
        surest[is_stale] = 1 / powers.sum(axis=1)
        cells = np.where(filled[open_grids] == 0, surest[open_grids], -np.inf).argmax(axis=1)
        seen_last[open_grids, cells] = seen[open_grids, cells]
        filled[open_grids, cells] = logits[open_grids, cells].argmax(axis=1) + 1
        is_stale = np.zeros(grids.shape, np.bool_)
        is_stale[open_grids[:, None], PEERS[cells]] = True
        is_stale &= filled == 0


def learn_last_step(cell_network: Any, clues: Digits, solutions: Digits) -> float:
    """Take one step of the compiled cell network's optimizer; return the loss.

    Args:
        cell_network: Keras model, compiled, (m, 27) float32 to (m, 9) logits.
        clues: (n, 81) uint8, 0 = empty, with at least one empty cell.
        solutions: (n, 81) uint8.
    """
    _, seen = fill_step_by_step(cell_network, clues)
    is_empty = clues == 0
    wanted = np.eye(9, dtype=np.float32)[solutions[is_empty] - 1]
    return float(cell_network.train_on_batch(seen[is_empty], wanted))


def squared_error(wanted: Any, logits: Any) -> Any:
    """Return the mean squared error of the probabilities, (m,), as published."""
    from keras import ops

    return ops.mean(ops.square(ops.softmax(logits, axis=-1) - wanted), axis=-1)
