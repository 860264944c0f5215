"""Pictures of what was found: the photo with its solutions or its entries judged, thumbnails, and
every stage for `solve --debug`.

Files are written whole or not at all.
"""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from app.recognition.reading import BoardReading
from app.recognition.results import BoardResult, PhotoResult
from app.report.board_marks import NUMBERS, symbols_of
from app.report.photo_report import CheckedEntries, CheckStyle, check_entries
from solver.decoding.print_and_hand import PRINTED, distinguishes_hands
from solver.rules import Kind
from vision.board import CROP_PX
from vision.drawing.overlay import OverlayStyle, draw_digits, mark_cells, tint_cells
from vision.geometry import Image8
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
    """Draw the solution of every solved board on a photo, (H, W, 3) BGR uint8; None without one.

    Cells where the rules overruled what the network read are tinted, so that they can be compared
    with the print. What is rightly written in stays as it is; over what is surely wrong the
    solution is written, with a cross beside it. With a check, entries are marked instead.
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
    """Tick what is right, cross what is wrong, and write the right digit beside it if asked.

    Cells whose right candidate is struck out are tinted as wrong ones are.
    """
    wrong = _among(checked.wrong, board)
    tinted = wrong | _among(checked.struck, board)
    drawn = tint_cells(image, board.lattice, tinted, _WRONG)
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


def save_picture(path: Path, image: Image8) -> str | None:
    """Write a picture, (H, W, 3) BGR uint8, in the format of the suffix, whole or not at all.

    Return why it was not written, if so; what stood there before is still there.
    """
    try:
        save_image(path, image)
    except ImageError as error:
        return str(error)
    return None


def encode_thumbnail(image: Image8) -> bytes:
    """Return a small JPEG of a picture, (H, W, 3) BGR uint8 or (H, W) grey uint8."""
    # Of a large photo, every so many pixels will do: what is left is still averaged.
    stride = max(max(image.shape[:2]) // (4 * _THUMBNAIL_PX), 1)
    few = image[::stride, ::stride]
    pixels = few if few.ndim == 2 else few[:, :, ::-1]
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    picture.thumbnail((_THUMBNAIL_PX, _THUMBNAIL_PX), Image.Resampling.LANCZOS)
    encoded = io.BytesIO()
    picture.save(encoded, "JPEG", quality=_THUMBNAIL_QUALITY)
    return encoded.getvalue()


def save_whole(path: Path, data: bytes | str) -> str | None:
    """Write a file in one step, so that it is whole or as it was; text is written as UTF-8.

    Return why it was not written, if so.
    """
    try:
        with open_whole(path) as file:
            file.write(data.encode() if isinstance(data, str) else data)
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return None


_MAX_SIDE_PX: Final = 1600
_ZOOM: Final = 3
_LINE_PX: Final = 16
"""Height of the text under a cell."""

_GREY: Final = (130, 130, 130)
_GREEN: Final = (0, 150, 60)
_BLUE: Final = (30, 90, 220)
_RED: Final = (215, 30, 30)
_ORANGE: Final = (235, 120, 0)


def draw_stages(
    image: Image8, result: PhotoResult, overlay: Image8 | None
) -> Iterator[tuple[str, Image8]]:
    """Yield a file name's part and a BGR or grey uint8 picture of every stage.

    The photo is (H, W, 3) BGR uint8; `overlay` is the same with its solutions, if there are any.
    """
    yield "1-candidates", _draw_candidates(image, result)
    for number, board in enumerate(result.boards, start=1):
        which = f"-{number}" if len(result.boards) > 1 else ""
        if board.reading is not None:
            yield f"2-board{which}", board.reading.board
            yield f"3-cells{which}", _draw_cells(board, board.reading)
    if overlay is not None:
        yield "4-solved", overlay


def _draw_candidates(image: Image8, result: PhotoResult) -> Image8:
    """Draw the lattice, the rank and the score of every candidate; boards in green."""
    scale = min(1.0, _MAX_SIDE_PX / max(image.shape))
    picture = Image.fromarray(image[:, :, ::-1])
    picture = picture.resize((round(picture.width * scale), round(picture.height * scale)))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(22)
    for rank, candidate in reversed(list(enumerate(result.candidates, start=1))):
        lattice = (candidate.lattice + 0.5) * scale - 0.5
        colour = _BLUE if rank == 1 else _ORANGE
        last = len(lattice) - 1
        for index in range(last + 1):
            width = 3 if index in (0, last) else 1
            for line in (lattice[index], lattice[:, index]):
                draw.line([(float(x), float(y)) for x, y in line], fill=colour, width=width)
        x, y = map(float, lattice.min(axis=(0, 1)))
        text = f"{rank}: {candidate.score:.3f}"
        draw.text((x + 4, y + 4), text, colour, font, stroke_width=3, stroke_fill="white")
    for board in result.boards:
        x, y = map(float, (board.corners[0] + 0.5) * scale - 0.5)
        colour = _GREEN if board.solution is not None else _RED
        draw.ellipse((x - 8, y - 8, x + 8, y + 8), fill=colour, outline="white", width=2)
    return _bgr(picture)


def _draw_cells(board: BoardResult, reading: BoardReading) -> Image8:
    """Draw every cell as the network saw it over its reading and that reading's probability.

    A digit in green is a clue as read, in red one that the rules overruled, in blue an entry;
    the probability stands for the digit that was most likely.
    """
    width = len(board.clues)
    side, height = CROP_PX * _ZOOM + 4, CROP_PX * _ZOOM + _LINE_PX + 4
    sheet = Image.new("RGB", (width * side + 4, width * height + 4), "white")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(_LINE_PX - 3)
    clues, entries = board.clues.ravel(), board.entries.ravel()
    symbols = ("empty", *symbols_of(board))
    names = _name_classes(board, reading)
    for cell in range(width**2):
        x, y = cell % width * side + 4, cell // width * height + 4
        crop = Image.fromarray(reading.cells[cell])
        sheet.paste(crop.resize((CROP_PX * _ZOOM,) * 2, Image.Resampling.NEAREST), (x, y))
        likeliest = int(reading.probabilities[cell].argmax())
        text = f"{names[likeliest]} {reading.probabilities[cell, likeliest]:.3f}"
        colour = _GREY
        if cell in board.corrected:
            text, colour = f"{text} > {symbols[clues[cell]]}", _RED
        elif clues[cell]:
            colour = _GREEN
        elif entries[cell]:
            colour = _BLUE
        draw.text((x, y + CROP_PX * _ZOOM), text, colour, font)
    return _bgr(sheet)


def _name_classes(board: BoardResult, reading: BoardReading) -> list[str]:
    if not distinguishes_hands(reading.probabilities):
        return ["empty", *symbols_of(board)]
    digits = NUMBERS[: PRINTED.stop - 1]
    return ["empty", *digits, *(f"{digit} by hand" for digit in digits)]


def _bgr(picture: Image.Image) -> Image8:
    return np.ascontiguousarray(np.asarray(picture.convert("RGB"), np.uint8)[:, :, ::-1])
