"""Policies do what they say, and claim nothing that is not so, whatever the network says."""

from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest
from puzzles import EASY, GUESSING, HARD, NO_SOLUTION, TWO_SOLUTIONS

from models.engine import Booleans, Float32
from models.grids import Digits, legal_candidates, mask_probabilities
from solver.base import EffortBudget, Limits, Result, Status
from solver.exact.bitmask import find_solutions
from solver.grid import check_solution, format_grid, parse_grid
from solver.neural.filling_policy import (
    Ending,
    Filling,
    OnePass,
    Play,
    Policy,
    Question,
    play_puzzles,
)
from solver.neural.network_solver import DeepIterative, Guided, NetworkSolver

EXCHANGEABLE: Final = ("." * 18) + GUESSING[18:]
"""Many solutions, and no contradiction to see."""

ONCE: Final = OnePass()
ITERATIVE: Final = Filling("network-iterative", stops_early=False)
MANY: Final = Filling("network-many", sure=0.99)
RESTARTS: Final = Filling("network-restarts", sure=0.99, restarts=5)
GUIDED: Final = Guided()
DEEP: Final = DeepIterative()
ALL: Final = pytest.mark.parametrize(
    "policy", [ONCE, ITERATIVE, MANY, RESTARTS, GUIDED, DEEP], ids=lambda policy: policy.name
)


def say_everywhere(answer: npt.NDArray[Any], candidates: Booleans) -> Float32:
    """Return one answer of a network to each of several grids."""
    answers = np.repeat(answer[None], len(candidates), axis=0)
    return mask_probabilities(answers.astype(np.float32), candidates)


class Oracle:
    """Knows a solution, and says of it with which probability it is right, cell by cell.

    Attributes:
        asked: number of grids judged.
        batches: number of calls.
    """

    name = "oracle"
    parameters = 0

    def __init__(self, text: str, probability: float = 0.995, noise: float = 0.0) -> None:
        self.solution = find_solutions(parse_grid(text), 1)[0].ravel()
        self.right = self.solution[:, None] == np.arange(1, 10)
        self.probability = probability
        self.noise = noise
        self.asked = self.batches = 0

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        self.batches += 1
        self.asked += len(grids)
        others = (1 - self.probability) / 8
        answers = np.repeat(
            np.where(self.right, self.probability, others)[None], len(grids), axis=0
        )
        for grid, answer in zip(grids, answers, strict=True):
            # The same for the same grid, whatever else is judged with it.
            random = np.random.default_rng([seed, *grid.tolist()])
            answer += self.noise * random.random(answer.shape)
        return mask_probabilities(answers.astype(np.float32), candidates)


class NearlyKnowing(Oracle):
    """Is wrong about one cell, and sure of the others."""

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        answers = super().judge(grids, candidates, seed)
        answers[:, 80, self.solution[80] - 1] = 0
        return mask_probabilities(answers, candidates)


class Liar(Oracle):
    """Gives the solution's digit no chance wherever another is possible."""

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        self.asked += len(grids)
        return say_everywhere(~self.right, candidates)


class SureLiar(Liar):
    """The same, and sure of one wrong digit."""

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        answers = super().judge(grids, candidates, seed)
        top = answers.argmax(axis=2)[..., None] == np.arange(9)
        return mask_probabilities(np.where(top, answers + 1e6, answers), candidates)


class RightFromSeed(Oracle):
    """Lies until it is asked with a certain seed."""

    def __init__(self, text: str, seed: int) -> None:
        super().__init__(text)
        self.seed = seed

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        if seed >= self.seed:
            return super().judge(grids, candidates, seed)
        return say_everywhere(~self.right, candidates)


class Unreachable:
    """Fails the test that asks it."""

    name = "unreachable"
    parameters = 0

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        raise AssertionError("the network was asked")


def solve(policy: Policy, network: Oracle, text: str, limits: Limits | None = None) -> Result:
    return NetworkSolver(policy, network).solve(parse_grid(text), limits or Limits())


