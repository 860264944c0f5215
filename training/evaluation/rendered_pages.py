"""Runs the product over rendered photos of a level of hardness, and over decoys.

    python -m training.evaluate rendered --level 3 --count 200
    python -m training.evaluate rendered --level 3 --count 50 --several
    python -m training.evaluate rendered --newspapers 100
    python -m training.evaluate rendered --decoys 500
    python -m training.evaluate rendered --decoys 80 --only kakuro suguru

prints Markdown tables. Seeds name photos: the same ones are rendered by every run.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from solver.grid import parse_grid
from training.evaluate import make_parser, make_table
from training.evaluation.photo_verdicts import PhotoStage, lies_on, run_on_pictures
from training.rendered.levels import LEVELS
from training.rendered.photographed_decoys import DECOYS, render_decoy
from training.rendered.rendered_photos import (
    MANY_BOARDS,
    Circumstances,
    RenderedBoard,
    RenderedPhoto,
    render_newspaper,
    render_photo,
)
from vision.geometry import Image8

_FACTORS: Final[tuple[tuple[str, Callable[[Circumstances], float], tuple[float, ...]], ...]] = (
    ("cell, px", lambda facts: facts.cell_px, (18, 25, 40)),
    ("tilt, degrees", lambda facts: facts.tilt, (15, 30, 45)),
    ("turn, degrees", lambda facts: abs(facts.turn), (10, 30, 60)),
    ("bend, cells", lambda facts: facts.bend, (0.05, 0.15, 0.4)),
    ("defocus, cells", lambda facts: facts.focus, (0.02, 0.04, 0.06)),
    ("smear, cells", lambda facts: facts.motion, (0.001, 0.08, 0.13)),
    ("light", lambda facts: facts.brightness, (0.5, 0.7)),
    ("shadow", lambda facts: facts.shadow, (0.1, 0.3)),
)
_KINDS: Final[tuple[tuple[str, Callable[[Circumstances], bool]], ...]] = (
    ("written into", lambda facts: facts.has_writing),
    ("candidates", lambda facts: facts.has_candidates),
    ("dark mode", lambda facts: facts.is_dark),
)

Render = Callable[[], RenderedPhoto]


@dataclass(frozen=True)
class BoardVerdict:
    """What was shown for one board.

    Attributes:
        is_located: an outline of the report lies on it.
        is_exact: its printed clues are the report's, no more and no less.
        stage: where it failed.
    """

    is_located: bool
    is_exact: bool
    stage: PhotoStage


@dataclass(frozen=True, eq=False)
class RenderedVerdict:
    """What a report is worth against the truth.

    Attributes:
        name: of the photo.
        boards: a verdict for each true board.
        is_wrong: a solution was shown that is not a true board's.
        seconds: that the product took.
        circumstances: of the photo.
        looks_like: the puzzle that was named in the place of a Sudoku.
    """

    name: str
    boards: tuple[BoardVerdict, ...]
    is_wrong: bool
    seconds: float
    circumstances: Circumstances
    looks_like: str | None = None

    @property
    def is_right(self) -> bool:
        """Whether every board is solved, and nothing else was."""
        return not self.is_wrong and all(board.stage is PhotoStage.RIGHT for board in self.boards)


def judge_photo(name: str, rendered: RenderedPhoto, report: dict[str, Any]) -> RenderedVerdict:
    """Compare a report, as `sudoku-lens solve --json` prints it, with the truth."""
    told = report["boards"]
    on = [next((t for t in rendered.boards if lies_on(one, t.corners)), None) for one in told]
    pairs = list(zip(told, on, strict=True))
    is_wrong = any(
        board["solution"] is not None
        and (truth is None or not np.array_equal(parse_grid(board["solution"]), truth.solution))
        for board, truth in pairs
    )
    verdicts = tuple(
        _judge_board(truth, [board for board, t in pairs if t is truth])
        for truth in rendered.boards
    )
    spent = float(sum(report["seconds"].values()))
    named = report.get("looks_like")
    return RenderedVerdict(name, verdicts, is_wrong, spent, rendered.circumstances, named)


def _judge_board(truth: RenderedBoard, told: Sequence[dict[str, Any]]) -> BoardVerdict:
    if not told:
        return BoardVerdict(False, False, PhotoStage.FIND)
    is_exact = any(np.array_equal(parse_grid(board["clues"]), truth.clues) for board in told)
    shown = [parse_grid(board["solution"]) for board in told if board["solution"] is not None]
    if not shown:
        return BoardVerdict(True, is_exact, PhotoStage.DECODE if is_exact else PhotoStage.READ)
    is_right = all(np.array_equal(solution, truth.solution) for solution in shown)
    return BoardVerdict(True, is_exact, PhotoStage.RIGHT if is_right else PhotoStage.WRONG)


def format_table(rows: Sequence[tuple[str, Sequence[RenderedVerdict]]]) -> str:
    """Return the figures of groups of photos as a Markdown table."""
    heads = "photos | n | boards | located | clues exact | solved right | WRONG shown | s"
    return make_table(heads, (_row(*row) for row in rows if row[1]))


def _row(name: str, verdicts: Sequence[RenderedVerdict]) -> tuple[object, ...]:
    boards = [board for verdict in verdicts for board in verdict.boards]
    count = len(boards)
    located = sum(board.is_located for board in boards)
    exact = sum(board.is_exact for board in boards)
    right = sum(board.stage is PhotoStage.RIGHT for board in boards)
    share = f" ({100 * right / count:.1f} %)" if count else ""
    seconds = [verdict.seconds for verdict in verdicts]
    middle, high = np.median(seconds), np.quantile(seconds, 0.95)
    wrong, spent = sum(one.is_wrong for one in verdicts), f"{middle:.2f} / {high:.2f}"
    return name, len(verdicts), count, located, exact, f"{right}{share}", wrong, spent


def format_names(groups: Sequence[tuple[str, Sequence[RenderedVerdict]]]) -> str:
    """Return a Markdown table of the puzzles that were named in the place of a Sudoku."""
    rows = []
    for kind, verdicts in groups:
        named = [verdict.looks_like for verdict in verdicts if verdict.looks_like is not None]
        if verdicts:
            right = named.count(kind)
            rows.append((kind, len(verdicts), right, len(named) - right))
    return make_table("decoys | n | named so | named otherwise", rows)


def group_by_factor(verdicts: Sequence[RenderedVerdict]) -> list[tuple[str, list[RenderedVerdict]]]:
    """Return groups of photos by each thing that makes a photo hard."""
    groups = []
    for medium in dict.fromkeys(verdict.circumstances.medium for verdict in verdicts):
        chosen = [v for v in verdicts if v.circumstances.medium == medium]
        groups.append((f"medium {medium}", chosen))
    for name, measure, edges in _FACTORS:
        values = np.array([measure(verdict.circumstances) for verdict in verdicts])
        bins = np.digitize(values, edges)
        for index in range(len(edges) + 1):
            low = f"{edges[index - 1]:g}" if index else ""
            high = f"{edges[index]:g}" if index < len(edges) else ""
            label = f"{low}–{high}" if low and high else f"< {high}" if high else f"≥ {low}"
            chosen = [v for v, b in zip(verdicts, bins, strict=True) if b == index]
            groups.append((f"{name} {label}", chosen))
    for name, has in _KINDS:
        groups.append((name, [v for v in verdicts if has(v.circumstances)]))
    return groups


def evaluate(
    jobs: Sequence[tuple[str, Render]], kept_in: Path | None = None
) -> Iterator[RenderedVerdict]:
    """Render photos, run the product over them and yield its verdicts.

    Args:
        jobs: a name and what renders it, for each photo.
        kept_in: folder that keeps the photos, as PNG; None keeps none.
    """

    def make() -> Iterator[tuple[str, Image8, RenderedPhoto]]:
        empty = np.zeros((0, 0, 3), np.uint8)
        for name, render in jobs:
            shown = render()
            # The picture is on disk: only the truth is kept in memory.
            yield name, shown.photo, RenderedPhoto(empty, shown.boards, shown.circumstances)

    for file, truth, report in run_on_pictures(make(), kept_in=kept_in):
        verdict = judge_photo(file.stem, truth, report)
        _tell_failure(verdict, report)
        yield verdict


def _tell_failure(verdict: RenderedVerdict, report: dict[str, Any]) -> None:
    if verdict.is_right:
        return
    stages = ", ".join(board.stage.value for board in verdict.boards)
    facts = verdict.circumstances
    print(
        f"{verdict.name}: {'WRONG shown, ' if verdict.is_wrong else ''}{stages} "
        f"({report['outcome']}); {facts.medium}, cell {facts.cell_px:.0f} px, tilt "
        f"{facts.tilt:.0f}, turn {facts.turn:.0f}, bend {facts.bend:.2f}, defocus "
        f"{facts.focus:.3f}, smear {facts.motion:.2f}, light {facts.brightness:.2f}, shadow "
        f"{facts.shadow:.2f}, noise {facts.noise:.1f}"
        f"{', written' if facts.has_writing else ''}"
        f"{', candidates' if facts.has_candidates else ''}{', dark' if facts.is_dark else ''}",
        file=sys.stderr,
    )


def _jobs(options: argparse.Namespace) -> list[tuple[str, Render]]:
    count = options.decoys or options.newspapers or options.count
    jobs: list[tuple[str, Render]] = []
    for seed in range(options.seed, options.seed + count):
        if options.decoys:
            kinds = options.only or list(DECOYS)
            kind = kinds[seed % len(kinds)]
            jobs.append((f"{kind}-{seed}", partial(render_decoy, kind, seed, options.level)))
        elif options.newspapers:
            jobs.append((f"newspaper-{seed}", partial(render_newspaper, seed)))
        else:
            boards = list(MANY_BOARDS)[seed % len(MANY_BOARDS)] if options.several else 1
            any_turn = float(np.random.default_rng([seed, 1]).uniform(-180, 180))
            turn = any_turn if options.turned else None
            name = f"level{options.level}-{seed}{f'-{boards}boards' if boards > 1 else ''}"
            jobs.append((name, partial(render_photo, options.level, seed, boards, turn)))
    return jobs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a wrong solution was shown."""
    parser = make_parser(
        "rendered", "Score the product on rendered photos of puzzle pages, or on decoys."
    )
    add = parser.add_argument
    add("--level", type=int, choices=list(LEVELS), default=3)
    add("--count", type=int, default=200, help="photos")
    add("--seed", type=int, default=0, help="of the first photo; the next follow")
    add("--several", action="store_true", help="pages of 2, 3, 4 and 6 boards")
    add("--newspapers", type=int, default=0, help="so many whole pages in 12 megapixels instead")
    add("--decoys", type=int, default=0, help="so many decoys instead of pages")
    add("--only", nargs="+", choices=list(DECOYS), help="decoys of these kinds")
    add("--turned", action="store_true", help="the camera turned any way")
    add("--keep", type=Path, help="folder where the photos are left")
    options = parser.parse_args(arguments)
    jobs = _jobs(options)
    if not jobs:
        parser.error("--count must be 1 or more")
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    verdicts = list(evaluate(jobs, options.keep))
    if options.decoys:
        kinds = [(kind, [v for v in verdicts if v.name.startswith(f"{kind}-")]) for kind in DECOYS]
        print(format_table([*kinds, ("**all decoys**", verdicts)]))
        print(f"\n{format_names(kinds)}")
    else:
        name = "whole newspapers" if options.newspapers else f"level {options.level}"
        print(format_table([(f"**{name}**", verdicts), *group_by_factor(verdicts)]))
    return 1 if any(verdict.is_wrong for verdict in verdicts) else 0
