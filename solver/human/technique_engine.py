"""The order of the techniques, and the walk from step to step."""

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from solver.human import basics, chains, colouring, nets, uniqueness
from solver.human.chains import LinkKind
from solver.human.position import Position, Step, Technique

Finder = Callable[[Position], Iterator[Step]]

MOST_SEARCHES: Final = 3_000
"""Searches for techniques before a puzzle is given up: of 310 of the hardest of top1465.txt and
hardest_1905_se11.txt, a rating took 2,412 at most, in 3.7 s."""


class GaveUpError(ValueError):
    """A puzzle would take more work than it may."""

    def __init__(self, limit: str) -> None:
        """Say what was spent in vain, such as "3,000 searches"."""
        super().__init__(f"the puzzle was given up after {limit}; check its digits")


class TechniqueOrder(enum.Enum):
    """Which techniques are tried, and which first."""

    TEACHING = "teaching"
    """What a person would look for first; named techniques before chains."""

    RATING = "rating"
    """By rating, as Sudoku Explainer goes, with its direct steps."""


@dataclass(frozen=True)
class Options:
    """How to look for steps.

    Attributes:
        order: of the techniques.
        assume_unique: whether the puzzle has exactly one solution and techniques may use that
            (unique rectangles, BUG+1).
    """

    order: TechniqueOrder = TechniqueOrder.TEACHING
    assume_unique: bool = True


_UNIQUENESS: Final = frozenset(
    {
        uniqueness.find_hidden_rectangles,
        uniqueness.find_unique_loops,
        uniqueness.find_unique_rectangles,
        uniqueness.find_bug,
    }
)

_SUMS: Final[tuple[Finder, ...]] = (
    basics.find_cage_sums,
    basics.find_innies_and_outies,
    basics.find_cage_digits,
)
"""Tried after singles, where there are cages."""

_T: Final = Technique
_IN_BOXES: Final = partial(basics.find_hidden_singles, are_lines=False)
_IN_LINES: Final = partial(basics.find_hidden_singles, are_lines=True)
_TEACHING: Final[tuple[tuple[Finder, tuple[Technique, ...]], ...]] = (
    (basics.find_full_houses, (_T.FULL_HOUSE,)),
    (_IN_BOXES, (_T.HIDDEN_SINGLE_BOX,)),
    (_IN_LINES, (_T.HIDDEN_SINGLE_LINE,)),
    (basics.find_naked_singles, (_T.NAKED_SINGLE,)),
    (basics.find_pointing, (_T.POINTING,)),
    (basics.find_claiming, (_T.CLAIMING,)),
    (partial(basics.find_naked_subsets, size=2), (_T.NAKED_PAIR,)),
    (partial(basics.find_hidden_subsets, size=2), (_T.HIDDEN_PAIR,)),
    (partial(basics.find_naked_subsets, size=3), (_T.NAKED_TRIPLE,)),
    (partial(basics.find_fish, size=2), (_T.X_WING,)),
    (partial(basics.find_hidden_subsets, size=3), (_T.HIDDEN_TRIPLE,)),
    (partial(basics.find_naked_subsets, size=4), (_T.NAKED_QUAD,)),
    (colouring.find_simple_colourings, (_T.SIMPLE_COLOURING,)),
    (colouring.find_remote_pairs, (_T.REMOTE_PAIR,)),
    (partial(chains.find_pivot_wings, technique=_T.XY_WING), (_T.XY_WING,)),
    (partial(basics.find_fish, size=3), (_T.SWORDFISH,)),
    (partial(chains.find_pivot_wings, technique=_T.XYZ_WING), (_T.XYZ_WING,)),
    (chains.find_w_wings, (_T.W_WING,)),
    (
        uniqueness.find_unique_rectangles,
        (
            _T.UNIQUE_RECTANGLE_1,
            _T.UNIQUE_RECTANGLE_2,
            _T.UNIQUE_RECTANGLE_3,
            _T.UNIQUE_RECTANGLE_4,
        ),
    ),
    (uniqueness.find_hidden_rectangles, (_T.HIDDEN_RECTANGLE,)),
    (uniqueness.find_unique_loops, (_T.UNIQUE_LOOP,)),
    (uniqueness.find_bug, (_T.BUG,)),
    (partial(basics.find_hidden_subsets, size=4), (_T.HIDDEN_QUAD,)),
    (partial(basics.find_fish, size=4), (_T.JELLYFISH,)),
    (
        colouring.find_turbot_fish,
        (_T.SKYSCRAPER, _T.TWO_STRING_KITE, _T.TURBOT_FISH, _T.GROUPED_TURBOT_FISH),
    ),
    (partial(chains.find_bent_sets, size=4), (_T.WXYZ_WING,)),
    (partial(chains.find_chains, kind=LinkKind.XY), (_T.XY_CHAIN,)),
    (partial(chains.find_chains, kind=LinkKind.X), (_T.X_CHAIN,)),
    (partial(chains.find_chains, kind=LinkKind.ALL), (_T.AIC,)),
    (partial(chains.find_loops, kind=LinkKind.ALL), (_T.CONTINUOUS_LOOP,)),
    (nets.find_forcing_chains, (_T.CELL_FORCING, _T.UNIT_FORCING)),
    (partial(nets.find_dynamic_chains, with_locked=False), (_T.DYNAMIC_FORCING,)),
    (partial(nets.find_dynamic_chains, with_locked=True), (_T.DYNAMIC_FORCING_PLUS,)),
)
"""The teaching order, and what each finder finds."""

