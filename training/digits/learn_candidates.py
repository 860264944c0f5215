"""How the network of candidates learns: from wide networks, and cells varied in its graph.

Hinton, Vinyals and Dean 2015, "Distilling the Knowledge in a Neural Network".
"""

import logging
import os
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.candidate_reader import (
    CANDIDATES,
    DENSE_LAYERS,
    DIGIT,
    N_DIGITS,
    N_MAPS,
    N_PLACES,
    PLACE_PX,
    build_candidate_net,
    find_marks,
    normalise_crops,
)
from training.digits.varied_cells import draw_chances, keep_ink, list_chances, move_places, vary
from training.shard_runs import ShardRecipe, make_optimizer, run_network, run_steps

logger = logging.getLogger(__name__)

Float32 = npt.NDArray[np.float32]

NAME: Final = "candidates"
_TEACHERS: Final = "teachers"
_SHARES: Final = (0.16, 0.1)
"""Of the examples, that are empty or dirty, and that hold a digit."""
_SMOOTHING: Final = 0.01
_WARM_UP: Final = 300
"""Steps in which the rate rises."""
_TOLD_EVERY: Final = 200
_BEFORE_BLOCKS: Final = 25
"""Arrays of the network's five first layers."""
_WIDER: Final = 2
"""Times as wide as the network are its teachers."""
_TEACHING: Final = 0.45
"""Share of a run's minutes in which teachers learn."""


class CandidateCells(NamedTuple):
    """Cells, and what stands in them.

    Attributes:
        crops: (k, 68, 68) uint8.
        contents: (k,) uint8, as `models.candidate_reader` numbers them.
        places: (k, 9, 2) float16, x and y in the crop where the middle of each digit stands, in
            pixels; NaN where it is not noted.
    """

    crops: npt.NDArray[np.uint8]
    contents: npt.NDArray[np.uint8]
    places: npt.NDArray[np.float16]


@dataclass(frozen=True)
class CandidateRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Steps are those of the teachers, and again of the network; minutes those of both.

    Attributes:
        teachers: wide networks from which it learns; 0 for none.
        is_half: teachers compute with 16 bits.
    """

    samples: Path = Path("build/candidates")
    steps: int = 9_000
    batch: int = 128
    rate: float = 3e-3
    teachers: int = 2
    is_half: bool = False


def learn(recipe: CandidateRecipe, learnt: CandidateCells, unseen: CandidateCells) -> Path:
    """Train, or go on training; return the file of the network.

    Args:
        recipe: of the run.
        learnt: cells to learn from.
        unseen: on which it is measured.

    Raises:
        RuntimeError: if the loss is no number any more.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras

    keras.utils.set_random_seed(recipe.seed)
    logger.info(
        "cells to learn from, nothing, digits, candidates: %s", np.bincount(learnt.contents)
    )
    inks = np.concatenate(
        [
            keep_ink(normalise_crops(learnt.crops[start : start + 4096]))
            for start in range(0, len(learnt.crops), 4096)
        ]
    )
    draw = partial(draw_batch, inks, learnt, recipe.batch)
    teachers, minutes = None, recipe.minutes
    if recipe.teachers:
        share = None if minutes is None else _TEACHING * minutes
        first = replace(
            recipe, out=recipe.out.with_name(f"{recipe.out.name}-{_TEACHERS}"), minutes=share
        )
        trained = _run(first, _build_teachers(recipe), _loss_of_all, draw, None)
        teachers = keras.saving.load_model(trained, compile=False).get_layer(_TEACHERS)
        logger.info("teachers, held out: %s", _score(_average_teachers(teachers), unseen))
        teachers.trainable = False
        minutes = None if minutes is None else minutes * (1 - _TEACHING)
    pupil = replace(recipe, out=recipe.out.with_name(f"{recipe.out.name}-varied"), minutes=minutes)
    network = _build_pupil(teachers)
    if recipe.init is not None:
        _begin_with(recipe.init, network.get_layer(NAME))
    _run(pupil, network, _loss_of_pupil, draw, (recipe.out, unseen))
    return recipe.out.with_suffix(".keras")


