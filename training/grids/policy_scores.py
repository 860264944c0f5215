"""How well a network solves by a policy: every puzzle's score, their sums, and plots of them.

n puzzles.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.grids import Digits, GridNetwork, legal_candidates
from solver.base import Limits, Status
from solver.exact.bulk.bulk_solver import solve_batch
from solver.generation.generate import GenerateOptions, generate_puzzles
from solver.grid import read_puzzles
from solver.neural.filling_policy import Ending, Played, Policy, play_puzzles
from solver.neural.network_solver import (
    POLICIES,
    AlphaSudokuSolver,
    DeepIterative,
    conclude_play,
    count_wrong,
)

Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

Player = Policy | AlphaSudokuSolver
"""What drives a network in play."""

PLAYERS: Final[dict[str, Player]] = {
    **POLICIES,
    DeepIterative.name: DeepIterative(),
    AlphaSudokuSolver.name: AlphaSudokuSolver(),
}
"""By the names of the registry."""

_DPI: Final = 100
_LINE_STYLES: Final = ("-", "--", ":", "-.")
_COLUMNS: Final = 3
_STATUS_OF_COUNT: Final = (Status.UNSOLVABLE, Status.SOLVED, Status.AMBIGUOUS)


@dataclass(frozen=True, eq=False)
class PuzzleSet:
    """Puzzles that are measured together.

    Attributes:
        name: that tables show.
        clues: (n, 81) uint8, 0 = empty.
        solutions: (n, 81) uint8, one of each puzzle.
        counts: (n,) int32: how many solutions a puzzle has, 2 for more.
    """

    name: str
    clues: Digits
    solutions: Digits
    counts: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Scores:
    """What became of each puzzle.

    Attributes:
        network: name.
        policy: name.
        puzzles: which they were.
        right_cells: (n,) how many of the empty cells ended with the solution's digit. A cell that
            was not filled is not right. Only counted for puzzles with one solution.
        is_right: (n,) the puzzle was decided, and truly: its only solution found, or proved that
            there is none or another.
        is_wrong: (n,) a claim was made that is not so.
        passes: (n,) of the network.
        guesses: (n,) digits that could be taken back; none are counted for a tree search, which
            takes nothing back but looks elsewhere.
        wrong_guesses: (n,) those that were.
        seconds: wall time of all, without the proofs of uniqueness but for a tree search.
    """

    network: str
    policy: str
    puzzles: PuzzleSet
    right_cells: Integers
    is_right: Booleans
    is_wrong: Booleans
    passes: Integers
    guesses: Integers
    wrong_guesses: Integers
    seconds: float


@dataclass(frozen=True)
class PolicySummary:
    """What the scores of some puzzles add up to; shares are percentages.

    Attributes:
        n: puzzles.
        all_cells: share of right cells, the clues included; of puzzles with one solution.
        empty_cells: the same without the clues.
        whole: share of puzzles that were decided, and truly.
        wrong: claims that are not so.
        mean_passes: a puzzle.
        high_passes: 95th percentile.
        mean_guesses: a puzzle.
        mean_wrong_guesses: a puzzle.
    """

    n: int
    all_cells: float
    empty_cells: float
    whole: float
    wrong: int
    mean_passes: float
    high_passes: float
    mean_guesses: float
    mean_wrong_guesses: float


def name_puzzles(name: str, clues: Digits) -> PuzzleSet:
    """Solve the puzzles with the exact engine, to have what answers are measured by.

    Args:
        name: that tables show.
        clues: (n, 81) uint8.
    """
    batch = solve_batch(np.ascontiguousarray(clues), limit=2)
    return PuzzleSet(name, clues, batch.solutions, batch.counts)


def read_file(path: Path, sample: int | None, seed: int = 0) -> PuzzleSet:
    """Read the 9×9 puzzles of a file, or a random sample of them."""
    with path.open(encoding="utf-8") as file:
        grids = [item.grid for item in read_puzzles(file) if item.grid is not None]
    lines = [grid.ravel() for grid in grids if grid.shape == (9, 9)]
    if sample is not None and sample < len(lines):
        lines = [lines[at] for at in sorted(random.Random(seed).sample(range(len(lines)), sample))]
    return name_puzzles(path.stem, np.array(lines, np.uint8).reshape(-1, 81))


def generate_with_clues(clues: int, count: int, seed: int = 0) -> PuzzleSet:
    """Make full grids at random and clear them to so many clues, where one solution is left."""
    made = generate_puzzles(count, GenerateOptions(clues=clues), seed)
    return name_puzzles(f"{clues} clues", made.puzzles.reshape(-1, 81))


def measure(
    network: GridNetwork,
    policy: Player,
    puzzles: PuzzleSet,
    limits: Limits,
    batch_size: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Scores:
    """Let a policy play all puzzles with a network, and judge what comes of each.

    Args:
        network: which judges.
        policy: which plays.
        puzzles: what is played.
        limits: of each puzzle; of a tree search they limit rounds, not passes.
        batch_size: how many are in play at a time; a tree search plays one by one.
        clock: returns seconds.
    """
    # A first pass pays for what is compiled or allocated.
    network.judge(puzzles.clues[:1], legal_candidates(puzzles.clues[:1]))
    start = clock()
    if isinstance(policy, AlphaSudokuSolver):
        ended = list(_search(replace(policy, network=network), puzzles, limits))
    else:
        ended = list(play_puzzles(policy, network.judge, puzzles.clues, limits, batch_size))
    seconds = clock() - start
    n = len(puzzles.clues)
    right_cells, passes, guesses, wrong_guesses = np.zeros((4, n), np.int64)
    is_right, is_wrong = np.zeros((2, n), np.bool_)
    for played in ended:
        at, effort = played.index, played.effort
        clues, solution = puzzles.clues[at], puzzles.solutions[at]
        result = conclude_play(clues.reshape(9, 9), played, Limits())
        is_true = result.status is _STATUS_OF_COUNT[puzzles.counts[at]]
        if result.solution is not None:
            is_true &= bool((result.solution.ravel() == solution).all())
        is_right[at] = is_true
        is_wrong[at] = not is_true and result.status is not Status.GAVE_UP
        right_cells[at] = ((played.ending.digits == solution) & (clues == 0)).sum()
        passes[at], guesses[at] = effort.passes, effort.guesses
        wrong_guesses[at] = count_wrong(effort)
    return Scores(
        network.name,
        policy.name,
        puzzles,
        right_cells,
        is_right,
        is_wrong,
        passes,
        guesses,
        wrong_guesses,
        seconds,
    )


def _search(solver: AlphaSudokuSolver, puzzles: PuzzleSet, limits: Limits) -> Iterator[Played]:
    """Let a tree search solve all puzzles, and yield what it came to as policies end."""
    for index, clues in enumerate(puzzles.clues):
        result = solver.solve(clues.reshape(9, 9), limits)
        found = (*result.examples, result.solution, clues)
        digits = next(grid for grid in found if grid is not None).ravel()
        is_proved = result.status in {Status.SOLVED, Status.UNSOLVABLE}
        effort = replace(result.effort, nodes=0, guesses=0)
        yield Played(index, Ending(digits, is_exhaustive=is_proved, note=result.note), effort)


def summarize(scores: Scores, chosen: Booleans | None = None) -> PolicySummary:
    """Add up the scores of all puzzles, or of those chosen.

    Args:
        scores: of at least one puzzle.
        chosen: (n,) bool, at least one.
    """
    of = np.ones(len(scores.passes), np.bool_) if chosen is None else chosen
    single = of & (scores.puzzles.counts == 1)
    empty = int((scores.puzzles.clues[single] == 0).sum())
    right = int(scores.right_cells[single].sum())
    cells = 81 * int(single.sum())
    return PolicySummary(
        n=int(of.sum()),
        all_cells=100 * (cells - empty + right) / cells if cells else float("nan"),
        empty_cells=100 * right / empty if empty else float("nan"),
        whole=100 * float(scores.is_right[of].mean()),
        wrong=int(scores.is_wrong[of].sum()),
        mean_passes=float(scores.passes[of].mean()),
        high_passes=float(np.percentile(scores.passes[of], 95)),
        mean_guesses=float(scores.guesses[of].mean()),
        mean_wrong_guesses=float(scores.wrong_guesses[of].mean()),
    )


def join_files(by_file: Sequence[Scores]) -> list[Scores]:
    """Return the scores of each network and policy over all files as one."""
    groups: dict[tuple[str, str], list[Scores]] = {}
    for scores in by_file:
        groups.setdefault((scores.network, scores.policy), []).append(scores)
    return [_join(own) for own in groups.values()]


def count_clues(puzzles: PuzzleSet) -> Integers:
    """Return (n,) the number of clues of each puzzle."""
    return np.asarray((puzzles.clues > 0).sum(axis=1), np.int64)


def mix_whole(scores: Sequence[Scores], shares: Mapping[tuple[str, ...], float]) -> float | None:
    """Return the share of whole puzzles, in percent, in a mix of files, or None if one is missing.

    Args:
        scores: one a file, of one network and policy.
        shares: of the mix; of each its files, whose puzzles are taken as one heap. Their sum is 1.
    """
    by_name = {score.puzzles.name: score for score in scores}
    whole = 0.0
    for names, share in shares.items():
        if any(name not in by_name for name in names):
            return None
        heap = np.concatenate([by_name[name].is_right for name in names])
        whole += share * 100 * float(heap.mean())
    return whole


def _join(own: Sequence[Scores]) -> Scores:
    def join(parts: Sequence[Scores | PuzzleSet], *names: str) -> dict[str, Any]:
        return {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}

    puzzles = join([one.puzzles for one in own], "clues", "solutions", "counts")
    counted = ("right_cells", "is_right", "is_wrong", "passes", "guesses", "wrong_guesses")
    return Scores(
        own[0].network,
        own[0].policy,
        PuzzleSet("all", **puzzles),
        **join(own, *counted),
        seconds=sum(one.seconds for one in own),
    )


def save_plots(by_file: Sequence[Scores], by_count: Sequence[Scores], folder: Path) -> list[Path]:
    """Draw accuracy by number of clues and by passes, and return where the plots are.

    Args:
        by_file: the scores of files of puzzles.
        by_count: those of puzzles that all have the same number of clues; may be none.
        folder: made where it is missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    figures = {"accuracy-by-passes.png": _draw_by_passes(by_file)}
    if by_count:
        figures["accuracy-by-clues.png"] = _draw_by_clues(by_count)
    for name, figure in figures.items():
        figure.savefig(folder / name, dpi=_DPI)
    return [folder / name for name in figures]


