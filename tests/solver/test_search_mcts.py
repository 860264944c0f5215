from collections.abc import Sequence

import numpy as np
import pytest
from present import present
from puzzles import EASY, HARD, HARD_SOLUTION, TWO_SOLUTIONS

from solver.base import Limits, Status
from solver.grid import PEERS, check_solution, parse_grid
from solver.layout import LAYOUTS
from solver.search.kernels import build_rules, fill_forced, int_array, settle_clues
from solver.search.mcts import (
    MctsSolver,
    Node,
    Selection,
    commit_early,
    fewest_candidates,
)

HARD_WITHOUT_SOLUTION = "84" + HARD[2:]


def test_singles_fill_only_what_the_solution_has() -> None:
    clues = parse_grid(HARD)

    filled = present(fill_forced(clues))

    assert (filled[filled > 0] == parse_grid(HARD_SOLUTION)[filled > 0]).all()
    assert (filled[clues > 0] == clues[clues > 0]).all()


def test_hidden_singles_settle_cells_that_naked_ones_leave_open() -> None:
    # The three 1s leave one cell of the first box for another; its own clues stop nothing else.
    clues = np.zeros((9, 9), np.uint8)
    clues[1, 4] = clues[2, 8] = clues[4, 1] = clues[7, 2] = 1
    layout = LAYOUTS[9]

    naked, _ = settle_clues(clues, build_rules(layout, hidden=False))
    both, _ = settle_clues(clues, build_rules(layout))

    assert int(naked[0]).bit_count() == 9
    assert both[0] == 1


def test_a_contradiction_is_told_with_the_cells_settled_by_then() -> None:
    clues = parse_grid(EASY)
    clues[0, 2] = 1

    _, n_settled = settle_clues(clues, build_rules(LAYOUTS[9]))

    assert n_settled < 0
    assert 0 < -n_settled - 1 < 81
    assert fill_forced(clues) is None


def test_candidates_left_are_no_digits_of_settled_peers() -> None:
    masks, _ = settle_clues(parse_grid(HARD), build_rules(LAYOUTS[9]))

    for cell, peers in enumerate(PEERS):
        settled = sum({int(masks[peer]) for peer in peers if int(masks[peer]).bit_count() == 1})
        assert masks[cell] & settled == 0


def test_the_cell_with_fewest_candidates_is_found_from_where_the_look_begins() -> None:
    masks = int_array([0b111, 0b11, 0b1, 0b11, 0b1111])

    assert fewest_candidates(masks, 0) == 1
    assert fewest_candidates(masks, 2) == 3
    assert fewest_candidates(int_array([1, 0b111, 0b1111]), 2) == 1


def grown(*priors: float, rewards: Sequence[Sequence[float]] = ()) -> Node:
    """Return a node with an action a prior, whose first children had these rewards."""
    node = Node(int_array([0]))
    node.expand([(0, digit) for digit in range(1, len(priors) + 1)], priors)
    for index, paid in enumerate(rewards):
        child = node.children[index] = Node(int_array([0]), node)
        for reward in paid:
            child.pay(reward)
    return node


@pytest.mark.parametrize(
    ("node", "selection", "weight", "index"),
    [
        (grown(0.5, 0.5, rewards=[[1.0]]), Selection.UCT, 1.0, 1),  # every child once
        (grown(0.5, 0.5, rewards=[[0.8] * 20, [0.5]]), Selection.UCT, 0.01, 0),
        (grown(0.5, 0.5, rewards=[[0.8] * 20, [0.5]]), Selection.UCT, 1.0, 1),
        (grown(0.1, 0.7, 0.2), Selection.PRIOR, 1.0, 1),
    ],
)
def test_a_child_is_chosen_by_reward_visits_and_prior(
    node: Node, selection: Selection, weight: float, index: int
) -> None:
    assert node.choose(selection, weight) == index


def test_a_dead_child_is_not_chosen_and_the_last_one_kills_its_parent() -> None:
    node = grown(0.5, 0.5, rewards=[[0.9], [0.1]])
    first, second = map(present, node.children)

    first.kill()
    assert not node.is_dead
    assert node.choose(Selection.UCT, 1.0) == 1

    second.kill()
    assert node.is_dead


@pytest.mark.parametrize("selection", Selection)
@pytest.mark.parametrize("hidden", [True, False])
def test_a_hard_puzzle_is_solved(selection: Selection, hidden: bool) -> None:
    solver = MctsSolver(selection=selection, hidden_singles=hidden)

    result = solver.solve(parse_grid(HARD), Limits())

    assert result.status is Status.SOLVED
    np.testing.assert_array_equal(result.solution, parse_grid(HARD_SOLUTION))
    assert 0 < result.effort.guesses <= result.effort.iterations < result.effort.nodes


@pytest.mark.parametrize(
    ("solver", "text", "status"),
    [
        (MctsSolver(), HARD, Status.SOLVED),
        (MctsSolver(), HARD_WITHOUT_SOLUTION, Status.UNSOLVABLE),  # the tree dies
        (MctsSolver(), TWO_SOLUTIONS, Status.AMBIGUOUS),
        (MctsSolver(prunes=False, max_iterations=500), HARD_WITHOUT_SOLUTION, Status.GAVE_UP),
        (commit_early(), HARD_WITHOUT_SOLUTION, Status.GAVE_UP),
        (commit_early(), HARD, Status.GAVE_UP),
    ],
)
def test_only_a_tree_that_prunes_and_keeps_all_decides(
    solver: MctsSolver, text: str, status: Status
) -> None:
    result = solver.solve(parse_grid(text), Limits())

    assert result.status is status
    assert result.effort.iterations > 0
    assert result.note.endswith("cells left at best") == (status is Status.GAVE_UP)


@pytest.mark.parametrize("limits", [Limits(nodes=7), Limits(iterations=3), Limits(iterations=0)])
def test_limits_are_kept_within_a_round(limits: Limits) -> None:
    effort = MctsSolver().solve(parse_grid(HARD), limits).effort

    assert effort.nodes <= (limits.nodes or 81 * 4)
    assert effort.iterations <= (7 if limits.iterations is None else limits.iterations)


@pytest.mark.parametrize("side", [4, 6, 16])
def test_blank_grids_of_other_sizes_have_several_solutions(side: int) -> None:
    clues = np.zeros((side, side), np.uint8)

    result = MctsSolver().solve(clues, Limits(seconds=60))

    assert result.status is Status.AMBIGUOUS
    assert not any(check_solution(clues, example) for example in result.examples)
