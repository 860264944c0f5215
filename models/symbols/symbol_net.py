"""The symbol network as Keras builds it: a small stack of convolutions over a cell."""

from typing import Any, Final

from models.digits import CELL_PX
from models.symbols.symbol_classes import CLASSES

OUTPUT_LAYER: Final = "probabilities"


def build_symbol_net() -> Any:
    """Return the network, untrained: (b, 32, 32, 1) float32 → (b, 53) probabilities.

    4.8 million multiply-adds a cell. Two figures are told apart by where they stand, so the last
    map is flattened.
    """
    import keras
    from keras import layers

    def convolve(x: Any, filters: int, size: int = 3, strides: int = 1) -> Any:
        x = layers.Conv2D(filters, size, strides=strides, padding="same", use_bias=False)(x)
        return layers.ReLU()(layers.BatchNormalization()(x))

    cell = layers.Input((CELL_PX, CELL_PX, 1), name="cell")
    x = convolve(convolve(cell, 16, strides=2), 32)
    x = convolve(convolve(x, 48, strides=2), 56)
    x = convolve(convolve(x, 72, strides=2), 72)
    x = layers.Dropout(0.1)(layers.Flatten()(convolve(x, 32, size=1)))
    x = layers.Dense(96, use_bias=False)(x)
    x = layers.Dropout(0.15)(layers.ReLU()(layers.BatchNormalization()(x)))
    told = layers.Dense(CLASSES, activation="softmax", name=OUTPUT_LAYER)(x)
    return keras.Model(cell, told, name="symbols")
