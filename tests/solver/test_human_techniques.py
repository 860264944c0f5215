"""Each technique on a position made for it: what it finds there, and that it finds no more."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from puzzles import EASY_SOLUTION

from solver.grid import parse_grid
from solver.human.basics import (
    find_claiming,
    find_direct_claiming,
    find_direct_hidden_subsets,
    find_direct_pointing,
    find_fish,
    find_full_houses,
    find_hidden_singles_in_boxes,
    find_hidden_singles_in_lines,
    find_hidden_subsets,
    find_naked_singles,
    find_naked_subsets,
    find_pointing,
)
from solver.human.chains import LinkKind, find_chains, find_loops
from solver.human.colouring import (
    find_remote_pairs,
    find_simple_colourings,
    find_three_strong_links,
    find_turbot_fish,
)
from solver.human.masks import UNIT_CELLS, UNIT_MASKS
from solver.human.nets import find_forcing_chains, find_nishio, grow_net
from solver.human.position import Position, Step, Technique
from solver.human.reasons import explain
from solver.human.technique_engine import Options, TechniqueOrder, find_step
from solver.human.uniqueness import (
    find_bug,
    find_hidden_rectangles,
    find_unique_loops,
    find_unique_rectangles,
)
from solver.human.wings import (
    find_bent_sets,
    find_w_wings,
    find_xy_wings,
    find_xyz_wings,
)
from solver.human.words import Words

Finder = Callable[[Position], Iterator[Step]]

ROW, COLUMN, BOX = 0, 9, 18


def cell_of(name: str) -> int:
    return 9 * (int(name[1]) - 1) + int(name[3]) - 1


def position_with(**cells: str) -> Position:
    """Return an empty grid's position with other candidates in the cells named."""
    position = Position()
    for name, digits in cells.items():
        for digit in range(1, 10):
            if str(digit) not in digits:
                position.remove(cell_of(name), digit)
    return position


def confine(position: Position, digit: int, unit: int, *names: str) -> None:
    """Leave a digit only these places in a unit, counted from 1 within its kind."""
    for cell in UNIT_CELLS[unit - 1]:
        if Words().cell(cell) not in names:
            position.remove(cell, digit)


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


@pytest.mark.parametrize(
    "finder",
    [
        find_full_houses,
        find_hidden_singles_in_boxes,
        find_hidden_singles_in_lines,
        find_naked_singles,
        find_direct_pointing,
        find_direct_claiming,
        partial(find_direct_hidden_subsets, size=2),
        find_pointing,
        find_claiming,
        partial(find_naked_subsets, size=2),
        partial(find_hidden_subsets, size=3),
        partial(find_fish, size=3),
        find_xy_wings,
        find_xyz_wings,
        find_w_wings,
        find_simple_colourings,
        find_remote_pairs,
        find_unique_rectangles,
        find_unique_loops,
        find_hidden_rectangles,
        find_bug,
        partial(find_bent_sets, size=4),
        find_turbot_fish,
        partial(find_three_strong_links, grouped=True),
        partial(find_chains, kind=LinkKind.ALL),
        partial(find_loops, kind=LinkKind.ALL),
        find_forcing_chains,
    ],
)
def test_an_empty_grid_gives_nothing_to_find(finder: Finder) -> None:
    assert list(finder(Position())) == []


def test_a_full_house_is_the_last_cell_of_a_unit() -> None:
    position = Position.from_grid(parse_grid(EASY_SOLUTION[:80] + "."))

    step = first(find_full_houses, position)

    assert placed(step) == {"r9c9=9"}
    assert (step.technique, step.rating) == (Technique.FULL_HOUSE, 1.0)
    assert explain(step) == "r9c9 is the last empty cell of box 9, so it takes the missing 9."


def test_a_hidden_single_is_the_last_place_in_a_box_or_a_line() -> None:
    position = Position()
    confine(position, 7, BOX + 5, "r4c6")
    confine(position, 3, COLUMN + 2, "r8c2")

    in_box = first(find_hidden_singles_in_boxes, position)
    in_line = first(find_hidden_singles_in_lines, position)

    assert placed(in_box) == {"r4c6=7"}
    assert explain(in_box) == "In box 5, 7 fits only in r4c6."
    assert placed(in_line) == {"r8c2=3"}
    assert in_line.units == (10,)
    assert in_box.rating < in_line.rating


