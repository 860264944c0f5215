"""Trains the reader of boards, which sees the cells of a board beside each other.

    python -m training.digits.train_board_digits --init build/digits/small.keras \
        --out build/digits/look

It begins with what a reader of single cells has learnt of the same small photos, and sees no real
one. `training.digits.train_real_boards` goes on from there.
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.digits import CLASSES, FEWER_LAYER, MORE_LAYER, normalise_cells
from models.engine import Booleans, UInt8
from training.digits.cell_pools import STAYS_A_DIGIT, make_target
from training.digits.drawn_cells import disturb
from training.digits.photo_cells import PageCells, render_page_cells
from training.digits.train_digits import export
from training.shard_runs import ShardRecipe, falling_rate, run_network, run_steps
from training.training_command import training_command
from vision.geometry import Float32

CELLS: Final = 81
"""Of the boards that are learnt from."""

_KIND_WEIGHTS: Final = np.array([0.3, 0.5, 0.2], np.float32)
"""What empty cells, printed digits and digits by hand count in all, whichever are more frequent."""

_TURNED: Final = 0.04
"""Share of the boards that lie turned: for their digits an even answer is asked for."""

_DISTURBED: Final = 0.4
"""Share of the boards in heavy noise or across a fold."""

_MOST_DISTURBED: Final = 0.7
"""Most of such a board's empty cells that are disturbed, and three times as many as its digits."""

_SEEN_TO_PART: Final = 8_000
"""Cells on which the last convolution is parted."""

_WARM_UP: Final = 200
"""Steps in which the rate rises."""
_TOLD_EVERY: Final = 250


@dataclass(frozen=True)
class BoardRecipe(ShardRecipe):
    """Everything that decides how a run comes out.

    Attributes:
        init: `.keras` file of a reader of single cells, or of a board network.
        samples: folder of the cells that were drawn and cut.
        batch: boards in a step.
        data_root: the data folder.
        small: small photos of one board to learn from.
        temperature: of the answers; see docs/model_card_digits.md.
    """

    samples: Path = Path("build/digits/pools")
    steps: int = 6000
    batch: int = 4
    rate: float = 8e-4
    save_every: int = 500
    init: Path | None = Path("build/digits/small.keras")
    data_root: Path = Path("../shared/data")
    small: int = 11_200
    temperature: float = 1.0


@dataclass(frozen=True)
class BoardCells:
    """The cells of n boards.

    Attributes:
        cells: (n, 81, 32, 32) uint8.
        digits: (n, 81) uint8, 0 where the cell is empty or holds candidates only.
        target: (n, 81, 20) float32 as `models.digits.marginal_loss` takes it.
    """

    cells: UInt8
    digits: UInt8
    target: Float32

    @classmethod
    def of(
        cls, cells: UInt8, digits: UInt8, *, may_print: Booleans, may_write: Booleans
    ) -> "BoardCells":
        """Return boards from what their cells may hold: cells, and three arrays of (81 · n,)."""
        target = make_target(digits)
        target[~may_print, 1:10] = 0
        by_hand = np.flatnonzero(may_write & (digits > 0))
        target[by_hand, digits[by_hand] + 9] = 1
        return cls(
            cells.reshape(-1, CELLS, *cells.shape[-2:]),
            digits.reshape(-1, CELLS),
            target.reshape(-1, CELLS, CLASSES + 1),
        )

    def take(self, chosen: npt.NDArray[np.integer]) -> "BoardCells":
        """Return copies of some boards."""
        return BoardCells(self.cells[chosen], self.digits[chosen], self.target[chosen])

    def kinds(self) -> npt.NDArray[np.intp]:
        """Return 0 of empty cells, 1 of digits that may be printed, and 2 of others, (n, 81)."""
        return np.where(self.digits == 0, 0, np.where(self.target[..., 1:10].any(axis=-1), 1, 2))


def train(recipe: BoardRecipe) -> Path:
    """Run a recipe to its end, from its last checkpoint if there is one.

    Returns:
        The path of the `.tflite` file; the `.keras` file and the log lie beside it.

    Raises:
        ValueError: if there is no network to begin with.
        models.export.ParityError: if LiteRT does not compute what Keras does.
    """
    if recipe.init is None:
        raise ValueError("name a trained reader of cells with --init")
    digits_dir = recipe.data_root / "digits"
    drawn = render_page_cells("small", recipe.small, recipe.seed, digits_dir, recipe.samples)
    boards = small_boards(drawn)
    import keras

    from models.digits import build_board_net, marginal_loss

    keras.utils.set_random_seed(recipe.seed)
    network = build_board_net(CELLS)
    begin_with(
        network,
        keras.saving.load_model(recipe.init, compile=False),
        normalise_cells(boards.cells.reshape(-1, *boards.cells.shape[2:])[:_SEEN_TO_PART]),
    )
    rate = falling_rate(recipe, _WARM_UP)
    network.compile(keras.optimizers.AdamW(rate, weight_decay=1e-3, clipnorm=1.0), marginal_loss)
    weights = weigh_kinds(boards)

    def draw(rng: np.random.Generator, _: float) -> tuple[Any, Any, Any]:
        cells, target, counts = draw_boards(rng, boards, recipe.batch, weights)
        return normalise_cells(cells), target, counts

    run = replace(recipe, out=recipe.out.with_name(f"{recipe.out.name}-run"), init=None)
    run_steps(run, network, draw, None, _TOLD_EVERY)
    single = build_board_net()
    single.set_weights(network.get_weights())
    return export(single, recipe.out, recipe.temperature, normalise_cells(boards.cells[0]))


