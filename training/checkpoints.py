"""What a training keeps to go on from: weights, their average, and the optimizer's state."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from training.shards import save_shard

Weights = list[npt.NDArray[np.float32]]


def save_state(
    path: Path, network: Any, average: Sequence[Any], optimizer: Any, **others: Any
) -> None:
    """Write what a run needs to go on, under a temporary name first.

    Args:
        path: `.npz` file; its folder is made where it is missing.
        network: under training, a model or a layer of Keras.
        average: of its weights; empty where none is kept.
        optimizer: built.
        others: scalars and texts, which `numpy.load` gives back.
    """
    from keras import ops

    path.parent.mkdir(parents=True, exist_ok=True)
    state = [ops.convert_to_numpy(variable) for variable in optimizer.variables]
    parts = {"weight": network.get_weights(), "average": average, "state": state}
    arrays = {f"{name}{n}": one for name, part in parts.items() for n, one in enumerate(part)}
    save_shard(path, arrays | others)


def load_state(stored: Any, network: Any, average: Sequence[Any], optimizer: Any) -> None:
    """Put back, in place, what `save_state` wrote and `numpy.load` has opened."""
    if not optimizer.built:
        optimizer.build(network.trainable_variables)
    network.set_weights([stored[f"weight{n}"] for n in range(len(network.get_weights()))])
    for number, mean in enumerate(average):
        mean[...] = stored[f"average{number}"]
    for number, variable in enumerate(optimizer.variables):
        variable.assign(stored[f"state{number}"])


def average_weights(average: Weights, network: Any, stays: float) -> None:
    """Move averaged weights towards the network's, in place; `stays` is the share that stays."""
    for mean, weight in zip(average, network.get_weights(), strict=True):
        mean *= stays
        mean += (1 - stays) * weight
