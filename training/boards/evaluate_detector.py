"""Measures a detector: how many boards its maps alone place, how exactly, and what it denies.

    python -m training.boards.evaluate_detector build/boards/fold0.keras --fold 0
    python -m training.boards.evaluate_detector build/boards/base.keras --scenes 300
    python -m training.boards.evaluate_detector --photos ../shared/data/photos --decoys 112

A board is located when the outline of a found one overlaps its own by 0.8. Errors are medians, over
the located boards, of the farthest crossing of each, in cells.

Without a network, photos are counted in which the shipped one sees no board: of boards there should
be none, of decoys many.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from models.board_detector import SIDES, STRIDE, BoardDetector, normalise_photo, split_maps
from training.boards.sample_cache import (
    Sample,
    encode_sample,
    lie_upright,
    load_samples,
    show_whole,
)
from training.boards.scenes import draw_scene
from training.evaluate import format_head, format_row, make_table
from training.photo_labels import is_labelled, load_photo_labels, scale_points
from training.rendered.photographed_decoys import DECOYS, render_decoy
from training.rendered.rendered_photos import render_photo
from vision.board import corners_from_lattice
from vision.finder.detect import BoardFinder
from vision.finder.fit import RoughBoard, fit_boards
from vision.geometry import Image8, Points, quad_overlap
from vision.media.images import load_image

_LOCATED: Final = 0.8
_LEVELS: Final = (3, 5)
_SAMPLE_SEED: Final = 5


@dataclass(frozen=True)
class Placement:
    """How a true board was found.

    Attributes:
        group: kind of board or photo.
        overlap: of the outlines, 0 when nothing was found there.
        error: of the farthest crossing, in cells; infinite for another side.
        is_side_right: the side was told.
    """

    group: str
    overlap: float
    error: float
    is_side_right: bool


def judge_picture(
    group: str, truths: Sequence[Points], found: Sequence[RoughBoard]
) -> tuple[list[Placement], int]:
    """Return how each true board of a picture was found, and how many found ones are none.

    Args:
        group: of all of them.
        truths: (n + 1, n + 1, 2) float32 in pixels of the network's picture.
        found: in places of the maps.
    """
    lattices = [scale_points(board.lattice, STRIDE) for board in found]
    is_free = [True] * len(found)
    placements = []
    for truth in truths:
        corners = corners_from_lattice(truth)
        overlaps = [quad_overlap(corners, corners_from_lattice(one)) for one in lattices]
        best = int(np.argmax(overlaps)) if overlaps else -1
        if best < 0 or overlaps[best] < 0.3:
            placements.append(Placement(group, 0.0, np.inf, False))
            continue
        is_free[best] = False
        same = len(lattices[best]) == len(truth)
        error = _error(truth, lattices[best]) if same else np.inf
        placements.append(Placement(group, overlaps[best], error, same))
    return placements, sum(is_free)


def _error(truth: Points, found: Points) -> float:
    """Return how far the farthest crossing is off, in cells, whichever way the board is turned."""
    upright = lie_upright(truth)
    cell = np.linalg.norm(np.diff(upright, axis=1), axis=2).mean()
    away = [np.linalg.norm(np.rot90(found, turns) - upright, axis=2).max() for turns in range(4)]
    return float(min(away) / cell)


def _format_placements(placements: Sequence[Placement], false: Counter[str]) -> str:
    rows: list[tuple[object, ...]] = []
    for group in dict.fromkeys([one.group for one in placements] + list(false)):
        chosen = [one for one in placements if one.group == group]
        located = [one for one in chosen if one.overlap >= _LOCATED]
        errors = [one.error for one in located if np.isfinite(one.error)]
        median, most = np.percentile(errors, [50, 90]) if errors else (np.nan, np.nan)
        share = f" ({100 * len(located) / len(chosen):.1f} %)" if chosen else ""
        right = sum(one.is_side_right for one in located)
        found = group, len(chosen), f"{len(located)}{share}", right
        rows.append((*found, f"{median:.2f}", f"{most:.2f}", false[group]))
    heads = "boards | n | located | side right | error, cells: median | 90 % | found beside"
    return make_table(heads, rows)


def _group_of(sample: Sample, kinds: tuple[str, ...]) -> str:
    if not kinds:
        return "decoys" if not sample.lattices else "photos"
    return kinds[0] if len(sample.lattices[0]) == 10 else "other sides"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    name = "python -m training.boards.evaluate_detector"
    parser = argparse.ArgumentParser(prog=name, description="Measure a detector.")
    parser.add_argument("network", type=Path, nargs="?", help="a .keras file")
    parser.add_argument("--samples", type=Path, default=Path("build/boards"))
    parser.add_argument("--fold", type=int, action="append", help="real photos of this fold")
    parser.add_argument("--scenes", type=int, default=0, help="so many fresh scenes")
    parser.add_argument("--seed", type=int, default=900000, help="of the scenes")
    denials = parser.add_argument_group("without a network, what the shipped one denies")
    denials.add_argument("--photos", type=Path, help="folder with photos.csv and the photos")
    denials.add_argument("--sample", type=int, default=200, help="of the real photos")
    denials.add_argument("--count", type=int, default=0, help="rendered photos of each level")
    denials.add_argument("--decoys", type=int, default=0, help="decoys of all kinds")
    denials.add_argument("--first", type=int, default=730000, help="seed of the first of them")
    options = parser.parse_args(arguments)
    if options.network is None:
        if options.photos is None and not (options.count or options.decoys):
            parser.error("name a network, or --photos, --count or --decoys")
        if options.photos is not None and not is_labelled(options.photos):
            return 3
        _count_denials(options)
        return 0
    if not options.network.is_file():
        told = f"there is no {options.network}; run python -m training.boards.train_detector"
        print(told, file=sys.stderr)
        return 3
    _measure_places(options)
    return 0


def _measure_places(options: argparse.Namespace) -> None:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras

    network = keras.models.load_model(options.network, compile=False)
    samples: list[tuple[str, Sample]] = []
    if options.fold is not None:
        photos = load_samples(options.samples / "photos.npz")
        samples += [("photos", one) for one in photos if one.fold in options.fold]
    for number in range(options.scenes):
        scene = draw_scene(options.seed + number)
        sample = encode_sample(scene.photo, scene.lattices)
        samples.append((_group_of(sample, scene.kinds), sample))
    placements: list[Placement] = []
    false: Counter[str] = Counter()
    for group, sample in samples:
        picture, truths = show_whole(sample)
        output = np.asarray(network(normalise_photo(picture)[None], training=False))[0]
        placed, beside = judge_picture(group, truths, fit_boards(split_maps(output), SIDES))
        placements += placed
        false[group] += beside
    print(_format_placements(placements, false))


def _count_denials(options: argparse.Namespace) -> None:
    """Print how many photos of each group there are, and how many show no board."""
    detector = BoardDetector.load()
    print(format_head("photos | n | denied"))
    for name, photos in _list_groups(options):
        sees_board = [bool(BoardFinder(one, detector).choose_looks()) for one in photos]
        print(format_row((name, len(sees_board), sees_board.count(False))), flush=True)


def _list_groups(options: argparse.Namespace) -> Iterator[tuple[str, Iterable[Image8]]]:
    """Yield what photos show, and the photos, (H, W, 3) uint8 BGR."""
    if options.photos is not None:
        files = [options.photos / label.file for label in load_photo_labels(options.photos)]
        chosen = np.random.default_rng(_SAMPLE_SEED).permutation(len(files))[: options.sample]
        yield "real", (load_image(files[index]) for index in chosen)
        turned = (np.rot90(load_image(files[index]), -1) for index in chosen)
        yield "real, a quarter turned", map(np.ascontiguousarray, turned)
    seeds = range(options.first, options.first + options.count)
    for level in _LEVELS if options.count else ():
        yield f"level {level}", (render_photo(level, seed).photo for seed in seeds)
    kinds, numbers = list(DECOYS), range(options.decoys)
    if options.decoys:
        drawn = (render_decoy(kinds[n % len(kinds)], options.first + n) for n in numbers)
        yield "decoys", (decoy.photo for decoy in drawn)


if __name__ == "__main__":
    sys.exit(main())
