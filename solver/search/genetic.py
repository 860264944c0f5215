"""A genetic algorithm on boards with filled boxes, after T. Mantere and J. Koljonen, 2007."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from solver.base import EffortBudget, Limits, Result, admit_clues
from solver.grid import Grid, find_conflicts
from solver.layout import ALL_SIZES, layout_of
from solver.search.filled_boxes import conclude_attempt, conflicts_left, fill_boxes
from solver.search.kernels import (
    HAS_NUMBA,
    INCREMENT,
    MASK,
    MULTIPLIER,
    Ints,
    compiled,
    int_array,
    start_random,
)

_RANDOM: Final = 0
_FEWEST: Final = 1
_GENERATION: Final = 2
_POPULATIONS: Final = 3
_AGE: Final = 4
"""Entries of an evolution's state: that of the random numbers; fewest conflicts met; generation
of the present population; populations begun; and how long its best individual has been best."""

_BURST: Final = 200 if HAS_NUMBA else 10
"""Generations between two looks at the clock: about 10 ms."""


@dataclass(frozen=True)
class GeneticSolver:
    """Breeds boards from boards, and lets the better ones have the children.

    An iteration is a generation. A child takes each box from one of two parents above it in the
    ranking, and in some boxes two digits swap places. The best board goes on unchanged, but ages:
    each generation adds one to its fitness (0 is a solution), so that no peak rules for ever.

    Attributes:
        seed: of the random numbers.
        max_iterations: to give up after, where the limits name no number.
        population: boards in a generation, at least 2.
        mutation: chance that two digits of a child's box swap places, 0..1.
        max_repeats: such a swap is left out where a digit would stand more often in its row or
            column.
        restart_after: generations until a population is replaced by a random one.
        clock: returns seconds; only differences count.
    """

    seed: int = 0
    max_iterations: int = 40_000
    population: int = 21
    mutation: float = 0.12
    max_repeats: int = 3
    restart_after: int = 2000
    clock: Callable[[], float] = time.perf_counter

    name = "genetic"
    is_complete = False
    sizes = ALL_SIZES

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Breed until no conflict is left or a limit is met; see `solver.base.Solver`."""
        clues = admit_clues(clues, self)
        budget = EffortBudget(limits, self.clock, self.max_iterations)
        if find_conflicts(clues).any():
            return conclude_attempt(clues, None, budget)
        boxes = fill_boxes(clues, layout_of(clues), 0)
        boards = int_array(list(boxes.board) * self.population)
        fitness = int_array([0] * self.population)
        order = int_array(range(self.population))
        state = int_array([start_random(self.seed), 2 * clues.size, 0, 1, 0])
        _randomise(boxes.side, boards, boxes.free, boxes.start, fitness, state)
        while True:
            allowed = budget.allow(_BURST)
            budget.iterations += _evolve(
                allowed,
                int(self.mutation * (1 << 32)),
                self.max_repeats,
                self.restart_after,
                boxes.side,
                boards,
                boxes.free,
                boxes.start,
                boxes.length,
                fitness,
                order,
                state,
            )
            if state[_FEWEST] == 0 or not allowed:
                break
        solution = None
        if state[_FEWEST] == 0:
            n_cells = clues.size
            best = np.array(boards[order[0] * n_cells : (order[0] + 1) * n_cells], np.uint8)
            solution = (best + 1).reshape(clues.shape)
        noun = "population" if state[_POPULATIONS] == 1 else "populations"
        note = conflicts_left(int(state[_FEWEST]), f"{state[_POPULATIONS]} {noun}")
        return conclude_attempt(clues, solution, budget, note)


@compiled
def count_conflicts(side: int, boards: Ints, first: int) -> int:
    """Count the digits missing from rows and columns of the board that begins at `first`."""
    conflicts = 2 * side * side
    for line in range(side):
        in_row = in_column = 0
        for place in range(side):
            bit = 1 << boards[first + line * side + place]
            if not in_row & bit:
                in_row |= bit
                conflicts -= 1
            bit = 1 << boards[first + place * side + line]
            if not in_column & bit:
                in_column |= bit
                conflicts -= 1
    return conflicts


