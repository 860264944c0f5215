"""From a flat page to the photo of it: paper or screen, table, light, shadow, noise and JPEG."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from training.rendered.levels import Level
from training.rendered.pose import Floats, Sheet
from vision.geometry import Float32, Image8

_TILE: Final = 1024
_PAPERS: Final = {
    "newspaper": (205, 218, 224),
    "magazine": (250, 250, 250),
    "book": (222, 238, 244),
    "print": (250, 250, 248),
    "scan": (252, 252, 252),
}
"""BGR."""
_ROUGHNESS: Final = {
    "newspaper": 0.012, "magazine": 0.003, "book": 0.007, "print": 0.004, "scan": 0.002,
}  # fmt: skip
_LIFTED: Final = 0.3
"""Light below which a phone lifts the shadows, as a share of full scale."""
_STEP: Final = 8
"""Pixels between points of the photo whose place on the page is solved for."""


def print_page(flat: Image8, medium: str, level: Level, rng: np.random.Generator) -> Image8:
    """Bring ink onto paper: fibres, ink that spreads and is uneven, the reverse shining through.

    Args:
        flat: (H, W, 3) uint8 BGR, ink on white.
        medium: kind of paper.
        level: how strong the ink is, and how thin the paper.
        rng: this sheet.
    """
    height, width = flat.shape[:2]
    spread = rng.uniform(0.5, 0.9) if medium == "newspaper" else rng.uniform(0.3, 0.5)
    strength = rng.uniform(*level.ink)
    ink = cv2.GaussianBlur(255 - flat, (0, 0), spread).astype(np.float32)
    fine, coarse = (_noise_field(height, width, grain, rng) for grain in (5, 40))
    blotches = fine * 0.5 + coarse * 0.5
    ink *= (strength / 255 * np.clip(1 + 0.07 * blotches, 0.75, 1.1))[:, :, None]
    show = rng.uniform(*level.show_through)
    if show > 0.01:
        shift = (int(rng.integers(height)), 0)
        small = cv2.resize(255 - flat[:, ::-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        reverse = cv2.GaussianBlur(np.roll(small, shift, axis=(0, 1)), (0, 0), 1.2)
        full = cv2.resize(reverse, (width, height), interpolation=cv2.INTER_LINEAR)
        ink += full.astype(np.float32) * (show / 255)
    rough = _ROUGHNESS[medium]
    fibres = _noise_field(height, width, 1, rng) + _noise_field(height, width, 5, rng)
    fibres += 0.6 * _noise_field(height, width, 40, rng)
    hue = np.array(_PAPERS[medium], np.float32) * rng.uniform(0.97, 1.0, 3).astype(np.float32)
    paper = (1 + rough * fibres)[:, :, None] * hue
    return np.asarray(np.clip(paper * (1 - ink) + 0.5, 0, 255), np.uint8)


def _noise_field(height: int, width: int, grain_px: int, rng: np.random.Generator) -> Float32:
    """Return a cut of a repeating noise of unit strength, (height, width) float32.

    Drawing fresh noise for every page would take longer than all else.
    """
    tile = _tile(grain_px)
    y, x = (int(value) for value in rng.integers(_TILE, size=2))
    rows, columns = (np.arange(y, y + height) % _TILE), (np.arange(x, x + width) % _TILE)
    return np.asarray(tile[rows][:, columns], np.float32)


@lru_cache(maxsize=16)
def _tile(grain_px: int) -> Float32:
    rng = np.random.default_rng(grain_px)
    count = _TILE // grain_px
    coarse = rng.standard_normal((count, count)).astype(np.float32)
    padded = np.pad(coarse, 2, mode="wrap")
    scale = _TILE / count
    large = cv2.resize(padded, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    edge = round(2 * scale)
    cut = large[edge : edge + _TILE, edge : edge + _TILE]
    return np.asarray(cut / cut.std(), np.float32)


@dataclass(frozen=True)
class Exposure:
    """What light and camera do to one photo; lengths in pixels of the photo."""

    brightness: float
    unevenness: float
    shadow: float
    has_glare: bool
    focus_px: float
    motion_px: float
    motion_degrees: float
    noise: float
    jpeg_quality: int
    moire: float


def choose_exposure(
    level: Level, medium: str, cell_px: float, rng: np.random.Generator
) -> Exposure:
    """Draw light and camera; blur follows the smallest cell's side in pixels."""
    is_moved = rng.random() < level.motion
    return Exposure(
        brightness=rng.uniform(*level.exposure),
        unevenness=rng.uniform(*level.unevenness),
        shadow=rng.uniform(*level.shadow) if medium != "screen" else 0.0,
        has_glare=bool(rng.random() < level.glare),
        focus_px=rng.uniform(*level.focus_cells) * cell_px,
        motion_px=rng.uniform(*level.motion_cells) * cell_px if is_moved else 0.0,
        motion_degrees=rng.uniform(0, 180),
        noise=rng.uniform(*level.noise),
        jpeg_quality=round(rng.uniform(*level.jpeg_quality)),
        moire=rng.uniform(*level.moire) if medium == "screen" else 0.0,
    )


