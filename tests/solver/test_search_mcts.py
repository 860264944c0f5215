from collections.abc import Sequence

import numpy as np
import pytest
from puzzles import EASY, EASY_SOLUTION, HARD, TWO_SOLUTIONS

from solver.base import Limits, Status
from solver.compilation import Ints, int_array
from solver.grid import PEERS, check_solution, parse_grid
from solver.layout import LAYOUTS
from solver.search.forced_cells import build_rules, fill_forced, settle_clues
from solver.search.mcts import (
    Action,
    MctsSolver,
    Node,
    Selection,
    UniformPolicy,
    commit_early,
    fewest_candidates,
)

HARD_SOLUTION = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
HARD_WITHOUT_SOLUTION = "84" + HARD[2:]


class Oracle:
    """Knows the solution, and says so with the given confidence."""

    passes = 1

    def __init__(self, solution: str, confidence: float) -> None:
        self.digits = [int(digit) for digit in solution]
        self.confidence = confidence
        self.calls = 0

    def priors(self, masks: Ints, actions: Sequence[Action]) -> Sequence[float]:
        self.calls += 1
        weights = [
            self.confidence if self.digits[cell] == digit else 1 - self.confidence
            for cell, digit in actions
        ]
        return [weight / sum(weights) for weight in weights]


def test_singles_fill_an_easy_puzzle() -> None:
    filled = fill_forced(parse_grid(EASY))

    np.testing.assert_array_equal(filled, parse_grid(EASY_SOLUTION))


def test_singles_fill_only_what_the_solution_has() -> None:
    clues = parse_grid(HARD)

    filled = fill_forced(clues)

    assert filled is not None
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


def test_uct_tries_every_child_before_it_repeats_one() -> None:
    node = Node(int_array([0]))
    node.expand([(0, 1), (0, 2)], [0.5, 0.5])
    first = node.choose(Selection.UCT, 1.0)
    child = Node(int_array([0]), node)
    node.children[first] = child
    child.pay(1.0)

    assert node.choose(Selection.UCT, 1.0) != first


def test_uct_weighs_reward_against_visits() -> None:
    node = Node(int_array([0]))
    node.expand([(0, 1), (0, 2)], [0.5, 0.5])
    good, rare = Node(int_array([0]), node), Node(int_array([0]), node)
    node.children = [good, rare]
    for _ in range(20):
        good.pay(0.8)
    rare.pay(0.5)

    assert node.choose(Selection.UCT, 0.01) == 0
    assert node.choose(Selection.UCT, 1.0) == 1


def test_priors_send_the_search_where_the_policy_points() -> None:
    node = Node(int_array([0]))
    node.expand([(0, 1), (0, 2), (0, 3)], [0.1, 0.7, 0.2])

    assert node.choose(Selection.PRIOR, 1.0) == 1


def test_a_dead_child_is_not_chosen_and_the_last_one_kills_its_parent() -> None:
    node = Node(int_array([0]))
    node.expand([(0, 1), (0, 2)], [0.5, 0.5])
    children = [Node(int_array([0]), node), Node(int_array([0]), node)]
    node.children = list(children)
    children[0].pay(0.9)
    children[1].pay(0.1)

    children[0].kill()
    assert not node.is_dead
    assert node.choose(Selection.UCT, 1.0) == 1

    children[1].kill()
    assert node.is_dead


@pytest.mark.parametrize("selection", Selection)
@pytest.mark.parametrize("hidden", [True, False])
def test_a_hard_puzzle_is_solved(selection: Selection, hidden: bool) -> None:
    solver = MctsSolver(selection=selection, hidden_singles=hidden)

    result = solver.solve(parse_grid(HARD), Limits())

    assert result.status is Status.SOLVED
    np.testing.assert_array_equal(result.solution, parse_grid(HARD_SOLUTION))
    assert 0 < result.effort.guesses <= result.effort.iterations < result.effort.nodes


def test_a_tree_that_dies_proves_that_there_is_no_solution() -> None:
    clues = parse_grid(HARD_WITHOUT_SOLUTION)

    result = MctsSolver().solve(clues, Limits())

    assert result.status is Status.UNSOLVABLE
    assert result.effort.iterations > 0


def test_what_does_not_prune_or_commits_early_proves_nothing() -> None:
    clues = parse_grid(HARD_WITHOUT_SOLUTION)

    for solver in (MctsSolver(prunes=False, max_iterations=500), commit_early()):
        result = solver.solve(clues, Limits())

        assert result.status is Status.GAVE_UP
        assert result.note.endswith("cells left at best")


def test_a_puzzle_with_two_solutions_is_told_as_such() -> None:
    result = MctsSolver().solve(parse_grid(TWO_SOLUTIONS), Limits())

    assert result.status is Status.AMBIGUOUS
    assert len(result.examples) == 2


def test_committing_early_fails_where_keeping_the_tree_does_not() -> None:
    assert commit_early().solve(parse_grid(HARD), Limits()).status is Status.GAVE_UP
    assert MctsSolver().solve(parse_grid(HARD), Limits()).status is Status.SOLVED


def test_a_policy_that_knows_the_solution_finds_it_in_one_round() -> None:
    oracle = Oracle(HARD_SOLUTION, confidence=1.0)
    solver = MctsSolver(policy=oracle, selection=Selection.PRIOR)

    result = solver.solve(parse_grid(HARD), Limits())

    assert result.status is Status.SOLVED
    assert result.effort.iterations == 1
    assert result.effort.passes == oracle.calls > 0


def test_a_good_policy_needs_fewer_positions_than_none() -> None:
    def nodes(policy: Oracle | UniformPolicy) -> int:
        return sum(
            MctsSolver(policy=policy, selection=Selection.PRIOR, seed=seed)
            .solve(parse_grid(HARD), Limits())
            .effort.nodes
            for seed in range(10)
        )

    assert nodes(Oracle(HARD_SOLUTION, confidence=0.9)) < nodes(UniformPolicy())


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