def test_a_naked_single_is_the_last_candidate() -> None:
    assert placed(first(find_naked_singles, position_with(r5c5="4"))) == {"r5c5=4"}


def test_pointing_clears_the_rest_of_the_line() -> None:
    position = Position()
    confine(position, 2, BOX + 1, "r1c1", "r1c3")

    assert removed(first(find_pointing, position)) == {f"r1c{column}-2" for column in range(4, 10)}


def test_claiming_clears_the_rest_of_the_box() -> None:
    position = Position()
    confine(position, 2, COLUMN + 9, "r7c9", "r8c9")

    assert removed(first(find_claiming, position)) == {
        f"r{row}c{column}-2" for row in (7, 8, 9) for column in (7, 8)
    }


def test_direct_pointing_is_told_with_the_single_that_it_leaves() -> None:
    position = Position()
    confine(position, 2, BOX + 1, "r1c1", "r1c3")
    confine(position, 2, BOX + 2, "r1c4", "r1c5", "r2c6")

    step = first(find_direct_pointing, position)

    assert placed(step) == {"r2c6=2"}
    assert step.technique is Technique.DIRECT_POINTING


def test_direct_claiming_is_told_with_the_single_that_it_leaves() -> None:
    position = Position()
    confine(position, 2, ROW + 1, "r1c1", "r1c3")
    confine(position, 2, ROW + 2, "r2c1", "r2c2", "r2c9")

    step = first(find_direct_claiming, position)

    assert placed(step) == {"r2c9=2"}
    assert step.technique is Technique.DIRECT_CLAIMING


def test_a_direct_hidden_pair_is_told_with_the_single_that_it_leaves() -> None:
    position = Position()
    confine(position, 1, ROW + 4, "r4c1", "r4c9")
    confine(position, 2, ROW + 4, "r4c1", "r4c9")
    confine(position, 3, ROW + 4, "r4c1", "r4c5")

    step = first(partial(find_direct_hidden_subsets, size=2), position)

    assert placed(step) == {"r4c5=3"}
    assert "r4c1-3" in removed(step)


def test_a_naked_pair_clears_all_units_that_it_shares() -> None:
    position = position_with(r1c1="12", r1c2="12")

    assert removed(first(partial(find_naked_subsets, size=2), position)) == {
        f"{name}-{digit}"
        for name in map(Words().cell, {*UNIT_CELLS[0], *UNIT_CELLS[18]} - {0, 1})
        for digit in (1, 2)
    }


@pytest.mark.parametrize(
    ("size", "cells"),
    [(3, ("12", "23", "13")), (4, ("12", "23", "34", "14"))],
)
def test_naked_subsets_need_no_cell_with_all_their_digits(
    size: int, cells: tuple[str, ...]
) -> None:
    names = ("r1c5", "r4c5", "r7c5", "r9c5")[:size]
    position = position_with(**dict(zip(names, cells, strict=True)))

    step = first(partial(find_naked_subsets, size=size), position)

    assert {Words().cell(cell) for cell in step.cells} == set(names)
    assert removed(step) == {
        f"r{row}c5-{digit}"
        for row in range(1, 10)
        if f"r{row}c5" not in names
        for digit in range(1, size + 1)
    }


@pytest.mark.parametrize("size", [2, 3, 4])
def test_hidden_subsets_clear_their_cells(size: int) -> None:
    names = ("r3c1", "r3c4", "r3c5", "r3c8")[:size]
    position = Position()
    for digit in range(1, size + 1):
        confine(position, digit, ROW + 3, *names)

    step = first(partial(find_hidden_subsets, size=size), position)

    assert removed(step) == {f"{name}-{digit}" for name in names for digit in range(size + 1, 10)}
    assert step.technique.label == f"hidden {('pair', 'triple', 'quad')[size - 2]}"


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("by_rows", [True, False])
def test_fish_clear_the_lines_that_cross_them(size: int, by_rows: bool) -> None:
    def name(base: int, cover: int) -> str:
        return f"r{base}c{cover}" if by_rows else f"r{cover}c{base}"

    bases, covers = (1, 4, 7, 9)[:size], (2, 5, 8, 9)[:size]
    position = Position()
    for base in bases:
        unit = (ROW if by_rows else COLUMN) + base
        confine(position, 6, unit, *(name(base, cover) for cover in covers))

    step = first(partial(find_fish, size=size), position)

    assert removed(step) == {
        f"{name(base, cover)}-6" for base in range(1, 10) for cover in covers if base not in bases
    }
    assert step.technique.label == ("X-wing", "swordfish", "jellyfish")[size - 2]


