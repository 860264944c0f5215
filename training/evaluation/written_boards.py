"""Counts boards without print, written by hand, that the product reads and solves right.

    python -m training.evaluate written --count 200
    python -m training.evaluate written --level 3 --count 100
    python -m training.evaluate written --level 3 --sketched --count 100
    python -m training.evaluate written --full --level 3 --count 100
    python -m training.evaluate written --mistake --count 200
    python -m training.evaluate written --hidden --count 200
    python -m training.evaluate candidates --level 2 --count 100

Without a level the digits of MNIST's test part stand on clean boards; with one, digits of several
hands are printed on a page and photographed, or stand in a board that is drawn by hand on blank,
lined or squared paper. A full board is right when every cell is read right.

With a mistake, one digit is another one of the board. A puzzle is right then when no solution is
shown that contradicts what is written, a full board when exactly that cell is called wrong.

With a clue hidden, the puzzle has several solutions, and in the clue's cell and some others stands
what is no digit: candidates, a digit crossed out, a scribble. Right is a puzzle without a claim.

The last command counts cells whose noted candidates are read exactly.
"""

import enum
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.decoding.clue_searches import has_several_solutions
from solver.grid import Grid, format_grid
from training.evaluate import make_parser, make_table
from training.evaluation.photo_verdicts import run_on_pictures, seen_digits
from training.pages.flat_board import BoardStyle, make_puzzle
from training.rendered.filled_board import write_board
from training.rendered.large_digits import using_shapes_of, written_glyphs
from training.rendered.levels import LEVELS
from training.rendered.rendered_photos import RenderedBoard, render_photo, render_written
from training.rendered.writing import Mark, Writer
from vision.geometry import Image8

_PX: Final = 504
"""Side of a clean board: cells of 56 pixels."""

_CLUES: Final = (24, 34)
"""The last excluded."""

_FIRST_PUZZLE: Final = 5000
"""Seeds of puzzles from which these are drawn."""

_SOILED: Final = 0.1
"""Share of the empty cells with something that is no digit, where a clue is hidden."""


class Flaw(enum.Enum):
    """What is wrong with what is written."""

    NONE = "none"
    MISTAKE = "mistake"
    """One digit is another one of the board."""
    HIDDEN = "hidden"
    """A clue cannot be read, and the others leave several solutions."""


class WrittenBoard(NamedTuple):
    """A picture of a board written by hand.

    Attributes:
        image: (H, W, 3) uint8 BGR.
        written: (9, 9) uint8, 0 = empty.
        solution: (9, 9) uint8.
        flaw: what is wrong with it.
        cell: 0..80, that has another digit than the solution, or whose clue is hidden; None where
            there is none.
    """

    image: Image8
    written: Grid
    solution: Grid
    flaw: Flaw = Flaw.NONE
    cell: int | None = None


class WrittenVerdict(NamedTuple):
    """What became of a picture.

    Attributes:
        is_right: solved right; of a full board, every cell read right. With a mistake, nothing
            shown that contradicts what is written; of a full board, that cell alone called wrong.
            With a clue hidden, nothing shown.
        is_wrong: another solution is shown; with a clue hidden, any.
    """

    is_right: bool
    is_wrong: bool


def draw_written(
    seed: int,
    level: int | None,
    *,
    is_full: bool,
    flaw: Flaw = Flaw.NONE,
    is_sketched: bool = False,
) -> WrittenBoard:
    """Write a puzzle by hand, or all of its solution, and photograph it.

    Args:
        seed: chooses the puzzle, the hand and the photo.
        level: of the photo, as `training.rendered.levels.LEVELS` grades them; None for a clean
            board without a page.
        is_full: write the solution.
        flaw: what is to be wrong with it; a clue is hidden of puzzles only.
        is_sketched: draw the board by hand, too; only for a photo.
    """
    rng = np.random.default_rng([seed, 5])
    puzzle = make_puzzle(seed + _FIRST_PUZZLE, int(rng.integers(*_CLUES)))
    written = (puzzle.solution if is_full else puzzle.clues).copy()
    cell, is_soiled = None, None
    if flaw is Flaw.MISTAKE:
        cell = _make_mistake(written, seed)
    elif flaw is Flaw.HIDDEN:
        cell, is_soiled = _hide_clue(written, seed)
    if level is None:
        writer = Writer(rng, is_paper=True, glyphs=written_glyphs())
        image, _ = write_board(written, _PX, BoardStyle(margin=0.6), writer, is_soiled)
    else:
        image, _ = render_written(written, level, rng, is_soiled=is_soiled, is_sketched=is_sketched)
    return WrittenBoard(image, written, puzzle.solution, flaw, cell)


