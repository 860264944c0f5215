"""A trained network that solves grids, made wider without changing what it answers.

As in T. Chen et al., "Net2Net: Accelerating Learning via Knowledge Transfer", 2016
(arXiv:1511.05641), but new units begin by chance and unheard instead of as copies: nothing that was
there listens to what is new, so that training starts from all that the smaller network knew.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from models.grid_net import CandidateBlock

Float32 = npt.NDArray[np.float32]

_SILENT: Final = frozenset({"site_out", "head"})
"""Kernels whose new columns say nothing yet: what they write to is normalised over all of it."""


def grow_block(small: CandidateBlock, large: CandidateBlock) -> None:
    """Give a fresh block the weights of a smaller trained one, so that it answers alike.

    Args:
        small: the trained block.
        large: a built block, in no option smaller; its weights are overwritten in place.

    Raises:
        ValueError: if the block that should be larger is smaller somewhere.
    """
    # The features that are new stay at zero, and root mean squares are over more of them.
    rescale = math.sqrt(small.options.features / large.options.features)
    grown = []
    for variable, trained, fresh in zip(
        large.weights, small.get_weights(), large.get_weights(), strict=True
    ):
        if any(new < old for new, old in zip(fresh.shape, trained.shape, strict=True)):
            raise ValueError(
                f"{variable.name} is {trained.shape} in the smaller network and only "
                f"{fresh.shape} in the one to grow; choose larger --options"
            )
        grown.append(_grow(variable.name, trained, fresh, rescale))
    large.set_weights(grown)


def _grow(name: str, trained: Float32, fresh: Float32, rescale: float) -> Float32:
    if name == "scale":
        fresh[: len(trained)] = trained * rescale
    elif fresh.ndim == 1:
        fresh[: len(trained)] = trained
    else:
        rows, columns = trained.shape
        fresh[rows:, :columns] = 0
        if name in _SILENT:
            fresh[:, columns:] = 0
        fresh[:rows, :columns] = trained
    return fresh
