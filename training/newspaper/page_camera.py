"""The camera's half of a rendered photo: table, light and shadow, blur, noise and JPEG."""

from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from training.newspaper.bent_sheet import CameraStyle, Sheet

Image8 = npt.NDArray[np.uint8]
Tones = npt.NDArray[np.float32]
"""Light per pixel, (height, width) or (height, width, 3) BGR."""

_COARSE_STEP: Final = 8
"""Pixels between the points of the photo whose place on the page is solved for; the mapping is so
smooth that linear interpolation between them is off by less than 0.05 px."""

_OVERSAMPLING: Final = 2


def photograph(page: Image8, sheet: Sheet, rng: np.random.Generator) -> Image8:
    """Return the photo, (`camera.height`, `camera.width`, 3) uint8 BGR, of a page on a table.

    Args:
        page: (H, W, 3) uint8 BGR, paper and ink as they are in even light.
        sheet: where the page lies.
        rng: light, table and noise.
    """
    camera = sheet.camera
    height, width = page.shape[:2]
    fine = _page_grid(sheet, _OVERSAMPLING)
    x, y = fine[:, :, 0], fine[:, :, 1]
    paper = cv2.remap(page, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    paper = _shrink(paper, camera)
    mask = _shrink(_inside(fine, width, height), camera)[:, :, None]
    behind = _draw_backdrop(_page_grid(sheet, 1), width, height, rng)
    scene = behind + (paper - behind) * mask
    lit = cv2.GaussianBlur(scene * _light(sheet, rng), (0, 0), camera.blur_px)
    return _develop(np.asarray(lit, np.float32), camera, rng)


def _page_grid(sheet: Sheet, oversampling: int) -> Tones:
    """Return the page's point (x, y) for every pixel of the oversampled photo."""
    width, height = sheet.camera.width, sheet.camera.height
    columns, rows = width // _COARSE_STEP + 3, height // _COARSE_STEP + 3
    x, y = np.meshgrid(np.arange(columns) - 1.0, np.arange(rows) - 1.0)
    coarse = np.column_stack([x.ravel(), y.ravel()]) * _COARSE_STEP
    places = sheet.page_points(coarse).reshape(rows, columns, 2).astype(np.float32)
    at_x = ((np.arange(width * oversampling) + 0.5) / oversampling - 0.5) / _COARSE_STEP + 1
    at_y = ((np.arange(height * oversampling) + 0.5) / oversampling - 0.5) / _COARSE_STEP + 1
    across, down = np.meshgrid(at_x.astype(np.float32), at_y.astype(np.float32))
    return np.asarray(cv2.remap(places, across, down, cv2.INTER_LINEAR), np.float32)


def _shrink(image: npt.NDArray[Any], camera: CameraStyle) -> Tones:
    size = (camera.width, camera.height)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)


def _draw_backdrop(places: Tones, width: int, height: int, rng: np.random.Generator) -> Tones:
    """Return the table, the edge of the next sheet and the shadows of both, in even light."""
    table = _table(places, rng)
    under = _inside(places + np.array([-16, -11], np.float32), width, height)
    shade = cv2.GaussianBlur(
        _inside(places - np.array([22, 30], np.float32), width, height), (0, 0), 9
    )
    table *= 1 - 0.55 * np.maximum(shade, under)[:, :, None]
    next_sheet = np.array([180, 188, 191], np.float32)
    table += (next_sheet - table) * under[:, :, None]
    cast = cv2.GaussianBlur(
        _inside(places - np.array([5, 6], np.float32), width, height), (0, 0), 2
    )
    return np.asarray(table * (1 - 0.3 * cast[:, :, None]), np.float32)


def _inside(places: Tones, width: int, height: int) -> Tones:
    """Return 1 where a point lies on the page, 0 beside it, with an edge of a pixel."""
    x, y = places[:, :, 0], places[:, :, 1]
    within = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
    return np.asarray(np.clip(within + 0.5, 0, 1), np.float32)


