"""The default solver's engine for all rules: one wide integer a position, all units at once.

A position holds every candidate several times: in its cell, and in each unit of the cell. In the
cells, a field of bits a cell has a bit a digit. In the units, the first cell of every unit comes
first, then the second of every unit, each with a bit a digit. So one AND strikes what a digit rules
out, and a few shifts count, for every unit and digit at once, whether there is one place or more:
S. Warren, "Hacker's Delight", 2nd ed. 2012, has such counts as carry-save additions.

When no cell and no digit of a unit has a single candidate left, cages and locked candidates are
looked at, and then there is a branch.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import Final

from solver.exact.bitmask import Search
from solver.exact.cage_sums import Sums, find_sums
from solver.layout import bits_of
from solver.rules import Rules

_BOARDS_KEPT: Final = 32
"""Rules whose masks are kept: each jigsaw and killer has its own."""

_KEEPS: Final = 1 << 12
"""Masks of a digit in a cell that are kept for some rules; one of 25×25 has 8 KB."""


_State = tuple[int, int, int]
"""A position: its candidates, the cells' fields and from bit `_Board.n_cell_bits` on the units'
blocks; which cells are filled, the first bit of each one's field; and which digits of units have
their place, as in a block. A plain tuple, as a named one costs 3 % of the time."""


class _Board:
    """The masks of some rules.

    Bit `field × cell + digit` says that a digit, from 0, is possible in a cell. Bit
    `n_cell_bits + slot × n_block + side × unit + digit` says the same of the unit's cell number
    `slot`. Of 4×4 with 12 units a block has 48 bits, and a position 256 + 192.

    Attributes:
        side: how many digits there are.
        places: of the cells, in reading order of the whole paper.
        units: the cells of each unit, by index.
        all_digits: a bit a digit.
        field: bits of a cell.
        n_cell_bits: bits of all cells.
        n_block: bits of a block: of one cell of each unit.
        block: all bits of a block.
        cells_mask: all bits of the cells.
        cell_bases: the first bit of each cell's field.
        slots: the first bit of each block.
        own: for each cell, the bits of its first digit: one in its field, one in each unit.
        in_units: for each cell, the bits of its first digit in a block, one in each of its units.
        everything: all candidates of all cells.
        halvings: how many blocks are left each time that they are folded in two.
        shifts: by which a field is folded in two.
    """

    def __init__(self, rules: Rules) -> None:
        side = rules.side
        self.side = side
        self.places = rules.cells
        index_of = {place: index for index, place in enumerate(rules.cells)}
        self.units = [[index_of[place] for place in unit] for unit in rules.units]
        self.all_digits = (1 << side) - 1
        self.field = 16 if side <= 16 else 32
        n_cells = len(rules.cells)
        self.n_cell_bits = self.field * n_cells
        self.n_block = side * len(self.units)
        self.block = (1 << self.n_block) - 1
        self.cells_mask = (1 << self.n_cell_bits) - 1
        self.cell_bases = sum(1 << self.field * index for index in range(n_cells))
        self.slots = sum(1 << self.n_block * slot for slot in range(side))
        self.own = [1 << self.field * index for index in range(n_cells)]
        self.in_units = [0] * n_cells
        for number, unit in enumerate(self.units):
            base = 1 << side * number
            for slot, index in enumerate(unit):
                self.own[index] |= base << self.n_cell_bits + slot * self.n_block
                self.in_units[index] |= base
        self._struck = self._find_struck(rules, index_of)
        self.everything = self.cell_bases * self.all_digits
        self.everything |= (1 << self.n_cell_bits + side * self.n_block) - (1 << self.n_cell_bits)
        self._keeps: dict[tuple[int, int], int] = {}
        self.halvings = _halve(side)
        self.shifts = [1 << power for power in reversed(range(self.field.bit_length() - 1))]
        self._rules = rules

    def _find_struck(self, rules: Rules, index_of: dict[int, int]) -> list[int]:
        """Return for each cell the first digit's bits of it and of all that it rules out."""
        struck = [0] * len(self.own)
        cages = [[index_of[place] for place in cage.cells] for cage in rules.cages]
        for cells in (*self.units, *cages):
            together = 0
            for index in cells:
                together |= self.own[index]
            for index in cells:
                struck[index] |= together
        return struck

    @cached_property
    def sums(self) -> Sums | None:
        """The cages and what follows from them, or None where there are none."""
        return find_sums(self._rules) if self._rules.cages else None

    @cached_property
    def near(self) -> list[int]:
        """For each cell, the first digit's bits of those in which a digit rules it out."""
        return [struck & self.cells_mask for struck in self._struck]

    @cached_property
    def parts(self) -> list[list[int]]:
        """The sets of cells, two or more, in which two units cross."""
        return [bits_of(part) for part in self._crossings]

    @cached_property
    def locks(self) -> list[tuple[list[int], int, list[int]]]:
        """For each two units that cross: one's rest, the crossing, the other's rest.

        A rest is made of cells and, from the number of cells on, of `parts`; so is a crossing.
        """
        n_cells = len(self.own)
        numbers = {part: n_cells + number for number, part in enumerate(self._crossings)}
        inside: list[list[int]] = [[] for _ in self.units]
        for part, pairs in self._crossings.items():
            for pair in pairs:
                for unit in pair:
                    inside[unit].append(part)

        def compose(unit: int, crossing: int) -> list[int]:
            rest = self._unit_masks[unit] ^ crossing
            members = []
            for part in inside[unit]:
                if part & rest == part:
                    members.append(numbers[part])
                    rest ^= part
            return members + bits_of(rest)

        return [
            (compose(one, part), numbers[part], compose(other, part))
            for part, pairs in self._crossings.items()
            for one, other in pairs
        ]

    @cached_property
    def _unit_masks(self) -> list[int]:
        return [sum([1 << index for index in unit]) for unit in self.units]

    @cached_property
    def _crossings(self) -> dict[int, list[tuple[int, int]]]:
        """For each set of cells, as a mask, in which units cross: the units."""
        found: dict[int, list[tuple[int, int]]] = {}
        masks = self._unit_masks
        for one, mask in enumerate(masks):
            for other in range(one):
                part = mask & masks[other]
                if part & (part - 1):
                    found.setdefault(part, []).append((one, other))
        return found

    def spread(self, members: list[int]) -> list[int]:
        """Return the cells of a rest."""
        n_cells = len(self.own)
        cells = [index for index in members if index < n_cells]
        for member in members:
            if member >= n_cells:
                cells += self.parts[member - n_cells]
        return cells

    def keep(self, index: int, digit: int) -> int:
        """Return what remains possible, in all the board, when a cell has a digit, from 0."""
        kept = self._keeps.get((index, digit))
        if kept is None:
            if len(self._keeps) >= _KEEPS:
                self._keeps.clear()
            struck = self._struck[index] << digit | self.own[index] * self.all_digits
            kept = self.everything ^ struck | self.own[index] << digit
            self._keeps[index, digit] = kept
        return kept