_RATING: Final[tuple[Finder, ...]] = (
    basics.find_full_houses,
    _IN_BOXES,
    _IN_LINES,
    partial(basics.find_direct, find=basics.find_pointing),
    partial(basics.find_direct, find=basics.find_claiming),
    partial(basics.find_direct, find=partial(basics.find_hidden_subsets, size=2)),
    basics.find_naked_singles,
    partial(basics.find_direct, find=partial(basics.find_hidden_subsets, size=3)),
    basics.find_pointing,
    basics.find_claiming,
    partial(basics.find_naked_subsets, size=2),
    partial(basics.find_fish, size=2),
    partial(basics.find_hidden_subsets, size=2),
    partial(basics.find_naked_subsets, size=3),
    partial(basics.find_fish, size=3),
    partial(basics.find_hidden_subsets, size=3),
    colouring.find_turbot_fish,
    partial(chains.find_pivot_wings, technique=_T.XY_WING),
    partial(chains.find_pivot_wings, technique=_T.XYZ_WING),
    uniqueness.find_unique_rectangles,
    uniqueness.find_unique_loops,
    partial(basics.find_naked_subsets, size=4),
    partial(basics.find_fish, size=4),
    partial(basics.find_hidden_subsets, size=4),
    partial(colouring.find_three_strong_links, grouped=False),
    partial(chains.find_bent_sets, size=4),
    uniqueness.find_bug,
    partial(colouring.find_three_strong_links, grouped=True),
    partial(chains.find_bent_sets, size=5),
)

_FINDER_OF: Final = {technique: finder for finder, found in _TEACHING for technique in found} | {
    _T.HIDDEN_SINGLE: _IN_BOXES,
    _T.CAGE_COMBINATIONS: basics.find_cage_sums,
    _T.INNIES_OUTIES: basics.find_innies_and_outies,
    _T.CAGE_DIGIT: basics.find_cage_digits,
}

_RATED_CHAINS: Final[tuple[Finder, ...]] = (
    partial(chains.find_loops, kind=LinkKind.X),
    partial(chains.find_loops, kind=LinkKind.XY),
    partial(chains.find_chains, kind=LinkKind.X),
    partial(chains.find_chains, kind=LinkKind.XY),
    partial(chains.find_loops, kind=LinkKind.ALL),
    partial(chains.find_chains, kind=LinkKind.ALL),
)
_LAST: Final[tuple[Finder, ...]] = (
    nets.find_nishio,
    nets.find_forcing_chains,
    partial(nets.find_dynamic_chains, with_locked=False),
    partial(nets.find_dynamic_chains, with_locked=True),
)


def allow_searches(most: int = MOST_SEARCHES) -> Callable[[], None]:
    """Return what `find_step` calls after each search: it raises `GaveUpError` after the last."""
    left = most

    def count() -> None:
        nonlocal left
        if left == 0:
            raise GaveUpError(f"{most:,} searches for techniques")
        left -= 1

    return count


def find_step(
    position: Position, options: Options, after_search: Callable[[], None] = lambda: None
) -> Step | None:
    """Return the first step in the order, or None when no technique finds any.

    Args:
        position: not changed.
        options: how to look.
        after_search: is called after each search for one technique; what it raises ends the work.
    """
    for step in look(position, options):
        after_search()
        if step is not None:
            return step
    return None


def look(position: Position, options: Options) -> Iterator[Step | None]:
    """Try one technique after the other: yield its step, or None where it finds nothing.

    In the rating order, chains of all kinds compete, and the one with the lowest rating comes.
    What assumes one solution knows the usual rules of 9×9 alone.
    """
    finds_unique = options.assume_unique and position.masks.is_classic
    is_rating = options.order is TechniqueOrder.RATING
    for finder in _RATING if is_rating else (finder for finder, _ in _TEACHING):
        if finds_unique or finder not in _UNIQUENESS:
            yield next(finder(position), None)
        if finder is basics.find_naked_singles and position.masks.rules.cages:
            for find_sums in _SUMS:
                yield next(find_sums(position), None)
    if is_rating:
        chains: list[Step] = []
        for finder in _RATED_CHAINS:
            chains += finder(position)
            yield None
        yield min(chains, key=lambda step: step.rating, default=None)
        for finder in _LAST:
            yield next(finder(position), None)


def find_technique(
    position: Position, technique: Technique, after_step: Callable[[], None] = lambda: None
) -> Step | None:
    """Return a step of one technique of the teaching order, or None where it cannot be taken.

    Easier steps may be possible, too: it is for showing a pattern, not for solving.

    Args:
        position: not changed; of a puzzle with exactly one solution.
        technique: that is wanted. What assumes one solution is for the usual rules of 9×9 alone.
        after_step: is called after each step of another one; what it raises ends the work.

    Raises:
        KeyError: if it is a technique of the rating order only.
    """
    finder, masks = _FINDER_OF[technique], position.masks
    if (finder in _UNIQUENESS and not masks.is_classic) or (
        finder in _SUMS and not masks.rules.cages
    ):
        return None
    for step in finder(position):
        if step.technique is technique:
            return step
        after_step()
    return None
