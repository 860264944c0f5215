"""Networks that judge grids: how likely each digit is in each cell of a 9×9 Sudoku.

n grids; cells in reading order; digit axis 0..8 for the digits 1..9.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from models.engine import WEIGHTS_DIR, Engine, EngineError, EngineKind, Job, load_engine

Digits = npt.NDArray[np.uint8]
Booleans = npt.NDArray[np.bool_]
Float32 = npt.NDArray[np.float32]

SITES: Final = 729
"""One for each digit in each cell."""

_NUMBERS: Final = ("features", "iterations", "iterations_a_run", "parameters")
"""What a network's card must say, whole numbers above 0."""

_JUDGES_GRIDS: Final = Job("judges grids", (SITES, -1), (SITES, -1), "docs/networks.md")


class GridNetwork(Protocol):
    """A network that looks at unfinished grids; what the policies of `solver.neural` drive."""

    @property
    def name(self) -> str:
        """The name that tables show."""

    @property
    def parameters(self) -> int:
        """How many numbers training has set."""

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        """Return the probability of each digit in each cell: one pass of the network.

        Args:
            grids: (n, 81) uint8 digits, 0 = empty, n ≥ 1. Not changed.
            candidates: (n, 81, 9) bool: the digits that are still possible; for a filled cell its
                own digit alone. A network that takes no candidates has its answer masked with
                them. Not changed.
            seed: of the random initial state, where the network has one: another seed is another
                opinion, the same seed the same.

        Returns:
            (n, 81, 9) float32, zero where no candidate is; each cell that has candidates sums
            to 1.
        """


def legal_candidates(grids: Digits) -> Booleans:
    """Return the digits that the filled cells of row, column and box leave to each cell.

    Args:
        grids: (n, 81) uint8, 0 = empty.

    Returns:
        (n, 81, 9) bool; a filled cell keeps its own digit alone, whether or not it conflicts.
    """
    placed = grids[:, :, None] == np.arange(1, 10, dtype=np.uint8)
    cube = placed.reshape(-1, 3, 3, 3, 3, 9)  # band, row, stack, column, digit
    seen = (
        cube.any(axis=(3, 4), keepdims=True)
        | cube.any(axis=(1, 2), keepdims=True)
        | cube.any(axis=(2, 4), keepdims=True)
    ).reshape(placed.shape[0], 81, 9)
    legal: Booleans = np.where(grids[:, :, None] > 0, placed, ~seen)
    return legal


def mask_probabilities(probabilities: Float32, candidates: Booleans) -> Float32:
    """Return the probabilities with zero where no candidate is, each cell's sum 1 again.

    A cell whose candidates all have probability zero gets them in equal parts.

    Args:
        probabilities: (n, 81, 9) float32, not negative.
        candidates: (n, 81, 9) bool.
    """
    masked = np.where(candidates, probabilities + np.float32(1e-12), np.float32(0))
    sums = masked.sum(axis=-1, keepdims=True)
    return np.asarray(masked / np.maximum(sums, np.float32(1e-30)), dtype=np.float32)