def take_photo(
    page: Image8, sheet: Sheet, exposure: Exposure, medium: str, rng: np.random.Generator
) -> Image8:
    """Return the photo, (`camera.height`, `camera.width`, 3) uint8 BGR.

    Args:
        page: (H, W, 3) uint8 BGR as it is in even light.
        sheet: where it lies.
        exposure: light and camera.
        medium: what the page is shown on.
        rng: table, places of shadow and glare, noise.
    """
    camera = sheet.camera
    coarse = _page_points(sheet)
    # Seen at a slant, the page is squeezed: two samples each way keep its lines whole.
    oversampling = 2 if camera.width * camera.height < 9e5 or _squeeze(coarse) > 1.7 else 1
    places = spread_places(coarse, camera.width, camera.height, _STEP, oversampling)
    x, y = places[:, :, 0], places[:, :, 1]
    scene = cv2.remap(page, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = _inside(places, page.shape[1], page.shape[0])
    size = (camera.width, camera.height)
    if oversampling > 1:
        scene = cv2.resize(scene, size, interpolation=cv2.INTER_AREA)
        mask = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.float32)
        places = np.ascontiguousarray(places[::oversampling, ::oversampling])
    lit = scene.astype(np.float32)
    if exposure.moire > 0:
        _add_moire(lit, places, exposure.moire, rng)
    if mask.min() < 1:
        _put_behind(lit, mask, medium, page[0, 0], rng)
    lit *= _light(sheet, coarse, exposure, medium, rng)
    if exposure.has_glare:
        lit += _glare(sheet, rng) * mask[:, :, None]
    return _develop(_blur(lit, exposure), exposure, rng)


def _page_points(sheet: Sheet) -> Float32:
    """Return the page's points for every eighth pixel, beginning eight before the first."""
    pixels = coarse_pixels(sheet.camera.width, sheet.camera.height, _STEP)
    return sheet.page_points(pixels.reshape(-1, 2)).reshape(pixels.shape).astype(np.float32)


def coarse_pixels(width: int, height: int, step: int) -> Floats:
    """Return a photo's pixels in steps, (rows, columns, 2), from one before the first."""
    columns, rows = width // step + 3, height // step + 3
    x, y = np.meshgrid(np.arange(columns) - 1.0, np.arange(rows) - 1.0)
    return np.stack([x, y], axis=2) * step


def _squeeze(coarse: Float32) -> float:
    """Return how many page pixels a photo pixel takes in, at worst, in one direction."""
    steps = [np.linalg.norm(np.diff(coarse, axis=axis), axis=2) / _STEP for axis in (0, 1)]
    return float(max(np.percentile(step, 80) for step in steps))


def spread_places(
    coarse: Float32, width: int, height: int, step: int, oversampling: int = 1
) -> Float32:
    """Return what lies between `coarse_pixels`, for each pixel or several of it each way."""
    spans = (np.arange(size * oversampling) for size in (width, height))
    at = (((span + 0.5) / oversampling - 0.5) / step + 1 for span in spans)
    across, down = np.meshgrid(*(one.astype(np.float32) for one in at))
    return np.asarray(cv2.remap(coarse, across, down, cv2.INTER_LINEAR), np.float32)