def search_rules(
    rules: Rules,
    clues: Sequence[int],
    limit: int,
    may_go_on: Callable[[int], bool] | None = None,
    keep: int | None = None,
    chance: Random | None = None,
) -> Search:
    """Do what `solver.exact.bitmask.search` does, for any rules.

    Args:
        rules: of the puzzle.
        clues: width² digits in reading order, 0 = empty or no cell.
        limit: at least 1.
        may_go_on: called with the number of nodes before each but the first; False stops.
        keep: how many solutions to return; None keeps all.
        chance: picks the branches, for a solution at random; None picks the best.

    Returns:
        Solutions of width² digits, 0 where there is no cell.
    """
    board = _board(rules)
    solutions: list[list[int]] = []
    most_kept = limit if keep is None else keep
    found = guesses = nodes = 0
    open_states = _place_clues(board, clues)
    while open_states:
        if nodes and may_go_on is not None and not may_go_on(nodes):
            return Search(solutions, found, nodes, guesses, False)
        nodes += 1
        state = _propagate(board, open_states.pop())
        if state is None:
            continue
        candidates, filled, placed = state
        if filled == board.cell_bases:
            found += 1
            if found <= most_kept:
                solutions.append(_read_off(board, candidates, len(clues)))
            if found == limit:
                return Search(solutions, found, nodes, guesses, False)
            continue
        guesses += 1
        masks = _read_masks(board, candidates)
        if chance is None:
            index, digit = _choose_branch(board, candidates, masks)
        else:
            index, digit = _choose_by_chance(masks, chance)
        open_states.append((candidates ^ board.own[index] << digit, filled, placed))
        open_states.append(_fill(board, state, index, digit))
    return Search(solutions, found, max(nodes, 1), guesses, True)


