"""Forcing chains and forcing nets: all that an assumption leads to.

A chain uses the links of the position as it stands: every candidate of a cell, or every place for
a digit, leads to the same. A net also uses those that arise on the way: a cell or a unit left with
one place after several candidates have gone. Nishio and dynamic forcing chains are steps from nets,
the last resort.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from solver.human.chains import LinkKind, Links, build_links, spread, tell, trace
from solver.human.masks import RuleMasks
from solver.human.position import Position, Step, Technique, make_step, rate_chain
from solver.human.reasons import CONTRADICTION, EVERY_DIGIT, EVERY_PLACE
from solver.layout import bits_of, mask_of


def find_forcing_chains(position: Position) -> Iterator[Step]:
    """Find the cell or unit forcing chain with fewest statements in all its branches."""
    links = build_links(position, LinkKind.ALL)
    layers = {n: spread(links, n, is_right=True) for n in bits_of(links.candidates)}
    reached = {n: _merge(of_start) for n, of_start in layers.items()}
    best: tuple[int, int, bool, list[int]] | None = None
    for branches in _find_branches(position):
        for is_right in (False, True):
            common = -1
            for n in branches:
                common &= reached[n][is_right]
                if not common:
                    break
            for target in bits_of(common):
                size = sum(_depth(layers[n], target, is_right) for n in branches)
                if best is None or size < best[0]:
                    best = size, target, is_right, branches
    if best:
        yield _make(links, layers, *best)


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


def _make(
    links: Links,
    layers: dict[int, list[int]],
    size: int,
    target: int,
    is_right: bool,
    branches: list[int],
) -> Step:
    masks = links.masks
    technique, chosen = _name_branches(branches, masks)
    told = []
    cells = 0
    for n in branches:
        of_branch = layers[n][: _depth(layers[n], target, is_right)]
        path = trace(links, of_branch, target, is_right=is_right)
        for candidate in path:
            cells |= 1 << candidate % masks.n_places
        told.append((False, [(n, True), *tell(path, is_right=True)]))
    cell, digit = target % masks.n_places, target // masks.n_places + 1
    return make_step(
        technique,
        **chosen,
        target=(target, is_right),
        branches=told,
        cells=cells,
        placement=(cell, digit) if is_right else None,
        removals=[] if is_right else [(cell, digit)],
        rating=rate_chain(technique, size),
        masks=masks,
    )


Statement = tuple[int, bool]
"""A candidate, and whether it is right."""


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
    position: Position,
    assumption: Statement,
    *,
    one_digit: bool = False,
    with_locked: bool = False,
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
    best: tuple[int, int, Net] | None = None
    for n in bits_of(position.candidates):
        net = grow_net(position, (n, True), one_digit=True)
        if net.clash is not None:
            size = _size(net, [(net.clash, True)]) + _size(net, [(net.clash, False)])
            if best is None or size < best[0]:
                best = size, n, net
    if best:
        yield _refute(Technique.NISHIO, *best, position.masks, is_right=True)


def find_dynamic_chains(position: Position, *, with_locked: bool) -> Iterator[Step]:
    """Find the shortest net that refutes a candidate or its absence, or branches that agree.

    Args:
        position: not changed.
        with_locked: whether nets use locked candidates beside singles.
    """
    technique = Technique.DYNAMIC_FORCING_PLUS if with_locked else Technique.DYNAMIC_FORCING
    nets = {
        n: grow_net(position, (n, True), with_locked=with_locked)
        for n in bits_of(position.candidates)
    }
    best: tuple[int, Step] | None = None
    for n in nets:
        for is_right in (True, False):
            net = nets[n] if is_right else grow_net(position, (n, False), with_locked=with_locked)
            if net.clash is None:
                continue
            size = _size(net, [(net.clash, True)]) + _size(net, [(net.clash, False)])
            if best is None or size < best[0]:
                step = _refute(technique, size, n, net, position.masks, is_right=is_right)
                best = size, step
    if best is None:
        best = _find_agreement(position, nets, technique)
    if best:
        yield best[1]


def _find_agreement(
    position: Position, nets: dict[int, Net], technique: Technique
) -> tuple[int, Step] | None:
    """Find the shortest set of branches, one of which is right, that all say the same."""
    best: tuple[int, Step] | None = None
    for branches in _find_branches(position):
        for is_right in (False, True):
            common = -1
            for n in branches:
                common &= nets[n].right if is_right else nets[n].wrong
            for target in bits_of(common):
                size = sum(_size(nets[n], [(target, is_right)]) for n in branches)
                if best is None or size < best[0]:
                    step = _agree(technique, branches, nets, target, is_right, size, position.masks)
                    best = size, step
    return best


def _size(net: Net, statements: list[tuple[int, bool]]) -> int:
    return len(net.ancestors(statements))


def _refute(
    technique: Technique, size: int, n: int, net: Net, masks: RuleMasks, *, is_right: bool
) -> Step:
    clash = net.clash
    assert clash is not None
    story = net.ancestors([(clash, True), (clash, False)])
    cell, digit = n % masks.n_places, n // masks.n_places + 1
    return make_step(
        technique,
        why=CONTRADICTION,
        story=[(n, is_right), *story[1:]],
        target=(n, not is_right),
        cells=_cells_of(story, masks),
        removals=[(cell, digit)] if is_right else [],
        placement=None if is_right else (cell, digit),
        rating=rate_chain(technique, size),
        masks=masks,
    )


def _agree(
    technique: Technique,
    branches: list[int],
    nets: dict[int, Net],
    target: int,
    is_right: bool,
    size: int,
    masks: RuleMasks,
) -> Step:
    _, chosen = _name_branches(branches, masks)
    told = []
    cells = 0
    for n in branches:
        story = nets[n].ancestors([(target, is_right)])
        cells |= _cells_of(story, masks)
        told.append((True, story))
    cell, digit = target % masks.n_places, target // masks.n_places + 1
    return make_step(
        technique,
        **chosen,
        target=(target, is_right),
        branches=told,
        cells=cells,
        removals=[] if is_right else [(cell, digit)],
        placement=(cell, digit) if is_right else None,
        rating=rate_chain(technique, size),
        masks=masks,
    )


def _cells_of(statements: list[tuple[int, bool]], masks: RuleMasks) -> int:
    return mask_of(candidate % masks.n_places for candidate, _ in statements)
