from itertools import pairwise
from random import Random

import numpy as np
import pytest
from puzzles import pattern

from solver.exact.bitmask import count_solutions
from solver.generation.generate import Symmetry
from solver.generation.generate_kinds import KindOptions, draw_cages, draw_regions, generate_kind
from solver.layout import Layout
from solver.rules import Kind, check_rules, is_connected, jigsaw_rules

OPTIONS = [
    KindOptions(Kind.CLASSIC, 6, Layout(3, 2)),
    KindOptions(Kind.CLASSIC, 8),
    KindOptions(Kind.CLASSIC, 10, clues=60),
    KindOptions(Kind.CLASSIC, 12, clues=90),
    KindOptions(Kind.JIGSAW, 6),
    KindOptions(Kind.JIGSAW, clues=28),
    KindOptions(Kind.DIAGONAL, clues=26, symmetry=Symmetry.POINT),
    KindOptions(Kind.WINDOKU, clues=26),
    KindOptions(Kind.KILLER, 6),
    KindOptions(Kind.KILLER),
    KindOptions(Kind.SAMURAI, clues=70, n_grids=2),
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"{o.kind.value}-{o.side}")
def test_a_generated_puzzle_has_one_solution_which_obeys_its_rules(options: KindOptions) -> None:
    for puzzle in generate_kind(2, options, seed=3):
        assert puzzle.solution is not None
        assert not check_rules(puzzle.rules, puzzle.clues, puzzle.solution)
        assert count_solutions(puzzle.clues, 2, puzzle.rules) == 1
        assert np.count_nonzero(puzzle.clues) >= (options.clues or 0)
        assert puzzle.rules.kind is options.kind


@pytest.mark.parametrize("kind", [Kind.JIGSAW, Kind.KILLER])
def test_the_same_seed_gives_the_same_puzzles_and_another_seed_others(kind: Kind) -> None:
    def make(count: int, seed: int) -> list[tuple[object, bytes]]:
        made = generate_kind(count, KindOptions(kind, 6), seed)
        return [(puzzle.rules, puzzle.clues.tobytes()) for puzzle in made]

    assert make(3, 5) == make(3, 5)
    assert make(2, 5) == make(3, 5)[:2]
    assert make(1, 6) != make(1, 5)


def test_the_clues_lie_as_symmetric_as_was_wished() -> None:
    options = KindOptions(Kind.SAMURAI, clues=70, symmetry=Symmetry.POINT, n_grids=2)

    (puzzle,) = generate_kind(1, options)

    given = puzzle.clues > 0
    assert (given == np.rot90(given, 2)).all()


def test_a_killer_has_no_clues_and_cages_of_one_to_five_cells_everywhere() -> None:
    (puzzle,) = generate_kind(1, KindOptions(Kind.KILLER))

    assert not puzzle.clues.any()
    cells = sorted(cell for cage in puzzle.rules.cages for cell in cage.cells)
    assert cells == list(range(81))
    assert all(1 <= len(cage.cells) <= 5 for cage in puzzle.rules.cages)
    assert all(is_connected(cage.cells, 9) for cage in puzzle.rules.cages)


@pytest.mark.parametrize("side", [4, 6, 9, 10])
def test_regions_by_chance_are_those_of_a_jigsaw(side: int) -> None:
    drawn = [draw_regions(side, Random(seed)) for seed in range(5)]

    assert all(jigsaw_rules(regions).kind is Kind.JIGSAW for regions in drawn)
    assert any(one != other for one, other in pairwise(drawn))


def test_the_cells_of_a_cage_hold_different_digits() -> None:
    solution = pattern(9).ravel().tolist()

    cages = draw_cages(solution, 9, Random(1))

    for cage in cages:
        digits = [solution[cell] for cell in cage.cells]
        assert len(set(digits)) == len(digits)
        assert sum(digits) == cage.total


@pytest.mark.parametrize(
    ("wish", "complaint"),
    [
        ({"kind": Kind.SAMURAI, "side": 6}, "a samurai"),
        ({"kind": Kind.SAMURAI, "n_grids": 6}, "a samurai"),
        ({"kind": Kind.KILLER, "clues": 3}, "no clues"),
        ({"kind": Kind.KILLER, "side": 16}, "up to side 9"),
        ({"kind": Kind.WINDOKU, "side": 6}, "square boxes"),
        ({"kind": Kind.JIGSAW, "side": 7}, "the side must be"),
        ({"kind": Kind.CLASSIC, "boxes": Layout(2, 3)}, "do not fit"),
        ({"kind": Kind.KILLER, "boxes": Layout(2, 3)}, "do not fit"),
        ({"kind": Kind.DIAGONAL, "clues": 81}, "clues must be 0..80: 81"),
        ({"kind": Kind.SAMURAI, "n_grids": 2, "clues": 153}, "clues must be 0..152: 153"),
        ({"kind": Kind.JIGSAW, "clues": -1}, "clues must be 0..80: -1"),
    ],
)
def test_wishes_that_no_puzzle_fulfils_are_refused(wish: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        KindOptions(**wish)  # type: ignore[arg-type]  # the wishes are of several types