def small_boards(drawn: PageCells) -> BoardCells:
    """Return the boards of rendered small photos, each as it lies and moved a little."""
    is_written = drawn.is_written
    return BoardCells.of(drawn.cells, drawn.digits, may_print=~is_written, may_write=is_written)


def begin_with(network: Any, trained: Any, cells: Float32) -> None:
    """Take over what another network has learnt.

    Of a reader of single cells the last convolution is parted in two, so that its outputs for the
    given cells change as little as possible: they are kept along their principal components.

    Args:
        network: as `models.digits.build_board_net` returns it; its weights are changed.
        trained: such a network, or one as `build_digits_net` returns it.
        cells: (k, 32, 32, 1) float32.
    """
    import keras

    if any(layer.name == FEWER_LAYER for layer in trained.layers):
        network.set_weights(trained.get_weights())
        return
    last = next(layer for layer in trained.layers if getattr(layer, "kernel_size", 0) == (4, 4))
    seen = run_network(keras.Model(trained.input, last.output), cells)
    seen = seen.reshape(len(seen), -1)
    spread = seen.std(axis=0) + 1e-6
    fewer, more = network.get_layer(FEWER_LAYER), network.get_layer(MORE_LAYER)
    _, axes = np.linalg.eigh(np.cov((seen / spread).T))
    axes = axes[:, -fewer.filters :]
    (kernel,) = last.get_weights()
    fewer.set_weights([(kernel / spread) @ axes])
    more.set_weights([(axes.T * spread)[None, None]])
    others = [layer for layer in trained.layers if layer is not last and layer.weights]
    own = [layer for layer in network.layers if layer not in (fewer, more) and layer.weights]
    for layer, other in [*zip(own, others[:-1], strict=False), (own[-1], others[-1])]:
        layer.set_weights(other.get_weights())


def weigh_kinds(boards: BoardCells) -> Float32:
    """Return what an empty cell, a printed digit and one by hand count, (3,) float32."""
    counts = np.bincount(boards.kinds().ravel(), minlength=3)
    return np.asarray(_KIND_WEIGHTS * counts.sum() / np.maximum(counts, 1), np.float32)


def draw_boards(
    rng: np.random.Generator, boards: BoardCells, count: int, weights: Float32
) -> tuple[UInt8, Float32, Float32]:
    """Draw boards, some of them turned or disturbed.

    Args:
        rng: decides which, and how.
        boards: to draw from.
        count: of boards.
        weights: as `weigh_kinds` returns them.

    Returns:
        (81 · count, 32, 32) uint8 cells, (81 · count, 20) float32 targets as
        `models.digits.marginal_loss` takes them, and (81 · count,) float32, what each counts.
    """
    chosen = boards.take(rng.integers(len(boards.cells), size=count))
    counts = weights[chosen.kinds()]
    for number in range(count):
        vary_board(rng, chosen, number, counts)
    cells = chosen.cells.reshape(-1, *chosen.cells.shape[2:])
    return cells, chosen.target.reshape(-1, CLASSES + 1), counts.ravel()


def vary_board(rng: np.random.Generator, boards: BoardCells, number: int, counts: Float32) -> None:
    """Leave a board as it is, or turn its digits, or disturb cells, in place.

    For digits of a board that lies turned an even answer is asked for; those that stay digits then
    do not count.

    Args:
        rng: decides.
        boards: of which one is changed.
        number: of the board.
        counts: (n, 81) float32, what each cell counts.
    """
    cells, digits = boards.cells[number], boards.digits[number]
    kind = rng.random()
    if kind < _TURNED:
        quarter = int(rng.integers(1, 4))
        for cell in np.flatnonzero(digits):
            cells[cell] = np.rot90(cells[cell], quarter)
            if quarter == 2 and int(digits[cell]) in STAYS_A_DIGIT:
                counts[number, cell] = 0
            else:
                boards.target[number, cell, CLASSES] = 1
    elif kind < _TURNED + _DISTURBED:
        share = rng.uniform(0, _MOST_DISTURBED)
        shares = np.where(digits == 0, share, share / 3)
        for cell in np.flatnonzero(rng.random(len(digits)) < shares):
            cells[cell] = disturb(rng, cells[cell])


main = training_command(__spec__, "Train the reader of boards.", BoardRecipe, train, None)
"""Runs the command line."""


if __name__ == "__main__":
    sys.exit(main())
