"""A picture of every stage, for `solve --debug`: what was found, cut, read and drawn."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from app.recognition.reading import BoardReading
from app.recognition.results import BoardResult, PhotoResult
from app.report.board_marks import NUMBERS, symbols_of
from solver.decoding.decode import PRINTED, tells_hands
from vision.board import CROP_PX, Image8

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
    """Yield the name and the picture of every stage.

    Args:
        image: (H, W, 3) BGR uint8, the photo.
        result: what came of it.
        overlay: the photo with its solutions, or None where nothing is solved.

    Yields:
        A file name's part and a BGR or grey uint8 picture.
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
    """Return what each column of the reading's probabilities stands for."""
    if not tells_hands(reading.probabilities):
        return ["empty", *symbols_of(board)]
    digits = NUMBERS[: PRINTED.stop - 1]
    return ["empty", *digits, *(f"{digit} by hand" for digit in digits)]


def _bgr(picture: Image.Image) -> Image8:
    return np.ascontiguousarray(np.asarray(picture.convert("RGB"), np.uint8)[:, :, ::-1])
