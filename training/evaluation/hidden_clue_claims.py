"""Hides a clue of every puzzle and counts the solutions that are claimed all the same.

    python -m training.evaluate ambiguous ../shared/data/photos --folds build/digits
    python -m training.evaluate ambiguous --rendered 510

With the clue the puzzle has one solution, without it several: every claim is an invention. The
same pictures with all clues tell what caution costs. Then come all claims by their confidence.
"""

import argparse
import itertools
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from solver.exact.bitmask import count_solutions
from solver.grid import Grid, parse_grid
from training.evaluate import make_parser, make_table
from training.evaluation.changed_cells import (
    COVERS,
    DISTURBANCES,
    choose_clue,
    hide_clue,
    paint_over,
)
from training.evaluation.photo_verdicts import lies_on, run_on_pictures, seen_digits
from training.photo_labels import (
    PhotoLabel,
    fold_of,
    is_labelled,
    load_photo_labels,
    locate_board,
    reader_for,
    resize_photo,
    scale_label,
    scale_points,
)
from training.rendered.rendered_photos import render_photo
from vision.geometry import Image8, Points
from vision.media.images import load_image

_SIDE_PX: Final = 1000
_COVERED_TOO: Final = ("as it is", "noise 40")
"""What happens to pictures in which something other than paint hides the clue."""

_LEVELS: Final = (3, 4, 5)
_MOST_TRIES: Final = 4
_CHUNK: Final = 10
"""Rendered pages that one run of the product reads."""

_CONFIDENCES: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


@dataclass(frozen=True, eq=False)
class Trial:
    """A picture that is shown to the product, and what stands on its board.

    Attributes:
        name: of the picture, unique.
        variant: what was done to it.
        corners: (4, 2) float32 of the board in its pixels, clockwise from the puzzle's top left.
        digits: (9, 9) uint8, all that can be seen.
        solution: (9, 9) uint8, or None if a clue is hidden and there are several.
    """

    name: str
    variant: str
    corners: Points
    digits: Grid
    solution: Grid | None


@dataclass(frozen=True, eq=False)
class ClueClaim:
    """A solution that was shown.

    Attributes:
        trial: of the picture.
        is_right: it is the board's only one.
        confidence: as the report tells it.
        invented: cells that show nothing and were taken for clues.
        changed: cells of which another digit was taken.
    """

    trial: Trial
    is_right: bool
    confidence: float
    invented: tuple[int, ...]
    changed: tuple[int, ...]


Draw = Callable[[], list[tuple[Trial, Image8]]]
"""Makes the pictures of one photo, or of several."""


def judge_claim(trial: Trial, report: dict[str, Any]) -> ClueClaim | None:
    """Return the claim of a report, as `sudoku-lens solve --json` prints it; None if there is none.

    Yesterday's solution beside a board, of which every digit was read, needs no solving.
    """
    for board in report["boards"]:
        if board["solution"] is None or _is_printed_solution(trial, board):
            continue
        clues, digits = parse_grid(board["clues"]).ravel(), trial.digits.ravel()
        solution = parse_grid(board["solution"])
        return ClueClaim(
            trial=trial,
            is_right=trial.solution is not None and np.array_equal(solution, trial.solution),
            confidence=float(board["confidence"]),
            invented=tuple(np.flatnonzero((clues > 0) & (digits == 0)).tolist()),
            changed=tuple(np.flatnonzero((clues > 0) & (digits > 0) & (clues != digits)).tolist()),
        )
    return None


def drop_printed_solutions(
    told: Sequence[tuple[Trial, dict[str, Any]]],
) -> list[tuple[Trial, dict[str, Any]]]:
    """Return the reports of one draw without the solutions that are printed beside its boards.

    A disturbed picture may show such a solution with some digits that cannot be read. It is no
    invention if every digit of it was read in a picture of the same draw.
    """
    printed = {
        board["solution"]
        for trial, report in told
        for board in report["boards"]
        if board["solution"] is not None and _is_printed_solution(trial, board)
    }
    kept = []
    for trial, report in told:
        boards = [
            board
            for board in report["boards"]
            if not (_is_beside(trial, board) and board["solution"] in printed)
        ]
        kept.append((trial, report | {"boards": boards}))
    return kept