def _draw_by_clues(by_count: Sequence[Scores]) -> Any:
    """Draw the share of whole puzzles and of empty cells against the number of clues."""
    figure = _figure(10, 4.5)
    wholes, cells = figure.subplots(1, 2)
    for index, own in enumerate(_lines(by_count)):
        clues = [int(count_clues(scores.puzzles)[0]) for scores in own]
        summaries = [summarize(scores) for scores in own]
        style = {"marker": ".", **_style(index, own[0])}
        wholes.plot(clues, [one.whole for one in summaries], **style)
        cells.plot(clues, [one.empty_cells for one in summaries], **style)
    for axes, title in ((wholes, "Whole puzzles"), (cells, "Empty cells")):
        axes.set_title(title)
        axes.set_xlabel("clues")
        axes.set_ylabel("right, %")
        axes.grid(alpha=0.3)
    cells.legend(fontsize=7)
    return figure


def _draw_by_passes(by_file: Sequence[Scores]) -> Any:
    """Draw, for each file, the share of puzzles that were right after so many passes."""
    names = list(dict.fromkeys(scores.puzzles.name for scores in by_file))
    rows = -(-len(names) // _COLUMNS)
    figure = _figure(11, 0.8 + 2.7 * rows)
    panels = figure.subplots(rows, _COLUMNS, squeeze=False, sharey=True).ravel()
    for axes, name in zip(panels, names, strict=False):
        of_file = [scores for scores in by_file if scores.puzzles.name == name]
        most = max(int(scores.passes.max()) for scores in of_file)
        for index, scores in enumerate(of_file):
            passes = np.sort(scores.passes[scores.is_right])
            share = 100 * np.arange(1, len(passes) + 1) / len(scores.passes)
            axes.step(
                [0, *passes, most],
                [0, *share, share[-1] if len(share) else 0],
                where="post",
                **_style(index, scores),
            )
        axes.set_title(name, fontsize=9)
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(0, max(most, 10))
        axes.set_ylim(-2, 102)
        axes.grid(alpha=0.3)
    for axes in panels[len(names) :]:
        axes.set_axis_off()
    for axes in panels[::_COLUMNS]:
        axes.set_ylabel("right, %")
    for axes in panels[len(panels) - _COLUMNS :]:
        axes.set_xlabel("passes")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _lines(by_count: Sequence[Scores]) -> list[list[Scores]]:
    """Return the scores of each network and policy together, by number of clues."""
    lines: dict[tuple[str, str], list[Scores]] = {}
    for scores in sorted(by_count, key=lambda one: int(count_clues(one.puzzles)[0])):
        lines.setdefault((scores.network, scores.policy), []).append(scores)
    return list(lines.values())


def _style(index: int, scores: Scores) -> dict[str, Any]:
    return {
        "label": f"{scores.network}, {scores.policy.removeprefix('network-')}",
        "color": f"C{index % 10}",
        "linestyle": _LINE_STYLES[index % len(_LINE_STYLES)],
        "linewidth": 1.3,
    }


def _figure(width_inches: float, height_inches: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width_inches, height_inches), layout="constrained")
