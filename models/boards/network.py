"""The detector as Keras builds it: a U-Net of separable convolutions (Ronneberger et al. 2015;
Howard et al. 2017)."""

from dataclasses import dataclass
from typing import Any

from models.boards.maps import CHANNELS, INPUT_PX


@dataclass(frozen=True)
class DetectorOptions:
    """Sizes of the network.

    Attributes:
        widths: channels at a half, a quarter, an eighth, a sixteenth and a thirty-second.
        context: dilations of the blocks at a thirty-second, which see the whole picture.
    """

    widths: tuple[int, int, int, int, int] = (16, 32, 64, 96, 128)
    context: tuple[int, ...] = (1, 2, 3, 1)


def build_detector(options: DetectorOptions | None = None, side_px: int | None = INPUT_PX) -> Any:
    """Return the network, untrained: (b, h, w, 1) float32 → (b, h/4, w/4, `CHANNELS`) float32.

    Args:
        options: sizes.
        side_px: h and w, a multiple of 32; None leaves them open.
    """
    import keras
    from keras import layers

    chosen = options or DetectorOptions()
    half, quarter, eighth, sixteenth, deepest = chosen.widths

    def convolve(x: Any, channels: int, size: int = 1, strides: int = 1) -> Any:
        x = layers.Conv2D(channels, size, strides, "same", use_bias=False)(x)
        return layers.BatchNormalization()(x)

    def separate(x: Any, channels: int, strides: int = 1, dilation: int = 1) -> Any:
        size = 3 if strides == 1 else 5
        x = layers.DepthwiseConv2D(size, strides, "same", dilation_rate=dilation, use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        return layers.ReLU(6)(convolve(x, channels))

    def refine(x: Any, dilation: int = 1) -> Any:
        channels = x.shape[-1]
        inner = separate(x, channels, dilation=dilation)
        return layers.Add()([x, separate(inner, channels, dilation=dilation)])

    def raise_to(x: Any, beside: Any) -> Any:
        wider = layers.UpSampling2D(2, interpolation="bilinear")(convolve(x, beside.shape[-1]))
        return refine(layers.Add()([wider, beside]))

    picture = layers.Input((side_px, side_px, 1))
    x = layers.ReLU(6)(convolve(picture, half, 5, 2))
    at_quarter = refine(separate(x, quarter, 2))
    at_eighth = refine(separate(at_quarter, eighth, 2))
    at_sixteenth = refine(separate(at_eighth, sixteenth, 2))
    x = separate(at_sixteenth, deepest, 2)
    for dilation in chosen.context:
        x = refine(x, dilation)
    whole = layers.GlobalAveragePooling2D(keepdims=True)(x)
    whole = layers.Conv2D(deepest, 1, activation="relu")(whole)
    x = layers.Add()([x, layers.Conv2D(deepest, 1)(whole)])
    for beside in (at_sixteenth, at_eighth, at_quarter):
        x = raise_to(x, beside)
    return keras.Model(picture, layers.Conv2D(CHANNELS, 1)(x))
