"""Each technique on a position made for it: what it finds there, and that it finds no more."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import pytest
from present import present
from puzzles import EASY_SOLUTION

from solver.grid import parse_grid
from solver.human.basics import (
    find_claiming,
    find_direct,
    find_full_houses,
    find_hidden_singles,
    find_hidden_subsets,
    find_naked_singles,
    find_pointing,
)
from solver.human.chains import LinkKind, find_chains, find_loops
from solver.human.colouring import find_simple_colourings, find_three_strong_links
from solver.human.masks import UNIT_CELLS, UNIT_MASKS
from solver.human.nets import find_forcing_chains, find_nishio, grow_net
from solver.human.position import Position, Step, Technique
from solver.human.reasons import explain
from solver.human.technique_engine import Options, TechniqueOrder, find_step, find_technique
from solver.human.uniqueness import find_bug
from solver.human.words import Words

Finder = Callable[[Position], Iterator[Step]]
T = Technique


def cell_of(name: str) -> int:
    return 9 * (int(name[1]) - 1) + int(name[3]) - 1


def drawn(text: str) -> Position:
    """Return an empty grid's position but for some cells, and for the places of digits in units.

    "r1c1=12 r5c9=13; 4 b2: r1c4 r2c5" has two cells with two candidates, and the digit 4 in two
    places of box 2.
    """
    position = Position()
    cells, *confined = text.split(";")
    for name, digits in (cell.split("=") for cell in cells.split()):
        for digit in set("123456789") - set(digits):
            position.remove(cell_of(name), int(digit))
    for one in confined:
        digit, unit, *names = one.replace(":", "").split()
        for cell in UNIT_CELLS["rcb".index(unit[0]) * 9 + int(unit[1]) - 1]:
            if Words().cell(cell) not in names:
                position.remove(cell, int(digit))
    return position


def spread(text: str) -> set[str]:
    """Return what is ruled out: "r1c1-3 r46c7-12" has the digits 1 and 2 in rows 4 and 6, too."""
    found = (re.fullmatch(r"r(\d+)c(\d+)-(\d+)", one) for one in text.split())
    return {f"r{r}c{c}-{d}" for one in found if one for r, c, d in product(*one.groups())}


def candidate(name: str, digit: int) -> int:
    return 81 * (digit - 1) + cell_of(name)


def first(finder: Finder, position: Position) -> Step:
    return next(finder(position))


def removed(step: Step) -> set[str]:
    return {f"{Words().cell(cell)}-{digit}" for cell, digit in step.eliminations}


def placed(step: Step) -> set[str]:
    return {f"{Words().cell(cell)}={digit}" for cell, digit in step.placements}


def all_removed(finder: Finder, position: Position) -> set[str]:
    return {item for step in finder(position) for item in removed(step)}


DIRECT_POINTING = partial(find_direct, find=find_pointing)
DIRECT_CLAIMING = partial(find_direct, find=find_claiming)
DIRECT_PAIRS = partial(find_direct, find=partial(find_hidden_subsets, size=2))
RATING_ONLY = (
    DIRECT_POINTING,
    DIRECT_CLAIMING,
    DIRECT_PAIRS,
    partial(find_three_strong_links, grouped=True),
)
OF_RATING_ORDER = {
    *(T.DIRECT_POINTING, T.DIRECT_CLAIMING, T.DIRECT_HIDDEN_PAIR, T.DIRECT_HIDDEN_TRIPLE),
    *(T.THREE_STRONG_LINKS, T.GROUPED_STRONG_LINKS, T.VWXYZ_WING),
    *(T.X_CYCLE, T.XY_CYCLE, T.NISHIO),
}
"""Techniques that `find_technique` does not know."""
SLOW = {T.DYNAMIC_FORCING, T.DYNAMIC_FORCING_PLUS}


def test_an_empty_grid_gives_nothing_to_find() -> None:
    for finder in RATING_ONLY:
        assert list(finder(Position())) == []
    for technique in set(Technique) - OF_RATING_ORDER - SLOW:
        assert find_technique(Position(), technique) is None


def test_a_full_house_is_the_last_cell_of_a_unit() -> None:
    position = Position.from_grid(parse_grid(EASY_SOLUTION[:80] + "."))

    step = first(find_full_houses, position)

    assert placed(step) == {"r9c9=9"}
    assert (step.technique, step.rating) == (Technique.FULL_HOUSE, 1.0)
    assert explain(step) == "r9c9 is the last empty cell of box 9, so it takes the missing 9."


def test_a_hidden_single_is_the_last_place_in_a_box_or_a_line() -> None:
    position = drawn("; 7 b5: r4c6; 3 c2: r8c2")

    in_box = first(partial(find_hidden_singles, are_lines=False), position)
    in_line = first(partial(find_hidden_singles, are_lines=True), position)

    assert placed(in_box) == {"r4c6=7"}
    assert explain(in_box) == "In box 5, 7 fits only in r4c6."
    assert placed(in_line) == {"r8c2=3"}
    assert in_line.units == (10,)
    assert in_box.rating < in_line.rating


def test_a_naked_single_is_the_last_candidate() -> None:
    assert placed(first(find_naked_singles, drawn("r5c5=4"))) == {"r5c5=4"}


@pytest.mark.parametrize(
    ("technique", "rating", "drawing", "gone"),
    [
        (T.POINTING, 2.6, "; 2 b1: r1c1 r1c3", "r1c456789-2"),
        (T.CLAIMING, 2.8, "; 2 c9: r7c9 r8c9", "r789c78-2"),
        (T.NAKED_PAIR, 3.0, "r1c1=12 r1c2=12", "r1c3456789-12 r23c123-12"),
        (T.NAKED_TRIPLE, 3.6, "r1c5=12 r4c5=23 r7c5=13", "r235689c5-123"),
        (T.NAKED_QUAD, 5.0, "r1c5=12 r4c5=23 r7c5=34 r9c5=14", "r23568c5-1234"),
        (T.HIDDEN_PAIR, 3.4, "; 1 r3: r3c1 r3c4; 2 r3: r3c1 r3c4", "r3c14-3456789"),
        (
            T.HIDDEN_TRIPLE,
            4.0,
            "; 1 r3: r3c1 r3c4 r3c5; 2 r3: r3c1 r3c4 r3c5; 3 r3: r3c1 r3c4 r3c5",
            "r3c145-456789",
        ),
        (
            T.HIDDEN_QUAD,
            5.4,
            "".join(f"; {d} r3: r3c1 r3c4 r3c5 r3c8" for d in "1234"),
            "r3c1458-56789",
        ),
        (T.X_WING, 3.2, "; 6 r1: r1c2 r1c5; 6 r4: r4c2 r4c5", "r2356789c25-6"),
        (T.X_WING, 3.2, "; 6 c1: r2c1 r5c1; 6 c4: r2c4 r5c4", "r25c2356789-6"),
        (
            T.SWORDFISH,
            3.8,
            "; 6 r1: r1c2 r1c5 r1c8; 6 r4: r4c2 r4c5 r4c8; 6 r7: r7c2 r7c5 r7c8",
            "r235689c258-6",
        ),
        (
            T.JELLYFISH,
            5.2,
            "".join(f"; 6 c{c}: r2c{c} r5c{c} r8c{c} r9c{c}" for c in "1479"),
            "r2589c23568-6",
        ),
        (T.XY_WING, 4.2, "r1c1=12 r1c7=13 r3c2=23", "r1c23-3 r3c789-3"),
        (T.XYZ_WING, 4.4, "r1c1=123 r1c7=13 r3c2=23", "r1c23-3"),
        (T.W_WING, 4.4, "r1c1=12 r5c9=12; 1 c5: r1c5 r5c5", "r1c9-2 r5c1-2"),
        (
            T.SIMPLE_COLOURING,
            4.2,  # r1c1, r5c9 and r2c2 have one colour, which sees itself in box 1
            "; 4 r1: r1c1 r1c9; 4 c9: r1c9 r5c9; 4 r5: r5c9 r5c2; 4 c2: r5c2 r2c2",
            "r1c1-4 r2c2-4 r5c9-4",
        ),
        (T.REMOTE_PAIR, 6.7, "r1c1=12 r1c5=12 r6c5=12 r6c9=12", "r1c9-12 r6c1-12"),
        (T.UNIQUE_RECTANGLE_1, 4.5, "r1c1=12 r1c2=12 r5c1=12 r5c2=123", "r5c2-12"),
        (T.UNIQUE_RECTANGLE_2, 4.5, "r1c1=12 r1c2=12 r5c1=123 r5c2=123", "r5c3456789-3 r46c123-3"),
        (T.UNIQUE_RECTANGLE_3, 4.6, "r1c1=12 r1c2=12 r5c1=123 r5c2=124 r5c9=34", "r5c345678-34"),
        (
            T.UNIQUE_RECTANGLE_3,
            4.7,
            "r1c1=12 r1c2=12 r5c1=123 r5c2=124 r5c8=35 r5c9=45",
            "r5c34567-345",
        ),
        (
            T.UNIQUE_RECTANGLE_4,
            4.5,
            "r1c1=12 r1c2=12 r5c1=123 r5c2=124; 1 r5: r5c1 r5c2",
            "r5c12-2",
        ),
        (T.HIDDEN_RECTANGLE, 4.8, "r1c1=12; 1 r5: r5c1 r5c2; 1 c2: r1c2 r5c2", "r5c2-2"),
        (T.UNIQUE_LOOP, 4.6, "r1c1=12 r2c1=1235 r2c4=12 r3c4=12 r3c7=12 r1c7=12", "r2c1-12"),
        (T.WXYZ_WING, 5.6, "r1c1=13 r1c2=23 r1c8=124 r3c3=34", "r1c3-4 r3c789-4"),
        (T.SKYSCRAPER, 4.0, "; 5 c2: r1c2 r9c2; 5 c8: r2c8 r9c8", "r1c79-5 r2c13-5"),
        (T.TWO_STRING_KITE, 4.1, "; 5 r1: r1c1 r1c9; 5 c2: r2c2 r9c2", "r9c9-5"),
        (T.AIC, 7.1, "r1c1=12 r5c9=12; 1 c5: r1c5 r5c5", "r1c9-2 r5c1-2"),
    ],
)
def test_a_technique_clears_what_its_pattern_rules_out(
    technique: Technique, rating: float, drawing: str, gone: str
) -> None:
    step = present(find_technique(drawn(drawing), technique))

    assert removed(step) == spread(gone)
    assert step.rating == rating


def test_a_loop_clears_what_any_two_neighbours_rule_out() -> None:
    position = drawn("r1c1=12 r1c5=23 r5c5=34 r5c1=14")

    step = first(partial(find_loops, kind=LinkKind.XY), position)

    assert step.technique is Technique.XY_CYCLE
    assert removed(step) == spread("r1c2346789-2 r2346789c5-3 r5c2346789-4 r2346789c1-1")


@pytest.mark.parametrize(
    ("finder", "position", "technique", "single"),
    [
        (
            DIRECT_POINTING,
            drawn("; 2 b1: r1c1 r1c3; 2 b2: r1c4 r1c5 r2c6"),
            T.DIRECT_POINTING,
            "r2c6=2",
        ),
        (
            DIRECT_CLAIMING,
            drawn("; 2 r1: r1c1 r1c3; 2 r2: r2c1 r2c2 r2c9"),
            T.DIRECT_CLAIMING,
            "r2c9=2",
        ),
        (
            DIRECT_PAIRS,
            drawn("; 1 r4: r4c1 r4c9; 2 r4: r4c1 r4c9; 3 r4: r4c1 r4c5"),
            T.DIRECT_HIDDEN_PAIR,
            "r4c5=3",
        ),
    ],
)
def test_a_direct_step_is_told_with_the_single_that_it_leaves(
    finder: Finder, position: Position, technique: Technique, single: str
) -> None:
    step = first(finder, position)

    assert placed(step) == {single}
    assert step.technique is technique


@pytest.mark.parametrize(
    ("technique", "drawing"),
    [
        (T.W_WING, "r1c1=12 r5c9=12; 1 c5: r1c5 r5c5 r8c5"),  # the unit is not seen whole
        (T.REMOTE_PAIR, "r1c1=12 r1c5=12 r6c5=12"),  # of an odd number
        (T.UNIQUE_RECTANGLE_1, "r1c1=12 r1c5=12 r5c1=12 r5c5=123"),  # in four boxes
        (T.WXYZ_WING, "r1c1=13 r1c2=23 r1c8=134 r3c3=34"),  # two loose digits
        (T.BUG, "r1c1=123"),  # others have more than two candidates, too
    ],
)
def test_what_lacks_a_part_proves_nothing(technique: Technique, drawing: str) -> None:
    assert find_technique(drawn(drawing), technique) is None


def test_simple_colouring_clears_what_sees_both_colours() -> None:
    position = drawn("; 4 r1: r1c1 r1c9; 4 c9: r1c9 r5c9; 4 r5: r5c9 r5c3")

    assert all_removed(find_simple_colourings, position) == spread("r23c3-4 r46c1-4")


def test_bug_settles_the_one_cell_with_three_candidates() -> None:
    position = Position.from_grid(
        parse_grid(
            "4.1....76.....1....26.8.5...6..23.4.1.....9..34...........4...52..7...........892"
        )
    )
    while not list(find_bug(position)):
        step = present(find_step(position, Options(TechniqueOrder.RATING)))
        position.apply(step)

    (step,) = find_bug(position)

    assert sorted(position.cells[cell].bit_count() for cell in range(81))[-2:] == [2, 3]
    ((cell, digit),) = step.placements
    assert step.cells == (cell,)
    without = position.copy()
    without.remove(cell, digit)
    assert all(
        (places & unit).bit_count() in {0, 2} for places in without.digits for unit in UNIT_MASKS
    )


def test_three_strong_links_reach_further() -> None:
    position = drawn("; 5 r1: r1c1 r1c9; 5 c2: r2c2 r5c2; 5 r6: r6c3 r6c8")

    found = all_removed(partial(find_three_strong_links, grouped=False), position)

    assert found == spread("r23c8-5 r45c9-5")


def test_an_xy_chain_makes_one_of_its_ends_right() -> None:
    position = drawn("r1c1=12 r1c5=23 r5c5=34 r5c9=14")

    step = first(partial(find_chains, kind=LinkKind.XY), position)

    assert step.technique is Technique.XY_CHAIN
    assert removed(step) == {"r1c9-1", "r5c1-1"}
    assert step.rating == 7.2
    assert explain(step) == (
        "If r5c9 is not 1, then r5c9 is 4, so r5c5 is 3, so r1c5 is 2, so r1c1 is 1. So "
        "r5c9 is 1 or r1c1 is 1, and what both rule out is wrong. Strike 1 from r1c9 and r5c1."
    )


def test_a_cell_forcing_chain_needs_all_candidates_to_agree() -> None:
    cells = "r5c1=19 r1c5=29 r4c4=38 r4c1=89"

    step = first(find_forcing_chains, drawn(f"r5c5=123 {cells}"))

    assert step.technique is Technique.CELL_FORCING
    assert removed(step) == {"r1c1-9"}
    assert explain(step).startswith("Whatever digit r5c5 takes, r1c1 is not 9: if r5c5 is 1, ")
    assert list(find_forcing_chains(drawn(f"r5c5=1234 {cells}"))) == []


def test_a_net_uses_what_its_own_eliminations_have_opened() -> None:
    # 1 in r5c5 leaves r5c1 and r1c5 with 2, which together leave r1c1 with 9 only.
    position = drawn("r5c5=13 r5c1=12 r1c5=12 r1c1=29")

    net = grow_net(position, (candidate("r5c5", 1), True))

    assert net.right >> candidate("r1c1", 9) & 1
    assert net.clash is None
    assert net.ancestors([(candidate("r1c1", 9), True)])[0] == (candidate("r5c5", 1), True)


def test_a_net_that_contradicts_itself_says_where() -> None:
    position = drawn("r5c5=13 r5c1=12 r5c9=12")

    net = grow_net(position, (candidate("r5c5", 1), True))

    assert {is_right for n, is_right in net.parents if n == present(net.clash)} == {True, False}


def test_only_a_net_with_locked_candidates_uses_them() -> None:
    position = drawn("; 5 b1: r1c1 r1c2 r2c1")

    plain, locked = (
        grow_net(position, (candidate("r2c9", 5), True), with_locked=with_locked)
        for with_locked in (False, True)
    )

    assert not plain.wrong >> candidate("r1c5", 5) & 1
    assert locked.wrong >> candidate("r1c5", 5) & 1
    because = locked.parents[candidate("r1c5", 5), False]
    assert because
    assert all(not is_right and locked.wrong >> n & 1 for n, is_right in because)


def test_nishio_refutes_a_place_that_leaves_a_unit_without_one() -> None:
    position = drawn("; 5 c9: r4c9 r5c9")

    step = first(find_nishio, position)

    assert removed(step) == {"r4c7-5"}
    assert explain(step) == (
        "Suppose, one after the other: r4c7 is 5, r4c9 is not 5, r5c9 is not 5, r5c9 is 5. That "
        "contradicts itself, so r4c7 is not 5. Strike 5 from r4c7."
    )