def _run(
    recipe: CandidateRecipe,
    network: Any,
    loss: Any,
    draw: Any,
    kept: tuple[Path, CandidateCells] | None,
) -> Path:
    """Train a network, and keep what is in it at every checkpoint if told where."""
    recipe = replace(recipe, init=None)
    optimizer = make_optimizer(recipe, network, _WARM_UP, DENSE_LAYERS)
    network.compile(optimizer, loss, jit_compile=True)
    average = [np.array(one) for one in network.get_weights()]
    telling = None if kept is None else partial(_keep, recipe.out, *kept)
    return run_steps(recipe, network, draw, telling, _TOLD_EVERY, average)


def _begin_with(init: Path, network: Any) -> None:
    """Take over the weights of a network of candidates, which may have fewer blocks or none."""
    import keras

    known = keras.saving.load_model(init, compile=False).get_weights()
    weights = network.get_weights()
    weights[:_BEFORE_BLOCKS] = known[:_BEFORE_BLOCKS]
    beyond = len(known) - _BEFORE_BLOCKS
    weights[-beyond:] = known[-beyond:]
    network.set_weights(weights)


def _keep(trained: Path, out: Path, unseen: CandidateCells) -> str:
    """Keep the network by itself; return in words how much of the unseen it reads right."""
    import keras

    network = keras.saving.load_model(trained.with_suffix(".keras"), compile=False)
    candidates = network.get_layer(NAME)
    part = out.with_suffix(".part.keras")
    candidates.save(part)
    part.replace(out.with_suffix(".keras"))
    return _score(candidates, unseen)


def draw_batch(
    inks: npt.NDArray[np.uint8], samples: CandidateCells, batch: int, rng: np.random.Generator
) -> tuple[list[Any], Float32]:
    """Return what the graph varies: cells and chances; and what the loss takes.

    Args:
        inks: (k, 68, 68) of the samples.
        samples: from which is drawn.
        batch: how many.
        rng: chance.
    """
    n_nothing, n_digits = (round(share * batch) for share in _SHARES)
    counts = (n_nothing, n_digits, batch - n_nothing - n_digits)
    index = np.concatenate(
        [
            rng.choice(np.flatnonzero(samples.contents == content), count)
            for content, count in enumerate(counts)
        ]
    )
    chances = draw_chances(rng, batch)
    places = move_places(samples.places[index].astype(np.float32), chances.normals)
    return [inks[index], *chances], _wanted(samples.contents[index], places)