def test_an_xy_wing_clears_what_both_its_wings_see() -> None:
    step = first(find_xy_wings, position_with(r1c1="12", r1c7="13", r3c2="23"))

    assert removed(step) == {"r1c2-3", "r1c3-3", "r3c7-3", "r3c8-3", "r3c9-3"}


def test_an_xyz_wing_clears_what_all_three_cells_see() -> None:
    step = first(find_xyz_wings, position_with(r1c1="123", r1c7="13", r3c2="23"))

    assert removed(step) == {"r1c2-3", "r1c3-3"}


def test_a_w_wing_joins_two_equal_cells_through_a_unit() -> None:
    position = position_with(r1c1="12", r5c9="12")
    confine(position, 1, COLUMN + 5, "r1c5", "r5c5")

    assert removed(first(find_w_wings, position)) == {"r1c9-2", "r5c1-2"}


def test_a_w_wing_needs_the_unit_to_be_seen_whole() -> None:
    position = position_with(r1c1="12", r5c9="12")
    confine(position, 1, COLUMN + 5, "r1c5", "r5c5", "r8c5")

    assert list(find_w_wings(position)) == []


def test_simple_colouring_clears_what_sees_both_colours() -> None:
    position = Position()
    confine(position, 4, ROW + 1, "r1c1", "r1c9")
    confine(position, 4, COLUMN + 9, "r1c9", "r5c9")
    confine(position, 4, ROW + 5, "r5c9", "r5c3")

    assert "r2c3-4" in all_removed(find_simple_colourings, position)
    assert all_removed(find_simple_colourings, position) == {"r2c3-4", "r3c3-4", "r4c1-4", "r6c1-4"}


def test_simple_colouring_drops_a_colour_that_sees_itself() -> None:
    position = Position()
    confine(position, 4, ROW + 1, "r1c1", "r1c9")
    confine(position, 4, COLUMN + 9, "r1c9", "r5c9")
    confine(position, 4, ROW + 5, "r5c9", "r5c2")
    confine(position, 4, COLUMN + 2, "r5c2", "r2c2")

    step = first(find_simple_colourings, position)

    # r1c1 and r5c9 have one colour; r1c9, r5c2 the other; r2c2, with r1c1, sees it in box 1.
    assert removed(step) == {"r1c1-4", "r2c2-4", "r5c9-4"}


def test_remote_pairs_clear_both_digits() -> None:
    position = position_with(r1c1="12", r1c5="12", r6c5="12", r6c9="12")

    assert removed(first(find_remote_pairs, position)) == {"r1c9-1", "r1c9-2", "r6c1-1", "r6c1-2"}


def test_remote_pairs_of_odd_number_prove_nothing() -> None:
    assert list(find_remote_pairs(position_with(r1c1="12", r1c5="12", r6c5="12"))) == []


def test_unique_rectangle_type_1_clears_the_odd_corner() -> None:
    step = first(find_unique_rectangles, position_with(r1c1="12", r1c2="12", r5c1="12", r5c2="123"))

    assert removed(step) == {"r5c2-1", "r5c2-2"}
    assert step.technique is Technique.UNIQUE_RECTANGLE_1


def test_a_rectangle_in_four_boxes_proves_nothing() -> None:
    position = position_with(r1c1="12", r1c5="12", r5c1="12", r5c5="123")

    assert list(find_unique_rectangles(position)) == []


def test_unique_rectangle_type_2_clears_what_sees_the_extra_digit() -> None:
    step = first(
        find_unique_rectangles, position_with(r1c1="12", r1c2="12", r5c1="123", r5c2="123")
    )

    assert step.technique is Technique.UNIQUE_RECTANGLE_2
    assert removed(step) == {
        *(f"r5c{column}-3" for column in range(3, 10)),
        *(f"r{row}c{column}-3" for row in (4, 6) for column in (1, 2, 3)),
    }


