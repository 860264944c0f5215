"""Trains the cage network on cells of killers that it draws and keeps.

    python -m training.boards.train_cages --out build/cages/base --draw 70
    python -m training.boards.train_cages --out build/cages/base --steps 3600
    python -m training.boards.train_cages --out build/cages/all --init build/cages/base.keras \
        --steps 3000 --rate 2e-3
    python -m training.boards.train_cages --out build/cages/all --export

The first command draws the samples, the last one puts the network in its place, models/weights,
for both engines. The same command again goes on from the last shard or checkpoint.

Three boards of four are set in typefaces of the folder build/faces and the folders in it;
`training.symbols.train_symbols` names them.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.cage_reader import (
    CAGE_CELL_PX,
    CAGE_CROP_PX,
    MOST_SUM,
    OUTPUT_LAYERS,
    SIDES,
    build_cage_net,
    normalise_crops,
    split_outputs,
)
from training.pages.flat_board import Colour, as_colour, draw_grey
from training.pages.printed_board import KindLook, choose_kind_look, print_board
from training.pages.shape import Shape, draw_grid, draw_shape
from training.rendered.kind_photos import bring_nearer, find_faces, set_typefaces
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.rendered_photos import pick, shoot_page
from training.shard_runs import ShardRecipe, run_network
from training.training_command import ShardTask
from vision.board import cut_windows, move_lattice
from vision.geometry import Float32, Image8

_SEED: Final = 77
"""Sets these photos apart from all that are drawn elsewhere."""
_LEVELS: Final = (1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5)
_SIDE_PX: Final = (340, 800)
"""Shorter side of a photo; larger ones would be shrunk to the crops' size."""
_OTHERS: Final = 0.12
"""Share of the boards that are no killers: digits alone, thick lines, diagonals."""
_WITH_CLUES: Final = 0.25
"""Share of the killers that have some digits."""
_RESTYLED: Final = 0.65
"""Share of the killers whose cages are drawn as many programs do."""
_WITH_CELLS_OUTSIDE: Final = 0.25
"""Share of these on which cells lie in no cage."""
_ANY_FACE: Final = 0.75
"""Share of the boards whose figures are set in a folder's typefaces, where there are some."""
_JITTER: Final = 0.03
"""Cells by which a lattice lies aside, one standard deviation."""
_WITH_SUM: Final = 0.7
"""Share of the examples with a sum: two cells of three have none."""
_TURNED: Final = 0.2
"""Share of the examples that lie on a side, where no sum stands in the top left corner."""
_DISTORTED: Final = 0.7
"""Share of the examples that are laid a little otherwise, and made worse."""
_TURN_DEGREES: Final = 1.5
_STRETCH: Final = 0.03
_SHIFT_PX: Final = 1.2
"""One standard deviation of how each of them lies."""
_MOST_BLUR_PX: Final = 1.0
_MOST_NOISE: Final = 9.0
"""Of what is added to crops at most: standard deviation, in pixels and in grey levels."""
_WALL_WEIGHT: Final = 4.0
"""Of the loss of walls, beside that of sums."""

_UNLINED: Final = 0.15
"""Share of the looks whose cages only papers tell."""
_TINTED: Final = 0.3
"""Share of the others whose cages have papers too."""
_SOLID: Final = 0.2
_DOTTED: Final = 0.4
"""Shares of the lines, the dotted ones after the solid ones; the rest is dashed."""
_TOUCHING: Final = 0.25
"""Share of the cages whose lines nearly touch those of the grid."""
_CELLS_OUTSIDE: Final = (5, 30)
"""How many cells at least are left without a cage, the last excluded."""
_PAPERS: Final = 8
"""As many as colour the cages of a board so that neighbours differ."""
_LEAST_APART: Final = 9.0
"""Distance in CIELAB of the papers of neighbouring cages."""


class CageSamples(NamedTuple):
    """Crops of cells, and what they show.

    Attributes:
        crops: (k, 72, 72) uint8.
        sums: (k,) uint8, 0 where none stands.
        walls: (k, 4) uint8, 1 where a cage's line runs along the side; papers alone draw none.
    """

    crops: Image8
    sums: npt.NDArray[np.uint8]
    walls: npt.NDArray[np.uint8]


