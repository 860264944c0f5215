"""Teaches a trained digit reader who wrote a digit: printed or handwritten.

    python -m training.digits.train_digit_kinds --init build/digits/all.keras \
        --out build/digits/kinds

How digits are read is not touched: only the layers that `models.digits.add_kind_head` adds
are trained, on what the frozen network sees. So a run takes a minute.
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.digits import normalise_cells
from models.engine import UInt8
from training.digits.cell_pools import render_pool
from training.digits.drawn_cells import Content
from training.digits.photo_cells import PhotoKind, RealCells, load_real_cells, render_page_cells
from training.digits.train_digits import export, inputs_for_parity
from training.photo_labels import HANDWRITTEN, PRINTED
from training.shard_runs import ShardRecipe, falling_rate, run_network, run_steps
from training.training_command import training_command
from vision.geometry import Float32

_RENDERED: Final[dict[Content, bool]] = {"printed": False, "written": True, "pen": True}
"""Drawn contents to learn from, and whether they are handwriting."""

_RENDERED_SHARE: Final = 0.5
"""Weight of the drawn cells against the real ones."""

_PAGES_SHARE: Final = 1.0
"""The same of the cells of rendered pages, and again of those of small photos."""

_SMOOTHING: Final = 0.02
"""Share of the target that is spread evenly: a few labels and many drawings deceive."""


_WARM_UP: Final = 100
"""Steps in which the rate rises."""
_TOLD_EVERY: Final = 500


@dataclass(frozen=True)
class KindRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        init: `.keras` file of a digit reader.
        samples: folder of the cells that were drawn and cut.
        data_root: the data folder.
        fold: of photos that are left out.
        rendered_cells: of each drawn content.
        pages: rendered pages to learn from, too; those that the digits were learnt with.
        small: the same of small photos.
        temperature: of the answers; see docs/model_card_digits.md.
    """

    samples: Path = Path("build/digits/pools")
    steps: int = 5000
    batch: int = 512
    rate: float = 2e-3
    init: Path | None = Path("build/digits/all.keras")
    data_root: Path = Path("../shared/data")
    fold: int | None = None
    rendered_cells: int = 20_000
    pages: int = 0
    small: int = 0
    temperature: float = 0.9


class KindCells(NamedTuple):
    """Digits whose kind is known, n of them.

    Attributes:
        cells: (n, 32, 32) uint8.
        digits: (n,) uint8, 1..9.
        is_written: (n,) bool.
        weight: (n,) float32, how much each counts.
    """

    cells: UInt8
    digits: UInt8
    is_written: npt.NDArray[np.bool_]
    weight: Float32


def train(recipe: KindRecipe) -> Path:
    """Add the new layers to a trained network, teach them, and export the whole.

    Returns:
        The path of the `.tflite` file; the `.keras` file and the log lie beside it.

    Raises:
        models.export.ParityError: if LiteRT does not compute what Keras does.
    """
    real = load_real_cells(recipe.data_root / "photos", recipe.samples)
    lessons = join_lessons([collect_real(real, recipe), *_load_rendered(recipe)])
    import keras

    from models.digits import add_kind_head

    keras.utils.set_random_seed(recipe.seed)
    network = add_kind_head(keras.saving.load_model(recipe.init, compile=False))
    eye = keras.Model(network.input, network.get_layer("kind_strokes").input)
    seen = run_network(eye, normalise_cells(lessons.cells)).astype(np.float16)
    head = _head_of(network)
    head.compile(keras.optimizers.AdamW(falling_rate(recipe, _WARM_UP), 1e-2), _kind_loss)
    target = np.where(lessons.is_written, 1 - _SMOOTHING / 2, _SMOOTHING / 2)
    wanted = np.stack([lessons.digits - 1.0, target, lessons.weight], axis=1).astype(np.float32)

    def draw(rng: np.random.Generator, _: float) -> tuple[Any, Any]:
        chosen = rng.integers(len(seen), size=recipe.batch)
        return seen[chosen].astype(np.float32), wanted[chosen]

    out = recipe.out.with_name(f"{recipe.out.name}-head")
    run_steps(replace(recipe, out=out, init=None), head, draw, None, _TOLD_EVERY)
    return export(network, recipe.out, recipe.temperature, inputs_for_parity(real, {}))