def _inside(places: Float32, width: int, height: int) -> Float32:
    x, y = places[:, :, 0], places[:, :, 1]
    within = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
    return np.asarray(np.clip(within + 0.5, 0, 1), np.float32)


def _put_behind(
    lit: Float32, mask: Float32, medium: str, edge: Image8, rng: np.random.Generator
) -> None:
    """Draw a table, a cloth or a screen's frame where the page is not."""
    height, width = mask.shape
    if medium in ("screenshot", "scan"):  # the program's window goes on, or the scanner's lid
        around = edge.astype(np.float32) if medium == "screenshot" else np.float32(246)
        lit += (around - lit) * (1 - mask)[:, :, None]
        return
    # Wood and cloth are mostly brown, grey or a dull colour.
    wood, dull = np.array([0.55, 0.78, 1.0]), rng.uniform(0.7, 1.0, 3)
    colour = rng.uniform(40, 210) * (wood if rng.random() < 0.45 else dull)
    if medium == "screen":
        colour = np.full(3, rng.uniform(5, 40))
    grain = _noise_field(height, width, 5, rng) + _noise_field(height, width, 40, rng)
    stretch = int(rng.integers(1, 12))  # wood runs one way, cloth both
    grain = np.asarray(cv2.blur(grain, (1 + 4 * stretch, 1)), np.float32)
    strength = 0.02 if medium == "screen" else rng.uniform(0.02, 0.12)
    table = np.asarray(colour, np.float32) * (1 + strength * grain)[:, :, None]
    shade = cv2.GaussianBlur(mask, (0, 0), max(width, height) / 90)
    table *= (1 - 0.45 * shade)[:, :, None]
    lit += (table - lit) * (1 - mask)[:, :, None]


def _add_moire(lit: Float32, places: Float32, depth: float, rng: np.random.Generator) -> None:
    """Show the screen's own pixels, sampled by the sensor's: their difference makes bands.

    A display's stripes of red, green and blue are sines across the page, taken at the middle of
    each photo pixel without a filter, as a sensor's gaps let them through.
    """
    pitch = np.float32(rng.uniform(0.75, 2.4) * 2 * np.pi)
    scale = np.float32(rng.uniform(0.7, 1.4))
    x, y = places[:, :, 0] * (pitch * scale), places[:, :, 1] * (pitch * scale)
    rows = np.float32(depth * 0.6) * np.cos(y)
    for channel in range(3):
        stripes = np.float32(depth) * np.cos(x + np.float32(2 * np.pi / 3 * channel))
        lit[:, :, channel] *= 1 + rows + stripes


def _light(
    sheet: Sheet, coarse: Float32, exposure: Exposure, medium: str, rng: np.random.Generator
) -> Float32:
    """Return the light on each pixel, (height, width, 3), 1 = white paper is full scale."""
    camera = sheet.camera
    rows, columns = coarse.shape[:2]
    x, y = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    angle = rng.uniform(0, 2 * np.pi)
    along = (x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle)
    light = np.asarray(1 - exposure.unevenness * np.clip(along * 0.85 + 0.5, 0, 1))
    if medium not in ("screen", "screenshot", "scan"):
        slope = sheet.slope(coarse.reshape(-1, 2)).reshape(rows, columns, 2)
        lamp = rng.uniform(0, 2 * np.pi)
        light *= np.clip(1 + 0.7 * slope @ np.array([np.cos(lamp), np.sin(lamp)]), 0.55, 1.3)
    covered = np.zeros((rows, columns), np.float32)
    if exposure.shadow > 0.02:
        covered = _shadow(rows, columns, rng)
        light *= 1 - exposure.shadow * covered
    light *= 1 - 0.15 * ((x - 0.5) ** 2 + (y - 0.5) ** 2)
    light *= exposure.brightness / np.percentile(light, 90)
    # Phones lift what is too dark; without that, a shadow in a dim room would hide all print.
    light = np.where(light < _LIFTED, (_LIFTED + light) / 2, light)
    warmth = 0.0 if medium in ("screenshot", "scan") else rng.uniform(-0.04, 0.09)
    tint = np.array([1 - warmth, 1.0, 1 + 0.6 * warmth])
    tinted = light[:, :, None] * (tint + covered[:, :, None] * [0.05, 0.0, -0.04])
    return _full_size(tinted.astype(np.float32), camera.width, camera.height)