def draw_samples(seed: int, faces: Sequence[str] = ()) -> CageSamples:
    """Return the cells of a photo; its sums are drawn evenly from 1 to 45, fitting or not.

    Args:
        seed: of the photo.
        faces: paths of typefaces besides those that are at hand.
    """
    rng = np.random.default_rng([_SEED, seed])
    level = bring_nearer(LEVELS[int(rng.choice(_LEVELS))])
    medium = pick(level.media, rng)
    is_other = rng.random() < _OTHERS
    kind = str(rng.choice(["classic", "jigsaw", "diagonal"])) if is_other else "killer"
    shape = draw_shape(kind, 9, rng)
    is_restyled = not is_other and rng.random() < _RESTYLED
    if is_restyled and rng.random() < _WITH_CELLS_OUTSIDE:
        shape = leave_cells_out(shape, rng)
    given = rng.uniform(0.25, 0.5) if is_other else rng.uniform(0, 0.3)
    has_clues = is_other or rng.random() < _WITH_CLUES
    clues = np.where(rng.random((9, 9)) < (given if has_clues else 0), draw_grid(shape, rng), 0)
    totals = rng.integers(1, MOST_SUM + 1, len(shape.cages)).tolist()
    short_side = round(float(np.exp(rng.uniform(*np.log(_SIDE_PX)))))
    size = (round(1.15 * short_side), short_side)
    px = round(0.95 * short_side)
    look = choose_kind_look(shape, medium, rng)
    if is_restyled:
        look = restyle_cages(look, rng)
    if faces and rng.random() < _ANY_FACE:
        look = set_typefaces(look, rng, faces)
    printed = print_board(shape, clues.astype(np.uint8), totals, px, look)
    page = lay_out_boards([printed.image], [printed.lattices[0]], 1, 0.12, rng, "nothing")
    shot = shoot_page(page, medium, replace(level, least_cell_px=16), size, 0.9, rng)
    lattice = move_lattice(shot.lattices[0], *rng.normal(0, _JITTER, 2).tolist())
    crops = cut_windows(shot.photo, lattice, CAGE_CELL_PX, CAGE_CROP_PX)
    sums, walls = describe_cells(shape, totals)
    if not look.cage_width:
        walls[:] = 0
    return CageSamples(crops, sums, walls)


def restyle_cages(look: KindLook, rng: np.random.Generator) -> KindLook:
    """Return a look with other cages and sums: lines, colours, places and sizes are drawn anew."""
    style = look.base.style
    is_dark = sum(style.paper) < 300
    is_lined = rng.random() >= _UNLINED
    is_tinted = not is_lined or rng.random() < _TINTED
    papers = draw_cage_papers(rng, is_dark=is_dark) if is_tinted else ()
    if rng.random() < 0.4:  # many programs draw cells with pale lines
        ink = draw_grey(rng, 60, 110) if is_dark else draw_grey(rng, 150, 225)
        style = replace(style, thin_ink=ink, thin_width=float(rng.uniform(0.01, 0.02)))
    low, high = (0.015, 0.045) if rng.random() < _TOUCHING else (0.045, 0.12)
    inset = float(rng.uniform(low, high))
    kind = rng.random()
    dash, share = float(rng.uniform(0.04, 0.1)), float(rng.uniform(0.4, 0.65))
    if kind < _SOLID:
        dash = 0.0
    elif kind < _DOTTED:
        dash, share = float(rng.uniform(0.02, 0.04)), float(rng.uniform(0.3, 0.45))
    return replace(
        look,
        base=replace(look.base, style=style),
        cage_dash=dash,
        cage_ink_share=share,
        cage_width=float(rng.uniform(0.011, 0.028)) if is_lined else 0.0,
        cage_inset=inset,
        cage_colour=_draw_ink(style.ink, rng, is_dark=is_dark),
        cage_papers=papers,
        sum_height=float(rng.uniform(0.11, 0.24)),
        sum_inset=float(rng.uniform(0.035, max(0.11, inset + 0.04))),
        sum_ink=_draw_ink(style.ink, rng, is_dark=is_dark) if rng.random() < 0.3 else None,
        has_even_sums=True,
        has_sum_paper=bool(rng.random() < 0.5),
    )


def draw_cage_papers(rng: np.random.Generator, *, is_dark: bool) -> tuple[Colour, ...]:
    """Return BGR papers for cages, pale ones on light boards; any two of them differ clearly."""
    lightness = (12, 38) if is_dark else (70, 97)
    strength = float(rng.uniform(12, 40))
    papers: list[Colour] = []
    lab = np.zeros((0, 3))
    while len(papers) < _PAPERS:
        angle, radius = rng.uniform(0, 2 * np.pi), strength * rng.uniform(0.4, 1)
        tone = rng.uniform(*lightness)
        one = np.array([tone, radius * np.cos(angle), radius * np.sin(angle)])
        if len(lab) and np.linalg.norm(lab - one, axis=1).min() < _LEAST_APART:
            continue
        bgr = cv2.cvtColor(one.astype(np.float32)[None, None], cv2.COLOR_Lab2BGR)[0, 0]
        papers.append(as_colour(np.clip(np.rint(255 * bgr), 0, 255)))
        lab = np.vstack([lab, one])
    return tuple(papers)


def leave_cells_out(shape: Shape, rng: np.random.Generator) -> Shape:
    """Return a killer without some of its cages, whose cells then lie in none."""
    cages = [shape.cages[number] for number in rng.permutation(len(shape.cages))]
    n_out, wanted = 0, int(rng.integers(*_CELLS_OUTSIDE))
    while n_out < wanted:
        n_out += len(cages.pop())
    return replace(shape, cages=tuple(sorted(cages)))