def _make_mistake(written: Grid, seed: int) -> int:
    """Put another digit of a board into one of its filled cells, and return which."""
    rng = np.random.default_rng([seed, 6])
    digits = written.ravel()
    cell = int(rng.choice(np.flatnonzero(digits)))
    written.flat[cell] = rng.choice(digits[(digits > 0) & (digits != digits[cell])])
    return cell


def _hide_clue(written: Grid, seed: int) -> tuple[int, npt.NDArray[np.bool_]]:
    """Take a clue without which there are several solutions; return its cell and what is soiled.

    Raises:
        ValueError: if the puzzle can do without any one of its clues.
    """
    rng = np.random.default_rng([seed, 9])
    for cell in rng.permutation(np.flatnonzero(written)).tolist():
        digit, written.flat[cell] = written.flat[cell], 0
        if has_several_solutions(written.ravel().tolist(), None):
            is_soiled = (written == 0) & (rng.random(written.shape) < _SOILED)
            is_soiled.flat[cell] = True
            return cell, is_soiled
        written.flat[cell] = digit
    raise ValueError(f"puzzle {seed} can do without any one of its clues")


def judge_report(truth: WrittenBoard, report: dict[str, Any], *, is_full: bool) -> WrittenVerdict:
    """Compare a report of the product with what its picture shows."""
    solution, written = format_grid(truth.solution), format_grid(truth.written)
    boards = report.get("boards", [])
    shown = {board["solution"] for board in boards} - {None}
    if truth.flaw is Flaw.HIDDEN:
        return WrittenVerdict(not shown, bool(shown))
    if truth.flaw is Flaw.MISTAKE and not is_full:
        is_wrong = any(not _agrees(one, written) for one in shown)
        return WrittenVerdict(not is_wrong, is_wrong)
    is_wrong = bool(shown - {solution})
    if truth.flaw is Flaw.MISTAKE:
        called = [board["checked"]["wrong"] for board in boards if board["checked"]]
        return WrittenVerdict(called == [[truth.cell]] and not is_wrong, is_wrong)
    read = {format_grid(seen_digits(board)) for board in boards}
    is_right = written in read if is_full else solution in shown
    return WrittenVerdict(is_right and not is_wrong, is_wrong)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = make_parser("written", "Count boards written by hand that are read and solved right.")
    parser.add_argument("--level", type=int, choices=sorted(LEVELS), help="photos; clean if none")
    parser.add_argument("--full", action="store_true", help="all cells are written, not the clues")
    parser.add_argument("--sketched", action="store_true", help="boards are drawn by hand, too")
    flaws = parser.add_mutually_exclusive_group()
    flaws.add_argument("--mistake", action="store_true", help="one digit is another one")
    flaws.add_argument("--hidden", action="store_true", help="a clue cannot be read")
    parser.add_argument("--count", type=int, default=100, help="boards")
    parser.add_argument("--seed", type=int, default=0, help="of the first board")
    parser.add_argument("--data-root", type=Path, default=Path("../shared/data"))
    options = parser.parse_args(arguments)
    if options.full and options.hidden:
        parser.error("--hidden hides a clue of a puzzle; leave out --full")
    if options.sketched and options.level is None:
        parser.error("--sketched draws photos; name their --level")
    flaw = Flaw.MISTAKE if options.mistake else Flaw.HIDDEN if options.hidden else Flaw.NONE
    digits = _find_digits(options.data_root)
    if digits is None:
        return 3
    with using_shapes_of(digits):
        seeds = range(options.seed, options.seed + options.count)
        draw = partial(
            draw_written,
            level=options.level,
            is_full=options.full,
            flaw=flaw,
            is_sketched=options.sketched,
        )
        is_named = flaw is Flaw.MISTAKE and options.full
        checks = ["--check", "--reveal"] if is_named else []
        verdicts = list(_judge(seeds, draw, checks, is_full=options.full))
    name = "full boards" if options.full else "puzzles"
    name += {Flaw.MISTAKE: " with a mistake", Flaw.HIDDEN: " with a clue hidden"}.get(flaw, "")
    where = "clean" if options.level is None else f"level {options.level}"
    where += ", sketched" if options.sketched else ""
    figures = map(sum, zip(*verdicts, strict=True))
    row = f"{name}, {where}", len(verdicts), *figures
    print(make_table("by hand | n | right | WRONG", [row]))
    return 0