def test_unique_rectangle_type_3_makes_a_naked_pair_with_another_cell() -> None:
    position = position_with(r1c1="12", r1c2="12", r5c1="123", r5c2="124", r5c9="34")

    step = first(find_unique_rectangles, position)

    assert step.technique is Technique.UNIQUE_RECTANGLE_3
    assert removed(step) == {f"r5c{column}-{digit}" for column in range(3, 9) for digit in (3, 4)}


def test_unique_rectangle_type_4_clears_the_other_digit() -> None:
    position = position_with(r1c1="12", r1c2="12", r5c1="123", r5c2="124")
    confine(position, 1, ROW + 5, "r5c1", "r5c2")

    step = first(find_unique_rectangles, position)

    assert step.technique is Technique.UNIQUE_RECTANGLE_4
    assert removed(step) == {"r5c1-2", "r5c2-2"}


def test_a_hidden_rectangle_clears_the_corner_opposite() -> None:
    position = position_with(r1c1="12")
    confine(position, 1, ROW + 5, "r5c1", "r5c2")
    confine(position, 1, COLUMN + 2, "r1c2", "r5c2")

    assert all_removed(find_hidden_rectangles, position) == {"r5c2-2"}


def test_a_unique_loop_of_six_clears_its_odd_cell() -> None:
    position = position_with(r1c1="12", r2c1="1235", r2c4="12", r3c4="12", r3c7="12", r1c7="12")

    step = first(find_unique_loops, position)

    assert step.technique is Technique.UNIQUE_LOOP
    assert step.rating == 4.6
    assert removed(step) == {"r2c1-1", "r2c1-2"}


def test_bug_settles_the_one_cell_with_three_candidates() -> None:
    position = Position.from_grid(
        parse_grid(
            "4.1....76.....1....26.8.5...6..23.4.1.....9..34...........4...52..7...........892"
        )
    )
    while not list(find_bug(position)):
        step = find_step(position, Options(TechniqueOrder.RATING))
        assert step is not None
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


def test_bug_needs_every_other_cell_to_have_two() -> None:
    position = Position.from_grid(parse_grid(EASY_SOLUTION[:27] + "." * 54))

    assert list(find_bug(position)) == []


def test_a_wxyz_wing_clears_the_digit_that_is_not_held_together() -> None:
    position = position_with(r1c1="13", r1c2="23", r1c8="124", r3c3="34")

    step = first(partial(find_bent_sets, size=4), position)

    assert step.technique is Technique.WXYZ_WING
    assert removed(step) == {"r1c3-4", "r3c7-4", "r3c8-4", "r3c9-4"}


def test_two_loose_digits_make_no_wing() -> None:
    position = position_with(r1c1="13", r1c2="23", r1c8="134", r3c3="34")

    assert list(find_bent_sets(position, size=4)) == []


def test_a_skyscraper_clears_what_sees_both_its_tops() -> None:
    position = Position()
    confine(position, 5, COLUMN + 2, "r1c2", "r9c2")
    confine(position, 5, COLUMN + 8, "r2c8", "r9c8")

    step = first(find_turbot_fish, position)

    assert step.technique is Technique.SKYSCRAPER
    assert removed(step) == {"r1c7-5", "r1c9-5", "r2c1-5", "r2c3-5"}


def test_a_two_string_kite_clears_the_cell_at_the_end_of_both_strings() -> None:
    position = Position()
    confine(position, 5, ROW + 1, "r1c1", "r1c9")
    confine(position, 5, COLUMN + 2, "r2c2", "r9c2")

    step = first(find_turbot_fish, position)

    assert step.technique is Technique.TWO_STRING_KITE
    assert removed(step) == {"r9c9-5"}


def test_three_strong_links_reach_further() -> None:
    position = Position()
    confine(position, 5, ROW + 1, "r1c1", "r1c9")
    confine(position, 5, COLUMN + 2, "r2c2", "r5c2")
    confine(position, 5, ROW + 6, "r6c3", "r6c8")

    found = all_removed(partial(find_three_strong_links, grouped=False), position)

    assert found == {"r2c8-5", "r3c8-5", "r4c9-5", "r5c9-5"}


