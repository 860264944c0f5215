"""Judges the live view frame by frame: what it drew, against what was really there."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from solver.grid import Grid, parse_grid
from vision.board import corners_from_lattice

Points = npt.NDArray[np.float32]

_DRAWN: Final = 0.2
"""Opacity from which an overlay counts as there; a wrong one counts at any."""

_ASTRAY: Final = 0.35
"""How far a crossing may be off for digits to stand in their cells, in cells."""


@dataclass(frozen=True, eq=False)
class FrameTruth:
    """What a frame really shows.

    Attributes:
        lattice: (10, 10, 2) float32 in pixels of the frame, wherever that is.
        solution: (9, 9) uint8.
        is_visible: whether the whole board is in the frame.
    """

    lattice: Points
    solution: Grid
    is_visible: bool


@dataclass(frozen=True, eq=False)
class SequenceVerdict:
    """What came of a sequence; times in seconds, errors in pixels.

    Attributes:
        name: of the sequence.
        visible: frames in which the whole board is.
        shown: of them, those with a right overlay in its place.
        wrong: frames with a digit that does not belong where it was drawn.
        first: times from when a board came into view to its first right overlay, one for each
            stretch of frames with the same board in view.
        corner_errors: of every corner of every right overlay.
        jitter: for a sequence in which nothing moves, the greatest standard deviation of any
            corner's x or y, else None.
        work_ms: of every frame, drawing included.
        read_ms: of every recognition.
    """

    name: str
    visible: int
    shown: int
    wrong: int
    first: tuple[float, ...]
    corner_errors: tuple[float, ...]
    jitter: float | None
    work_ms: tuple[float, ...]
    read_ms: tuple[float, ...]


def judge_sequence(
    name: str,
    truths: Sequence[FrameTruth],
    reports: Sequence[dict[str, Any]],
    rate: float,
    *,
    is_still: bool = False,
) -> SequenceVerdict:
    """Hold the report of `sudoku-lens live` against the truth.

    Args:
        name: of the sequence.
        truths: one a frame.
        reports: one a frame, as the report has them.
        rate: frames a second.
        is_still: tell the jitter.

    Raises:
        ValueError: if there are not as many reports as frames.
    """
    if len(truths) != len(reports):
        raise ValueError(f"{len(reports)} reports for {len(truths)} frames")
    drawn = [_judge_frame(truth, report) for truth, report in zip(truths, reports, strict=True)]
    errors = [frame.errors for frame in drawn if frame.is_right]
    places = [
        corners_from_lattice(np.array(report["lattice"], np.float32))
        for frame, report in zip(drawn, reports, strict=True)
        if frame.is_right
    ]
    jitter = float(np.std(places, axis=0).max()) if is_still and places else None
    return SequenceVerdict(
        name=name,
        visible=sum(truth.is_visible for truth in truths),
        shown=sum(
            truth.is_visible and frame.is_right for truth, frame in zip(truths, drawn, strict=True)
        ),
        wrong=sum(frame.is_wrong for frame in drawn),
        first=tuple(_waits(truths, [frame.is_right for frame in drawn], rate)),
        corner_errors=tuple(float(error) for four in errors for error in four),
        jitter=jitter,
        work_ms=tuple(report["work_ms"] + report["draw_ms"] for report in reports),
        read_ms=tuple(report["read_ms"] for report in reports if report["read_ms"] is not None),
    )


@dataclass(frozen=True)
class _Drawn:
    is_right: bool
    is_wrong: bool
    errors: tuple[float, ...] = ()


def _judge_frame(truth: FrameTruth, report: dict[str, Any]) -> _Drawn:
    digits = parse_grid(report["digits"])
    if report["opacity"] <= 0 or not digits.any() or report["lattice"] is None:
        return _Drawn(is_right=False, is_wrong=False)
    lattice = np.array(report["lattice"], np.float32)
    cell = float(np.linalg.norm(np.diff(truth.lattice, axis=1), axis=2).mean())
    away = np.linalg.norm(lattice - truth.lattice, axis=2)
    is_in_place = bool(away.max() < _ASTRAY * cell)
    agrees = bool(((digits == 0) | (digits == truth.solution)).all())
    if not (is_in_place and agrees):
        return _Drawn(is_right=False, is_wrong=True)
    corners = corners_from_lattice(lattice) - corners_from_lattice(truth.lattice)
    errors = tuple(np.linalg.norm(corners, axis=1).tolist())
    return _Drawn(is_right=report["opacity"] >= _DRAWN, is_wrong=False, errors=errors)


def _waits(truths: Sequence[FrameTruth], is_right: Sequence[bool], rate: float) -> list[float]:
    """Return how long each board was in view before its first right overlay."""
    waits: list[float] = []
    start: int | None = None
    is_met = False
    for number, truth in enumerate(truths):
        before = truths[number - 1] if number else None
        is_new = before is None or not before.is_visible or before.solution is not truth.solution
        if truth.is_visible and is_new:
            start, is_met = number, False
        if start is not None and not is_met and is_right[number]:
            waits.append((number - start) / rate)
            is_met = True
        is_last = number + 1 == len(truths) or not truths[number + 1].is_visible
        if start is not None and is_last:
            if not is_met and truth.is_visible:
                waits.append((number + 1 - start) / rate)
            start = None
    return waits


def format_table(verdicts: Sequence[SequenceVerdict]) -> str:
    """Return the Markdown table of sequences, and of all together."""
    lines = [
        "| sequence | visible frames | right overlay | wrong digits | first overlay, s "
        "| corner error, px | jitter, px | ms a frame, median / 95 % | recognition, ms |",
        "|---" * 9 + "|",
    ]
    lines += [_row(verdict.name, [verdict]) for verdict in verdicts]
    lines.append(_row("**all**", verdicts))
    return "\n".join(lines)


def _row(name: str, verdicts: Sequence[SequenceVerdict]) -> str:
    visible = sum(verdict.visible for verdict in verdicts)
    shown = sum(verdict.shown for verdict in verdicts)
    first = [value for verdict in verdicts for value in verdict.first]
    errors = [value for verdict in verdicts for value in verdict.corner_errors]
    jitters = [verdict.jitter for verdict in verdicts if verdict.jitter is not None]
    work = [value for verdict in verdicts for value in verdict.work_ms]
    read = [value for verdict in verdicts for value in verdict.read_ms]
    cells = [
        name,
        str(visible),
        f"{100 * shown / max(visible, 1):.1f} %",
        str(sum(verdict.wrong for verdict in verdicts)),
        f"{statistics.median(first):.2f}" if first else "–",
        f"{statistics.median(errors):.2f}" if errors else "–",
        f"{max(jitters):.3f}" if jitters else "–",
        f"{np.median(work):.1f} / {np.quantile(work, 0.95):.1f}" if work else "–",
        f"{np.median(read):.0f}" if read else "–",
    ]
    return f"| {' | '.join(cells)} |"