def collect_real(real: RealCells, recipe: KindRecipe) -> KindCells:
    """Return the photos' digits whose kind is labelled; both kinds count alike in all."""
    cells, digits, kinds = real.flatten(real.learnt(recipe.fold))
    known = np.isin(kinds, (PRINTED, HANDWRITTEN))
    return weigh_kinds(cells[known], digits[known], kinds[known] == HANDWRITTEN, 1.0)


def weigh_kinds(
    cells: UInt8, digits: UInt8, is_written: npt.NDArray[np.bool_], total: float
) -> KindCells:
    """Return the cells with weights that sum to half of `total` for each kind there is."""
    weight = np.zeros(len(cells), np.float32)
    for kind in (is_written, ~is_written):
        weight[kind] = total / 2 / max(1, int(kind.sum()))
    return KindCells(cells, digits, is_written, weight)


def join_lessons(parts: list[KindCells]) -> KindCells:
    """Return all parts as one, weights with a mean of 1."""
    joined = KindCells(*map(np.concatenate, zip(*parts, strict=True)))
    return joined._replace(weight=joined.weight / joined.weight.mean())


def _load_rendered(recipe: KindRecipe) -> list[KindCells]:
    parts, digits_dir = [], recipe.data_root / "digits"
    for content, is_written in _RENDERED.items():
        count = 40_000 if content == "pen" else 120_000
        pool = render_pool(content, count, recipe.seed, digits_dir, recipe.samples, mnist=True)
        cells = pool.cells[: recipe.rendered_cells]
        classes = pool.target[: recipe.rendered_cells, :19].argmax(axis=1)
        digits = np.where(classes > 9, classes - 9, classes).astype(np.uint8)
        flags = np.full(len(cells), is_written)
        parts.append(weigh_kinds(cells, digits, flags, _RENDERED_SHARE))
    photos: dict[PhotoKind, int] = {"pages": recipe.pages, "small": recipe.small}
    for kind, count in photos.items():
        if not count:
            continue
        drawn = render_page_cells(kind, count, recipe.seed, digits_dir, recipe.samples)
        filled = np.random.default_rng(recipe.seed).permutation(np.flatnonzero(drawn.digits > 0))
        chosen = filled[: 2 * recipe.rendered_cells]
        cells, digits = drawn.cells[chosen], drawn.digits[chosen]
        parts.append(weigh_kinds(cells, digits, drawn.is_written[chosen], _PAGES_SHARE))
    return parts


def _head_of(network: Any) -> Any:
    """Return the new layers alone, from what the network sees to nine probabilities."""
    import keras

    seen = keras.Input(network.get_layer("kind_strokes").input.shape[1:])
    x = seen
    for name in ("kind_strokes", "kind_flat", "kind"):
        x = network.get_layer(name)(x)
    return keras.Model(seen, x)


def _kind_loss(wanted: Any, written: Any) -> Any:
    """Return the weighted cross-entropy of the true digit's kind, (n,) float32.

    Args:
        wanted: (n, 3) float32: the digit less 1, the probability that it is handwritten, a weight.
        written: (n, 9) float32, 0..1.
    """
    import keras

    digit = keras.ops.one_hot(keras.ops.cast(wanted[:, 0], "int32"), 9)
    by_hand = keras.ops.clip(keras.ops.sum(digit * written, axis=1), 1e-6, 1 - 1e-6)
    target, weight = wanted[:, 1], wanted[:, 2]
    known = target * keras.ops.log(by_hand) + (1 - target) * keras.ops.log(1 - by_hand)
    return -weight * known


main = training_command(
    __spec__, "Teach a digit reader who wrote a digit.", KindRecipe, train, None
)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
