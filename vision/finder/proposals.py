"""Rough guesses of where boards are, and the ink that they start from.

Guesses are lattices grown over paper cells, and outlines of dark lines. They may be off by a third
of a cell; `vision.finder.lines` snaps and judges them.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import lattice_from_corners
from vision.geometry import Grey, Points, fit_surface, is_sane_quad, order_corners, surface_terms

_MIN_CELLS: Final = 14
"""Fewer connected cells do not pin a lattice down."""

_MAX_PATCHES: Final = 1200
"""Of more, the largest are kept: the holes of letters are smaller than cells."""

_LEFT_OVER: Final = 40
"""Cells beyond a board's 81 that may be another board grown together with it."""

_OUTLINES: Final = 5
"""How many of the largest connected lines are taken for a board's outline."""


def scale_picture(grey: Grey, scale: float) -> Grey:
    """Return a picture of at least one pixel, `scale` times as large."""
    if scale == 1:
        return grey
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    if min(grey.shape) * scale < 1:  # a strip of which nothing would be left
        size = [max(1, round(side * scale)) for side in grey.shape[::-1]]
        return np.asarray(cv2.resize(grey, size, interpolation=mode), np.uint8)
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=mode), np.uint8)


def separate_ink(grey: Grey, blocks: int, is_inverted: bool = False) -> Grey:
    """Return what is darker (lighter when inverted) than its surroundings, (H, W) uint8 0 or 255.

    Args:
        grey: (H, W) uint8.
        blocks: parts of the longer side; a pixel is compared with one each way.
        is_inverted: whether lines are light on dark paper.
    """
    mode = cv2.THRESH_BINARY if is_inverted else cv2.THRESH_BINARY_INV
    block_px, offset = max(max(grey.shape) // blocks, 3) | 1, -4 if is_inverted else 4
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    ink = cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, mode, block_px, offset)
    return np.asarray(ink, np.uint8)


class _Patches(NamedTuple):
    """Pieces of paper with lines all around: what a board's cells look like.

    `centres` is (n, 2) float32, the middle of the bounding box, which digits do not shift;
    `sizes` (n,) float32, the geometric mean of its sides; both in pixels.
    """

    centres: Points
    sizes: npt.NDArray[np.float32]


def lattices_from_cells(ink: Grey) -> list[Points]:
    """Grow lattices from cell to neighbouring cell, so that bends and shadows do not matter.

    Returns:
        Lattices (10, 10, 2) float32, those with most cells first.
    """
    patches = _find_patches(ink)
    found = []
    for places, centres in _grow_all(patches):
        rest = np.ones(len(places), bool)
        while rest.all() or rest.sum() >= _LEFT_OVER:
            lattice, inside = _lattice_through(places[rest], centres[rest])
            if lattice is None:
                break
            found.append((int(inside.sum()), lattice))
            rest[np.flatnonzero(rest)[inside]] = False
    return [lattice for _, lattice in sorted(found, key=lambda item: -item[0])]


def lattices_from_outlines(ink: Grey) -> list[Points]:
    """Take the largest connected lines for frames of boards.

    Returns:
        Lattices (10, 10, 2) float32, at most two an outline.
    """
    side = max(ink.shape)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    extent = np.minimum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    extent[0] = 0
    found = []
    for label in np.argsort(-extent)[:_OUTLINES]:
        if extent[label] < side * 0.12:
            break
        x, y, width, height = stats[label, :4]
        ends = _ends_of_rows(labels[y : y + height, x : x + width] == label)
        points = (ends + np.array([x, y])).astype(np.float32)
        found += [quad for quad in _quads_around(points) if is_sane_quad(quad, side * 0.1)]
    return [lattice_from_corners(quad) for quad in found]


def _ends_of_rows(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int_]:
    """Return the first and the last (x, y) of every row: a mask's hull needs no others."""
    rows = np.flatnonzero(mask.any(axis=1))
    first = mask[rows].argmax(axis=1)
    last = mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)
    return np.stack([np.concatenate([first, last]), np.tile(rows, 2)], axis=1)


def _quads_around(points: Points) -> Iterator[Points]:
    hull = cv2.convexHull(points)[:, 0]
    length = cv2.arcLength(hull, True)
    for epsilon in (0.01, 0.02, 0.03, 0.05, 0.08):
        polygon = cv2.approxPolyDP(hull, epsilon * length, True)[:, 0]
        if len(polygon) == 4:
            yield order_corners(polygon.astype(np.float32))
            break
    yield order_corners(cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float32))


def _find_patches(ink: Grey) -> _Patches:
    side = max(ink.shape)
    _, _, stats, _ = cv2.connectedComponentsWithStats(255 - ink, connectivity=4)
    width = stats[:, cv2.CC_STAT_WIDTH].astype(np.float32)
    height = stats[:, cv2.CC_STAT_HEIGHT].astype(np.float32)
    area = stats[:, cv2.CC_STAT_AREA].astype(np.float32)
    size = np.sqrt(width * height)
    keep = (
        (size > side / 90)
        & (size < side / 7)
        & (np.maximum(width, height) < 2.2 * np.minimum(width, height))
        & (area > 0.3 * width * height)
    )
    if keep.sum() > _MAX_PATCHES:
        keep &= size >= np.sort(size[keep])[-_MAX_PATCHES]
    left, top = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
    centres = np.stack([left + (width - 1) / 2, top + (height - 1) / 2], axis=1)
    return _Patches(centres[keep].astype(np.float32), size[keep])