def _is_printed_solution(trial: Trial, board: dict[str, Any]) -> bool:
    return _is_beside(trial, board) and bool(seen_digits(board).all())


def _is_beside(trial: Trial, board: dict[str, Any]) -> bool:
    return not lies_on(board, trial.corners)


def _draw_photo(
    folder: Path, label: PhotoLabel, seed: int, number: int
) -> list[tuple[Trial, Image8]]:
    """Return a photo with all clues and without one of them, disturbed in every way."""
    whole, scale = resize_photo(load_image(folder / label.file), _SIDE_PX)
    label = scale_label(label, scale)
    assert label.corners is not None
    lattice = locate_board(whole, label)
    made = []
    ways = [(cover, name) for cover in ("whole", "paint") for name in DISTURBANCES]
    ways += [(cover, name) for cover in COVERS for name in _COVERED_TOO]
    for way, (cover, disturbance) in enumerate(ways):
        rng = np.random.default_rng([seed, number, way])
        image, digits = whole, label.digits
        if cover != "whole":
            cell = choose_clue(digits, rng)
            if cell is None or digits.all():
                continue
            hide = paint_over(digits) if cover == "paint" else COVERS[cover]
            image, digits = hide(whole, lattice, cell, rng), hide_clue(digits, cell)
        image = DISTURBANCES[disturbance](image, rng)
        shown = scale_points(label.corners, max(image.shape) / _SIDE_PX)
        solution = label.solution if cover == "whole" else None
        name = f"{number:03}-{way:02}"
        made.append((Trial(name, f"{cover}, {disturbance}", shown, digits, solution), image))
    return made


def draw_rendered(level: int, seed: int) -> list[tuple[Trial, Image8]]:
    """Return a rendered photo, and the same page printed without one of its clues.

    Where somebody wrote the missing digit into it, another clue is left out instead; where the
    entries always single out one solution, none is.
    """
    made = []
    for taken in range(_MOST_TRIES):
        rendered = render_photo(level, seed, taken=taken)
        board = rendered.boards[0]
        digits = np.where(board.clues > 0, board.clues, board.entries).astype(np.uint8)
        if taken and count_solutions(digits, 2) != 2:
            continue
        name, variant = f"{level}-{seed}{'-taken' if taken else ''}", "taken" if taken else "whole"
        solution = None if taken else board.solution
        trial = Trial(name, f"{variant}, level {level}", board.corners, digits, solution)
        made.append((trial, rendered.photo))
        if taken:
            break
    return made


def _run_trials(
    draws: Sequence[tuple[Draw, Sequence[str]]], processes: int
) -> list[tuple[Trial, dict[str, Any]]]:

    def run(draw: tuple[Draw, Sequence[str]]) -> list[tuple[Trial, dict[str, Any]]]:
        make, options = draw
        pictures = ((trial.name, image, trial) for trial, image in make())
        ran = run_on_pictures(pictures, options)
        told = drop_printed_solutions([(trial, report) for _, trial, report in ran])
        for trial, report in told:
            _tell_invention(judge_claim(trial, report))
        return told

    with ThreadPoolExecutor(processes) as workers:
        return [one for part in workers.map(run, draws) for one in part]


def _tell_invention(claim: ClueClaim | None) -> None:
    if claim is None or claim.is_right:
        return
    print(
        f"{claim.trial.name} ({claim.trial.variant}): confidence {claim.confidence:.3f}, "
        f"invented {list(claim.invented)}, changed {list(claim.changed)}",
        file=sys.stderr,
        flush=True,
    )


