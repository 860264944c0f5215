"""Networks that others published, as Keras builds them.

All take n grids, (n, 81) int32 digits, 0 = empty, and give (n, answers, 81, 9) logits, of which the
last answer counts. Most are shown (n, 9 rows, 9 columns, channels) float32 of a grid.
"""

from typing import Any, Final

import keras
import numpy as np
from keras import layers, ops

CONSTRAINTS: Final = 27
"""What the recurrent dense model sees of a cell: which digits its row, column and box hold."""

_EXPANSION: Final = 4
"""A bottleneck gives so many times the channels that it works on."""

_ALPHA_KERNELS: Final = ((3, 3), (1, 9), (9, 1), (9, 9))
"""Kernels side by side, 32 filters each."""

_ALPHA_LAYERS: Final = (
    (64, 9, "tanh"),
    (64, 7, "tanh"),
    (64, 5, "relu"),
    (32, 5, "relu"),
    (32, 3, "relu"),
    (32, 3, "relu"),
    (32, 3, "relu"),
)
"""Filters, side of the kernel, and activation of the convolutions that follow."""

_EMBEDDING: Final = 16
"""Numbers for a digit, a row and a column each."""


def _grid_input() -> Any:
    """Return the input that all published networks have here: (n, 81) int32 digits, 0 = empty."""
    return keras.Input((81,), dtype="int32", name="grids")


def _scale_digits(grids: Any) -> Any:
    """Return one channel: the digit / 9 - 0.5, so that an empty cell is -0.5."""
    planes = ops.reshape(ops.cast(grids, "float32"), (-1, 9, 9, 1))
    return planes / 9 - 0.5


def _one_hot_with_empty(grids: Any) -> Any:
    """Return ten channels: whether the cell is empty, then whether it holds each digit."""
    return ops.reshape(ops.one_hot(grids, 10, dtype="float32"), (-1, 9, 9, 10))


def _one_hot_digits(grids: Any) -> Any:
    """Return nine channels: whether the cell holds each digit."""
    return _one_hot_with_empty(grids)[..., 1:]


def _as_logits(outputs: Any) -> Any:
    """Return the outputs, 729 values a grid with the digits last, as (n, 1, 81, 9) logits.

    The second axis counts the answers that a network gives one after the other.
    """
    return ops.reshape(outputs, (-1, 1, 81, 9))


