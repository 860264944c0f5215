"""Counts cells whose noted candidates the product reads exactly.

python -m training.evaluate candidates --level 2 --count 100
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from solver.grid import format_grid
from training.evaluation.photo_verdicts import run_product
from training.rendered.large_digits import using_shapes_of
from training.rendered.levels import LEVELS
from training.rendered.rendered_photos import RenderedBoard, render_photo
from training.rendered.writing import Mark
from vision.media.images import save_image

_CHUNK: Final = 25
"""Photos that lie in the folder at a time."""


def count_cells(board: RenderedBoard, report: dict[str, Any]) -> Counter[str]:
    """Return how many cells were taken for what they are, and for what else.

    Args:
        board: the truth.
        report: of its photo; a board that is not solved counts by itself.
    """
    solution = format_grid(board.solution)
    found = [one for one in report.get("boards", []) if one["solution"] is not None]
    if not found:
        return Counter(unsolved=1)
    counts = Counter(boards=1, WRONG=any(one["solution"] != solution for one in found))
    told = found[0]["candidates"] or [""] * board.clues.size
    cells = zip(
        board.marks.ravel().tolist(),
        board.candidates.ravel().tolist(),
        told,
        found[0]["clues"],
        found[0]["entries"],
        strict=True,
    )
    for mark, noted, candidates, clue, entry in cells:
        is_digit = clue != "." or entry != "."
        if mark == Mark.CANDIDATES:
            right = "".join(str(digit) for digit in range(1, 10) if noted >> (digit - 1) & 1)
            counts.update(noted=1, exact=candidates == right, digit_for_notes=is_digit)
        elif mark in (Mark.PRINTED, Mark.WRITTEN):
            counts.update(digits=1, notes_for_digit=bool(candidates))
        else:
            counts.update(others=1, notes_for_nothing=bool(candidates))
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluate candidates",
        description="Count cells whose noted candidates are read exactly.",
    )
    parser.add_argument("--level", type=int, choices=sorted(LEVELS), default=2)
    parser.add_argument("--count", type=int, default=100, help="photos")
    parser.add_argument("--seed", type=int, default=0, help="of the first photo")
    parser.add_argument("--data-root", type=Path, default=Path("../shared/data"))
    options = parser.parse_args(arguments)
    digits = options.data_root / "digits"
    if not (digits / "mnist.npz").is_file():
        print(f"there is no mnist.npz in {digits}; name its folder by --data-root", file=sys.stderr)
        return 3
    counts: Counter[str] = Counter()
    with using_shapes_of(digits):
        for start in range(options.seed, options.seed + options.count, _CHUNK):
            chunk = range(start, min(start + _CHUNK, options.seed + options.count))
            counts += _count_chunk(chunk, options.level)
    print(
        f"| candidates, level {options.level} | boards | unsolved | WRONG | cells | exactly |"
        " taken for a digit | digits taken for candidates | other cells |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        f"| from {options.seed} | {counts['boards']} | {counts['unsolved']} | {counts['WRONG']} |"
        f" {counts['noted']} | {counts['exact'] / max(counts['noted'], 1):.2%} |"
        f" {counts['digit_for_notes']} | {counts['notes_for_digit']} of {counts['digits']} |"
        f" {counts['notes_for_nothing']} of {counts['others']} |",
        sep="\n",
    )
    return 0


def _count_chunk(seeds: range, level: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        truths = []
        for seed in seeds:
            rendered = render_photo(level, seed, are_noted=True)
            truths.append(rendered.boards[0])
            save_image(Path(name) / f"{seed}.png", rendered.photo)
        files = [f"{seed}.png" for seed in seeds]
        for seed, board, report in zip(seeds, truths, run_product(Path(name), files), strict=True):
            found = count_cells(board, report)
            if found["noted"] != found["exact"] or found["unsolved"]:
                print(f"{seed}: {dict(found)}", file=sys.stderr)
            counts += found
    return counts
