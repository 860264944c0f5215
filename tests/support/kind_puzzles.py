"""Puzzles of every kind with one, several and no solutions, for tests of the solvers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.rules import Cage, Kind
from training.rendered.kind_photos import KindPhoto, render_kind_photo


@cache
def make_kind(kind: Kind, side: int = 9, *, seed: int, **wishes: Any) -> KindPuzzle:
    """Return a puzzle of a kind, which is made once for all tests; nobody may change it."""
    (puzzle,) = generate_kind(1, KindOptions(kind, side, **wishes), seed)
    return puzzle


def usual_kind(kind: Kind, seed: int = 3) -> KindPuzzle:
    """Return a puzzle of 9×9 as such are printed: with many clues, a killer without."""
    return make_kind(kind, clues=None if kind in (Kind.KILLER, Kind.SAMURAI) else 40, seed=seed)


@cache
def kind_photo(kind: Kind, level: int, seed: int, side: int = 9) -> KindPhoto:
    """Return a photo that several tests look at; nobody may draw on it."""
    shown = render_kind_photo(kind, level, seed, side)
    shown.photo.flags.writeable = False
    return shown


def vary(kind: Kind, count: int, seed: int = 0) -> Iterator[KindPuzzle]:
    """Yield so many puzzles; most have one solution, some have none, and some many."""
    clues = {Kind.SAMURAI: 130, Kind.KILLER: None}.get(kind, 26)
    options = KindOptions(kind, clues=clues)
    for number, puzzle in enumerate(generate_kind(count, options, seed)):
        chance = Random(number)
        if number % 3 == 0:
            yield puzzle
        elif kind is Kind.KILLER:
            yield _break_cages(puzzle, chance, is_sum_kept=number % 3 == 1)
        else:
            yield _change_clues(puzzle, chance, is_cleared=number % 3 == 1)


def erase_sums(shown: KindPhoto, cages: Sequence[Cage]) -> npt.NDArray[np.uint8]:
    """Return a killer's photo on which some cages have no sum."""
    photo = shown.photo.copy()
    for cage in cages:
        row, column = divmod(cage.cells[0], shown.puzzle.rules.side)
        corner = shown.lattice[row, column]
        across = shown.lattice[row, column + 1] + shown.lattice[row + 1, column] - 2 * corner
        (left, top), (right, bottom) = (np.rint(corner + at * across) for at in (0.12, 0.36))
        part = slice(int(top), int(bottom)), slice(int(left), int(right))
        photo[part] = np.median(photo[part], axis=(0, 1))
    return photo


def _change_clues(puzzle: KindPuzzle, chance: Random, *, is_cleared: bool) -> KindPuzzle:
    """Return the puzzle without some clues, or with one that is another digit."""
    clues = puzzle.clues.copy()
    given = np.flatnonzero(clues).tolist()
    if is_cleared:
        clues.flat[chance.sample(given, 3)] = 0
    else:
        cell = chance.choice(given)
        clues.flat[cell] = clues.flat[cell] % puzzle.rules.side + 1
    return KindPuzzle(puzzle.rules, clues)


def _break_cages(puzzle: KindPuzzle, chance: Random, *, is_sum_kept: bool) -> KindPuzzle:
    """Return the killer without some of its cages, or with another sum in one."""
    cages = list(puzzle.rules.cages)
    chance.shuffle(cages)
    if is_sum_kept:
        return KindPuzzle(replace(puzzle.rules, cages=tuple(cages[8:])), puzzle.clues)
    number = next(n for n, cage in enumerate(cages) if len(cage.cells) > 1)
    cage = cages.pop(number)
    step = -1 if cage.total > len(cage.cells) * 5 else 1
    cages.append(replace(cage, total=cage.total + step))
    return KindPuzzle(replace(puzzle.rules, cages=tuple(cages)), puzzle.clues)
