"""Forcing chains and forcing nets: all that an assumption leads to.

A chain uses the links of the position as it stands: every candidate of a cell, or every place for
a digit, leads to the same. A net also uses those that arise on the way: a cell or a unit left with
one place after several candidates have gone. Nishio and dynamic forcing chains are steps from nets,
the last resort.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from solver.human.chains import LinkKind, build_links, spread, tell, trace
from solver.human.masks import RuleMasks
from solver.human.position import Position, Step, Technique, make_step, rate_chain
from solver.human.reasons import CONTRADICTION, EVERY_DIGIT, EVERY_PLACE
from solver.layout import bits_of

Statement = tuple[int, bool]
"""A candidate, and whether it is right."""


class _Agreement(NamedTuple):
    """What all of some branches say, one of which must be right.

    Attributes:
        size: statements in all branches.
        target: a candidate.
        is_right: what is said of it.
        branches: the candidates with which they begin.
    """

    size: int
    target: int
    is_right: bool
    branches: list[int]


def find_forcing_chains(position: Position) -> Iterator[Step]:
    """Find the cell or unit forcing chain with fewest statements in all its branches."""
    links = build_links(position, LinkKind.ALL)
    layers = {n: spread(links, n, is_right=True) for n in bits_of(links.candidates)}
    reached = {n: _merge(of_start) for n, of_start in layers.items()}
    found = _find_agreement(
        position, reached, lambda n, target, is_right: _depth(layers[n], target, is_right)
    )
    if found is None:
        return
    cells, told = 0, []
    for n in found.branches:
        of_branch = layers[n][: _depth(layers[n], found.target, found.is_right)]
        path = trace(links, of_branch, found.target, is_right=found.is_right)
        cells |= links.masks.cells_of(path)
        told.append((False, [(n, True), *tell(path, is_right=True)]))
    yield _agree(links.masks, found, told, cells)


def _find_agreement(
    position: Position,
    reached: Mapping[int, tuple[int, int]],
    size_of: Callable[[int, int, bool], int],
) -> _Agreement | None:
    """Find the shortest set of branches, one of which is right, that all say the same."""
    best: _Agreement | None = None
    for branches in _find_branches(position):
        for is_right in (False, True):
            common = -1
            for n in branches:
                common &= reached[n][is_right]
                if not common:
                    break
            for target in bits_of(common):
                size = sum(size_of(n, target, is_right) for n in branches)
                if best is None or size < best.size:
                    best = _Agreement(size, target, is_right, branches)
    return best


def _agree(
    masks: RuleMasks,
    found: _Agreement,
    told: list[tuple[bool, list[Statement]]],
    cells: int,
    technique: Technique | None = None,
) -> Step:
    """Build the step of branches that agree; the technique is that of chains where None."""
    of_chains, chosen = _name_branches(found.branches, masks)
    technique = technique or of_chains
    return make_step(
        masks,
        technique,
        **chosen,
        **_conclude(masks, found.target, found.is_right),
        branches=told,
        cells=cells,
        rating=rate_chain(technique, found.size),
    )


def _conclude(masks: RuleMasks, target: int, is_right: bool) -> dict[str, Any]:
    """Return the parts of a step that say what a candidate turned out to be."""
    place = masks.place_of(target)
    told: dict[str, Any] = {"placement": place} if is_right else {"removals": [place]}
    return told | {"target": (target, is_right)}


def _find_branches(position: Position) -> Iterator[list[int]]:
    """Yield the candidates of which one must be right: of each cell, of each digit in a unit."""
    masks = position.masks
    for cell, candidates in enumerate(position.cells):
        if candidates.bit_count() > 2:
            yield [masks.n_places * digit + cell for digit in bits_of(candidates)]
    for digit, places in enumerate(position.digits):
        for unit in masks.full_masks:
            if (places & unit).bit_count() > 2:
                yield [masks.n_places * digit + cell for cell in bits_of(places & unit)]


def _name_branches(branches: list[int], masks: RuleMasks) -> tuple[Technique, dict[str, Any]]:
    """Return the technique, and what says in words between what is chosen."""
    cells = {n % masks.n_places for n in branches}
    if len(cells) == 1:
        return Technique.CELL_FORCING, {"why": EVERY_DIGIT, "cell_choice": min(cells)}
    units = [
        unit
        for unit, mask in enumerate(masks.full_masks)
        if all(mask >> cell & 1 for cell in cells)
    ]
    digits = 1 << branches[0] // masks.n_places
    chosen = {"why": EVERY_PLACE, "digits": digits, "unit": units[-1], "units": units[-1:]}
    return Technique.UNIT_FORCING, chosen


def _merge(layers: list[int]) -> tuple[int, int]:
    """Return all that is wrong and all that is right in layers that begin right."""
    right = wrong = 0
    for layer in layers[::2]:
        right |= layer
    for layer in layers[1::2]:
        wrong |= layer
    return wrong, right


def _depth(layers: list[int], target: int, is_right: bool) -> int:
    return next(at + 1 for at in range(not is_right, len(layers), 2) if layers[at] >> target & 1)


@dataclass
class Net:
    """What follows from one assumption.

    Attributes:
        parents: for each statement, those it follows from at once; none for the assumption.
        right: candidates that must be right, as a mask.
        wrong: candidates that must be wrong, as a mask.
        clash: a candidate that must be both, with the two sets of statements that say so.
    """

    parents: dict[Statement, tuple[Statement, ...]] = field(default_factory=dict)
    right: int = 0
    wrong: int = 0
    clash: int | None = None

    def ancestors(self, statements: Iterable[Statement]) -> list[Statement]:
        """Return the statements and all that they follow from, causes first."""
        wanted = set()
        left = list(statements)
        while left:
            statement = left.pop()
            if statement not in wanted:
                wanted.add(statement)
                left.extend(self.parents[statement])
        return [statement for statement in self.parents if statement in wanted]


def grow_net(
    position: Position, assumption: Statement, *, one_digit: bool = False, with_locked: bool = False
) -> Net:
    """Follow an assumption until nothing new comes or it contradicts itself.

    Args:
        position: not changed.
        assumption: a candidate and whether it is taken as right.
        one_digit: whether to look at the candidate's digit only (nishio).
        with_locked: whether to use locked candidates where singles end.
    """
    growth = _Growth(position, one_digit)
    growth.queue.append((assumption, ()))
    while growth.queue:
        growth.follow()
        if with_locked and growth.net.clash is None:
            growth.lock()
    return growth.net


class _Growth:
    """A net under way, with the candidates that its statements have left."""

    def __init__(self, position: Position, one_digit: bool) -> None:
        self.net = Net()
        self.queue: deque[tuple[Statement, tuple[Statement, ...]]] = deque()
        self.position = position
        self.masks, self.n_places = position.masks, position.masks.n_places
        self.one_digit = one_digit
        self.candidates = position.candidates
        self.cells, self.digits = position.cells[:], position.digits[:]

    def follow(self) -> None:
        """Work the queue off, and stop at a clash."""
        net, queue = self.net, self.queue
        while queue:
            statement, parents = queue.popleft()
            n, is_right = statement
            if (net.right if is_right else net.wrong) >> n & 1:
                continue
            net.parents[statement] = parents
            if (net.wrong if is_right else net.right) >> n & 1:
                net.clash = n
                queue.clear()
            elif is_right:
                net.right |= 1 << n
                self._settle(n)
            else:
                net.wrong |= 1 << n
                self._rule_out(n)

    def lock(self) -> None:
        """Queue what locked candidates rule out now."""
        unit_masks, crossings = self.masks.unit_masks, self.masks.crossings
        for digit, places in enumerate(self.digits):
            plane = self.n_places * digit
            for unit, other in crossings:
                inside = places & unit_masks[unit]
                if inside & ~unit_masks[other]:
                    continue
                removed = places & unit_masks[other] & ~unit_masks[unit]
                if removed and inside:
                    gone = self.position.digits[digit] & unit_masks[unit] & ~inside
                    because = tuple((plane + cell, False) for cell in bits_of(gone))
                    self.queue.extend(((plane + cell, False), because) for cell in bits_of(removed))

    def _settle(self, n: int) -> None:
        because = ((n, True),)
        others = self.masks.weak[n] & self.candidates & ~self.net.wrong
        if self.one_digit:
            others &= self.masks.planes[n // self.n_places]
        self.queue.extend(((other, False), because) for other in bits_of(others))

    def _rule_out(self, n: int) -> None:
        n_places, unit_masks = self.n_places, self.masks.unit_masks
        digit, cell = divmod(n, n_places)
        self.cells[cell] &= ~(1 << digit)
        self.digits[digit] &= ~(1 << cell)
        left = self.cells[cell]
        if not self.one_digit and left and not left & (left - 1):
            last = n_places * (left.bit_length() - 1) + cell
            gone = bits_of(self.position.cells[cell] & ~left)
            because = tuple((n_places * other + cell, False) for other in gone)
            self.queue.append(((last, True), because))
        for unit in self.masks.units_of[cell]:
            places = self.digits[digit] & unit_masks[unit]
            if places and not places & (places - 1):
                last = n_places * digit + places.bit_length() - 1
                gone = bits_of(self.position.digits[digit] & unit_masks[unit] & ~places)
                because = tuple((n_places * digit + other, False) for other in gone)
                self.queue.append(((last, True), because))


def find_nishio(position: Position) -> Iterator[Step]:
    """Find the shortest proof that a digit in a cell leaves the same digit no place elsewhere."""
    nets = (
        ((n, True), grow_net(position, (n, True), one_digit=True))
        for n in bits_of(position.candidates)
    )
    yield from _refute(position.masks, Technique.NISHIO, nets)


def find_dynamic_chains(position: Position, *, with_locked: bool) -> Iterator[Step]:
    """Find the shortest net that refutes a candidate or its absence, or branches that agree."""
    masks = position.masks
    technique = Technique.DYNAMIC_FORCING_PLUS if with_locked else Technique.DYNAMIC_FORCING
    nets = {
        (n, is_right): grow_net(position, (n, is_right), with_locked=with_locked)
        for n in bits_of(position.candidates)
        for is_right in (True, False)
    }
    refuted = list(_refute(masks, technique, nets.items()))
    yield from refuted
    if refuted:
        return
    right = {n: net for (n, is_right), net in nets.items() if is_right}
    found = _find_agreement(
        position,
        {n: (net.wrong, net.right) for n, net in right.items()},
        lambda n, target, is_right: len(right[n].ancestors([(target, is_right)])),
    )
    if found:
        end = (found.target, found.is_right)
        stories = [right[n].ancestors([end]) for n in found.branches]
        cells = masks.cells_of(candidate for story in stories for candidate, _ in story)
        yield _agree(masks, found, [(True, story) for story in stories], cells, technique)


def _refute(
    masks: RuleMasks, technique: Technique, nets: Iterable[tuple[Statement, Net]]
) -> Iterator[Step]:
    """Yield the step from the net, if any, that contradicts itself in fewest statements."""
    best: tuple[int, Statement, list[Statement]] | None = None
    for assumption, net in nets:
        if net.clash is not None:
            size = sum(len(net.ancestors([(net.clash, told)])) for told in (True, False))
            if best is None or size < best[0]:
                story = net.ancestors([(net.clash, True), (net.clash, False)])
                best = size, assumption, story
    if best:
        size, (n, is_right), story = best
        yield make_step(
            masks,
            technique,
            why=CONTRADICTION,
            story=[(n, is_right), *story[1:]],
            **_conclude(masks, n, not is_right),
            cells=masks.cells_of(candidate for candidate, _ in story),
            rating=rate_chain(technique, size),
        )
