"""Cages and sums are told from what was seen, or settled as all that is likely and solvable."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from kind_puzzles import make_kind
from present import present

from solver.decoding import cage_walls
from solver.decoding.cage_colours import open_plain_cells, turn_sides, weigh_colours
from solver.decoding.cage_readings import SumReadings
from solver.decoding.cage_walls import COVER_GAP, FEW_TRIED, decode_walls
from solver.decoding.cages import CageCover, CageDecoding, decode_cages, settle_cages
from solver.rules import Cage, Kind, Rules, killer_rules
from training.pages.shape import colour_regions
from vision.kinds.markings import PaperSteps, turn_steps

Floats = npt.NDArray[np.float64]


def draw_killer(seed: int = 1) -> Rules:
    puzzle = make_kind(Kind.KILLER, seed=seed)
    return puzzle.rules


def see(rules: Rules) -> tuple[Floats, Floats]:
    """Return what a good reader sees of a killer."""
    sums, walls = np.full((81, 46), 1e-4), np.full((81, 4), 0.01)
    owner = {cell: cage for cage in rules.cages for cell in cage.cells}
    sums[:, 0] = 1
    for cell in owner:
        first = owner[cell].cells[0] == cell
        if first:
            sums[cell, [0, owner[cell].total]] = 1e-4, 1
        row, column = divmod(cell, 9)
        for side, (down, right) in enumerate(((0, -1), (-1, 0), (0, 1), (1, 0))):
            y, x = row + down, column + right
            if not (0 <= y < 9 and 0 <= x < 9) or owner.get(y * 9 + x) != owner[cell]:
                walls[cell, side] = 0.99
    return sums / sums.sum(axis=1, keepdims=True), walls


def show_killer(seed: int = 1) -> tuple[Rules, Floats, Floats]:
    """Return a killer, and what a good reader sees of its sums and walls."""
    rules = draw_killer(seed)
    return rules, *see(rules)


def confuse(sums: Floats, cell: int, digits: dict[int, float]) -> None:
    sums[cell] = 1e-6
    for number, share in digits.items():
        sums[cell, number] = share
    sums[cell] /= sums[cell].sum()


def test_what_is_clearly_seen_is_told() -> None:
    rules = draw_killer()

    told = decode_cages(*see(rules))

    assert told.cages == rules.cages
    assert told.confidence > 0.99
    assert not told.corrected


def test_a_wall_that_is_not_seen_is_found_where_two_sums_need_it() -> None:
    rules, sums, walls = show_killer()
    cage = next(cage for cage in rules.cages if cage.cells[0] % 9 and len(cage.cells) == 1)
    cell = cage.cells[0]
    walls[cell, 0], walls[cell - 1, 2] = 0.4, 0.4

    told = decode_cages(sums, walls)

    assert told.cages == rules.cages


def test_walls_that_are_not_seen_are_found_where_others_end_and_many_more_are_doubtful() -> None:
    rules, sums, walls = show_killer()
    owner = {cell: cage for cage in rules.cages for cell in cage.cells}
    ends = [cell for cell in range(81) if cell % 9 < 8 and owner[cell] != owner[cell + 1]]
    for cell in ends:
        walls[cell, 2], walls[cell + 1, 0] = 0.53, 0.53
    for cell in ends[::5]:
        walls[cell, 2], walls[cell + 1, 0] = 0.4, 0.45
    assert len(ends) > 30

    found = decode_walls(sums, walls)

    assert found.covers[0][1] == tuple(cage.cells for cage in rules.cages)


def join_unparted(pairs: Sequence[tuple[int, int]], is_wall: Sequence[bool]) -> list[int]:
    """Return for each cell of a board of 3×3 the first cell of its cage."""
    owner = list(range(9))
    for (one, other), parts in zip(pairs, is_wall, strict=True):
        if not parts:
            joined = {owner[one], owner[other]}
            owner = [min(joined) if first in joined else first for first in owner]
    return owner


@pytest.mark.parametrize("seed", range(6))
def test_the_likely_cages_are_those_of_all_that_walls_may_enclose(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sums, walls = np.full((9, 46), 1e-3), rng.uniform(0.15, 0.85, (9, 4))
    sums[:, 0] = rng.uniform(0.06, 0.14, 9)
    sums /= sums.sum(axis=1, keepdims=True)
    unseen, odds = np.log(sums[:, 0] / (1 - sums[:, 0])), np.log(walls / (1 - walls))
    sides = [(cell, cell + 1, 2, 0) for cell in range(9) if cell % 3 < 2]
    sides += [(cell, cell + 3, 3, 1) for cell in range(6)]
    pairs = [(one, other) for one, other, _, _ in sides]
    seen = np.array([odds[one, a] + odds[other, b] for one, other, a, b in sides])
    losses = {}
    for is_wall in product([False, True], repeat=len(pairs)):
        owner = join_unparted(pairs, is_wall)
        ends_within = any(
            owner[a] == owner[b] for (a, b), wall in zip(pairs, is_wall, strict=True) if wall
        )
        if not ends_within and max(map(owner.count, owner)) <= 3:
            cages = tuple(
                tuple(cell for cell in range(9) if owner[cell] == first)
                for first in sorted(set(owner))
            )
            losses[cages] = (
                np.abs(seen)[(seen > 0) != is_wall].sum() + unseen[list(set(owner))].sum()
            )
    least = min(losses.values())

    found = decode_walls(sums, walls).covers

    assert {cages for _, cages in found} == {
        cages for cages, loss in losses.items() if loss < least + COVER_GAP
    }
    assert found[0][0] == pytest.approx(least)


def test_noise_is_asked_only_briefly_whether_it_may_be_cages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    sums, walls = rng.uniform(size=(81, 46)), rng.uniform(size=(81, 4))
    sums[:, 0] *= 45
    sums /= sums.sum(axis=1, keepdims=True)
    tried = []
    find_choices = cage_walls._WallPlan.find_choices

    def count(plan: cage_walls._WallPlan, *bits: int) -> object:
        tried.append(bits)
        return find_choices(plan, *bits)

    monkeypatch.setattr(cage_walls._WallPlan, "find_choices", count)

    open_plain_cells(walls, np.zeros((9, 8, 3)), np.zeros((8, 9, 3)), sums)
    n_tried = len(tried)

    assert 0 < n_tried <= FEW_TRIED
    decode_walls(sums, walls)
    assert len(tried) - n_tried > 2 * FEW_TRIED


def test_a_cell_with_dim_walls_is_not_left_out_where_that_is_less_likely() -> None:
    rules, sums, walls = show_killer()
    one, other = next(cage.cells for cage in rules.cages if len(cage.cells) == 2)
    walls[other] = 0.05
    walls[one, 2 if other == one + 1 else 3] = 0.9

    found = decode_walls(sums, walls)

    assert found.covers[0][1] == tuple(cage.cells for cage in rules.cages)


def test_cages_that_may_be_parted_in_two_ways_are_not_told() -> None:
    rules, sums, walls = show_killer()
    cage = next(
        cage for cage in rules.cages
        if len(cage.cells) == 2 and cage.cells[1] == cage.cells[0] + 1 and 5 < cage.total <= 9
    )  # fmt: skip
    left, right = cage.cells
    walls[left, 2], walls[right, 0] = 0.6, 0.6
    confuse(sums, left, {cage.total: 0.5, cage.total - 5: 0.5})
    confuse(sums, right, {0: 0.5, 5: 0.5})

    assert not decode_cages(sums, walls).cages


def test_a_cage_is_not_parted_where_its_sum_is_too_large_for_fewer_cells() -> None:
    rules, sums, walls = show_killer()
    cage = next(cage for cage in rules.cages if len(cage.cells) == 2 and cage.total > 9)
    one, other = cage.cells
    sides = (2, 0) if other == one + 1 else (3, 1)
    walls[one, sides[0]], walls[other, sides[1]] = 0.95, 0.94

    found = decode_walls(sums, walls)

    assert found.cages == tuple(cage.cells for cage in rules.cages)


def test_a_doubtful_wall_is_told_where_the_sums_need_it() -> None:
    rules, sums, walls = show_killer()
    cage = next(
        cage for cage in rules.cages
        if len(cage.cells) == 1 and cage.cells[0] % 9
        and next(one for one in rules.cages if cage.cells[0] - 1 in one.cells).total > 5
    )  # fmt: skip
    (cell,) = cage.cells
    confuse(sums, cell, {0: 0.9, cage.total: 0.1})
    walls[cell, 0], walls[cell - 1, 2] = 0.5, 0.4

    told = decode_cages(sums, walls)

    assert told.cages == rules.cages


def test_a_cover_that_was_not_weighed_ousts_none(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, sums, walls = show_killer()
    cage = next(cage for cage in rules.cages if cage.cells[0] % 9 and len(cage.cells) == 1)
    (cell,) = cage.cells
    confuse(sums, cell, {0: 0.5, cage.total: 0.5})
    walls[cell, 0], walls[cell - 1, 2] = 0.5, 0.5
    monkeypatch.setattr(SumReadings, "find_near", lambda self: None)

    told = decode_cages(sums, walls)

    assert not told.cages
    assert len(told.covers) > 1


def test_dim_sums_make_no_clear_wall_doubtful() -> None:
    rules, sums, walls = show_killer()
    for cage in rules.cages:
        if len(cage.cells) == 1:  # as often read as a sum that no single cell has
            confuse(sums, cage.cells[0], {cage.total: 0.1, 40 + cage.total % 6: 0.9})
        if len(cage.cells) == 2:
            confuse(sums, cage.cells[0], {cage.total: 0.1, 30: 0.9})

    told = decode_cages(sums, walls)

    assert told.cages == rules.cages


def test_one_doubtful_sum_follows_from_the_total() -> None:
    rules, sums, walls = show_killer()
    cage = next(cage for cage in rules.cages if cage.total in (13, 15, 18))
    confuse(sums, cage.cells[0], {cage.total: 0.3, 16: 0.7})

    told = decode_cages(sums, walls)

    assert (told.cages, told.corrected) == (rules.cages, (cage.cells[0],))


def doubt_two_sums(rules: Rules) -> tuple[CageDecoding, set[int]]:
    """Return what cages come to, two of whose sums may be others, and where these stand."""
    sums, walls = see(rules)
    pair = [cage for cage in rules.cages if len(cage.cells) == 3][:2]
    for cage in pair:
        confuse(sums, cage.cells[0], {cage.total - 1: 0.4, cage.total: 0.2, cage.total + 1: 0.4})
    return decode_cages(sums, walls), {cage.cells[0] for cage in pair}


def test_two_doubtful_sums_are_named_and_told_only_by_what_has_a_solution() -> None:
    rules = draw_killer()

    seen, doubtful = doubt_two_sums(rules)
    settled = present(settle_cages(seen, [0] * 81))

    assert not seen.cages
    assert set(seen.doubtful) == doubtful
    assert settled.cages == rules.cages
    assert set(settled.corrected) == doubtful
    assert settled.confidence > 0.98


def test_nothing_is_settled_where_what_is_likely_has_several_solutions() -> None:
    few = killer_rules([cage for cage in draw_killer().cages if len(cage.cells) == 3])

    seen, _ = doubt_two_sums(few)

    assert seen.covers
    assert settle_cages(seen, [0] * 81) is None


def test_nothing_is_settled_where_nothing_likely_has_a_solution() -> None:
    puzzle = make_kind(Kind.KILLER, seed=1)
    seen, _ = doubt_two_sums(puzzle.rules)
    clues = [0] * 81
    clues[0] = int(present(puzzle.solution)[0, 0]) % 9 + 1

    assert settle_cages(seen, clues) is None


@pytest.mark.parametrize(("loss", "is_settled"), [(2.5, False), (4.5, True)])
def test_cages_are_not_settled_if_two_other_sums_come_near(loss: float, is_settled: bool) -> None:
    rules = draw_killer()
    cages = list(rules.cages)
    losses = np.full((len(cages), 46), np.inf)
    losses[np.arange(len(cages)), [cage.total for cage in cages]] = 0
    for cell, change in ((73, 1), (63, -1)):  # the sums that both changes lead to have a solution
        at = next(at for at, cage in enumerate(cages) if cage.cells[0] == cell)
        losses[at, [cages[at].total, cages[at].total + change]] = loss, 0
    cover = CageCover(0.0, tuple(cage.cells for cage in cages), losses, np.zeros(len(cages)))

    settled = settle_cages(CageDecoding(covers=(cover,)), [0] * 81)

    assert (settled is not None) is is_settled


def test_two_doubtful_sums_follow_where_rows_or_boxes_tell_them_apart() -> None:
    rules, sums, walls = show_killer(2)
    pair = [cage for cage in rules.cages if cage.cells in ((3, 4, 12), (24, 33))]
    for cage in pair:
        shares = {cage.total - 1: 0.35, cage.total: 0.3, cage.total + 1: 0.35}
        confuse(sums, cage.cells[0], shares)

    told = decode_cages(sums, walls)

    assert (told.cages, told.corrected) == (rules.cages, (3, 24))


def test_a_misread_sum_is_not_made_good_by_changing_another() -> None:
    rules, sums, walls = show_killer()
    cage = next(cage for cage in rules.cages if len(cage.cells) == 3)
    confuse(sums, cage.cells[0], {cage.total - 1: 1.0})

    assert not decode_cages(sums, walls).cages


@pytest.mark.parametrize("change", [-10, 10])
def test_a_sharp_misprint_is_not_made_good(change: int) -> None:
    for seed in range(1, 5):
        rules = draw_killer(seed)
        for cage in rules.cages:
            total = cage.total + change
            if 1 <= total <= 45:
                sums, walls = see(rules)
                confuse(sums, cage.cells[0], {total: 1.0, cage.total: 1e-5})

                assert not decode_cages(sums, walls).cages


def test_a_sum_that_no_digits_have_is_no_reading() -> None:
    rules = draw_killer()
    sums, walls = see(rules)
    cage = next(cage for cage in rules.cages if len(cage.cells) == 2)
    confuse(sums, cage.cells[0], {45: 0.6, cage.total: 0.4})

    told = decode_cages(sums, walls)

    assert told.cages == rules.cages


@pytest.mark.parametrize(("beyond", "is_told"), [(4.0, True), (6.0, False)])
def test_a_cage_is_refused_that_cannot_have_what_seems_printed(
    beyond: float, is_told: bool
) -> None:
    rules, sums, walls = show_killer()
    cage = next(cage for cage in rules.cages if len(cage.cells) == 2)
    confuse(sums, cage.cells[0], {30: 1, cage.total: np.exp(-beyond)})

    told = decode_cages(sums, walls)

    assert bool(told.cages) is is_told


def test_too_many_likely_cages_are_not_settled() -> None:
    rules = draw_killer()
    (cover,) = decode_cages(*see(rules)).covers
    others = [cover._replace(loss=cover.loss + 100)] * 8
    nothing = [0] * 81

    assert settle_cages(CageDecoding(covers=(cover, *others[1:])), nothing) is not None
    assert settle_cages(CageDecoding(covers=(cover, *others)), nothing) is None


def test_a_board_without_walls_has_no_cages() -> None:
    sums, walls = np.full((81, 46), 1e-4), np.full((81, 4), 0.01)
    sums[:, 0] = 1

    assert not decode_cages(sums, walls).cages


def leave_out(rules: Rules, left: Sequence[Cage]) -> tuple[Rules, Floats, Floats]:
    """Return a killer without some of its cages, and what a good reader sees of it."""
    kept = killer_rules([cage for cage in rules.cages if cage not in left])
    return kept, *see(kept)


def test_cells_that_show_neither_walls_nor_a_sum_lie_in_no_cage() -> None:
    whole = draw_killer()
    rules, sums, walls = leave_out(whole, whole.cages[::7])

    told = decode_cages(sums, walls)

    assert told.cages == rules.cages
    assert len({cell for cage in told.cages for cell in cage.cells}) < 81


def test_a_doubtful_sum_follows_from_the_others_where_some_cells_lie_in_no_cage() -> None:
    whole = draw_killer()
    single = next(cage for cage in whole.cages if len(cage.cells) == 1)
    rules, sums, walls = leave_out(whole, [single])
    cage = next(cage for cage in rules.cages if len(cage.cells) == 3 and cage.total <= 14)
    confuse(sums, cage.cells[0], {cage.total: 0.5, cage.total + 10: 0.5})

    told = decode_cages(sums, walls)

    assert told.cages == rules.cages


def test_a_cage_whose_sum_is_not_seen_stays_a_cage() -> None:
    rules, sums, walls = show_killer()
    cell = rules.cages[5].cells[0]
    confuse(sums, cell, {0: 1})

    seen = decode_walls(sums, walls)

    assert [cage.cells for cage in rules.cages] == list(seen.cages)


def test_a_lattice_that_lies_a_row_aside_shows_no_cages() -> None:
    sums, walls = see(draw_killer())
    sums, walls = np.roll(sums, 9, axis=0), np.roll(walls, 9, axis=0)
    sums[:9], walls[:9] = 1e-4, 0.01
    sums[:9, 0] = 1

    assert not decode_cages(sums, walls).cages


def colour_cages(rules: Rules, papers: Floats) -> PaperSteps:
    """Return the steps of the paper of a killer whose cages have papers, (k, 3) logarithms.

    Cells in no cage have the last paper.
    """
    owner = np.full(81, len(rules.cages), np.uint8)
    for number, cage in enumerate(rules.cages):
        owner[list(cage.cells)] = number
    colours = colour_regions(owner.reshape(9, 9), np.random.default_rng(0))
    chosen = papers[np.append(colours[: len(rules.cages)], -1)]
    shown = chosen[owner].reshape(9, 9, 3) + np.random.default_rng(1).normal(0, 0.004, (9, 9, 3))
    shown = shown.astype(np.float32)
    return PaperSteps(np.diff(shown, axis=1), np.diff(shown, axis=0))


PAPERS = np.log(
    [[255, 213, 213], [213, 232, 251], [216, 243, 213], [199, 243, 253], [247, 217, 230],
     [194, 226, 253], [200, 200, 200], [255, 255, 255]]
)  # fmt: skip


def test_colours_alone_tell_cages() -> None:
    rules = draw_killer()

    walls = present(weigh_colours(*colour_cages(rules, PAPERS)))

    assert decode_cages(see(rules)[0], walls).cages == rules.cages


@pytest.mark.parametrize("turn", range(4))
def test_walls_and_steps_turn_alike(turn: int) -> None:
    steps = colour_cages(draw_killer(), PAPERS)
    walls = present(weigh_colours(*steps))

    turned = present(weigh_colours(*turn_steps(steps, turn)))

    assert np.allclose(turned, turn_sides(walls, turn))


def test_plain_paper_tells_no_cages() -> None:
    noise = np.random.default_rng(0).normal(0, 0.01, (2, 9, 8, 3))

    assert weigh_colours(noise[0], noise[1].swapaxes(0, 1)) is None


def test_cells_of_plain_paper_without_a_sum_lie_in_no_coloured_cage() -> None:
    whole = draw_killer()
    rules, sums, _ = leave_out(whole, whole.cages[::7])
    steps = colour_cages(rules, PAPERS)
    walls = present(weigh_colours(*steps))

    told = decode_cages(sums, open_plain_cells(walls, *steps, sums))

    assert told.cages == rules.cages


def test_a_coloured_cell_without_a_sum_is_not_left_out() -> None:
    rules = draw_killer()
    steps = colour_cages(rules, PAPERS)
    walls = present(weigh_colours(*steps))
    sums, _ = see(rules)
    confuse(sums, rules.cages[5].cells[0], {0: 1})

    assert np.array_equal(open_plain_cells(walls, *steps, sums), walls)