def build_convolution_stack() -> Any:
    """Return the stack: ten 3×3 convolutions with batch normalisation, then one of 1×1.

    A. Sathyan, 2020, https://github.com/anilsathyan7/AI-Sudoku-Solver, which prints its layers. It
    follows K. Park, 2016, "Can Convolutional Neural Networks Crack Sudoku Puzzles?",
    https://github.com/Kyubyong/sudoku.
    """
    grids = _grid_input()
    x = _scale_digits(grids)
    for _ in range(10):
        x = layers.Conv2D(512, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(x)
    x = layers.Conv2D(9, 1)(x)
    return keras.Model(grids, _as_logits(x), name="convolution-stack")


def build_dense_model() -> Any:
    """Return Sathyan's model of four light convolutions and two heavy dense layers, with PReLU."""
    grids = _grid_input()
    x = _scale_digits(grids)
    for filters, size in ((81, 3), (81, 3), (81, 3), (162, 1)):
        x = layers.Conv2D(filters, size, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.PReLU()(x)
    x = layers.Flatten()(x)
    x = layers.PReLU()(layers.Dense(1458)(x))
    x = layers.Dense(729)(x)
    return keras.Model(grids, _as_logits(x), name="dense-model")


def build_recurrent_dense() -> Any:
    """Return Sathyan's model that judges each cell by the digits in its units alone.

    It is recurrent in that it fills the surest cell and looks again; the loss is taken after the
    last cell. It follows https://github.com/modulai/pytorch_sudoku (Modulai, 2020), which has one
    narrow layer. The layers between are the model's layer `cell`, (n, 27) to (n, 9) logits.
    """
    constraints = keras.Input((CONSTRAINTS,))
    x = constraints
    for _ in range(9):
        x = layers.Dense(512, activation="relu")(x)
    cell = keras.Model(constraints, layers.Dense(9)(x), name="cell")
    grids = _grid_input()
    seen = ops.reshape(see_constraints(grids), (-1, CONSTRAINTS))
    return keras.Model(grids, _as_logits(cell(seen)), name="recurrent-dense")


def see_constraints(grids: Any) -> Any:
    """Return which digits the units of each cell hold.

    Args:
        grids: (n, 81) int32, 0 = empty.

    Returns:
        (n, 81, 27) float32, 0 or 1: nine for the row, nine for the column, nine for the box.
    """
    placed = ops.reshape(_one_hot_digits(grids), (-1, 3, 3, 3, 3, 9))
    # Axes: grid, band, row in it, stack, column in it, digit.
    units = [
        ops.max(placed, axis=axes, keepdims=True) + ops.zeros_like(placed)
        for axes in ((3, 4), (1, 2), (2, 4))
    ]
    return ops.reshape(ops.concatenate(units, axis=-1), (-1, 81, CONSTRAINTS))


def build_resnet_spd() -> Any:
    """Return ResNet11-SPD, whose pooling is a rearrangement of boxes into channels.

    G. Vermorel, 2023, "Résolution de sudokus avec un ResNet11-SPD",
    https://github.com/guilhemvermorel/Sudoku-solver-CNN, after R. Sunkara, T. Luo, 2022, "No More
    Strided Convolutions or Pooling", arXiv:2208.03641.

    One convolution, three bottlenecks of three, and a dense layer: the eleven; those of the
    shortcuts are not counted in its name. The second and third bottleneck shrink 9×9 to 3×3, and
    3×3 to one place.
    """
    grids = _grid_input()
    x = _convolve(_one_hot_with_empty(grids), 64, 3)
    x = _bottleneck(x, 64, shrinks=False)
    x = _bottleneck(x, 128, shrinks=True)
    x = _bottleneck(x, 256, shrinks=True)
    x = layers.Dense(729)(layers.Flatten()(x))
    return keras.Model(grids, _as_logits(x), name="resnet11-spd")


def move_space_to_depth(x: Any) -> Any:
    """Return (n, rows / 3, columns / 3, 9 channels) of an (n, rows, columns, channels) array."""
    rows, columns, channels = x.shape[1:]
    x = ops.reshape(x, (-1, rows // 3, 3, columns // 3, 3, channels))
    x = ops.transpose(x, (0, 1, 3, 2, 4, 5))
    return ops.reshape(x, (-1, rows // 3, columns // 3, 9 * channels))


def _convolve(x: Any, filters: int, size: int, strides: int = 1) -> Any:
    x = layers.Conv2D(filters, size, strides=strides, padding="same", use_bias=False)(x)
    return layers.ReLU()(layers.BatchNormalization()(x))


def _bottleneck(x: Any, filters: int, *, shrinks: bool) -> Any:
    inner = _convolve(x, filters, 1)
    inner = layers.Conv2D(filters, 3, padding="same", use_bias=False)(inner)
    if shrinks:
        inner = move_space_to_depth(inner)
    inner = layers.ReLU()(layers.BatchNormalization()(inner))
    inner = layers.Conv2D(filters * _EXPANSION, 1, use_bias=False)(inner)
    inner = layers.BatchNormalization()(inner)
    # 1×1 with stride 3 and no padding keeps every third cell, as published.
    short = layers.Conv2D(filters * _EXPANSION, 1, strides=3 if shrinks else 1, use_bias=False)(x)
    short = layers.BatchNormalization()(short)
    return layers.ReLU()(inner + short)


def build_alpha_policy() -> Any:
    """Return AlphaSudoku's policy: eight convolutions, the first along rows, columns and boxes.

    H. Gérard, 2021, "Sudoku", https://github.com/H-G-11/Sudoku. He names no parameter count; the
    layers named there make 1,079,226.

    The grid itself joins the last layer by a skip connection. The published code hands the digits
    over on the axis that Keras takes for rows; here they are the channels, as its kernels mean.
    """
    grids = _grid_input()
    placed = _one_hot_digits(grids)
    parts = [
        layers.Conv2D(32, kernel, padding="same", activation="tanh")(placed)
        for kernel in _ALPHA_KERNELS
    ]
    x = layers.BatchNormalization()(layers.Concatenate()(parts))
    for filters, size, activation in _ALPHA_LAYERS:
        x = layers.Conv2D(filters, size, padding="same", activation=activation)(x)
        x = layers.BatchNormalization()(x)
    x = layers.Conv2D(9, 1)(layers.Concatenate()([x, placed]))
    return keras.Model(grids, _as_logits(x), name="alpha-policy")


def build_relational_network() -> Any:
    """Return the network of cells that send messages to their peers, with the answers of each step.

    R. B. Palm, U. Paquet, O. Winther, 2018, "Recurrent Relational Networks", arXiv:1711.08028, with
    the authors' https://github.com/rasmusbergpalm/recurrent-relational-networks. The paper names no
    parameter count; its layers make 201,001, nine outputs a cell included. They
    train with 32 steps and test with 64.
    """
    grids = _grid_input()
    logits = MessagePassing(features=96, steps=32)(grids)
    return keras.Model(grids, logits, name="recurrent-relational")


class MessagePassing(keras.layers.Layer):  # type: ignore[misc]  # keras has no types
    """What the paper calls f (messages), g (state) and r (output), and the loop around them.

    A message is a perceptron of three hidden layers over two cells' states. Two of its layers are
    rearranged without changing what is computed: the first is linear in the two states, so each
    cell's part is computed once and not for each of 20 peers; the last is linear, so it is applied
    to the sum of the messages. That leaves two of five matrix products to each edge.
    """

    def __init__(self, features: int, steps: int, **options: Any) -> None:
        super().__init__(**options)
        self._features = features
        self._steps = steps
        self._peers = _find_peers()
        self._digits = layers.Embedding(10, _EMBEDDING)
        self._rows = layers.Embedding(9, _EMBEDDING)
        self._columns = layers.Embedding(9, _EMBEDDING)
        self._encode = self._perceptron(3 * _EMBEDDING)
        self._sender = layers.Dense(features, use_bias=False)
        self._receiver = layers.Dense(features)
        self._message = [layers.Dense(features, activation="relu") for _ in range(2)]
        self._message_out = layers.Dense(features)
        self._update = self._perceptron(2 * features)
        self._memory = layers.LSTMCell(features)
        self._answer = layers.Dense(9)

    def build(self, input_shape: Any) -> None:
        """Make the weights of the layers inside; (n, 81)."""
        features = self._features
        for embedding in (self._digits, self._rows, self._columns):
            embedding.build((None, 81))
        for layer in (self._sender, self._receiver, *self._message, self._message_out):
            layer.build((None, features))
        self._memory.build((None, features))
        self._answer.build((None, features))
        self.built = True

    def call(self, grids: Any) -> Any:
        """Return (n, steps, 81, 9) logits of (n, 81) digits."""
        cells = np.arange(81)
        place = ops.concatenate([self._rows(cells // 9), self._columns(cells % 9)], axis=-1)
        digits = self._digits(grids)
        place = ops.broadcast_to(place, (*ops.shape(digits)[:2], 2 * _EMBEDDING))
        # One row a cell of any grid: the cells of all grids are treated alike.
        told = ops.reshape(ops.concatenate([digits, place], axis=-1), (-1, 3 * _EMBEDDING))
        encoded = self._encode(told)
        state = encoded
        memory = [ops.zeros_like(encoded), ops.zeros_like(encoded)]
        answers = []
        for _ in range(self._steps):
            heard = ops.concatenate([self._hear(state), encoded], axis=-1)
            state, memory = self._memory(self._update(heard), memory)
            answers.append(ops.reshape(self._answer(state), (-1, 81, 9)))
        return ops.stack(answers, axis=1)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the logits."""
        return (input_shape[0], self._steps, 81, 9)

    def _hear(self, state: Any) -> Any:
        """Return the sum of the messages that arrive at each cell, (81 n, f)."""
        features = self._features
        sent = ops.reshape(self._sender(state), (-1, 81, features))
        sent = ops.take(sent, self._peers, axis=1)
        received = ops.reshape(self._receiver(state), (-1, 81, 1, features))
        x = ops.relu(sent + received)
        for layer in self._message:
            x = layer(x)
        return self._message_out(ops.reshape(ops.sum(x, axis=2), (-1, features)))

    def _perceptron(self, inputs: int) -> Any:
        hidden = [layers.Dense(self._features, activation="relu") for _ in range(3)]
        return keras.Sequential([keras.Input((inputs,)), *hidden, layers.Dense(self._features)])


def _find_peers() -> Any:
    """Return (81, 20) int32: the cells that share a row, column or box with each cell."""
    cells = np.arange(81)
    row, column = cells // 9, cells % 9
    box = row // 3 * 3 + column // 3
    shares = np.zeros((81, 81), np.bool_)
    for unit in (row, column, box):
        shares |= unit[:, None] == unit[None, :]
    shares &= ~np.eye(81, dtype=np.bool_)
    return np.nonzero(shares)[1].reshape(81, 20).astype(np.int32)