def _place_clues(board: _Board, clues: Sequence[int]) -> list[_State]:
    """Return the position that the clues leave, or none when two equal ones share a unit."""
    state: _State = board.everything, 0, 0
    for index, place in enumerate(board.places):
        if clues[place]:
            digit = clues[place] - 1
            if not state[0] >> board.field * index + digit & 1:
                return []
            state = _fill(board, state, index, digit)
    return [state]


def _fill(board: _Board, state: _State, index: int, digit: int) -> _State:
    """Return the position with a digit, from 0, in a cell."""
    candidates, filled, placed = state
    return (
        candidates & board.keep(index, digit),
        filled | 1 << board.field * index,
        placed | board.in_units[index] << digit,
    )


def _propagate(board: _Board, state: _State) -> _State | None:
    """Apply the rules until nothing changes; None on a contradiction."""
    while True:
        after = _find_singles(board, state)
        if after is None:
            return None
        candidates, filled, placed = after
        # A full board has all its units, but not yet its sums.
        if filled == board.cell_bases and board.sums is None:
            return after
        left = _look_closer(board, candidates)
        if left == candidates:
            return after
        state = left, filled, placed


def _find_singles(board: _Board, state: _State) -> _State | None:
    """Fill naked and hidden singles until there are none; None on a contradiction."""
    candidates, filled, placed = state
    side, field, n_block = board.side, board.field, board.n_block
    bases, block, keep = board.cell_bases, board.block, board.keep
    while True:
        # The cells: halve the fields, and count once and twice.
        once = candidates & board.cells_mask
        twice = 0
        for shift in board.shifts:
            half = once >> shift
            twice |= twice >> shift | once & half
            once |= half
        if once & bases != bases:
            return None
        naked = bases & ~(twice | filled)
        # The units: the same over the blocks.
        in_units = once = candidates >> board.n_cell_bits
        twice = 0
        for n_low in board.halvings:
            n_bits = n_low * n_block
            low = (1 << n_bits) - 1
            half = once >> n_bits
            once &= low
            twice = twice & low | twice >> n_bits | once & half
            once |= half
        if once != block:
            return None
        hidden = block & ~(twice | placed)
        if not naked and not hidden:
            return candidates, filled, placed
        while naked:
            base = naked & -naked
            naked ^= base
            place = base.bit_length() - 1
            index = place // field
            digit = (candidates >> place & board.all_digits).bit_length() - 1
            if digit < 0:
                return None
            candidates &= keep(index, digit)
            filled |= base
            placed |= board.in_units[index] << digit
        hidden &= ~placed
        while hidden:
            place = hidden.bit_length() - 1
            hidden ^= 1 << place
            if placed >> place & 1:
                continue
            number, digit = divmod(place, side)
            slot = ((in_units & board.slots << place).bit_length() - 1) // n_block
            index = board.units[number][slot]
            candidates &= keep(index, digit)
            filled |= 1 << field * index
            placed |= board.in_units[index] << digit


