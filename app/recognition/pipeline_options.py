"""What can be chosen about the pipeline from a photo to its solutions."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from models.digits import ReaderKind
from models.engine import EngineKind
from solver.base import Limits
from solver.decoding.decode import DecodeLimits

PhotoKind = Literal["auto", "classic", "diagonal", "windoku"]
"""The kind of the puzzles on a photo; auto takes what the picture shows."""


@dataclass(frozen=True)
class PipelineOptions:
    """How the pipeline works.

    Attributes:
        solver: name in the registry of the one that solves, and no other; None lets the network
            solve, and the exact solver what the network does not finish. Puzzles of other kinds
            than classic go to the default exact solver always.
        reader: what reads the cells: the digit network, or a library to compare it with.
        engine: what runs the digit network.
        weights: another digit network than the one that ships, `.tflite` or `.keras`, whose
            suffix then names the engine; with `NAME-boards` beside it also the one of boards.
        kind: of the puzzles.
        max_boards: how many places of a look are read.
        sure_score: the finder's score of a place from which parts of the photo are not looked at.
        min_score: the finder's score below which a place is no board, and is not read.
        retry_unfinished: whether an unsure board is read once more even where the search of what
            was read was not brought to its end.
        decode_limits: how far the rules may overrule the network.
        solve_limits: when a chosen solver gives up.
        exact_limits: when the exact solver gives up that stands behind the network; some 0.6 s.
        network_limits: when the network gives up, where the exact solver stands behind it.
    """

    solver: str | None = None
    reader: ReaderKind = "network"
    engine: EngineKind = "litert"
    weights: Path | None = None
    kind: PhotoKind = "auto"
    max_boards: int = 24
    sure_score: float = 0.8
    min_score: float = 0.6
    retry_unfinished: bool = True
    decode_limits: DecodeLimits = field(default_factory=DecodeLimits)
    solve_limits: Limits = field(default_factory=lambda: Limits(seconds=5.0))
    exact_limits: Limits = field(default_factory=lambda: Limits(nodes=20_000))
    network_limits: Limits = field(
        default_factory=lambda: Limits(seconds=1.0, nodes=1_000, iterations=20)
    )
