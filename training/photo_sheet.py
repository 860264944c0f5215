"""Draws photos that failed side by side, with what was found and what was read."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import parse_grid
from vision.board import lattice_from_corners, rectify
from vision.images import load_image, save_image

if TYPE_CHECKING:
    from training.evaluate_photos import Verdict

_TILE: Final = 420
_COLUMNS: Final = 2
_RED: Final = (40, 40, 220)
_GREEN: Final = (60, 170, 40)

Image8 = npt.NDArray[np.uint8]


def draw_failures(folder: Path, verdicts: Sequence["Verdict"], path: Path) -> None:
    """Write a contact sheet: each photo with outlines, and its board with misread cells in red.

    Args:
        folder: of the photos.
        verdicts: at most 60 of them are drawn.
        path: of the picture.
    """
    tiles = [_draw_failure(folder, verdict) for verdict in verdicts[:60]]
    while len(tiles) % _COLUMNS:
        tiles.append(np.full_like(tiles[0], 128))
    rows = [np.hstack(tiles[i : i + _COLUMNS]) for i in range(0, len(tiles), _COLUMNS)]
    save_image(path, np.vstack(rows))


def _draw_failure(folder: Path, verdict: "Verdict") -> Image8:
    photo = load_image(folder / verdict.label.file)
    scale = _TILE / max(photo.shape[:2])
    small = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    tile = np.full((_TILE + 24, 2 * _TILE, 3), 128, np.uint8)
    tile[: small.shape[0], : small.shape[1]] = small
    board = verdict.board
    if verdict.label.corners is not None:
        _outline(tile, verdict.label.corners * scale, _GREEN)
    if board is not None:
        corners = np.array(board["corners"], np.float32)
        _outline(tile, corners * scale, _RED)
        flat = rectify(photo, lattice_from_corners(corners))
        tile[:_TILE, _TILE:] = _draw_reading(flat, board, verdict)
    text = f"{verdict.label.file}: {verdict.stage.value}, {verdict.report['outcome']}"
    cv2.putText(
        tile, text, (4, _TILE + 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA
    )
    return tile


def _outline(tile: Image8, corners: npt.NDArray[np.floating], colour: tuple[int, int, int]) -> None:
    cv2.polylines(tile, [np.round(corners).astype(np.int32)], True, colour, 1, cv2.LINE_AA)


def _draw_reading(flat: Image8, board: dict[str, str], verdict: "Verdict") -> Image8:
    grey = cv2.resize(flat, (_TILE, _TILE), interpolation=cv2.INTER_LINEAR)
    picture = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    clues, entries = parse_grid(board["clues"]), parse_grid(board["entries"])
    seen = np.where(clues > 0, clues, entries)
    for row, column in np.argwhere(seen != verdict.label.digits):
        x, y = column * _TILE // 9, row * _TILE // 9
        cv2.rectangle(picture, (x + 2, y + 2), (x + _TILE // 9 - 2, y + _TILE // 9 - 2), _RED, 2)
        told = f"{seen[row, column]}/{verdict.label.digits[row, column]}"
        cv2.putText(
            picture, told, (x + 4, y + 14), cv2.FONT_HERSHEY_SIMPLEX, 0.45, _RED, 1, cv2.LINE_AA
        )
    return picture