def _look_closer(board: _Board, candidates: int) -> int:
    """Return what cages and locked candidates leave; 0 on a contradiction."""
    masks = _read_masks(board, candidates)
    struck = [0] * len(masks)
    if board.sums is not None and not board.sums.strike(masks, struck):
        return 0
    groups = masks.copy()
    for part in board.parts:
        together = 0
        for index in part:
            together |= masks[index]
        groups.append(together)
    for one, crossing, other in board.locks:
        in_one = in_other = 0
        for index in one:
            in_one |= groups[index]
        for index in other:
            in_other |= groups[index]
        # What stands in one rest only is locked in the crossing by the other unit.
        locked = (in_one ^ in_other) & groups[crossing]
        if locked:
            for index in board.spread(one) + board.spread(other):
                struck[index] |= masks[index] & locked
    killed = 0
    for index, digits in enumerate(struck):
        if digits:
            killed |= board.own[index] * digits
    return candidates & ~killed


def _read_masks(board: _Board, candidates: int) -> list[int]:
    """Return for each cell the mask of its digits."""
    data = (candidates & board.cells_mask).to_bytes(board.n_cell_bits // 8, sys.byteorder)
    fields = memoryview(data).cast("H" if board.field == 16 else "I").tolist()
    return fields if sys.byteorder == "little" else fields[::-1]


def _choose_by_chance(masks: Sequence[int], chance: Random) -> tuple[int, int]:
    """Return any digit, from 0, of any of the cells that have fewest."""
    fewest = min(count for mask in masks if (count := mask.bit_count()) > 1)
    index = chance.choice([i for i, mask in enumerate(masks) if mask.bit_count() == fewest])
    return index, chance.choice(bits_of(masks[index]))


def _choose_branch(board: _Board, candidates: int, masks: Sequence[int]) -> tuple[int, int]:
    """Return the cell and the digit, from 0, to try next.

    It is one of two options of a cell, or of a digit in a unit, that strike most candidates
    together; where there is no such pair, of the cell with fewest digits.
    """
    pairs = [
        ((index, mask.bit_length() - 1), (index, (mask & -mask).bit_length() - 1))
        for index, mask in enumerate(masks)
        if mask.bit_count() == 2
    ]
    pairs += _find_twins(board, candidates)
    if not pairs:
        fewest = min(range(len(masks)), key=lambda index: (masks[index].bit_count() - 2) % 99)
        return fewest, masks[fewest].bit_length() - 1
    in_cells = candidates & board.cells_mask
    struck = {
        (index, digit): (in_cells & board.near[index] << digit).bit_count()
        + masks[index].bit_count()
        for index, digit in {option for pair in pairs for option in pair}
    }
    return max(pairs, key=lambda pair: struck[pair[0]] + struck[pair[1]])[0]


def _find_twins(board: _Board, candidates: int) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the two options of every digit that has just two places in a unit."""
    n_block = board.n_block
    in_units = once = candidates >> board.n_cell_bits
    twice = thrice = 0
    for n_low in board.halvings:
        n_bits = n_low * n_block
        low = (1 << n_bits) - 1
        half, half_twice = once >> n_bits, twice >> n_bits
        once &= low
        twice &= low
        thrice = thrice & low | thrice >> n_bits | once & half_twice | twice & half
        twice |= half_twice | once & half
        once |= half
    exactly = twice & ~thrice
    twins = set()
    while exactly:
        place = exactly.bit_length() - 1
        exactly ^= 1 << place
        number, digit = divmod(place, board.side)
        both = in_units & board.slots << place
        first = ((both & -both).bit_length() - 1) // n_block
        last = (both.bit_length() - 1) // n_block
        unit = board.units[number]
        twins.add(((unit[first], digit), (unit[last], digit)))
    return twins


def _read_off(board: _Board, candidates: int, n_places: int) -> list[int]:
    digits = [0] * n_places
    for place, mask in zip(board.places, _read_masks(board, candidates), strict=True):
        digits[place] = mask.bit_length()
    return digits


def _halve(count: int) -> list[int]:
    """Return how many blocks are left each time that so many are folded in two."""
    halvings = []
    while count > 1:
        count = (count + 1) // 2
        halvings.append(count)
    return halvings


@lru_cache(_BOARDS_KEPT)
def _board(rules: Rules) -> _Board:
    return _Board(rules)