def _grow_all(patches: _Patches) -> Iterator[tuple[npt.NDArray[np.int_], Points]]:
    """Yield connected groups of patches as (row, column) places (n, 2) and centres (n, 2)."""
    n = len(patches.sizes)
    if n < _MIN_CELLS:
        return
    apart = patches.centres[None] - patches.centres[:, None]
    distance = np.hypot(apart[..., 0], apart[..., 1])
    mean_size = (patches.sizes[None] + patches.sizes[:, None]) / 2
    alike = np.maximum(patches.sizes[None], patches.sizes[:, None]) < 1.7 * np.minimum(
        patches.sizes[None], patches.sizes[:, None]
    )
    near = alike & (distance > 0.6 * mean_size) & (distance < 1.6 * mean_size)
    free = np.ones(n, bool)
    for seed in np.argsort(-near.sum(axis=1)):
        if not free[seed] or (near[seed] & free).sum() < 3:
            continue
        places = _grow(int(seed), apart, distance, near & free[None])
        members = np.array(sorted(places))
        if len(members) >= _MIN_CELLS:
            yield np.array([places[m] for m in members]), patches.centres[members]
            free[members] = False
        else:
            free[seed] = False


def _grow(
    seed: int,
    apart: Points,
    distance: npt.NDArray[np.float32],
    near: npt.NDArray[np.bool_],
) -> dict[int, tuple[int, int]]:
    """Return the place (row, column) of every patch that is reached in steps of one cell."""
    neighbours = np.flatnonzero(near[seed])
    right = apart[seed, neighbours[np.argmin(distance[seed, neighbours])]]
    cosines = np.abs(apart[seed, neighbours] @ right) / (
        distance[seed, neighbours] * np.hypot(*right)
    )
    down = apart[seed, neighbours[np.argmin(cosines)]]
    if cosines.min() > 0.5:
        return {}
    if right[0] * down[1] - right[1] * down[0] < 0:
        down = -down
    places = {seed: (0, 0)}
    taken = {(0, 0)}
    queue = [(seed, right, down)]
    while queue:
        patch, right, down = queue.pop(0)
        row, column = places[patch]
        options = np.flatnonzero(near[patch])
        for d_row, d_column in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            place = (row + d_row, column + d_column)
            if place in taken or not len(options):
                continue
            step = d_column * right + d_row * down
            miss = np.hypot(*(apart[patch, options] - step).T)
            best = int(np.argmin(miss))
            other = int(options[best])
            if miss[best] > 0.35 * np.hypot(*step) or other in places:
                continue
            # Each step bends and stretches the axes a little, as the page does.
            seen = apart[patch, other] * (d_row + d_column)
            new_right = 0.5 * (right + seen) if d_column else right
            new_down = 0.5 * (down + seen) if d_row else down
            places[other] = place
            taken.add(place)
            queue.append((other, new_right, new_down))
    return places


def _lattice_through(
    places: npt.NDArray[np.int_], centres: Points
) -> tuple[Points | None, npt.NDArray[np.bool_]]:
    """Return the lattice whose 9×9 cells hold most of the placed patches, and which those are."""
    inside = np.zeros(len(places), bool)
    low = places.min(axis=0)
    span = places.max(axis=0) - low + 1
    if span.min() < 4:
        return None, inside
    count = np.zeros(np.maximum(span, 9), np.int_)
    count[tuple((places - low).T)] = 1
    windows = np.lib.stride_tricks.sliding_window_view(count, (9, 9)).sum(axis=(2, 3))
    first = np.array(np.unravel_index(int(np.argmax(windows)), windows.shape))
    # Rows or columns that are missing may lie on either side: stay in the middle.
    cell = places - low - first + np.maximum(9 - span, 0) // 2
    inside = np.all((cell >= 0) & (cell < 9), axis=1)
    if inside.sum() < _MIN_CELLS:
        return None, inside
    cell, centres = cell[inside] + 0.5, centres[inside]
    flat = cell[:, ::-1].astype(np.float32)
    homography, _ = cv2.findHomography(flat, centres, cv2.LMEDS)
    if homography is None:
        return None, inside
    row, column = np.mgrid[0:10, 0:10].astype(np.float32)
    crossings = np.stack([column, row], axis=-1)
    lattice = cv2.perspectiveTransform(crossings.reshape(1, -1, 2), homography).reshape(10, 10, 2)
    residual = centres - cv2.perspectiveTransform(flat[None], homography)[0]
    terms, weight = surface_terms(cell[:, 0], cell[:, 1], 2), np.ones(len(cell))
    for axis in (0, 1):
        bow = fit_surface(terms, residual[:, axis], weight, 0.03, 0.3)
        lattice[:, :, axis] = lattice[:, :, axis] + surface_terms(row, column, 2) @ bow
    return np.asarray(lattice, dtype=np.float32), inside