def _table(places: Tones, rng: np.random.Generator) -> Tones:
    """Return boards of dark wood under the page, their grain running with its width."""
    texture = np.zeros((512, 1024), np.float32)
    for rows, columns, weight in ((300, 6, 0.5), (120, 12, 0.3), (20, 5, 0.4), (512, 200, 0.2)):
        grain = rng.normal(0, weight, (rows, columns)).astype(np.float32)
        texture += cv2.resize(grain, (1024, 512), interpolation=cv2.INTER_CUBIC)
    texture[::128] -= 3
    texture[1::128] -= 2
    x, y = np.mod(places[:, :, 0] / 3, 1024), np.mod(places[:, :, 1] / 3, 512)
    seen = cv2.remap(texture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    wood = np.array([58, 88, 122], np.float32)
    return np.asarray(wood * (1 + 0.22 * seen[:, :, None]), np.float32)


def _light(sheet: Sheet, rng: np.random.Generator) -> Tones:
    """Return the light on each pixel, (height, width, 3) BGR, 1 = as bright as paper can be.

    A lamp to the upper left that grows weaker with distance, slopes of the paper that turn to
    it or away, and the soft shadow of a hand with a phone from below.
    """
    camera = sheet.camera
    small = (camera.width // _COARSE_STEP, camera.height // _COARSE_STEP)
    x, y = np.meshgrid(np.linspace(0, 1, small[0]), np.linspace(0, 1, small[1]))
    lamp = rng.uniform((0.0, -0.2), (0.35, 0.15))
    light = 1.12 - 0.26 * np.hypot(x - lamp[0], (y - lamp[1]) * 0.8)
    pixels = np.column_stack([x.ravel() * (camera.width - 1), y.ravel() * (camera.height - 1)])
    slope = sheet.slope(sheet.page_points(pixels)).reshape(small[1], small[0], 2)
    light *= 1 + slope @ np.array([-0.55, -0.45])
    edge = 0.80 + rng.uniform(-0.06, 0.06) - 0.25 * (x - 0.5) + 0.05 * np.sin(5 * x + lamp[0] * 9)
    covered = 1 / (1 + np.exp(-(y - edge) / 0.035)) / (1 + np.exp(-(x - 0.45) / 0.05))
    light *= 1 - camera.shadow * covered
    light *= 1 - 0.16 * ((x - 0.5) ** 2 + (y - 0.5) ** 2)
    # Lamplight is warm; what the shadow leaves comes from the window and is bluer.
    tint = np.array([0.98, 1.0, 1.01]) + covered[:, :, None] * np.array([0.04, 0.0, -0.03])
    full = cv2.resize(
        (light[:, :, None] * tint).astype(np.float32),
        (camera.width, camera.height),
        interpolation=cv2.INTER_CUBIC,
    )
    return np.asarray(full, np.float32)


def _develop(lit: Tones, camera: CameraStyle, rng: np.random.Generator) -> Image8:
    """Add the sensor's noise, sharpen as phones do, and compress."""
    shape = lit.shape
    grey_noise = rng.standard_normal((shape[0], shape[1], 1), np.float32)
    colour_noise = rng.standard_normal(shape, np.float32)
    grain = cv2.GaussianBlur(grey_noise + 0.5 * colour_noise, (0, 0), 0.6) * 1.6
    noisy = lit + camera.noise * grain * np.sqrt(np.clip(lit, 12, None) / 160)
    sharp = noisy + 0.5 * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.6))
    tone = np.clip(sharp / 255, 0, 1)
    # Phones steepen the middle tones.
    tone += camera.contrast * (tone * tone * (3 - 2 * tone) - tone)
    photo = np.asarray(tone * 255 + 0.5, np.uint8)
    if camera.jpeg_quality == 0:
        return photo
    _, data = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg_quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