@ALL
@pytest.mark.parametrize("text", [EASY, GUESSING, HARD])
def test_a_network_that_knows_the_solution_solves(policy: Policy, text: str) -> None:
    result = solve(policy, Oracle(text), text)

    assert result.status is Status.SOLVED
    assert result.solution is not None
    assert not check_solution(parse_grid(text), result.solution)


@pytest.mark.parametrize(
    ("policy", "passes"),
    [(ONCE, 1), (ITERATIVE, HARD.count(".")), (MANY, 1), (RESTARTS, 1), (GUIDED, 1)],
)
def test_passes_are_as_many_as_the_policy_says(policy: Policy, passes: int) -> None:
    network = Oracle(HARD)

    effort = solve(policy, network, HARD).effort

    assert effort.passes == effort.iterations == network.asked == passes


def test_an_unsure_network_fills_one_cell_a_pass() -> None:
    policy = replace(MANY, stops_early=False)

    effort = solve(policy, Oracle(HARD, probability=0.9), HARD).effort

    # Cells with one legal candidate are sure by themselves, so that the last go together.
    assert 20 < effort.passes < HARD.count(".")


@pytest.mark.parametrize("policy", [MANY, RESTARTS, GUIDED], ids=lambda one: one.name)
def test_a_pass_that_leaves_nothing_to_decide_is_the_last(policy: Policy) -> None:
    effort = solve(policy, Oracle(HARD, probability=0.6), HARD).effort

    assert (effort.passes, effort.guesses) == (1, 0)


def test_the_surest_cell_comes_first() -> None:
    class Growing(Oracle):
        """Is the surer, the later a cell comes, and keeps what it was asked."""

        grids: list[Digits]

        def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
            self.grids.append(grids[0].copy())
            sure = 0.3 + 0.005 * np.arange(81)[:, None]
            return np.where(self.right, sure, (1 - sure) / 8).astype(np.float32)[None]

    network = Growing(HARD)
    network.grids = []

    solve(ITERATIVE, network, HARD)

    first, second, third = network.grids[:3]
    empty = np.flatnonzero(first == 0)
    assert np.flatnonzero(first != second).tolist() == [empty[-1]]
    assert np.flatnonzero(second != third).tolist() == [empty[-2]]


@pytest.mark.parametrize(
    "policy", [ONCE, ITERATIVE, MANY, RESTARTS, DEEP], ids=lambda one: one.name
)
@pytest.mark.parametrize("liar", [Liar, SureLiar])
def test_a_network_that_is_always_wrong_solves_nothing(policy: Policy, liar: type[Liar]) -> None:
    result = solve(policy, liar(HARD), HARD)

    assert result.status is Status.GAVE_UP
    assert result.solution is None
    assert "contradiction" in result.note or "wrong" in result.note


def test_a_contradiction_ends_the_filling_early() -> None:
    effort = solve(ITERATIVE, Liar(HARD), HARD).effort

    assert effort.passes < HARD.count(".") // 2


def test_restarts_ask_with_another_seed_each() -> None:
    network = RightFromSeed(HARD, seed=3)

    few = solve(Filling("few", sure=0.99, restarts=2), network, HARD)
    enough = solve(Filling("enough", sure=0.99, restarts=3), network, HARD)

    assert few.status is Status.GAVE_UP
    assert "2 restarts" in few.note
    assert enough.status is Status.SOLVED
    assert enough.effort.passes == few.effort.passes + 1


@pytest.mark.parametrize("policy", [ONCE, replace(ITERATIVE, stops_early=True)])
@pytest.mark.parametrize(("states", "is_solved"), [(4, True), (3, False)])
def test_another_initial_state_is_tried_until_the_answer_breaks_no_rule(
    policy: OnePass | Filling, states: int, is_solved: bool
) -> None:
    network = RightFromSeed(HARD, seed=3)

    result = solve(replace(policy, states=states), network, HARD, Limits(iterations=states))

    assert (result.status is Status.SOLVED) == is_solved
    assert result.effort.passes == states


