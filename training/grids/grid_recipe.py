"""How a network that solves grids is trained: everything that is chosen before a run."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

OptimizerKind = Literal["muon", "adam"]


@dataclass(frozen=True)
class Recipe:
    """Everything that decides how a run comes out.

    Attributes:
        out: file name without ending of all that the run writes.
        minutes: of training by the clock, watching left out.
        steps: instead of minutes, where a run shall repeat: with the same steps and seed, on one
            thread, it is the same again.
        optimizer: `muon` for matrices of weights, with `adam` for the rest (K. Jordan, 2024), or
            `adam` for all.
        learning_rate: the greatest; it falls to a twentieth along a cosine.
        batch: puzzles at a time.
        segments: after how many a puzzle is given up, at the start and at the end.
        first_mix: shares of the kinds of puzzles, see `training_puzzles.KINDS`, at the start.
        last_mix: and at the end.
        averaging: of the weights that are kept: the share that stays at each step.
        seed: of everything.
        threads: for TensorFlow; None takes all.
        precision: of the products: `float32`, or `bfloat16` for graphics processors.
        options: of the network.
        init: `.keras` file of a network to begin with, grown where it is smaller than `options`;
            None begins by chance.
    """

    out: Path
    minutes: float = 100.0
    steps: int | None = None
    optimizer: OptimizerKind = "muon"
    learning_rate: float = 3e-3
    batch: int = 32
    segments: tuple[int, int] = (4, 16)
    first_mix: tuple[float, ...] = (0.40, 0.05, 0.35, 0.15, 0.05, 0.0)
    last_mix: tuple[float, ...] = (0.20, 0.10, 0.15, 0.20, 0.35, 0.0)
    averaging: float = 0.999
    seed: int = 1
    threads: int | None = None
    precision: Literal["float32", "bfloat16"] = "float32"
    options: dict[str, int] = field(default_factory=dict)
    init: str | None = None


def checkpoint_of(recipe: Recipe) -> Path:
    """Return the file in which a run of this recipe keeps its state."""
    return recipe.out.with_suffix(".checkpoint.npz")
