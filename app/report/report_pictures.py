"""Pictures of what was found: the photo with its solutions or its entries judged, and thumbnails.

Files are written whole or not at all.
"""

import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from app.recognition.results import BoardResult, PhotoResult
from app.report.board_marks import symbols_of
from app.report.photo_report import CheckedEntries, CheckStyle, check_entries
from solver.rules import Kind
from vision.board import Image8
from vision.drawing.overlay import OverlayStyle, draw_digits, mark_cells, tint_cells
from vision.media.images import ImageError, save_image
from vision.media.whole_files import open_whole

_STYLE: Final = OverlayStyle()
_WRONG: Final = replace(_STYLE, tint=(150, 150, 255))
_CORRECTION: Final = replace(_STYLE, digit_height=0.3, middle=(0.8, 0.76))
"""Beside what was written, which stays readable."""
_BESIDE_SUM: Final = replace(_STYLE, digit_height=0.44, middle=(0.57, 0.61))
"""In killers, whose sums stand in the upper left of cells."""


def draw_solutions(
    image: Image8, result: PhotoResult, check: CheckStyle | None = None
) -> Image8 | None:
    """Draw the solution of every solved board, or return None where nothing is solved.

    Cells where the rules overruled what the network read are tinted, so that they can be compared
    with the print. What is rightly written in already stays as it is; over what is surely wrong
    the solution is written, with a cross beside it.

    Args:
        image: (H, W, 3) BGR uint8, the photo, which stays as it is.
        result: what came of it.
        check: mark the entries instead; the solution is drawn only where it shall be revealed.
    """
    drawn = None
    for board in result.boards:
        if board.solution is None:
            continue
        drawn = image if drawn is None else drawn
        drawn = tint_cells(drawn, board.lattice, _among(board.corrected, board))
        checked = None if check is None else check_entries(board)
        if checked is not None and check is not None:
            drawn = _draw_check(drawn, board, checked, is_revealed=check.reveal)
        if check is None or check.reveal:
            # What is rightly written needs no second digit; what is judged has its mark.
            is_done = (board.entries == board.solution) | (
                (check is not None) & (board.entries > 0)
            )
            is_free = (board.clues == 0) & ~is_done
            missing = np.where(is_free, board.solution, 0).astype(np.uint8)
            style = _BESIDE_SUM if board.kind is Kind.KILLER else _STYLE
            drawn = draw_digits(drawn, board.lattice, missing, style, symbols_of(board))
        if check is None and (checked := check_entries(board)) is not None:
            # The solution was written over them; what may be misread is not blamed.
            drawn = mark_cells(drawn, board.lattice, _among(checked.wrong, board), "cross")
    return drawn


def _draw_check(
    image: Image8, board: BoardResult, checked: CheckedEntries, *, is_revealed: bool
) -> Image8:
    """Tick what is right, cross what is wrong, and write the right digit beside it if asked."""
    wrong = _among(checked.wrong, board)
    drawn = tint_cells(image, board.lattice, wrong, _WRONG)
    drawn = mark_cells(drawn, board.lattice, wrong, "cross")
    drawn = mark_cells(drawn, board.lattice, _among(checked.right, board), "tick")
    drawn = mark_cells(drawn, board.lattice, _among(checked.unsure, board), "question")
    if is_revealed and board.solution is not None:
        differing = wrong | _among(checked.unsure, board)
        digits = np.where(differing, board.solution, 0).astype(np.uint8)
        drawn = draw_digits(drawn, board.lattice, digits, _CORRECTION, symbols_of(board))
    return drawn


def _among(cells: tuple[int, ...], board: BoardResult) -> npt.NDArray[np.bool_]:
    """Return (n, n) bool: which cells of the board are among these."""
    chosen = np.zeros(board.clues.size, np.bool_)
    chosen[list(cells)] = True
    return chosen.reshape(board.clues.shape)


_THUMBNAIL_PX: Final = 160

_THUMBNAIL_QUALITY: Final = 80


@dataclass(frozen=True)
class SaveFault:
    """Why a file was not written; what stood there before is still there.

    Attributes:
        path: of the file.
        reason: in the words of the system.
    """

    path: Path
    reason: str


def save_picture(path: Path, image: Image8) -> SaveFault | None:
    """Write a picture in the format of the path's suffix, whole or not at all.

    Args:
        path: ends in one of the suffixes that `vision.media.images.save_image` takes.
        image: (H, W, 3) BGR uint8.
    """
    try:
        save_image(path, image)
    except ImageError as error:
        return SaveFault(path, str(error))
    return None


def encode_thumbnail(image: Image8, side_px: int = _THUMBNAIL_PX) -> bytes:
    """Return a small JPEG of a picture, such as the history keeps.

    Args:
        image: (H, W, 3) BGR uint8 or (H, W) grey uint8.
        side_px: of the longer side at most.
    """
    # Of a large photo, every so many pixels will do: what is left is still averaged.
    stride = max(max(image.shape[:2]) // (4 * side_px), 1)
    few = image[::stride, ::stride]
    pixels = few if few.ndim == 2 else few[:, :, ::-1]
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    picture.thumbnail((side_px, side_px), Image.Resampling.LANCZOS)
    encoded = io.BytesIO()
    picture.save(encoded, "JPEG", quality=_THUMBNAIL_QUALITY)
    return encoded.getvalue()


def save_whole(path: Path, data: bytes | str) -> SaveFault | None:
    """Write a file in one step, so that it is whole or as it was; text is written as UTF-8."""
    try:
        with open_whole(path) as file:
            file.write(data.encode() if isinstance(data, str) else data)
    except (OSError, ValueError) as error:
        return SaveFault(path, getattr(error, "strerror", None) or str(error))
    return None
