"""From what a reader saw to clues: the likeliest reading whose puzzle has exactly one solution.

The rules know better than the reader where a digit is doubtful, and nothing where the whole board
is. So a reading is changed only where the reader itself saw another possibility, and claimed only
if no other solution comes near it.
"""

import enum
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.base import Effort, Status
from solver.decoding.clue_searches import OpenReadings, weigh_open_readings
from solver.decoding.print_and_hand import distinguishes_hands, merge_print_and_handwriting
from solver.decoding.readings import (
    Reach,
    RivalPenalty,
    SearchState,
    no_penalty,
    search_readings,
)
from solver.grid import Booleans, Floats, Grid, Integers
from solver.rules import Rules
from solver.verification import conclude


class DecodeOutcome(enum.Enum):
    """How a decoding ended."""

    SOLVED = "solved"
    """The clues are told, their puzzle has exactly one solution, and no other comes near."""

    AMBIGUOUS = "ambiguous"
    """A sure reading of a puzzle with several solutions."""

    NO_SOLUTION = "no_solution"
    """A sure reading whose digits contradict each other."""

    UNREADABLE = "unreadable"
    """The reading is doubtful and the rules do not settle it, or two solutions are near."""


@dataclass(frozen=True)
class DecodeLimits:
    """How far a decoding may go from what the reader saw; likelihoods in nats.

    Attributes:
        seconds: of search, far more than the nodes take, so that a busy machine changes nothing.
        nodes: of search; of 60 rendered photos of level 5 searches with success took up to 204,
            and three 280 to 491, whose boards another look tells with fewer.
        floor: probabilities are raised to this, because no reader is as sure as it says.
        max_cell_loss: a value that gives away more than this is never considered for a cell, so
            that a cell that the reader is sure of is never changed. The shipped reader gives a
            sharp digit 0.98 and every other value 6.5 nats less; on 607 photos read by networks
            that had not seen their puzzles, no right correction of a cell gave away more than
            3.8, and 8 made solutions up for sharp boards with a misprint.
        max_loss: a reading that gives away more in all is never claimed.
        open_gap: a reading is claimed only if the puzzles that lack one of its digits and have
            several solutions are together less likely by so much: a digit that noise or a shadow
            may have drawn into an empty cell must not decide. Those that have another digit in a
            cell must not be likelier than the claim.
        max_corrected: a reading that changes more cells of 81 is never claimed; this and
            `max_expected_errors` are in proportion to a board's cells.
        gap: the top reading is claimed only if every other solution gives away so much more. In
            the reader's own nats, which are cautious on good photos only. With 2 nats, one
            rendered photo in bad light of 100 was solved wrongly by a misread clue that could
            as well have been another; with 4, none, and of 230 real ones none is lost.
        sure: probability from which a cell counts as read for sure.
        max_unsure_cells: a reading with more cells below that is unreadable rather than
            ambiguous or without solution.
        max_expected_errors: expected number of misread cells, of 81, above which nothing is
            searched. Of 276 boards that were solved, real and rendered, none had more than 7.1;
            crosswords, tables and keyboards have 13 to 45.
    """

    seconds: float = 2.0
    nodes: int = 250
    floor: float = 1e-4
    max_cell_loss: float = 4.0
    max_loss: float = 12.0
    open_gap: float = 3.0
    max_corrected: int = 6
    gap: float = 4.0
    sure: float = 0.8
    max_unsure_cells: int = 2
    max_expected_errors: float = 10.0

    def scale_to(self, cells: int) -> "DecodeLimits":
        """Return the limits for a board of so many cells."""
        share = cells / 81
        max_corrected = math.ceil(self.max_corrected * share)
        return replace(
            self, max_corrected=max_corrected, max_expected_errors=self.max_expected_errors * share
        )


@dataclass(frozen=True, eq=False)
class Decoding:
    """What a reading came to.

    Attributes:
        outcome: how it ended.
        clues: (n, n) uint8: the clues of the claimed reading where SOLVED, else the reader's top
            choice of each cell, for a person to correct.
        solution: (n, n) uint8 digits 1..n where SOLVED, else None.
        confidence: 0..1, posterior of the solution against the other solutions that may lie
            beyond the gap, against a board that is no valid puzzle, and against puzzles with
            several solutions beside it (`weigh_open_readings`); 0 unless SOLVED.
        corrected: cells where the rules overruled the reader's top choice, ascending.
        handwritten: (n²,) bool: filled cells that look written by hand.
        loss: nats that the clues give away against the top choices.
        log_likelihood: natural logarithm of the probability of the clues.
        nodes: families of readings that were looked at.
    """

    outcome: DecodeOutcome
    clues: Grid
    solution: Grid | None
    confidence: float
    corrected: tuple[int, ...]
    handwritten: Booleans
    loss: float
    log_likelihood: float
    nodes: int