def _wanted(contents: npt.NDArray[np.uint8], places: Float32) -> Float32:
    """Return (b, 301) float32: what the cells hold, the digits noted, what each place has.

    A place is −1 where it does not matter what is said of it: around a digit's middle.
    """
    is_noted = ~np.isnan(places[..., 0])
    maps = np.zeros((len(places), N_PLACES, N_PLACES), np.float32)
    cells, digits = np.nonzero(is_noted)
    middles = np.clip(places[cells, digits] // PLACE_PX, 0, N_PLACES - 1).astype(np.intp)
    for step in np.ndindex(3, 3):
        x, y = np.clip(middles + np.subtract(step, 1), 0, N_PLACES - 1).T
        maps[cells, y, x] = -1
    maps[cells, middles[:, 1], middles[:, 0]] = digits + 1
    holds = contents[:, None] == np.arange(3)
    parts = [holds, is_noted, maps.reshape(len(places), -1)]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _build_teachers(recipe: CandidateRecipe) -> Any:
    """Return what takes cells and chances and gives (b, teachers, 2893) probabilities."""
    import keras
    from keras import ops

    crop = keras.Input((N_PLACES * PLACE_PX, N_PLACES * PLACE_PX, 1), name="crop")
    dtype = "mixed_bfloat16" if recipe.is_half else None
    told = []
    for number in range(recipe.teachers):
        teacher = build_candidate_net(_WIDER, dtype)
        teacher.name = f"teacher{number}"
        told.append(teacher(crop))
    teachers = keras.Model(crop, ops.stack(told, axis=1), name=_TEACHERS)
    inks, chances = _list_inputs()
    return keras.Model([inks, *chances], teachers(vary(inks, *chances)))


def _average_teachers(teachers: Any) -> Any:
    from keras import ops

    return lambda crops, training: ops.mean(teachers(crops, training=training), axis=1)


def _build_pupil(teachers: Any) -> Any:
    """Return what gives (b, 2, 2893) probabilities: the network's, and those that it is taught.

    Without teachers (b, 1, 2893).
    """
    import keras
    from keras import ops

    inks, chances = _list_inputs()
    varied = vary(inks, *chances)
    told = [build_candidate_net()(varied)]
    if teachers is not None:
        told.append(ops.mean(teachers(varied, training=False), axis=1))
    return keras.Model([inks, *chances], ops.stack(told, axis=1))


def _list_inputs() -> tuple[Any, list[Any]]:
    import keras

    side = N_PLACES * PLACE_PX
    return keras.Input((side, side), dtype="uint8", name="inks"), list_chances()


def _loss_of_all(wanted: Any, told: Any) -> Any:
    """Return the mean loss of several networks."""
    losses = [compute_loss(wanted, told[:, n]) for n in range(told.shape[1])]
    return sum(losses) / len(losses)


def _loss_of_pupil(wanted: Any, told: Any) -> Any:
    """Return the loss, and how far the network is from what it is taught."""
    from keras import ops

    loss = compute_loss(wanted, told[:, 0])
    if told.shape[1] == 1:
        return loss
    taught = ops.stop_gradient(told[:, 1])
    is_open = 1 - wanted[:, DIGIT]
    maps = ops.clip(ops.reshape(told[:, 0, :-3], (-1, N_PLACES**2, N_MAPS)), 1e-6, 1)
    right = ops.reshape(taught[:, :-3], (-1, N_PLACES**2, N_MAPS))
    of_places = -ops.sum(right * ops.log(maps), axis=(1, 2)) * is_open
    n_digits = ops.maximum(ops.sum(wanted[:, 3 : 3 + N_DIGITS]), 1)
    of_contents = ops.mean(ops.categorical_crossentropy(taught[:, -3:], told[:, 0, -3:]))
    return loss + 2 * ops.sum(of_places) / n_digits + of_contents


def compute_loss(wanted: Any, told: Any) -> Any:
    """Return the mean cross entropies of contents, digits noted, and places, added up.

    Digits and places count where no digit of the cell's own stands.
    """
    from keras import ops

    contents, digits = wanted[:, :3], wanted[:, 3 : 3 + N_DIGITS]
    is_open = 1 - contents[:, DIGIT]
    maps = ops.clip(ops.reshape(told[:, :-3], (-1, N_PLACES**2, N_MAPS)), 1e-6, 1 - 1e-6)
    doubts = ops.sum(ops.log(1 - maps[:, :, 1:]), axis=1)
    is_noted = (1 - _SMOOTHING) * digits + _SMOOTHING / 2
    of_digits = -is_noted * ops.log(1.00001 - ops.exp(doubts)) - (1 - is_noted) * doubts
    places = wanted[:, 3 + N_DIGITS :]
    is_asked = ops.cast(places >= 0, "float32") * is_open[:, None]
    right = ops.one_hot(ops.cast(ops.maximum(places, 0), "int32"), N_MAPS)
    of_places = -ops.sum(right * ops.log(maps), axis=2) * is_asked
    n_digits = ops.maximum(ops.sum(digits), 1)
    smooth = (1 - _SMOOTHING) * contents + _SMOOTHING / 3
    return (
        ops.mean(ops.categorical_crossentropy(smooth, told[:, -3:]))
        + ops.sum(ops.sum(of_digits, axis=1) * is_open) / n_digits
        + ops.sum(of_places) / n_digits
    )


def _score(network: Any, samples: CandidateCells) -> str:
    """Return in words how much of the samples a network reads right."""
    seen = find_marks(run_network(network, normalise_crops(samples.crops)))
    digits = np.eye(N_MAPS, dtype=np.bool_)[seen.marks.argmax(axis=2)].any(axis=1)[:, 1:]
    is_exact = (digits == ~np.isnan(samples.places[..., 0])).all(axis=1)
    is_right = seen.contents.argmax(axis=1) == samples.contents
    is_noted = samples.contents == CANDIDATES
    names = ("nothing", "digits", "candidates")
    parts = [
        f"{name} {is_right[samples.contents == one].mean():.4f}" for one, name in enumerate(names)
    ]
    return f"{', '.join(parts)}; exactly {is_exact[is_noted].mean():.4f}"
