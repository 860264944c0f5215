"""Recurrent Relational Networks: cells that send messages to their peers, step after step.

R. B. Palm, U. Paquet, O. Winther, 2018, "Recurrent Relational Networks", arXiv:1711.08028, with
the authors' https://github.com/rasmusbergpalm/recurrent-relational-networks. The paper names no
parameter count; its layers make 201,001, nine outputs a cell included. n grids, f features.
"""

from typing import Any, Final

import keras
import numpy as np
from keras import layers, ops

from models.published.inputs_net import grid_input

_EMBEDDING: Final = 16
"""Numbers for a digit, a row and a column each."""


def build_relational_network(features: int = 96, steps: int = 32) -> Any:
    """Return the network, (n, 81) digits to (n, steps, 81, 9) logits, those of every step.

    Args:
        features: width of a cell's state and of every hidden layer.
        steps: how often messages are sent; the authors train with 32 and test with 64.
    """
    grids = grid_input()
    logits = MessagePassing(features, steps)(grids)
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