def test_a_restart_draws_lots_where_nothing_is_sure() -> None:
    """A network that leads astray by a hair does not do so each time."""

    class Doubtful(Oracle):
        """Prefers a wrong digit wherever there is one, but only just."""

        def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
            self.asked += len(grids)
            return say_everywhere(np.where(self.right, 1.0, 1.1), candidates)

    led_astray = solve(MANY, Doubtful(GUESSING), GUESSING)
    begun_anew = solve(replace(RESTARTS, restarts=200), Doubtful(GUESSING), GUESSING)

    assert led_astray.status is Status.GAVE_UP
    assert begun_anew.status is Status.SOLVED


@pytest.mark.parametrize("liar", [Liar, SureLiar])
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (EASY, Status.SOLVED),
        (GUESSING, Status.SOLVED),
        (HARD, Status.SOLVED),
        (NO_SOLUTION, Status.UNSOLVABLE),
        (TWO_SOLUTIONS, Status.AMBIGUOUS),
        (EXCHANGEABLE, Status.AMBIGUOUS),
        ("55" + "." * 79, Status.UNSOLVABLE),
    ],
)
def test_guided_decides_every_puzzle_even_with_a_network_that_lies(
    text: str, status: Status, liar: type[Liar]
) -> None:
    knows = HARD if status is Status.UNSOLVABLE else text

    result = solve(GUIDED, liar(knows), text)

    assert result.status is status
    assert (result.solution is not None) == (status is Status.SOLVED)


@ALL
@pytest.mark.parametrize("text", [TWO_SOLUTIONS, EXCHANGEABLE, "." * 81])
def test_clues_with_several_solutions_never_end_as_solved(policy: Policy, text: str) -> None:
    result = solve(policy, Oracle(text), text)

    assert result.status is Status.AMBIGUOUS
    assert result.solution is None
    assert format_grid(result.examples[0]) != format_grid(result.examples[1])
    if policy is GUIDED and text == TWO_SOLUTIONS:  # which the network fills at once
        assert result.effort.guesses == 0


def test_wrong_guesses_are_told() -> None:
    lied = solve(GUIDED, SureLiar(HARD), HARD)
    told = solve(GUIDED, NearlyKnowing(HARD), HARD)

    wrong = lied.effort.nodes - 1 - lied.effort.guesses
    assert wrong > 0
    assert lied.note == f"{wrong} of {lied.effort.guesses} guesses were wrong"
    assert told.effort.guesses > 0
    assert told.note == f"0 of {told.effort.guesses} guesses were wrong"
    assert told.effort.nodes == 1 + told.effort.guesses


def test_what_follows_from_the_rules_costs_no_pass() -> None:
    result = NetworkSolver(GUIDED, Unreachable()).solve(parse_grid(EASY), Limits())

    assert result.status is Status.SOLVED
    assert result.effort.passes == result.effort.guesses == 0


@ALL
def test_a_full_grid_is_judged_without_the_network(policy: Policy) -> None:
    (solution,) = find_solutions(parse_grid(EASY), 2)

    result = NetworkSolver(policy, Unreachable()).solve(solution, Limits())

    assert result.status is Status.SOLVED


@ALL
def test_the_network_is_asked_what_its_contract_says(policy: Policy) -> None:
    class Strict(Oracle):
        """Checks what it is asked."""

        def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
            assert grids.shape == (len(grids), 81)
            assert candidates.shape == (len(grids), 81, 9)
            assert grids.dtype.name == "uint8"
            assert candidates.dtype.name == "bool"
            own = grids[..., None] == np.arange(1, 10)
            assert (candidates[grids > 0] == own[grids > 0]).all()
            assert candidates.any(axis=2).all()
            return super().judge(grids, candidates, seed)

    assert solve(policy, Strict(HARD, noise=0.5), HARD).effort.passes > 0


