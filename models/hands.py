"""Reads what is written by hand, each digit cut out by `vision.written_digits`."""

from typing import Any, Final

import numpy as np

from models.digits import check_pictures
from models.engine import Engine, EngineKind, Float32, Job, UInt8, load_engine

SHAPE_PX: Final = 28
"""Side of the shapes that the network takes."""

CLASSES: Final = 10
"""What is no digit, such as dirt, candidates or what is crossed out; 1–9."""

READS_HANDS: Final = Job(
    "reads handwriting", (SHAPE_PX, SHAPE_PX, 1), (CLASSES,), "docs/model_card_digits.md"
)

OUTPUT_LAYER: Final = "probabilities"


class HandReader:
    """Says which digit a shape is, if any; one instance must not be shared by two threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(cls, kind: EngineKind = "litert", threads: int = 2) -> "HandReader":
        """Open the shipped network.

        Raises:
            models.engine.EngineError: if weights or the engine's package are missing or broken.
        """
        return cls(load_engine("hands", kind, job=READS_HANDS, threads=threads))

    def read(self, shapes: UInt8) -> Float32:
        """Return how likely each class is, (k, 10) float32: no digit, 1 to 9; rows sum to 1.

        Args:
            shapes: (k, 28, 28) uint8, ink 255 on 0; k may be 0.

        Raises:
            ValueError: if the shapes have another shape or type.
        """
        if len(shapes) == 0:
            return np.zeros((0, CLASSES), np.float32)
        return self._engine.run(scale_shapes(shapes))


def scale_shapes(shapes: UInt8) -> Float32:
    """Return shapes as the network takes them, (k, 28, 28, 1) float32 in 0..1.

    Raises:
        ValueError: if the shapes have another shape or type.
    """
    check_pictures(shapes, SHAPE_PX, "shapes")
    return np.asarray(shapes[..., None] / np.float32(255), np.float32)


def build_hand_net(scale: int = 1, dtype: str | None = None) -> Any:
    """Return the network, untrained: (b, 28, 28, 1) float32 → (b, 10) probabilities.

    Residual blocks (He et al. 2016, "Deep Residual Learning for Image Recognition") between
    convolutions that halve the shape. 261,000 weights, 11.9 million multiply-adds a shape.

    Args:
        scale: all layers are so many times as wide.
        dtype: that all layers but the last compute in; the backend's own when None.
    """
    import keras
    from keras import layers

    def convolve(x: Any, filters: int, strides: int = 1) -> Any:
        x = layers.Conv2D(filters * scale, 3, strides, padding="same", use_bias=False, dtype=dtype)(
            x
        )
        return layers.BatchNormalization(dtype=dtype)(x)

    def relu(x: Any) -> Any:
        return layers.ReLU(dtype=dtype)(x)

    def add_block(x: Any, filters: int) -> Any:
        return relu(layers.Add(dtype=dtype)([x, convolve(relu(convolve(x, filters)), filters)]))

    shape = layers.Input((SHAPE_PX, SHAPE_PX, 1), name="shape")
    x = relu(convolve(relu(convolve(shape, 24)), 32, strides=2))
    x = relu(convolve(add_block(x, 32), 64, strides=2))
    x = relu(convolve(add_block(x, 64), 96, strides=2))
    x = relu(convolve(x, 96))
    x = layers.DepthwiseConv2D(4, use_bias=False, dtype=dtype)(x)
    x = relu(layers.BatchNormalization(dtype=dtype)(x))
    x = layers.GlobalAveragePooling2D(dtype=dtype)(x)  # of 1×1: drops the axes
    x = layers.Dropout(0.2, dtype=dtype)(x)
    told = layers.Dense(CLASSES, activation="softmax", name=OUTPUT_LAYER, dtype="float32")(x)
    return keras.Model(shape, told, name="hands")