_DEFAULT_LIMITS: Final = DecodeLimits()


def decode_clues(
    probabilities: Floats,
    limits: DecodeLimits = _DEFAULT_LIMITS,
    clock: Callable[[], float] = time.perf_counter,
    rival_penalty: RivalPenalty = no_penalty,
    seen: Floats | None = None,
    rules: Rules | None = None,
) -> Decoding:
    """Return the most probable clues for which the puzzle has exactly one solution.

    Args:
        probabilities: (n², 19) float, rows sum to 1: empty, printed 1..9, handwritten 1..9; or
            empty, digits 1..d: d is 9, or the side n where that is more. A digit counts the same
            printed or handwritten; one above n is never a clue.
        limits: how far to go.
        clock: returns seconds; only differences count.
        rival_penalty: what is known besides; it may rule rivals out, and never makes a claim.
        seen: (n², d + 1) float: what stands in the cells, where `probabilities` tell instead what
            counts as a clue.
        rules: of the puzzle; None for the classic ones of side 9.

    Raises:
        ValueError: for another shape, or rows that are no probabilities.
    """
    _require_probabilities(probabilities, rules)
    of_values = merge_print_and_handwriting(probabilities)
    logs = np.log(np.maximum(of_values, limits.floor))
    losses = logs.max(axis=1, keepdims=True) - logs
    losses[losses > limits.max_cell_loss] = math.inf
    side = 9 if rules is None else rules.side
    losses[:, side + 1 :] = math.inf
    end = clock() + limits.seconds
    reach = Reach(
        limits.max_loss,
        limits.gap,
        limits.nodes,
        lambda: clock() < end,
        rival_penalty,
        rules,
    )
    limits = limits.scale_to(len(of_values))
    if expect_misreadings(of_values) > limits.max_expected_errors:
        search = SearchState(is_complete=False)
    else:
        search = search_readings(losses.tolist(), reach)
    # What is no digit of the puzzle is no clue.
    top = of_values.argmax(axis=1)
    values = np.where(top <= side, top, 0)
    beside = OpenReadings(math.inf, math.inf)
    if search.best is not None:
        seen = of_values if seen is None else seen
        beside = weigh_open_readings(seen, search.best.values, limits.max_cell_loss, rules)
    outcome = _judge(search, of_values, losses, beside, limits)
    if outcome is not DecodeOutcome.SOLVED and (top > side).any():
        outcome = DecodeOutcome.UNREADABLE
    solution = None
    if outcome is DecodeOutcome.SOLVED and search.best is not None:
        values = np.array(search.best.values)
        proposal = _as_square(np.array(search.best.solution))
        clues = _as_square(values)
        effort = Effort(nodes=search.nodes)
        result = conclude(clues, (proposal,), effort, is_exhaustive=True, rules=rules)
        if result.status is not Status.SOLVED:
            raise RuntimeError(f"the search's reading does not hold: {result.note}")
        solution = result.solution
    confidence = 0.0
    if outcome is DecodeOutcome.SOLVED:
        confidence = _weigh_claim(search, beside, limits)
    return _describe(probabilities, of_values, logs, values, outcome, solution, search, confidence)


def withdraw_claim(decoding: Decoding) -> Decoding:
    """Return the decoding as unreadable: its clues stay, nothing is claimed for them."""
    return replace(decoding, outcome=DecodeOutcome.UNREADABLE, solution=None, confidence=0.0)


def solves_alike(first: Decoding, second: Decoding) -> bool:
    """Tell whether two decodings of one board claim the same solution."""
    if first.solution is None or second.solution is None:
        return False
    return np.array_equal(first.solution, second.solution)


def clear_places(probabilities: Floats, rules: Rules | None) -> Floats:
    """Return the reading, surely empty in the places of a samurai's paper that are no cells.

    Args:
        probabilities: (n², classes) float, as `decode_clues` takes it.
        rules: of the puzzle; None for the classic ones.
    """
    if rules is None or len(rules.cells) == len(probabilities):
        return probabilities
    cleared = np.zeros_like(probabilities)
    cleared[:, 0] = 1
    cells = list(rules.cells)
    cleared[cells] = probabilities[cells]
    return cleared