def test_where_nothing_is_sure_the_cell_from_which_most_follows_is_guessed() -> None:
    """Not the surest, which here is one with more than two candidates."""
    solution = Oracle(HARD).solution
    play = GUIDED.play(parse_grid(HARD).ravel(), EffortBudget(Limits()))
    candidates = next(play).candidates
    surest = int(np.flatnonzero(candidates.sum(axis=1) > 2)[0])
    answer = candidates / candidates.sum(axis=1, keepdims=True)
    answer[surest] = 0
    answer[surest, solution[surest] - 1] = 0.9

    filled = play.send(answer.astype(np.float32)).digits > 0

    assert not filled[surest]
    assert (filled & (candidates.sum(axis=1) == 2)).any()


@pytest.mark.parametrize("policy", [ITERATIVE, RESTARTS, GUIDED], ids=lambda one: one.name)
def test_a_limit_on_passes_is_kept(policy: Policy) -> None:
    network = SureLiar(HARD)

    result = solve(policy, network, HARD, Limits(iterations=2))

    assert result.status is Status.GAVE_UP
    assert result.effort.passes == network.asked == 2
    assert result.note == "a limit was met"


@ALL
def test_many_puzzles_are_played_as_each_is_alone(policy: Policy) -> None:
    puzzles = np.stack(
        [parse_grid(text).ravel() for text in (HARD, GUESSING, EASY, NO_SOLUTION, HARD, EASY)]
    )
    network = Oracle(GUESSING, probability=0.3, noise=0.3)
    alone = [next(play_puzzles(policy, network.judge, [puzzle])) for puzzle in puzzles]
    network.batches = 0

    together = sorted(
        play_puzzles(policy, network.judge, puzzles, batch_size=4), key=lambda one: one.index
    )

    assert [one.index for one in together] == list(range(len(puzzles)))
    assert [one.effort for one in together] == [one.effort for one in alone]
    assert network.batches < sum(one.effort.passes for one in alone)
    for one, other in zip(together, alone, strict=True):
        assert one.ending.is_exhaustive == other.ending.is_exhaustive
        assert one.ending.digits.tolist() == other.ending.digits.tolist()


class Constant(Oracle):
    """Answers the same number everywhere, or beside an oracle's answers in every other cell."""

    def __init__(self, number: float, *, is_half: bool = False) -> None:
        super().__init__(HARD, probability=0.4)
        self.number = number
        self.is_half = is_half

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        answers = super().judge(grids, candidates, seed)
        answers[:, :: 2 if self.is_half else 1] = self.number
        return answers


@ALL
@pytest.mark.parametrize("is_half", [False, True], ids=["everywhere", "in places"])
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, -0.5, -7.0, 0.0, 3e38])
def test_answers_that_are_no_probabilities_end_every_policy(
    policy: Policy, number: float, is_half: bool
) -> None:
    result = solve(policy, Constant(number, is_half=is_half), HARD)

    assert result.status in {Status.GAVE_UP, Status.SOLVED}
    assert policy is not GUIDED or result.status is Status.SOLVED


def test_what_is_no_probability_reaches_a_policy_as_zero() -> None:
    class Listening(OnePass):
        """Keeps what it is told."""

        def play(self, clues: Digits, budget: EffortBudget) -> Play:
            told.append((yield Question(clues, legal_candidates(clues[None])[0])))
            return Ending(clues)

    def judge(grids: Digits, candidates: Booleans, seed: int) -> Float32:
        answers = np.full((1, 81, 9), 0.25, np.float32)
        answers[0, 0, :4] = np.nan, np.inf, -np.inf, -0.25
        return answers

    told: list[Float32] = []
    list(play_puzzles(Listening(), judge, [parse_grid(HARD).ravel()]))

    assert told[0][0].tolist() == [0, 0, 0, 0, *[0.25] * 5]
    assert (told[0][1:] == 0.25).all()


def test_no_policy_puts_a_digit_into_a_filled_cell() -> None:
    clues = parse_grid(HARD).ravel()
    for policy in (ITERATIVE, MANY, RESTARTS):
        play = policy.play(clues, EffortBudget(Limits()))
        before = next(play).digits.copy()

        after = play.send(np.full((81, 9), -7, np.float32)).digits

        assert (after[before > 0] == before[before > 0]).all()
        assert (after > 0).sum() == (before > 0).sum() + 1