@compiled
def _stands_too_often(
    side: int, boards: Ints, first: int, cell: int, digit: int, most: int
) -> bool:
    """Tell whether a digit put into a cell would stand more often in its row or column."""
    row, column = first + cell // side * side, first + cell % side
    in_row = in_column = 1
    for place in range(side):
        if boards[row + place] == digit:
            in_row += 1
        if boards[column + place * side] == digit:
            in_column += 1
    return in_row > most or in_column > most


@compiled
def _randomise(
    side: int, boards: Ints, free: Ints, start: Ints, fitness: Ints, state: Ints
) -> None:
    """Shuffle the free cells of every individual's boxes, and measure its fitness."""
    random = state[_RANDOM]
    n_cells = side * side
    for individual in range(len(fitness)):
        first = individual * n_cells
        for position in range(len(free)):
            random = (random * MULTIPLIER + INCREMENT) & MASK
            begin = start[position]
            other = begin + ((random >> 16) * (position - begin + 1) >> 32)
            one, two = first + free[position], first + free[other]
            boards[one], boards[two] = boards[two], boards[one]
        fitness[individual] = count_conflicts(side, boards, first)
    state[_RANDOM] = random


@compiled
def _evolve(
    generations: int,
    mutation: int,
    max_repeats: int,
    restart_after: int,
    side: int,
    boards: Ints,
    free: Ints,
    start: Ints,
    length: Ints,
    fitness: Ints,
    order: Ints,
    state: Ints,
) -> int:
    """Breed generation after generation, and start afresh after so many.

    Args:
        generations: to breed.
        mutation: chance that a box of a child is mutated, times 2**32.
        max_repeats: a mutation that puts a digit into a row or column where it would stand more
            often is left out.
        restart_after: generations.
        side, free, start, length: see `Boxes`.
        boards: side × side digits for each individual.
        fitness: of each individual: its conflicts, and its age where it stayed the best.
        order: the individuals, best first.
        state: of the evolution; see above.

    Returns:
        Generations bred: fewer than asked for where `order` begins with a solution.
    """
    n_cells = side * side
    population = len(fitness)
    done = 0
    while True:
        champion = order[0]
        for rank in range(1, population):
            individual = order[rank]
            place = rank
            while place > 0 and fitness[order[place - 1]] > fitness[individual]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = individual
        best = order[0]
        if best != champion:
            state[_AGE] = 0
        conflicts = fitness[best] - state[_AGE]
        if conflicts < state[_FEWEST]:
            state[_FEWEST] = conflicts
        if conflicts == 0 or done == generations:
            return done
        done += 1
        state[_GENERATION] += 1
        if state[_GENERATION] > restart_after:
            _randomise(side, boards, free, start, fitness, state)
            state[_GENERATION] = 1
            state[_POPULATIONS] += 1
            state[_AGE] = 0
            continue
        random = state[_RANDOM]
        for rank in range(population - 1, 0, -1):
            # Both parents stand above the child's place, so none of them is gone yet.
            random = (random * MULTIPLIER + INCREMENT) & MASK
            mother = order[(random >> 16) * rank >> 32] * n_cells
            random = (random * MULTIPLIER + INCREMENT) & MASK
            father = order[(random >> 16) * rank >> 32] * n_cells
            child = order[rank] * n_cells
            position = 0
            while position < len(free):
                random = (random * MULTIPLIER + INCREMENT) & MASK
                parent = mother if random >> 47 else father
                n_free = length[position]
                for index in range(position, position + n_free):
                    boards[child + free[index]] = boards[parent + free[index]]
                position += n_free
            position = 0
            while position < len(free):
                n_free = length[position]
                random = (random * MULTIPLIER + INCREMENT) & MASK
                if random >> 16 < mutation:
                    random = (random * MULTIPLIER + INCREMENT) & MASK
                    one = (random >> 16) * n_free >> 32
                    random = (random * MULTIPLIER + INCREMENT) & MASK
                    two = (random >> 16) * (n_free - 1) >> 32
                    if two >= one:
                        two += 1
                    cell, other = free[position + one], free[position + two]
                    digit, other_digit = boards[child + cell], boards[child + other]
                    if not (
                        _stands_too_often(side, boards, child, other, digit, max_repeats)
                        or _stands_too_often(side, boards, child, cell, other_digit, max_repeats)
                    ):
                        boards[child + cell], boards[child + other] = other_digit, digit
                position += n_free
            fitness[order[rank]] = count_conflicts(side, boards, child)
        state[_RANDOM] = random
        fitness[best] += 1
        state[_AGE] += 1