def expect_misreadings(of_values: Floats) -> float:
    """Return how many cells the reader itself expects to have misread.

    Args:
        of_values: (n², d + 1) float, as `merge_print_and_handwriting` returns it.
    """
    return float((1 - of_values.max(axis=1)).sum())


def rank_decodings(decodings: Sequence[Decoding]) -> list[int]:
    """Return the indices of decodings of one board, the most credible first.

    The four quarter turns of a board are read apart, because turned digits look different, and
    compete here: a solved one comes before any that is not, then the more likely reading.
    """
    return sorted(
        range(len(decodings)),
        key=lambda i: (
            decodings[i].outcome is not DecodeOutcome.SOLVED,
            -decodings[i].log_likelihood,
            i,
        ),
    )


def _require_probabilities(probabilities: Floats, rules: Rules | None) -> None:
    width, side = (9, 9) if rules is None else (rules.width, rules.side)
    shapes = [(width**2, classes) for classes in ((10, 19) if side <= 9 else (side + 1,))]
    if probabilities.shape not in shapes:
        wanted = " or ".join(map(str, shapes))
        raise ValueError(f"probabilities must be {wanted}, got {probabilities.shape}")
    sums = probabilities.sum(axis=1)
    if not (np.abs(sums - 1) < 1e-3).all() or probabilities.min() < 0:
        worst = int(np.argmax(np.abs(sums - 1)))
        raise ValueError(f"rows must be probabilities, but row {worst} sums to {sums[worst]:.4g}")


def _judge(
    search: SearchState,
    of_values: npt.NDArray[np.float64],
    losses: npt.NDArray[np.float64],
    beside: OpenReadings,
    limits: DecodeLimits,
) -> DecodeOutcome:
    is_open = beside.emptied > math.exp(-limits.open_gap) or beside.changed > 1
    if not is_open and _is_claimable(search, losses, limits):
        is_alone = search.rival is None and search.is_complete
        return DecodeOutcome.SOLVED if is_alone else DecodeOutcome.UNREADABLE
    is_sure = (of_values.max(axis=1) < limits.sure).sum() <= limits.max_unsure_cells
    if is_sure and search.top_solutions == 0:
        return DecodeOutcome.NO_SOLUTION
    if is_sure and search.top_solutions == 2:
        return DecodeOutcome.AMBIGUOUS
    return DecodeOutcome.UNREADABLE


def _is_claimable(
    search: SearchState, losses: npt.NDArray[np.float64], limits: DecodeLimits
) -> bool:
    """Tell whether the best valid reading is near enough to what the reader saw."""
    if search.best is None:
        return False
    changed = np.array(search.best.values) != losses.argmin(axis=1)
    return bool(changed.sum() <= limits.max_corrected)


def _weigh_claim(search: SearchState, beside: OpenReadings, limits: DecodeLimits) -> float:
    """Return the posterior of a claim against what else the picture may show.

    That is the best reading with another solution that was not looked at, no valid puzzle at all,
    and the puzzles with several solutions beside it.
    """
    rivals = math.exp(-search.frontier) + math.exp(-limits.max_loss)
    weight = 1 + beside.emptied + beside.changed
    return search.support / (search.support * weight + rivals)


def _describe(
    probabilities: Floats,
    of_values: npt.NDArray[np.float64],
    logs: npt.NDArray[np.float64],
    values: Integers,
    outcome: DecodeOutcome,
    solution: Grid | None,
    search: SearchState,
    confidence: float,
) -> Decoding:
    cells = np.arange(len(of_values))
    top = of_values.argmax(axis=1)
    corrected = np.flatnonzero(values != top)
    handwritten = np.zeros(len(cells), np.bool_)
    if distinguishes_hands(probabilities):
        filled = np.flatnonzero(values)
        digits = values[filled]
        handwritten[filled] = probabilities[filled, digits + 9] > probabilities[filled, digits]
    chosen, best = logs[cells, values].sum(), logs[cells, top].sum()
    return Decoding(
        outcome=outcome,
        clues=_as_square(values),
        solution=solution,
        confidence=confidence,
        corrected=tuple(corrected.tolist()),
        handwritten=handwritten,
        loss=float(best - chosen),
        log_likelihood=float(chosen),
        nodes=search.nodes,
    )


def _as_square(values: Integers) -> Grid:
    """Return n² values as a grid, (n, n) uint8."""
    side = math.isqrt(len(values))
    return values.astype(np.uint8).reshape(side, side)
