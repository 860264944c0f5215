"""The technique engine as a solver: it proves every digit, and gives up where techniques end."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from solver.base import Effort, Limits, Result, admit_clues, conclude
from solver.grid import Grid
from solver.human.engine import Options, find_step
from solver.human.position import Position


@dataclass(frozen=True)
class HumanSolver:
    """Takes one step of logic after the other and never guesses.

    Attributes:
        options: how to look for steps. Techniques that assume one solution are sound here too,
            because what they lead to is proved to be the only solution before it is shown.
        clock: seconds, counted from anywhere.
    """

    options: Options = field(default_factory=Options)
    clock: Callable[[], float] = time.perf_counter
    name = "human"
    is_complete = False
    sizes = frozenset({9})

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Solve by techniques; a step is an iteration.

        Args:
            clues: (9, 9) uint8, 0 = empty. Not changed.
            limits: seconds and iterations count.

        Raises:
            ValueError: if the clues are no grid, or not 9×9.
        """
        start = self.clock()
        clues = admit_clues(clues, self)
        position = Position.from_grid(clues)
        steps = 0
        note = ""
        while not position.is_solved:
            if limits.iterations is not None and steps >= limits.iterations:
                note = "a limit was met"
                break
            if limits.seconds is not None and self.clock() - start >= limits.seconds:
                note = "a limit was met"
                break
            step = None if position.is_broken else find_step(position, self.options)
            if step is None:
                note = "no technique finds another step"
                break
            position.apply(step)
            steps += 1
        proposals = (position.to_grid(),) if position.is_solved else ()
        effort = Effort(self.clock() - start, iterations=steps)
        return conclude(clues, proposals, effort, is_exhaustive=False, note=note)
