"""Forcing nets: implications that build on everything an assumption has ruled out before.

A chain uses the links of the position as it stands. A net also uses those that arise on the way:
a cell or a unit left with one place after several candidates have gone.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from solver.human.masks import UNIT_MASKS, UNITS_OF, WEAK_MASKS, bits_of
from solver.human.position import Position

Statement = tuple[int, bool]
"""A candidate, and whether it is right."""


@dataclass
class Net:
    """What follows from one assumption.

    Attributes:
        parents: for each statement, those it follows from at once; none for the assumption.
        right: candidates that must be right, 729 bits.
        wrong: candidates that must be wrong, 729 bits.
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


def grow_net(position: Position, assumption: Statement, *, one_digit: bool = False) -> Net:
    """Follow an assumption through singles until nothing new comes or it contradicts itself.

    Args:
        position: not changed.
        assumption: a candidate and whether it is taken as right.
        one_digit: whether to look at the candidate's digit only (nishio).
    """
    net = Net()
    candidates = position.candidates
    if one_digit:
        candidates &= ((1 << 81) - 1) << 81 * (assumption[0] // 81)
    cells, digits = position.cells[:], position.digits[:]
    queue: deque[tuple[Statement, tuple[Statement, ...]]] = deque([(assumption, ())])
    while queue:
        statement, parents = queue.popleft()
        n, is_right = statement
        if (net.right if is_right else net.wrong) >> n & 1:
            continue
        net.parents[statement] = parents
        if (net.wrong if is_right else net.right) >> n & 1:
            net.clash = n
            return net
        if is_right:
            net.right |= 1 << n
            because = (statement,)
            for other in bits_of(WEAK_MASKS[n] & candidates & ~net.wrong):
                queue.append(((other, False), because))
            continue
        net.wrong |= 1 << n
        digit, cell = divmod(n, 81)
        cells[cell] &= ~(1 << digit)
        digits[digit] &= ~(1 << cell)
        left = cells[cell]
        if not one_digit and left and not left & (left - 1):
            last = 81 * (left.bit_length() - 1) + cell
            gone = position.cells[cell] & ~left
            queue.append(
                ((last, True), tuple((81 * other + cell, False) for other in bits_of(gone)))
            )
        for unit in UNITS_OF[cell]:
            places = digits[digit] & UNIT_MASKS[unit]
            if places and not places & (places - 1):
                gone = position.digits[digit] & UNIT_MASKS[unit] & ~places
                last = 81 * digit + places.bit_length() - 1
                queue.append(
                    ((last, True), tuple((81 * digit + other, False) for other in bits_of(gone)))
                )
    return net
