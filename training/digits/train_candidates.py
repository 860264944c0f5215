"""Trains the network of candidates on cells of boards that it draws and keeps.

    OPTIONS="--samples build/candidates --out build/candidates/net"
    python -m training.digits.train_candidates $OPTIONS --draw 72
    python -m training.digits.train_candidates $OPTIONS --steps 9000
    python -m training.digits.train_candidates $OPTIONS --export

The first command draws the samples, the last one puts the network in its place, models/weights,
for both engines. The same command again goes on from the last shard or checkpoint.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.candidate_reader import (
    CANDIDATES,
    CELL_PX,
    CROP_PX,
    DIGIT,
    N_DIGITS,
    NOTHING,
    normalise_crops,
)
from models.engine import WEIGHTS_DIR
from training.digits.learn_candidates import NAME, CandidateCells, CandidateRecipe, learn
from training.pages.flat_board import make_puzzle
from training.rendered.filled_board import FlatBoard, choose_look, draw_board
from training.rendered.large_digits import using_training_hands
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import choose_medium, shoot_page
from training.rendered.writing import Canvas, Dirt, Mark, Writer, soil_cell
from training.shard_runs import put_in_place, run_command
from training.shards import Drawing, load_shards, split_shards
from vision.board import cut_windows, move_lattice

SHARD_PHOTOS: Final = 20
"""Photos in a file."""
_SEED: Final = 5652
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 1, 2, 2, 2, 3, 3, 4)
_CELL_PX: Final = (22.0, 64.0)
"""Side of a cell in a photo."""
_CLUES: Final = (20, 32)
"""Of a puzzle: the fewest, and one more than the most that are asked for."""
_NUDGE: Final = 0.03
"""Cells by which a lattice lies aside, one standard deviation."""
_LEAST_CONTRAST: Final = 0.12
"""Of candidates that are learnt from, in shares of the paper's brightness."""
_SOILED: Final = 0.08
"""Share of the empty cells with dirt in them."""
_DIRT: Final[tuple[Dirt, ...]] = ("crossed", "scribble", "stroke", "dots")
_HELD_OUT: Final = 2
"""Shards that are not learnt from; the last ones."""


def draw_candidate_cells(seed: int) -> CandidateCells:
    """Return the cells of a photo of a board with clues, candidates, entries and dirt."""
    rng = np.random.default_rng([_SEED, seed])
    level = LEVELS[int(rng.choice(_LEVELS))]
    level = replace(level, least_cell_px=20, written=0.2, candidates=1.0, corrections=0.06)
    medium = choose_medium(level, rng)
    cell_px = float(np.exp(rng.uniform(*np.log(_CELL_PX))))
    short_side = round(9 * cell_px / 0.9)
    size = (round(1.15 * short_side), short_side)
    puzzle = make_puzzle(int(rng.integers(1 << 31)), int(rng.integers(*_CLUES)))
    is_paper = medium not in ("screen", "screenshot")
    px = round(1.05 * 9 * cell_px)
    with using_training_hands():
        look = choose_look(rng, medium)
        board = draw_board(puzzle, px, look, level, rng, is_paper)
        image = _soil(board, Writer(rng, is_paper), px)
    page = lay_out_boards([image], [board.lattice], 1, 0.12, rng, "nothing")
    shot = shoot_page(page, medium, level, size, 0.9, rng)
    nudge = rng.normal(0, _NUDGE, 2)
    lattice = move_lattice(shot.lattices[0], *nudge.tolist())
    crops = cut_windows(shot.photo, np.asarray(lattice, np.float32), CELL_PX, CROP_PX)
    marks = board.marks.ravel()
    contents = np.full(marks.shape, NOTHING, np.uint8)
    contents[(marks == Mark.PRINTED) | (marks == Mark.WRITTEN)] = DIGIT
    contents[marks == Mark.CANDIDATES] = CANDIDATES
    # What is crossed out may look like anything, and candidates that nobody sees teach nothing.
    is_known = (marks != Mark.CORRECTED) & ((contents != CANDIDATES) | _has_contrast(crops))
    places = (CROP_PX - CELL_PX) / 2 + (board.noted.reshape(-1, N_DIGITS, 2) - nudge) * CELL_PX
    return CandidateCells(crops[is_known], contents[is_known], places[is_known].astype(np.float16))


def _has_contrast(crops: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    inner = crops[:, 8:-8, 8:-8].reshape(len(crops), -1)
    dark, paper, light = np.percentile(inner, (1, 50, 99), axis=1)
    return np.asarray(np.maximum(paper - dark, light - paper) > _LEAST_CONTRAST * paper)


def _soil(board: FlatBoard, writer: Writer, px: int) -> npt.NDArray[np.uint8]:
    """Return the picture of a board with dirt in some of its empty cells."""
    image = board.image.astype(np.float32)
    canvas = Canvas(image, px / 9, float(board.lattice[0, 0, 0]))
    for row, column in np.argwhere(board.marks == Mark.EMPTY):
        if writer.rng.random() < _SOILED:
            soil_cell(canvas, writer, (column + 0.5, row + 0.5), _DIRT)
    return np.asarray(np.clip(image + 0.5, 0, 255), np.uint8)


def train(recipe: CandidateRecipe) -> Path:
    """Train, or go on training; return the file of the network.

    Raises:
        FileNotFoundError: if there are too few samples.
        RuntimeError: if the loss is no number any more.
    """
    parts = split_shards(recipe.samples, NAME, _HELD_OUT)
    return learn(recipe, *(CandidateCells(**load_shards(files)) for files in parts))


def export(trained: Path, samples: Path, folder: Path = WEIGHTS_DIR) -> float:
    """Write a trained network for both engines.

    Returns:
        The largest difference between the engines over cells of the samples.

    Raises:
        models.export.ParityError: if it is above `models.export.PARITY`.
    """
    first = load_shards(split_shards(samples, NAME, 0)[0][:1])
    return put_in_place(trained, NAME, normalise_crops(first["crops"][:512]), folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.digits.train_candidates",
        description="Train the network of candidates.",
    )
    drawing = Drawing(NAME, draw_candidate_cells, SHARD_PHOTOS)
    return run_command(parser, CandidateRecipe, train, export, arguments, drawing)


if __name__ == "__main__":
    sys.exit(main())