def _shadow(rows: int, columns: int, rng: np.random.Generator) -> Float32:
    """Return how far hands, heads, phones and window bars take the light, 0..1."""
    canvas = np.zeros((rows, columns), np.float32)
    size = np.array([columns, rows])
    for _ in range(int(rng.integers(1, 3))):
        kind = rng.random()
        middle = rng.uniform(0, 1, 2) * size
        angle = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle)])
        side = np.array([-way[1], way[0]])
        half = reach = 3.0 * size.max()  # an edge: everything beyond a line
        if kind >= 0.45:  # a bar or a hand
            half = size.max() * rng.uniform(0.04, 0.2)
            reach = size.max() * (2.0 if kind < 0.75 else rng.uniform(0.2, 0.6))
        near, far = middle, middle + way * reach
        corners = [near - side * half, near + side * half, far + side * half, far - side * half]
        points = np.round(np.array(corners) * 16).astype(np.int32)
        cv2.fillConvexPoly(canvas, points, 1.0, cv2.LINE_AA, 4)
    softness = max(columns, rows) * float(rng.choice([0.003, 0.012, 0.04]))
    # Sharper than its own step, a coarse mask would show as stairs when it is enlarged.
    return np.asarray(cv2.GaussianBlur(canvas, (0, 0), max(softness, 1.0)), np.float32)


def _glare(sheet: Sheet, rng: np.random.Generator) -> Float32:
    """Return the light of a lamp mirrored in gloss, in grey levels, (height, width, 1)."""
    width, height = sheet.camera.width, sheet.camera.height
    x, y = np.meshgrid(np.arange(0, width, _STEP), np.arange(0, height, _STEP))
    middle = rng.uniform(0.05, 0.95, 2) * (width, height)
    radius = max(width, height) * rng.uniform(0.04, 0.16)
    away = ((x - middle[0]) ** 2 + ((y - middle[1]) * rng.uniform(0.6, 1.6)) ** 2) / radius**2
    blob = rng.uniform(40, 130) * np.exp(-away)
    return _full_size(blob.astype(np.float32), width, height)[:, :, None]


def _full_size(coarse: Float32, width: int, height: int) -> Float32:
    return np.asarray(cv2.resize(coarse, (width, height)), np.float32)


def _blur(lit: Float32, exposure: Exposure) -> Float32:
    # A lens and a demosaicing filter never draw a single pixel sharp.
    lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), max(exposure.focus_px, 0.45)), np.float32)
    if exposure.motion_px < 1:
        return lit
    side = int(exposure.motion_px) // 2 * 2 + 3
    kernel = np.zeros((side, side), np.float32)
    angle = np.radians(exposure.motion_degrees)
    half = exposure.motion_px / 2 * np.array([np.cos(angle), np.sin(angle)])
    middle = np.full(2, side // 2)
    ends = [tuple(int(v) for v in np.round((middle + s * half) * 16)) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(lit, -1, kernel / kernel.sum()), np.float32)


def _develop(lit: Float32, exposure: Exposure, rng: np.random.Generator) -> Image8:
    """Add the sensor's noise, steepen the tones and compress."""
    height, width = lit.shape[:2]
    if exposure.noise > 0.3:
        # What is dark has been amplified: a dim photo is noisier.
        grain = exposure.noise * (1.6 - 0.6 * exposure.brightness)
        tone = np.sqrt(np.clip(lit[:, :, 1], 16, 255) / 200) * np.float32(grain)
        common = _noise_field(height, width, 1, rng)
        for channel in range(3):
            own = _noise_field(height, width, 2, rng)
            lit[:, :, channel] += (0.8 * common + 0.6 * own) * tone
    table = np.linspace(0, 1, 256)
    contrast = rng.uniform(0, 0.35)
    curve = table + contrast * (table * table * (3 - 2 * table) - table)
    levels = np.asarray(np.clip(curve * 255 + 0.5, 0, 255), np.uint8)
    photo = cv2.LUT(np.clip(lit, 0, 255).astype(np.uint8), levels)
    _, data = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, exposure.jpeg_quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
