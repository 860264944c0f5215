"""Nishio and dynamic forcing chains: steps from forcing nets, the last resort."""

from collections.abc import Iterator

from solver.human.links import state
from solver.human.masks import RuleMasks, bits_of
from solver.human.position import Position
from solver.human.step import Step, make_step
from solver.human.technique import Technique, rate_chain
from solver.human.techniques.forcing import find_branches, name_branches
from solver.human.techniques.nets import Net, grow_net


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
    for branches in find_branches(position):
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
    told = ", ".join(state(*statement, masks) for statement in story[1:])
    cell, digit = n % masks.n_places, n // masks.n_places + 1
    because = (
        f"Suppose {state(n, is_right, masks)}: then, one after the other, {told}, which "
        f"contradicts itself, so {state(n, not is_right, masks)}"
    )
    return make_step(
        technique,
        because=because,
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
    _, choice, units = name_branches(branches, masks)
    told = []
    cells = 0
    for n in branches:
        story = nets[n].ancestors([(target, is_right)])
        cells |= _cells_of(story, masks)
        told.append(", ".join(state(*statement, masks) for statement in story))
    cell, digit = target % masks.n_places, target // masks.n_places + 1
    return make_step(
        technique,
        because=f"{choice}, {state(target, is_right, masks)}: {'; '.join(told)}",
        cells=cells,
        units=units,
        removals=[] if is_right else [(cell, digit)],
        placement=(cell, digit) if is_right else None,
        rating=rate_chain(technique, size),
        masks=masks,
    )


def _cells_of(statements: list[tuple[int, bool]], masks: RuleMasks) -> int:
    cells = 0
    for candidate, _ in statements:
        cells |= 1 << candidate % masks.n_places
    return cells
