"""The network of lookalikes as Keras builds it: a small stack of convolutions."""

from typing import Any, Final

from models.lookalikes.lookalike_reader import FRAME_PX, OUTPUTS

OUTPUT_LAYERS: Final = ("logits",)

_CHANNELS: Final = (8, 16, 24, 32, 48)
"""Of the layers; each halves the picture."""


def build_lookalike_net() -> Any:
    """Return the network, untrained: (b, 192, 192, 1) float32 → (b, `OUTPUTS`) float32 logits."""
    import keras
    from keras import layers

    picture = layers.Input((FRAME_PX, FRAME_PX, 1))
    x = picture
    for number, channels in enumerate(_CHANNELS):
        x = layers.Conv2D(channels, 5 if number == 0 else 3, 2, "same", use_bias=False)(x)
        x = layers.ReLU(6)(layers.BatchNormalization()(x))
    x = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), layers.GlobalMaxPooling2D()(x)])
    x = layers.Dropout(0.1)(layers.Dense(48, activation="relu")(x))
    return keras.Model(picture, layers.Dense(OUTPUTS, name=OUTPUT_LAYERS[0])(x))
