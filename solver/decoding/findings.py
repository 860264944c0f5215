"""What a search over the readings of a board found."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class ValidReading:
    """A reading whose puzzle has exactly one solution.

    Attributes:
        values: n² values 0..n.
        solution: n² digits.
        loss: nats.
    """

    values: list[int]
    solution: list[int]
    loss: float


@dataclass
class Findings:
    """What a search found; it grows while the search runs.

    Attributes:
        best: the valid reading with least loss, or None.
        rival: the likeliest valid reading with another solution that is within the gap.
        top_solutions: how many solutions the top reading has, 0, 1 or 2 (= more); None where
            that was not decided in time.
        support: likelihood, against the top reading, of the readings met with the best's solution.
        frontier: no rival that was not met has a smaller loss; infinite when there is none.
        nodes: families looked at.
        is_complete: False when time or nodes ran out first.
    """

    best: ValidReading | None = None
    rival: ValidReading | None = None
    top_solutions: int | None = None
    support: float = 0.0
    frontier: float = math.inf
    nodes: int = 0
    is_complete: bool = True
