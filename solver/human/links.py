"""The implications between candidates, and how one candidate's truth spreads along them.

A weak link: if this candidate is right, that one is wrong. A strong link: if this one is wrong,
that one is right, because they are the last two of a cell or of a digit in a unit.
"""

import enum
from dataclasses import dataclass

from solver.human.masks import RuleMasks
from solver.human.position import Position
from solver.human.step import name_cell, name_digit
from solver.layout import bits_of


class Kind(enum.Enum):
    """Which links a chain may use."""

    X = "one digit, either-or in units"
    XY = "cells with two candidates"
    ALL = "both"


@dataclass(frozen=True)
class Links:
    """A position's links of some kind.

    Attributes:
        masks: of the puzzle's rules.
        candidates: all candidates, as one mask.
        weak: for each candidate, those weakly linked to it, as masks.
        strong: for each candidate, those strongly linked to it, as masks.
        linked: the candidates with a strong link, as a mask.
    """

    masks: RuleMasks
    candidates: int
    weak: list[int]
    strong: list[int]
    linked: int


def build_links(position: Position, kind: Kind) -> Links:
    """Gather the links of a position."""
    candidates, masks = position.candidates, position.masks
    n_places, planes, weak_masks = masks.n_places, masks.planes, masks.weak
    weak, strong = [0] * len(weak_masks), [0] * len(weak_masks)
    linked = 0
    for n in bits_of(candidates):
        weak[n] = weak_masks[n] & candidates
        if kind is not Kind.ALL:
            weak[n] &= planes[n // n_places]
    if kind is not Kind.XY:
        for digit, places in enumerate(position.digits):
            for unit in masks.full_masks:
                inside = places & unit
                rest = inside & (inside - 1)
                if rest and not rest & (rest - 1):
                    one, two = bits_of(inside << n_places * digit)
                    strong[one] |= 1 << two
                    strong[two] |= 1 << one
                    linked |= inside << n_places * digit
    if kind is not Kind.X:
        for cell in bits_of(position.cells_with(2)):
            one, two = (n_places * digit + cell for digit in bits_of(position.cells[cell]))
            strong[one] |= 1 << two
            strong[two] |= 1 << one
            linked |= 1 << one | 1 << two
    return Links(masks, candidates, weak, strong, linked)


def spread(
    links: Links,
    start: int,
    *,
    is_right: bool,
    goal: int = 0,
    goal_is_right: bool = False,
    most: int | None = None,
    barred: int = 0,
) -> list[int]:
    """Follow all implications of one candidate at once, nearest first.

    Args:
        links: of the position.
        start: the candidate assumed.
        is_right: whether it is assumed right or wrong.
        goal: candidates at which to stop, as a mask.
        goal_is_right: whether they are wanted as right or as wrong.
        most: layers to make; all where None.
        barred: candidates to leave out, as a mask.

    Returns:
        Layers of candidates, a mask each, that follow in so many steps and not in fewer:
        alternately right and wrong, beginning with the start. A goal that was met is in the last.
    """
    layers = [1 << start]
    weak, strong, linked = links.weak, links.strong, links.linked
    right, wrong = (1 << start, barred) if is_right else (barred, 1 << start)
    most = len(weak) if most is None else most
    while len(layers) < most:
        frontier = layers[-1]
        reached = 0
        if is_right:
            while frontier:
                low = frontier & -frontier
                reached |= weak[low.bit_length() - 1]
                frontier ^= low
            reached &= ~wrong
            wrong |= reached
        else:
            frontier &= linked
            while frontier:
                low = frontier & -frontier
                reached |= strong[low.bit_length() - 1]
                frontier ^= low
            reached &= ~right
            right |= reached
        if not reached:
            break
        is_right = not is_right
        layers.append(reached)
        if reached & goal and is_right == goal_is_right:
            break
    return layers


def trace(links: Links, layers: list[int], end: int, *, is_right: bool) -> list[int]:
    """Return the candidates of a shortest path through the layers to one of the last.

    Args:
        links: with which the layers were made.
        layers: from `spread`, cut behind the layer of the end.
        end: a candidate of the last layer.
        is_right: whether the end is right or wrong in that layer.
    """
    path = [end]
    for layer in reversed(layers[:-1]):
        behind = (links.strong if is_right else links.weak)[path[-1]] & layer
        path.append((behind & -behind).bit_length() - 1)
        is_right = not is_right
    return path[::-1]


def state(candidate: int, is_right: bool, masks: RuleMasks) -> str:
    """Say that a candidate is right or wrong: "r1c2 is 5", "r1c2 is not 5"."""
    digit, cell = divmod(candidate, masks.n_places)
    return f"{name_cell(cell, masks)} is {'' if is_right else 'not '}{name_digit(digit)}"


def tell(path: list[int], is_right: bool, masks: RuleMasks) -> str:
    """Tell a path after its start by what is right on it, and its end: "r1c8 is 5, so …".

    Args:
        path: candidates, alternately right and wrong.
        is_right: whether the first is right.
        masks: of the puzzle's rules.
    """
    told = []
    for at, candidate in enumerate(path[1:], start=1):
        is_now_right = is_right == (at % 2 == 0)
        if is_now_right or at == len(path) - 1:
            told.append(state(candidate, is_now_right, masks))
    return ", so ".join(told)