def format_claims(told: Sequence[tuple[Trial, dict[str, Any]]]) -> str:
    """Return, by what was done to the pictures, what was claimed, as a Markdown table."""
    heads = (
        "pictures | n | solved right | claims that are wrong | digit in an empty cell "
        "| changed digit | highest confidence of those"
    )
    rows = []
    names = list(dict.fromkeys(trial.variant for trial, _ in told))
    groups = [(name, [one for one in told if one[0].variant == name]) for name in names]
    for name, is_hidden in (("**all clues**", False), ("**a clue hidden**", True)):
        groups.append((name, [one for one in told if (one[0].solution is None) == is_hidden]))
    for name, group in groups:
        claims = [claim for trial, report in group if (claim := judge_claim(trial, report))]
        wrong = [claim for claim in claims if not claim.is_right]
        highest = f"{max(claim.confidence for claim in wrong):.3f}" if wrong else "–"
        right = "–" if group and group[0][0].solution is None else len(claims) - len(wrong)
        invented = sum(bool(claim.invented) for claim in wrong)
        changed = sum(bool(claim.changed) and not claim.invented for claim in wrong)
        rows.append((name, len(group), right, len(wrong), invented, changed, highest))
    return make_table(heads, rows)


def format_calibration(claims: Sequence[ClueClaim]) -> str:
    """Return how many of the claims of each confidence are right, as a Markdown table."""
    rows = []
    confidences = np.array([claim.confidence for claim in claims])
    is_right = np.array([claim.is_right for claim in claims])
    for low, high in itertools.pairwise(_CONFIDENCES):
        chosen = (confidences >= low) & ((confidences < high) | (high == _CONFIDENCES[-1]))
        if chosen.any():
            means = (f"{one[chosen].mean():.4f}" for one in (confidences, is_right))
            rows.append((f"{low:g}–{high:g}", chosen.sum(), *means))
    return make_table("confidence | claims | mean | right", rows)


def _photo_draws(options: argparse.Namespace) -> list[tuple[Draw, Sequence[str]]]:
    every = load_photo_labels(options.folder)
    labels = [one for one in every if one.solution is not None and one.corners is not None]
    # A photo is drawn alike whatever the sample.
    numbers = np.random.default_rng(options.seed).permutation(len(labels))[: options.sample]
    draws: list[tuple[Draw, Sequence[str]]] = []
    for number in sorted(numbers.tolist()):
        label = labels[number]
        weights = []
        if options.folds is not None:
            weights = ["--weights", str(reader_for(options.folds, fold_of(label.group)))]
        draws.append((partial(_draw_photo, options.folder, label, options.seed, number), weights))
    return draws


def _rendered_draws(options: argparse.Namespace) -> list[tuple[Draw, Sequence[str]]]:
    numbers = range(options.rendered)
    pages = [(_LEVELS[number % len(_LEVELS)], options.seed + number) for number in numbers]
    starts = range(0, len(pages), _CHUNK)
    return [(partial(_draw_pages, pages[start : start + _CHUNK]), []) for start in starts]


def _draw_pages(pages: Sequence[tuple[int, int]]) -> list[tuple[Trial, Image8]]:
    return [one for level, seed in pages for one in draw_rendered(level, seed)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a digit was claimed in an empty cell."""
    parser = make_parser(
        "ambiguous", "Hide a clue of every puzzle, and count what is claimed all the same."
    )
    parser.add_argument("folder", type=Path, nargs="?", help="with photos.csv and the photos")
    parser.add_argument(
        "--folds", type=Path, help="folder with kinds0.tflite, kinds0-boards.tflite, …"
    )
    parser.add_argument("--rendered", type=int, default=0, help="so many rendered pages, too")
    parser.add_argument("--sample", type=int, help="only so many photos, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0, help="of all that is drawn")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.folder is None and not options.rendered:
        parser.error("name the folder of the photos, or --rendered and a number")
    if options.folder is not None and not is_labelled(options.folder):
        return 3
    draws = [] if options.folder is None else _photo_draws(options)
    told = _run_trials([*draws, *_rendered_draws(options)], options.processes)
    print(format_claims(told))
    claims = [claim for trial, report in told if (claim := judge_claim(trial, report))]
    print(f"\nClaims by their confidence:\n\n{format_calibration(claims)}")
    return 1 if any(claim.invented and not claim.is_right for claim in claims) else 0
