"""Networks that judge grids: how likely each digit is in each cell of a Sudoku.

n grids of side d, with c = d² cells in reading order; digit axis 0..d-1 for the digits 1..d.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from models.engine import (
    WEIGHTS_DIR,
    Booleans,
    Engine,
    EngineError,
    EngineKind,
    Float32,
    Job,
    load_engine,
)

Digits = npt.NDArray[np.uint8]

_NUMBERS: Final = ("features", "iterations", "iterations_a_run", "parameters")
"""What a network's card must say, whole numbers above 0."""


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
            grids: (n, c) uint8 digits, 0 = empty, n ≥ 1; c is 81 for networks that ship. Not
                changed.
            candidates: (n, c, d) bool: the digits that are still possible; for a filled cell its
                own digit alone. A network that takes no candidates has its answer masked with
                them. Not changed.
            seed: of the random initial state, where the network has one: another seed is another
                opinion, the same seed the same.

        Returns:
            (n, c, d) float32, zero where no candidate is; each cell that has candidates sums
            to 1.
        """


@dataclass(frozen=True, eq=False)
class Geometry:
    """Which cells share a row, a column or a region, of a grid of any side d with c = d² cells.

    A segment is where a row or a column meets a region: s of them.

    Attributes:
        side: of the grid.
        members: (3 × d, c) float32, 1 where a unit has a cell: rows, columns, then regions.
        segments: (1, s, c) float32, 1 where a segment has a cell: those of rows, then of columns.
        units: (1, 3 × d, s) float32, 1 where a segment lies in a unit. Every region has its cells
            twice, in segments of rows and of columns.
    """

    side: int
    members: Float32
    segments: Float32
    units: Float32


def find_geometry(regions: Sequence[int]) -> Geometry:
    """Return the geometry of a grid.

    Args:
        regions: the region, 0..d-1, of each of the d² cells.
    """
    side = isqrt(len(regions))
    region = np.asarray(regions)
    row, column = np.divmod(np.arange(side**2), side)
    numbers = np.stack([row, side + column, 2 * side + region])
    units = np.arange(3 * side)
    members = (numbers[:, None] == units[:, None]).any(axis=0)
    meetings = np.concatenate([numbers[line] * 3 * side + numbers[2] for line in (0, 1)])
    found = np.unique(meetings)
    segments = (meetings.reshape(2, 1, -1) == found[:, None]).any(axis=0)
    holds = (found // (3 * side) == units[:, None]) | (found % (3 * side) == units[:, None])
    return Geometry(side, *(a.astype(np.float32) for a in (members, segments[None], holds[None])))


@lru_cache
def usual_geometry(n_cells: int) -> Geometry:
    """Return the geometry of the usual boxes, as square as can be and rather wide than high."""
    side = isqrt(n_cells)
    height = max(rows for rows in range(1, isqrt(side) + 1) if side % rows == 0)
    row, column = np.divmod(np.arange(side**2), side)
    width = side // height
    return find_geometry((row // height * height + column // width).tolist())


_JUDGES_GRIDS: Final = Job("judges grids", (729, -1), (729, -1), "docs/networks.md")


def legal_candidates(grids: Digits, geometry: Geometry | None = None) -> Booleans:
    """Return the digits that the filled cells of row, column and region leave to each cell.

    Args:
        grids: (n, c) uint8, 0 = empty.
        geometry: of all of them; None for the usual boxes.

    Returns:
        (n, c, d) bool; a filled cell keeps its own digit alone, whether or not it conflicts.
    """
    geometry = geometry or usual_geometry(grids.shape[1])
    placed = grids[:, :, None] == np.arange(1, geometry.side + 1, dtype=np.uint8)
    seen = geometry.members.T @ (geometry.members @ placed.astype(np.float32)) > 0
    legal: Booleans = np.where(grids[:, :, None] > 0, placed, ~seen)
    return legal


def mask_probabilities(probabilities: Float32, candidates: Booleans) -> Float32:
    """Return the probabilities with zero where no candidate is, each cell's sum 1 again.

    A cell whose candidates all have probability zero gets them in equal parts.

    Args:
        probabilities: (n, c, d) float32, not negative.
        candidates: (n, c, d) bool.
    """
    masked = np.where(candidates, probabilities + np.float32(1e-12), np.float32(0))
    sums = masked.sum(axis=-1, keepdims=True)
    return np.asarray(masked / np.maximum(sums, np.float32(1e-30)), dtype=np.float32)


class CubeNetwork:
    """The looped network of `models.grid_net`, its iterations run a few at a time.

    A grid leaves the pass as soon as its likeliest digits break no rule: more iterations would
    change nothing that counts. One instance must not be shared by two threads at once.
    """

    def __init__(
        self, engine: Engine, card: dict[str, Any], geometry: Geometry | None = None
    ) -> None:
        """Wrap an engine.

        Args:
            engine: runs some iterations, (n, c × d, f + 3) to (n, c × d, f + 1).
            card: what is written down beside the weights; see `load_grid_network`.
            geometry: of the grids that the engine is for; None is 9×9.

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
        self._geometry = geometry or usual_geometry(81)
        sites = self._geometry.side**3
        try:
            given = engine.run(np.zeros((2, sites, self._features + 3), np.float32)).shape
        except (ValueError, RuntimeError, TypeError) as error:
            raise ValueError(f"the weights do not have {self._features} features") from error
        if given != (2, sites, self._features + 1):
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
            state: (n, c × d, f + 3) float32, as `cube_state` begins.

        Returns:
            (n, c × d, f + 1) float32.
        """
        return self._engine.run(state)

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        """Return the probability of each digit in each cell; see `GridNetwork`.

        Raises:
            EngineError: if the weights are damaged, so that the answer is no probability.
        """
        n, width, side = len(grids), self._features + 1, self._geometry.side
        state = cube_state(grids, candidates, self._features, seed)
        judged = np.empty((n, side**3), np.float32)
        active = np.arange(n)
        for _ in range(self._runs):
            given = self.run(state)
            judged[active] = given[:, :, -1]
            is_open = ~are_filled(given[:, :, -1].reshape(-1, side**2, side), self._geometry)
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
        return mask_probabilities(judged.reshape(n, side**2, side), candidates)


def load_grid_network(
    name: str = "grid", engine: EngineKind = "litert", *, folder: Path = WEIGHTS_DIR
) -> CubeNetwork:
    """Open a looped network.

    Beside its weights lies a card, `<name>.json`: its name, parameters, features, iterations of a
    pass and of one run of the graph, and what training it has cost.

    Args:
        name: file name without ending.
        engine: which runtime; `keras` needs the `train` extra.
        folder: where the weights lie.

    Raises:
        EngineError: if the weights, their card or the package that runs them are missing or broken.
    """
    if engine == "keras":
        with suppress(ImportError):  # told by `load_engine`
            import models.grid_net  # noqa: F401 (makes the block known to Keras)
    opened = load_engine(name, engine, job=_JUDGES_GRIDS, threads=1, folder=folder)
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
        grids: (n, c) uint8, 0 = empty.
        candidates: (n, c, d) bool.
        features: of a site, f.
        seed: of the noise, without which the network could not tell like candidates apart. It is
            the same for every grid, so that it does not matter which others are judged along.

    Returns:
        (n, c × d, f + 3) float32: features, probability, given, candidate.
    """
    side = candidates.shape[2]
    sites = side**3
    state = np.zeros((len(grids), sites, features + 3), np.float32)
    state[:, :, 0] = np.random.default_rng(seed).standard_normal(sites, np.float32)
    placed = grids[:, :, None] == np.arange(1, side + 1, dtype=np.uint8)
    state[:, :, features + 1] = placed.reshape(-1, sites)
    state[:, :, features + 2] = candidates.reshape(-1, sites)
    return state


def are_filled(probabilities: Float32, geometry: Geometry | None = None) -> Booleans:
    """Tell where the likeliest digits of all cells hold each digit once in every unit.

    Args:
        probabilities: (n, c, d) float32.
        geometry: of all of them; None for the usual boxes.

    Returns:
        (n,) bool.
    """
    geometry = geometry or usual_geometry(probabilities.shape[1])
    chosen = probabilities.argmax(axis=-1)[:, :, None] == np.arange(geometry.side)
    held = geometry.members @ chosen.astype(np.float32)
    filled: Booleans = (held == 1).all(axis=(1, 2))
    return filled
