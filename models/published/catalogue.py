"""The published networks by name, and one class that makes each of them a `GridNetwork`."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.engine import Booleans, Float32
from models.grids import Digits, mask_probabilities

_GRIDS_AT_ONCE: Final = 64
"""More would cost memory and save no time."""


@dataclass(frozen=True)
class Published:
    """One network of the literature.

    Attributes:
        title: as its authors call it.
        source: where it is described.
        builder: function of `published_net` that builds it, untrained.
        parameters: how many weights it has, the moving averages of batch normalisation included.
        trained: how many of them gradients set.
    """

    title: str
    source: str
    builder: str
    parameters: int
    trained: int


PUBLISHED: Final = {
    "convolution-stack": Published(
        "Conv Model",
        "Sathyan 2020, after Park 2016",
        "build_convolution_stack",
        21_268_489,
        21_258_249,
    ),
    "dense-model": Published(
        "Dense Model", "Sathyan 2020", "build_dense_model", 20_365_182, 20_364_372
    ),
    "recurrent-dense": Published(
        "Recurrent Model",
        "Sathyan 2020, after Modulai 2020",
        "build_recurrent_dense",
        2_120_201,
        2_120_201,
    ),
    "resnet11-spd": Published(
        "ResNet11-SPD", "Vermorel 2023", "build_resnet_spd", 5_362_777, 5_347_545
    ),
    "alpha-policy": Published(
        "AlphaSudoku's policy", "Gérard 2021", "build_alpha_policy", 1_079_226, 1_078_330
    ),
    "recurrent-relational": Published(
        "Recurrent Relational Network",
        "Palm, Paquet, Winther 2018",
        "build_relational_network",
        201_001,
        201_001,
    ),
}
"""By the names that commands take."""


class KerasGridNetwork:
    """A Keras model that is shown the grid alone; the candidates only mask what it says.

    Attributes:
        name: that tables show.
        model: (n, 81) int32 digits to (n, k, 81, 9) logits, of which the last of k answers counts.
    """

    def __init__(self, name: str, model: Any) -> None:
        self.name = name
        self.model = model

    @property
    def parameters(self) -> int:
        """How many weights it has, the moving averages of batch normalisation included."""
        return int(self.model.count_params())

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        """Return the probability of each digit in each cell; see `GridNetwork`.

        The seed changes nothing, as none of these networks has a random state.
        """
        logits = np.concatenate(
            [
                self._run(grids[first : first + _GRIDS_AT_ONCE])
                for first in range(0, len(grids), _GRIDS_AT_ONCE)
            ]
        )
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return mask_probabilities(powers / powers.sum(axis=-1, keepdims=True), candidates)

    def _run(self, grids: Digits) -> Float32:
        from keras import ops

        logits = self.model(grids.astype(np.int32), training=False)[:, -1]
        return np.asarray(ops.convert_to_numpy(logits), dtype=np.float32)


def build_published(name: str) -> Any:
    """Build the network of this name, untrained: a Keras model.

    Raises:
        ValueError: if no network has this name; the text lists those that there are.
    """
    if name not in PUBLISHED:
        raise ValueError(f"no network is called {name!r}; choose one of {', '.join(PUBLISHED)}")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from models.published import published_net

    return getattr(published_net, PUBLISHED[name].builder)()


def load_published(name: str, folder: Path) -> KerasGridNetwork:
    """Return a network with the weights that training left in a folder, `NAME.weights.h5`.

    Raises:
        ValueError: if no network has this name.
        FileNotFoundError: if it was not trained; the text says how to.
    """
    path = folder / f"{name}.weights.h5"
    model = build_published(name)
    if not path.is_file():
        raise FileNotFoundError(
            f"no weights at {path}; train them: python -m training.grids.train_published {name}"
        )
    model.load_weights(path)
    return KerasGridNetwork(name, model)
