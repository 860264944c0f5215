"""What a report of the product is worth against a rendered photo's truth, and tables of that."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from solver.grid import parse_grid
from training.evaluation.photo_verdicts import MIN_OVERLAP, Stage
from training.rendered.rendered_photos import Circumstances, RenderedBoard, RenderedPhoto
from vision.geometry import quad_overlap

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
    stage: Stage


@dataclass(frozen=True, eq=False)
class PhotoVerdict:
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
        return not self.is_wrong and all(board.stage is Stage.RIGHT for board in self.boards)


def judge_photo(name: str, rendered: RenderedPhoto, report: dict[str, Any]) -> PhotoVerdict:
    """Compare a report, as `sudoku-lens solve --json` prints it, with the truth."""
    told = report["boards"]
    on = [_board_under(board, rendered.boards) for board in told]
    is_wrong = any(
        board["solution"] is not None
        and (truth is None or not np.array_equal(parse_grid(board["solution"]), truth.solution))
        for board, truth in zip(told, on, strict=True)
    )
    verdicts = tuple(
        _judge_board(truth, [b for b, t in zip(told, on, strict=True) if t is truth])
        for truth in rendered.boards
    )
    spent = float(sum(report["seconds"].values()))
    named = report.get("looks_like")
    return PhotoVerdict(name, verdicts, is_wrong, spent, rendered.circumstances, named)


def _board_under(told: dict[str, Any], boards: Sequence[RenderedBoard]) -> RenderedBoard | None:
    corners = np.array(told["corners"], np.float32)
    for board in boards:
        if quad_overlap(corners, board.corners) >= MIN_OVERLAP:
            return board
    return None


def _judge_board(truth: RenderedBoard, told: Sequence[dict[str, Any]]) -> BoardVerdict:
    if not told:
        return BoardVerdict(False, False, Stage.FIND)
    is_exact = any(np.array_equal(parse_grid(board["clues"]), truth.clues) for board in told)
    shown = [parse_grid(board["solution"]) for board in told if board["solution"] is not None]
    if not shown:
        return BoardVerdict(True, is_exact, Stage.DECODE if is_exact else Stage.READ)
    is_right = all(np.array_equal(solution, truth.solution) for solution in shown)
    return BoardVerdict(True, is_exact, Stage.RIGHT if is_right else Stage.WRONG)


def format_table(rows: Sequence[tuple[str, Sequence[PhotoVerdict]]]) -> str:
    """Return the figures of groups of photos as a Markdown table."""
    lines = [
        "| photos | n | boards | located | clues exact | solved right | WRONG shown | s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [_row(name, verdicts) for name, verdicts in rows if verdicts]
    return "\n".join(lines)


def _row(name: str, verdicts: Sequence[PhotoVerdict]) -> str:
    boards = [board for verdict in verdicts for board in verdict.boards]
    count = len(boards)
    located = sum(board.is_located for board in boards)
    exact = sum(board.is_exact for board in boards)
    right = sum(board.stage is Stage.RIGHT for board in boards)
    share = f" ({100 * right / count:.1f} %)" if count else ""
    seconds = [verdict.seconds for verdict in verdicts]
    middle, high = np.median(seconds), np.quantile(seconds, 0.95)
    return (
        f"| {name} | {len(verdicts)} | {count} | {located} | {exact} | {right}{share} "
        f"| {sum(verdict.is_wrong for verdict in verdicts)} | {middle:.2f} / {high:.2f} |"
    )


def format_names(groups: Sequence[tuple[str, Sequence[PhotoVerdict]]]) -> str:
    """Return a Markdown table of the puzzles that were named in the place of a Sudoku.

    Args:
        groups: what was photographed, and what came of the photos.
    """
    lines = ["| decoys | n | named so | named otherwise |", "|---|---|---|---|"]
    for kind, verdicts in groups:
        named = [verdict.looks_like for verdict in verdicts if verdict.looks_like is not None]
        if verdicts:
            right = named.count(kind)
            lines.append(f"| {kind} | {len(verdicts)} | {right} | {len(named) - right} |")
    return "\n".join(lines)


def group_by_factor(
    verdicts: Sequence[PhotoVerdict],
) -> list[tuple[str, list[PhotoVerdict]]]:
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
            groups.append(
                (f"{name} {label}", [v for v, b in zip(verdicts, bins, strict=True) if b == index])
            )
    for name, has in _KINDS:
        groups.append((name, [v for v in verdicts if has(v.circumstances)]))
    return groups
