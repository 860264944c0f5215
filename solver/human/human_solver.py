"""The technique engine as a solver: it proves every digit, and gives up where techniques end."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from solver.base import Effort, Limits, Result, admit_clues, conclude
from solver.grid import Grid
from solver.human.position import Position
from solver.human.technique_engine import Options, look


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
        """Solve by techniques; a search for one of them is an iteration.

        Args:
            clues: (9, 9) uint8, 0 = empty. Not changed.
            limits: seconds and iterations count.

        Raises:
            ValueError: if the clues are no grid, or not 9×9.
        """
        start = self.clock()
        clues = admit_clues(clues, self)
        position = Position.from_grid(clues)
        seconds = float("inf") if limits.seconds is None else limits.seconds
        iterations = float("inf") if limits.iterations is None else limits.iterations
        tries = 0
        while not position.is_solved:
            searches = iter(()) if position.is_broken else look(position, self.options)
            step = None
            while step is None and tries < iterations and self.clock() - start < seconds:
                try:
                    step = next(searches)
                except StopIteration:
                    break
                tries += 1
            if step is None:
                break
            position.apply(step)
        is_over = tries >= iterations or self.clock() - start >= seconds
        note = "a limit was met" if is_over else "no technique finds another step"
        proposals = (position.to_grid(),) if position.is_solved else ()
        effort = Effort(self.clock() - start, iterations=tries)
        return conclude(
            clues, proposals, effort, is_exhaustive=False, note="" if proposals else note
        )