class CubeNetwork:
    """The looped network of `models.grid_net`, its iterations run a few at a time.

    A grid leaves the pass as soon as its likeliest digits break no rule: more iterations would
    change nothing that counts. One instance must not be shared by two threads at once.
    """

    def __init__(self, engine: Engine, card: dict[str, Any]) -> None:
        """Wrap an engine.

        Args:
            engine: runs some iterations, (n, 729, f + 3) to (n, 729, f + 1).
            card: what is written down beside the weights; see `load_grid_network`.

        Raises:
            ValueError, KeyError, TypeError: if the card lacks something, or is of another network.
        """
        numbers = {name: int(card[name]) for name in _NUMBERS}
        if min(numbers.values()) < 1:
            raise ValueError(f"the numbers must be positive: {numbers}")
        self.card = card
        self._engine = engine
        self._features = numbers["features"]
        self._runs = max(1, numbers["iterations"] // numbers["iterations_a_run"])
        try:
            given = engine.run(np.zeros((2, SITES, self._features + 3), np.float32)).shape
        except (ValueError, RuntimeError, TypeError) as error:
            raise ValueError(f"the weights do not have {self._features} features") from error
        if given != (2, SITES, self._features + 1):
            raise ValueError(f"the weights give {given}, not {self._features} features")

    @property
    def name(self) -> str:
        """The name that tables show."""
        return str(self.card["name"])

    @property
    def parameters(self) -> int:
        """How many numbers training has set."""
        return int(self.card["parameters"])

    def run(self, state: Float32) -> Float32:
        """Return the features and the probability of each site after some iterations.

        Args:
            state: (n, 729, f + 3) float32, as `cube_state` begins.

        Returns:
            (n, 729, f + 1) float32.
        """
        return self._engine.run(state)

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        """Return the probability of each digit in each cell; see `GridNetwork`.

        Raises:
            EngineError: if the weights are damaged, so that the answer is no probability.
        """
        n, width = len(grids), self._features + 1
        state = cube_state(grids, candidates, self._features, seed)
        judged = np.empty((n, SITES), np.float32)
        active = np.arange(n)
        for _ in range(self._runs):
            given = self.run(state)
            judged[active] = given[:, :, -1]
            is_open = ~are_filled(given[:, :, -1].reshape(-1, 81, 9))
            if not is_open.any():
                break
            active = active[is_open]
            state = np.concatenate([given[is_open], state[is_open][:, :, width:]], axis=2)
        if not (judged >= 0).all():  # nor where it is NaN
            raise EngineError(
                f"the network {self.name} answers with numbers that are no probabilities; its "
                f"weights are damaged: reinstall sudoku-lens, or export them again as "
                f"{_JUDGES_GRIDS.training} says"
            )
        return mask_probabilities(judged.reshape(n, 81, 9), candidates)


def load_grid_network(
    name: str = "grid",
    engine: EngineKind = "litert",
    *,
    threads: int = 1,
    folder: Path = WEIGHTS_DIR,
) -> CubeNetwork:
    """Open a looped network.

    Beside its weights lies a card, `<name>.json`: its name, parameters, features, iterations of a
    pass and of one run of the graph, and what training it has cost.

    Args:
        name: file name without ending.
        engine: which runtime; `keras` needs the `train` extra.
        threads: CPU threads, LiteRT only.
        folder: where the weights lie.

    Raises:
        EngineError: if the weights, their card or the package that runs them are missing or broken.
    """
    if engine == "keras":
        with suppress(ImportError):  # told by `load_engine`
            import models.grid_net  # noqa: F401 (makes the block known to Keras)
    opened = load_engine(name, engine, job=_JUDGES_GRIDS, threads=threads, folder=folder)
    path = folder / f"{name}.json"
    advice = f"reinstall sudoku-lens, or export it again as {_JUDGES_GRIDS.training} says"
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        text = f"the card {path} of the network's weights cannot be read ({error}); {advice}"
        raise EngineError(text) from error
    try:
        return CubeNetwork(opened, card)
    except (ValueError, KeyError, TypeError) as error:
        text = f"the card {path} does not fit the network's weights ({error!r}); {advice}"
        raise EngineError(text) from error


def cube_state(grids: Digits, candidates: Booleans, features: int, seed: int) -> Float32:
    """Return the state in which the looped network begins.

    Args:
        grids: (n, 81) uint8, 0 = empty.
        candidates: (n, 81, 9) bool.
        features: of a site, f.
        seed: of the noise, without which the network could not tell like candidates apart. It is
            the same for every grid, so that it does not matter which others are judged along.

    Returns:
        (n, 729, f + 3) float32: features, probability, given, candidate.
    """
    state = np.zeros((len(grids), SITES, features + 3), np.float32)
    state[:, :, 0] = np.random.default_rng(seed).standard_normal(SITES, np.float32)
    placed = grids[:, :, None] == np.arange(1, 10, dtype=np.uint8)
    state[:, :, features + 1] = placed.reshape(-1, SITES)
    state[:, :, features + 2] = candidates.reshape(-1, SITES)
    return state


def are_filled(probabilities: Float32) -> Booleans:
    """Tell where the likeliest digits of all cells hold each digit once in every unit.

    Args:
        probabilities: (n, 81, 9) float32.

    Returns:
        (n,) bool.
    """
    chosen = probabilities.argmax(axis=-1)[:, :, None] == np.arange(9)
    cube = chosen.reshape(-1, 3, 3, 3, 3, 9)
    units = [cube.any(axis=axes).all(axis=(1, 2, 3)) for axes in ((3, 4), (1, 2), (2, 4))]
    filled: Booleans = units[0] & units[1] & units[2]
    return filled
