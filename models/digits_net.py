"""The digit reader's network: a small convolutional classifier of 32×32 cells, in Keras."""

from typing import Any

import keras
from keras import layers

from models.digits import CELL_PX, CLASSES


def build_digits_net() -> Any:
    """Return the untrained network, (n, 32, 32, 1) to (n, 19) probabilities.

    Six 3×3 convolutions halve the cell three times; 3.4 million multiply-adds a cell. The last
    layers are a 4×4 convolution instead of flatten and dense, which LiteRT can resize without
    leaving its fast path.
    """
    cell = keras.Input((CELL_PX, CELL_PX, 1), name="cell")
    x = _convolve(cell, 16, strides=2)
    x = _convolve(x, 16)
    x = _convolve(x, 40, strides=2)
    x = _convolve(x, 40)
    x = _convolve(x, 80, strides=2)
    x = _convolve(x, 80)
    x = layers.Dropout(0.15)(x)
    x = layers.Conv2D(80, 4, padding="valid", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    x = layers.ReLU()(x)
    x = layers.Dropout(0.25)(x)
    x = layers.GlobalAveragePooling2D()(x)  # of 1×1: drops the two axes, nothing else
    probabilities = layers.Dense(CLASSES, activation="softmax", name="probabilities")(x)
    return keras.Model(cell, probabilities, name="digits")


def add_kind_head(digits_net: Any) -> Any:
    """Return the network with its own judges of who wrote a digit; how digits are read stays.

    Nine logits, one a digit, come from the 4×4 map that the digits are read from. They only share
    out what the network gives to a digit between its two kinds, so that sums over the kinds are
    what they were, bit for bit but for rounding.

    Args:
        digits_net: as `build_digits_net` returns it, trained.

    Returns:
        A network of the same input and output; the new layers' names begin with `kind`.
    """
    probabilities = digits_net.output
    seen = digits_net.get_layer(_map_layer(digits_net)).output
    x = layers.Conv2D(12, 4, padding="valid", activation="relu", name="kind_strokes")(seen)
    x = layers.GlobalAveragePooling2D(name="kind_flat")(x)
    written = layers.Dense(9, activation="sigmoid", name="kind")(x)
    digits = probabilities[:, 1:10] + probabilities[:, 10:]
    by_hand = digits * written
    shared = keras.ops.concatenate([probabilities[:, :1], digits - by_hand, by_hand], axis=1)
    return keras.Model(digits_net.input, shared, name="digits")


def _map_layer(digits_net: Any) -> str:
    """Return the name of the last layer whose output is a 4×4 map in front of the dropout."""
    maps = [
        layer.name
        for layer in digits_net.layers
        if isinstance(layer, layers.ReLU) and layer.output.shape[1:3] == (4, 4)
    ]
    return str(maps[-1])


def marginal_loss(target: Any, probabilities: Any) -> Any:
    """Return the cross-entropy of "one of these classes", with a share of uniform smoothing.

    Where it is known that a cell holds a 7 but not whether it was printed or written, both classes
    are allowed and the loss is -log(p[printed 7] + p[written 7]).

    Args:
        target: (n, 20) float32: 19 flags of the classes allowed, then the smoothing in 0..1;
            1 asks for a uniform answer.
        probabilities: (n, 19) float32, rows sum to 1.

    Returns:
        (n,) float32.
    """
    allowed, smoothing = target[:, :CLASSES], target[:, CLASSES]
    likelihood = keras.ops.sum(allowed * probabilities, axis=-1)
    known = -keras.ops.log(likelihood + 1e-7)
    uniform = -keras.ops.mean(keras.ops.log(probabilities + 1e-7), axis=-1)
    return (1 - smoothing) * known + smoothing * uniform


def _convolve(x: Any, filters: int, strides: int = 1) -> Any:
    x = layers.Conv2D(filters, 3, strides=strides, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    return layers.ReLU()(x)
