"""Regions or cages as a person lays them, also on the way there, when no puzzle has them yet."""

import enum
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from solver.rules import Cage, Kind, Rules, is_connected, jigsaw_rules

NO_CAGE: Final = -1


class DraftFaultKind(enum.Enum):
    """Why no puzzle has such regions or cages; the values stand in the page's words, too."""

    SIZE = "size"
    """A region has not as many cells as the board has rows."""

    PIECES = "pieces"
    """A region falls into pieces."""

    CAGE_SIZE = "cage_size"
    """A cage has more cells than there are digits."""

    NO_SUM = "no_sum"
    """A cage has no sum yet."""

    SUM = "sum"
    """No different digits have the sum of a cage."""


@dataclass(frozen=True)
class DraftFault:
    """What does not fit yet.

    Attributes:
        kind: why.
        cells: of the region or cage, ascending.
        least: the smallest sum that so many different digits have.
        most: the largest one.
    """

    kind: DraftFaultKind
    cells: tuple[int, ...]
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class RuleDraft:
    """To which region or cage each cell belongs.

    Attributes:
        groups: the number of the region or cage of each cell, `NO_CAGE` for none.
        sums: of each cage by its number, 0 where none is known; empty for regions.
    """

    groups: tuple[int, ...]
    sums: tuple[int, ...] = ()

    def cells_of(self, group: int) -> tuple[int, ...]:
        """Return the cells of a region or cage, ascending."""
        return tuple(cell for cell, one in enumerate(self.groups) if one == group)

    def give(self, cells: Collection[int], group: int) -> "RuleDraft":
        """Return the draft with cells in a region or cage, and in no other."""
        given = set(cells)
        groups = (group if cell in given else one for cell, one in enumerate(self.groups))
        return replace(self, groups=tuple(groups))


def draft_of(rules: Rules) -> RuleDraft:
    """Return the cages of a killer, else the regions, as a draft."""
    is_killer = rules.kind is Kind.KILLER
    laid = [cage.cells for cage in rules.cages] if is_killer else rules.regions
    group_of = {cell: number for number, cells in enumerate(laid) for cell in cells}
    groups = tuple(group_of.get(cell, NO_CAGE) for cell in range(rules.width**2))
    return RuleDraft(groups, tuple(cage.total for cage in rules.cages))


def find_draft_fault(draft: RuleDraft, rules: Rules) -> DraftFault | None:
    """Return the first thing that does not fit, None where a puzzle may have such rules.

    Args:
        draft: of the board.
        rules: that it had before, of the kind that it has.
    """
    side = rules.side
    for group in sorted(set(draft.groups) - {NO_CAGE}):
        cells = draft.cells_of(group)
        if rules.kind is not Kind.KILLER:
            if len(cells) != side:
                return DraftFault(DraftFaultKind.SIZE, cells)
            if not is_connected(cells, side):
                return DraftFault(DraftFaultKind.PIECES, cells)
            continue
        count, total = len(cells), draft.sums[group]
        least, most = count * (count + 1) // 2, count * (2 * side + 1 - count) // 2
        if count > side:
            return DraftFault(DraftFaultKind.CAGE_SIZE, cells)
        if not total:
            return DraftFault(DraftFaultKind.NO_SUM, cells, least, most)
        if not least <= total <= most:
            return DraftFault(DraftFaultKind.SUM, cells, least, most)
    return None


def rules_of_draft(draft: RuleDraft, rules: Rules) -> Rules:
    """Return the rules that a draft without fault makes of those that the board had before.

    Raises:
        GridError: if the draft has a fault.
    """
    groups = sorted(set(draft.groups) - {NO_CAGE})
    laid = [draft.cells_of(group) for group in groups]
    if rules.kind is not Kind.KILLER:
        return jigsaw_rules(laid)
    sums = [draft.sums[group] for group in groups]
    cages = sorted((Cage(*one) for one in zip(sums, laid, strict=True)), key=lambda one: one.cells)
    return replace(rules, cages=tuple(cages))
