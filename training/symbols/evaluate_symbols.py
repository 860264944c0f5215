"""Counts rendered boards of large sides whose symbols are read right, cut by their true lattices.

    python -m training.symbols.evaluate_symbols --side 16 --level 3 --count 100 --seed 800

prints a Markdown table of one look at each board, upright, without what the product does besides:
other turns, and more looks where one leaves a doubt.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.symbol_reader import SymbolReader, choose_alphabet, tell_values
from solver.decoding.handwriting import decode_filled
from solver.formats_kinds import KindPuzzle
from solver.rules import Kind
from training.rendered.kind_photos import CLUES, render_kind_photo
from vision.board import cut_cells, cut_middles, rectify
from vision.digit_size import choose_zoom

SIDES: Final = tuple(side for side in CLUES if side > 9)


class SymbolScore(NamedTuple):
    """What became of a board.

    Attributes:
        is_read: every cell is read as it is printed, in an alphabet that is told for sure.
        is_right: so is the solution, decoded by the true rules.
        is_wrong: another solution is claimed.
        misread: cells whose likeliest value is another.
    """

    is_read: bool
    is_right: bool
    is_wrong: bool
    misread: int


def score_board(
    reader: SymbolReader, cells: npt.NDArray[np.uint8], puzzle: KindPuzzle
) -> SymbolScore:
    """Read the cells of a board, (n², 32, 32) uint8, and compare them with its puzzle."""
    assert puzzle.solution is not None  # the generator knows it
    seen = reader.read(cells)
    alphabet, is_clear = choose_alphabet(seen, puzzle.rules.side)
    values = tell_values(seen, alphabet)
    misread = int((values.argmax(axis=1) != puzzle.clues.ravel()).sum())
    decoding = decode_filled(values, rules=puzzle.rules).decoding
    claimed = decoding.solution if is_clear else None
    is_same = claimed is not None and np.array_equal(claimed, puzzle.solution)
    is_wrong = claimed is not None and not is_same
    return SymbolScore(is_clear and misread == 0, is_same, is_wrong, misread)


def format_symbol_scores(name: str, scores: Sequence[SymbolScore]) -> str:
    """Return the row of a Markdown table."""
    read, right, wrong = (
        sum(getattr(score, field) for score in scores)
        for field in ("is_read", "is_right", "is_wrong")
    )
    misread = sum(score.misread for score in scores)
    return f"| {name} | {len(scores)} | {read} | {right} | {wrong} | {misread} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.symbols.evaluate_symbols",
        description="Count large boards whose symbols are read right.",
    )
    parser.add_argument("--side", action="append", type=int, choices=SIDES)
    parser.add_argument("--level", type=int, default=3, choices=range(1, 6))
    parser.add_argument("--count", type=int, default=100, help="photos of each side")
    parser.add_argument("--seed", type=int, default=0, help="of the first photo")
    options = parser.parse_args(arguments)
    reader = SymbolReader.load()
    print("| board | n | all cells read | right | WRONG | cells misread |")
    print("|---|---:|---:|---:|---:|---:|")
    for side in options.side or SIDES:
        scores = []
        for seed in range(options.seed, options.seed + options.count):
            shown = render_kind_photo(Kind.CLASSIC, options.level, seed, side)
            cells = cut_cells(rectify(shown.photo, shown.lattice))
            zoom = choose_zoom(cells)
            if zoom != 1:
                cells = cut_middles(shown.photo, shown.lattice, zoom)
            scores.append(score_board(reader, cells, shown.puzzle))
            if not scores[-1].is_right:
                print(f"side {side}, seed {seed}: {scores[-1]}", file=sys.stderr)
        print(format_symbol_scores(f"{side}×{side}, level {options.level}", scores), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