def test_an_xy_chain_makes_one_of_its_ends_right() -> None:
    position = position_with(r1c1="12", r1c5="23", r5c5="34", r5c9="14")

    step = first(partial(find_chains, kind=LinkKind.XY), position)

    assert step.technique is Technique.XY_CHAIN
    assert removed(step) == {"r1c9-1", "r5c1-1"}
    assert step.rating == 7.2
    assert explain(step) == (
        "If r5c9 is not 1, then r5c9 is 4, so r5c5 is 3, so r1c5 is 2, so r1c1 is 1. So "
        "r5c9 is 1 or r1c1 is 1, and what both rule out is wrong. Strike 1 from r1c9 and r5c1."
    )


def test_an_aic_mixes_cells_and_units() -> None:
    position = position_with(r1c1="12", r5c9="12")
    confine(position, 1, COLUMN + 5, "r1c5", "r5c5")

    step = first(partial(find_chains, kind=LinkKind.ALL), position)

    assert removed(step) == {"r1c9-2", "r5c1-2"}
    assert (step.technique, step.rating) == (Technique.AIC, 7.1)


def test_a_loop_clears_what_any_two_neighbours_rule_out() -> None:
    position = position_with(r1c1="12", r1c5="23", r5c5="34", r5c1="14")

    step = first(partial(find_loops, kind=LinkKind.XY), position)

    assert step.technique is Technique.XY_CYCLE
    assert removed(step) == {
        *(f"r1c{column}-2" for column in (2, 3, 4, 6, 7, 8, 9)),
        *(f"r{row}c5-3" for row in (2, 3, 4, 6, 7, 8, 9)),
        *(f"r5c{column}-4" for column in (2, 3, 4, 6, 7, 8, 9)),
        *(f"r{row}c1-1" for row in (2, 3, 4, 6, 7, 8, 9)),
    }


def test_a_cell_forcing_chain_needs_all_candidates_to_agree() -> None:
    cells = {"r5c1": "19", "r1c5": "29", "r4c4": "38", "r4c1": "89"}

    step = first(find_forcing_chains, position_with(r5c5="123", **cells))

    assert step.technique is Technique.CELL_FORCING
    assert removed(step) == {"r1c1-9"}
    assert explain(step).startswith("Whatever digit r5c5 takes, r1c1 is not 9: if r5c5 is 1, ")
    assert list(find_forcing_chains(position_with(r5c5="1234", **cells))) == []


def test_a_net_uses_what_its_own_eliminations_have_opened() -> None:
    # 1 in r5c5 leaves r5c1 and r1c5 with 2, which together leave r1c1 with 9 only.
    position = position_with(r5c5="13", r5c1="12", r1c5="12", r1c1="29")

    net = grow_net(position, (candidate("r5c5", 1), True))

    assert net.right >> candidate("r1c1", 9) & 1
    assert net.clash is None
    assert net.ancestors([(candidate("r1c1", 9), True)])[0] == (candidate("r5c5", 1), True)


def test_a_net_that_contradicts_itself_says_where() -> None:
    position = position_with(r5c5="13", r5c1="12", r5c9="12")

    net = grow_net(position, (candidate("r5c5", 1), True))

    assert net.clash is not None
    assert {is_right for n, is_right in net.parents if n == net.clash} == {True, False}


def test_only_a_net_with_locked_candidates_uses_them() -> None:
    position = Position()
    confine(position, 5, BOX + 1, "r1c1", "r1c2", "r2c1")

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
    position = Position()
    confine(position, 5, COLUMN + 9, "r4c9", "r5c9")

    step = first(find_nishio, position)

    assert removed(step) == {"r4c7-5"}
    assert explain(step) == (
        "Suppose, one after the other: r4c7 is 5, r4c9 is not 5, r5c9 is not 5, r5c9 is 5. That "
        "contradicts itself, so r4c7 is not 5. Strike 5 from r4c7."
    )


def test_units_and_masks_agree() -> None:
    assert all(mask.bit_count() == 9 for mask in UNIT_MASKS)