def _judge(
    seeds: range, draw: Callable[[int], WrittenBoard], options: Sequence[str], *, is_full: bool
) -> Iterator[WrittenVerdict]:
    def make() -> Iterator[tuple[str, Image8, WrittenBoard]]:
        for seed in seeds:
            board = draw(seed)
            yield str(seed), board.image, board

    for _, truth, report in run_on_pictures(make(), options):
        verdict = judge_report(truth, report, is_full=is_full)
        if not verdict.is_right or verdict.is_wrong:
            print(f"{report['file']}: {report.get('outcome', 'no report')}", file=sys.stderr)
        yield verdict


def _agrees(solution: str, written: str) -> bool:
    """Return whether a solution has every digit that is written."""
    return all(digit in (".", one) for digit, one in zip(written, solution, strict=True))


def _find_digits(data_root: Path) -> Path | None:
    """Return the data folder's digits; where MNIST is not there, say so and return None."""
    digits = data_root / "digits"
    if (digits / "mnist.npz").is_file():
        return digits
    print(f"there is no mnist.npz in {digits}; name its folder by --data-root", file=sys.stderr)
    return None


def count_cells(board: RenderedBoard, report: dict[str, Any]) -> Counter[str]:
    """Return how many cells were taken for what they are, and for what else."""
    solution = format_grid(board.solution)
    found = [one for one in report.get("boards", []) if one["solution"] is not None]
    if not found:
        return Counter(unsolved=1)
    counts = Counter(boards=1, WRONG=any(one["solution"] != solution for one in found))
    told = found[0]["candidates"] or [""] * board.clues.size
    shown = board.marks.ravel().tolist(), board.candidates.ravel().tolist()
    read = format_grid(seen_digits(found[0]))
    for mark, noted, candidates, digit in zip(*shown, told, read, strict=True):
        is_digit = digit != "."
        if mark == Mark.CANDIDATES:
            right = "".join(str(digit) for digit in range(1, 10) if noted >> (digit - 1) & 1)
            counts.update(noted=1, exact=candidates == right, digit_for_notes=is_digit)
        elif mark in (Mark.PRINTED, Mark.WRITTEN):
            counts.update(digits=1, notes_for_digit=bool(candidates))
        else:
            counts.update(others=1, notes_for_nothing=bool(candidates))
    return counts


def count_candidates(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = make_parser("candidates", "Count cells whose noted candidates are read exactly.")
    parser.add_argument("--level", type=int, choices=sorted(LEVELS), default=2)
    parser.add_argument("--count", type=int, default=100, help="photos")
    parser.add_argument("--seed", type=int, default=0, help="of the first photo")
    parser.add_argument("--data-root", type=Path, default=Path("../shared/data"))
    options = parser.parse_args(arguments)
    digits = _find_digits(options.data_root)
    if digits is None:
        return 3

    def make() -> Iterator[tuple[str, Image8, RenderedBoard]]:
        for seed in range(options.seed, options.seed + options.count):
            shown = render_photo(options.level, seed, are_noted=True)
            yield str(seed), shown.photo, shown.boards[0]

    counts: Counter[str] = Counter()
    with using_shapes_of(digits):
        for file, board, report in run_on_pictures(make()):
            found = count_cells(board, report)
            if found["noted"] != found["exact"] or found["unsolved"]:
                print(f"{file.stem}: {dict(found)}", file=sys.stderr)
            counts += found
    heads = (
        f"candidates, level {options.level} | boards | unsolved | WRONG | cells | exactly "
        "| taken for a digit | digits taken for candidates | other cells"
    )
    row = (
        f"from {options.seed}",
        *(counts[name] for name in ("boards", "unsolved", "WRONG", "noted")),
        f"{counts['exact'] / max(counts['noted'], 1):.2%}",
        counts["digit_for_notes"],
        f"{counts['notes_for_digit']} of {counts['digits']}",
        f"{counts['notes_for_nothing']} of {counts['others']}",
    )
    print(make_table(heads, [row]))
    return 0