def _draw_ink(ink: Colour, rng: np.random.Generator, *, is_dark: bool) -> Colour:
    """Return the ink of a board, a grey or a colour."""
    kind = rng.random()
    if kind < 0.4:
        return ink
    if kind < 0.65:
        return draw_grey(rng, 120, 200) if is_dark else draw_grey(rng, 50, 165)
    return as_colour(rng.integers(130, 256, 3) if is_dark else rng.integers(0, 150, 3))


def describe_cells(
    shape: Shape, totals: Sequence[int]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the sum that stands in each cell, (n²,), and its walls, (n², 4)."""
    side = shape.side
    sums = np.zeros((side, side), np.uint8)
    owner = np.full((side + 2, side + 2), -1)
    for number, (cage, total) in enumerate(zip(shape.cages, totals, strict=True)):
        sums[cage[0]] = total
        for row, column in cage:
            owner[row + 1, column + 1] = number
    inner = owner[1:-1, 1:-1]
    beside = (owner[1:-1, :-2], owner[:-2, 1:-1], owner[1:-1, 2:], owner[2:, 1:-1])
    assert len(beside) == len(SIDES)
    walls = np.stack([(inner >= 0) & (inner != other) for other in beside], axis=-1)
    return sums.ravel(), walls.reshape(-1, len(SIDES)).astype(np.uint8)


@dataclass(frozen=True)
class CageRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        faces: folder of typefaces in which boards are set, and the folders in it.
    """

    samples: Path = Path("build/cages")
    faces: Path = Path("build/faces")
    steps: int = 5000
    batch: int = 96
    rate: float = 4e-3
    save_every: int = 250


def draw_batch(
    samples: CageSamples, batch: int, rng: np.random.Generator
) -> tuple[Float32, Float32]:
    """Return crops as the network takes them, (b, 72, 72, 1), and sum and walls, (b, 5)."""
    chosen = rng.integers(len(samples.sums), size=batch)
    count = round(_WITH_SUM * batch)
    chosen[:count] = rng.choice(np.flatnonzero(samples.sums), count)
    crops, sums, walls = samples.crops[chosen], samples.sums[chosen], samples.walls[chosen]
    turns = np.where(rng.random(batch) < _TURNED, rng.integers(1, 4, batch), 0)
    for index in np.flatnonzero(turns).tolist():
        turn = int(turns[index])
        crops[index], sums[index] = np.rot90(crops[index], turn), 0
        walls[index] = np.roll(walls[index], -turn)
    for index in np.flatnonzero(rng.random(batch) < _DISTORTED).tolist():
        crops[index] = _distort(crops[index], rng)
    targets = np.column_stack([sums, walls]).astype(np.float32)
    return normalise_crops(crops), targets


def _distort(crop: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return a crop as another lattice and a worse camera would show it."""
    middle = (CAGE_CROP_PX - 1) / 2
    angle, scale = rng.normal(0, _TURN_DEGREES), 1 + rng.normal(0, _STRETCH)
    matrix = cv2.getRotationMatrix2D((middle, middle), float(angle), float(scale))
    matrix[:, 2] = matrix[:, 2] + rng.normal(0, _SHIFT_PX, 2)
    moved = cv2.warpAffine(crop, matrix, crop.shape, borderMode=cv2.BORDER_REPLICATE)
    # Most crops stay nearly as clear as they are.
    blur_px, noise = _MOST_BLUR_PX * rng.random() ** 2, _MOST_NOISE * rng.random() ** 2
    if blur_px > 0.3:  # less changes nothing
        moved = cv2.GaussianBlur(moved, (0, 0), float(blur_px))
    noisy = moved + rng.normal(0, noise, moved.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)


def compute_loss(targets: Any, logits: Any) -> Any:
    """Return the mean loss of a batch: cross entropy of the sums and of the walls."""
    from keras import ops

    totals, told = ops.cast(targets[:, 0], "int32"), logits[:, : MOST_SUM + 1]
    sums = ops.sparse_categorical_crossentropy(totals, told, from_logits=True)
    walls = ops.binary_crossentropy(targets[:, 1:], logits[:, MOST_SUM + 1 :], from_logits=True)
    return ops.mean(sums) + _WALL_WEIGHT * ops.mean(walls)


def score(network: Any, samples: CageSamples) -> str:
    """Return in words how much of the samples a network reads right."""
    crops = normalise_crops(samples.crops)
    seen = split_outputs(run_network(network, crops))
    right = seen.sums.argmax(axis=1) == samples.sums
    walls = ((seen.walls > 0.5) == samples.walls).mean()
    has_sum = samples.sums > 0
    return f"sums {right[has_sum].mean():.4f}, none {right[~has_sum].mean():.4f}, walls {walls:.5f}"


CAGES: Final = ShardTask(
    "cages",
    CageSamples,
    build_cage_net,
    compute_loss,
    OUTPUT_LAYERS,
    draw_batch,
    score,
    held_out=1,
    list_inputs=lambda shard: normalise_crops(shard["crops"][:324]),
    photos=25,
)


main = CAGES.command(
    __spec__,
    "Train the cage network.",
    CageRecipe,
    lambda recipe: partial(draw_samples, faces=find_faces(recipe.faces)),
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
