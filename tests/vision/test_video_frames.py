"""Frames as cameras deliver them: every layout shows the same picture."""

import cv2
import numpy as np
import pytest
from arrays import Image8
from hypothesis import given
from hypothesis import strategies as st

from vision.media.video_frames import Layout, Plane, from_bgr, turn_picture, unpack_frame

WIDTH, HEIGHT = 96, 64


def scene() -> Image8:
    """Return soft colours, (HEIGHT, WIDTH, 3) BGR, so that shared colours cost little."""
    noise = np.random.default_rng(5).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    return np.asarray(cv2.GaussianBlur(noise, (0, 0), 6), np.uint8)


def laid_out(layout: Layout, image: Image8, spare: int = 0) -> list[Plane]:
    """Lay a picture out in memory as a camera does, with unused bytes behind each row."""
    height, width = image.shape[:2]
    whole = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
    y = whole[:height]
    u, v = whole[height:].reshape(2, height // 2, width // 2)
    tall_u, tall_v = np.repeat(u, 2, axis=0), np.repeat(v, 2, axis=0)
    planes = {
        Layout.NV12: [y, np.stack([u, v], axis=-1).reshape(height // 2, width)],
        Layout.I420: [y, u, v],
        Layout.I422: [y, tall_u, tall_v],
        Layout.YUYV: [
            np.stack([y[:, ::2], tall_u, y[:, 1::2], tall_v], axis=-1).reshape(height, -1)
        ],
    }[layout]
    padded = [np.pad(plane, ((0, 0), (0, spare))) for plane in planes]
    return [Plane(plane.ravel(), plane.shape[1]) for plane in padded]


@pytest.mark.parametrize("layout", list(Layout))
def test_every_layout_shows_the_same_colours_and_brightness(layout: Layout) -> None:
    image = scene()
    brightness = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)[:HEIGHT].astype(int)

    picture = unpack_frame(layout, laid_out(layout, image, spare=6), WIDTH, HEIGHT)

    assert np.abs(picture.grey - brightness).max() < 3
    assert picture.bgr.shape == image.shape
    assert np.abs(picture.bgr.astype(int) - image).mean() < 3


def test_a_frame_of_full_range_is_shown_as_dark_and_as_bright_as_it_is() -> None:
    y = np.tile(np.linspace(0, 255, WIDTH).astype(np.uint8), (HEIGHT, 1))
    planes = [Plane(y.ravel(), WIDTH), Plane(np.full(HEIGHT // 2 * WIDTH, 128, np.uint8), WIDTH)]

    picture = unpack_frame(Layout.NV12, planes, WIDTH, HEIGHT, is_full_range=True)

    assert np.array_equal(picture.grey, y)
    assert np.abs(picture.bgr[:, :, 1].astype(int) - y).max() <= 2


def test_a_frame_is_copied_out_of_the_memory_of_the_camera() -> None:
    planes = laid_out(Layout.NV12, scene())
    picture = unpack_frame(Layout.NV12, planes, WIDTH, HEIGHT)
    before = picture.grey.copy()

    for plane in planes:
        plane.data[:] = 0

    assert np.array_equal(picture.grey, before)


def test_the_last_row_may_end_where_its_pixels_do() -> None:
    image = scene()
    (plane,) = laid_out(Layout.YUYV, image, spare=40)
    short = Plane(plane.data[:-40], plane.stride)

    picture = unpack_frame(Layout.YUYV, [short], WIDTH, HEIGHT)

    assert np.abs(picture.bgr.astype(int) - image).mean() < 3


@pytest.mark.parametrize("layout", list(Layout))
def test_a_plane_that_is_too_small_is_named(layout: Layout) -> None:
    planes = laid_out(layout, scene())
    planes[-1] = Plane(planes[-1].data[:100], planes[-1].stride)

    with pytest.raises(ValueError, match=f"plane {len(planes) - 1} must have"):
        unpack_frame(layout, planes, WIDTH, HEIGHT)


def test_a_missing_plane_is_named() -> None:
    with pytest.raises(ValueError, match="plane 1 is missing"):
        unpack_frame(Layout.NV12, laid_out(Layout.NV12, scene())[:1], WIDTH, HEIGHT)


@given(width=st.integers(2, 41), height=st.integers(2, 41))
def test_frames_of_odd_sizes_lose_a_row_or_a_column_at_most(width: int, height: int) -> None:
    planes = [
        Plane(np.full(width * height, 90, np.uint8), width),
        Plane(np.full((width + 1) * (height + 1), 128, np.uint8), width + 1),
    ]

    picture = unpack_frame(Layout.NV12, planes, width, height)

    assert picture.grey.shape == (height // 2 * 2, width // 2 * 2)
    assert picture.colour.shape[:2] == picture.grey.shape


def test_turned_frames_stand_upright() -> None:
    image = scene()
    sideways = from_bgr(np.ascontiguousarray(np.rot90(image)))
    flipped = from_bgr(np.ascontiguousarray(image[::-1]))

    upright = turn_picture(sideways, 1, is_upside_down=False)

    assert np.array_equal(upright.bgr, image)
    assert np.array_equal(upright.grey, from_bgr(image).grey)
    assert np.array_equal(turn_picture(flipped, 0, is_upside_down=True).bgr, image)
