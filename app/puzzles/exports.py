"""What of a puzzle can be handed on: its text, files of every format, and the solved picture."""

import io
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from solver.formats import Format, format_kind, parse_any_kind, write_any
from solver.formats_kinds import KindPuzzle, format_cells, format_kind_puzzle
from solver.grid import Grid, GridError
from solver.rules import Rules, box_rules
from vision.media.images import Image8, ImageError, save_image
from vision.media.whole_files import open_whole

_SUFFIXES: Final = {
    Format.LINE: ".txt",
    Format.SDM: ".sdm",
    Format.SDK: ".sdk",
    Format.SS: ".ss",
    Format.OPENSUDOKU: ".opensudoku",
    Format.F_PUZZLES: ".txt",
    Format.SUDOKU_PAD: ".txt",
    Format.SUDOKU_WIKI: ".txt",
}

LINKS: Final = frozenset({Format.F_PUZZLES, Format.SUDOKU_PAD, Format.SUDOKU_WIKI})
"""Formats that are an address on the web; people paste them rather than keep them as files."""

THUMBNAIL_PX: Final = 160

_MOST_SIDE: Final = 25
"""Rows and columns that can be shown; five grids one below the other would have 33."""

_THUMBNAIL_QUALITY: Final = 80
_LONGEST_STEM: Final = 60
_UNSAFE: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
_RESERVED: Final = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that Windows keeps for devices."""


class Content(Enum):
    """What a file holds, as its suggested name says it."""

    PUZZLE = "puzzle"
    SOLUTION = "solution"
    PICTURE = "solved"


@dataclass(frozen=True)
class SaveFault:
    """Why a file was not written; what stood there before is still there.

    Attributes:
        path: of the file.
        reason: in the words of the system.
    """

    path: Path
    reason: str


def write_solution(solution: Grid, rules: Rules | None) -> str:
    """Return a solution as n² characters; `-` where a samurai has no cell."""
    return format_cells(rules or box_rules(len(solution)), solution)


def write_text(clues: Grid, rules: Rules | None) -> str:
    """Return a puzzle as text: its cells, or JSON with its rules where they are its own.

    Args:
        clues: (n, n) uint8.
        rules: of the puzzle; None for the classic ones of 9×9.
    """
    if rules is None or rules.is_classic:
        return format_cells(rules or box_rules(9), clues)
    return format_kind_puzzle(KindPuzzle(rules, clues))


def read_text(text: str) -> tuple[Grid, Rules | None]:
    """Return the clues of a puzzle in any format, and its rules, None for the classic ones of 9×9.

    Raises:
        GridError: if it is no puzzle.
    """
    puzzle = parse_any_kind(text)
    if len(puzzle.clues) > _MOST_SIDE:
        raise GridError(f"puzzles of up to {_MOST_SIDE}×{_MOST_SIDE} places can be opened here")
    return puzzle.clues, None if puzzle.rules == box_rules(9) else puzzle.rules


def write_puzzle(grid: Grid, form: Format, title: str = "", rules: Rules | None = None) -> str:
    """Return the text of a file, or the link, that holds one puzzle in a format.

    Args:
        grid: (n, n) uint8, the clues.
        form: that is wanted.
        title: of the puzzle; nothing for none.
        rules: of the puzzle; None for the classic ones.

    Raises:
        GridError: for a kind or a size that the format does not have.
    """
    puzzle = KindPuzzle(rules or box_rules(len(grid)), grid)
    if puzzle.has_shape_alone:
        lines = list(write_any([grid], form, title))
    else:
        lines = [format_kind(puzzle, form, title)]
    return lines[0] if form in LINKS else "".join(f"{line}\n" for line in lines)


def suffix_of(form: Format) -> str:
    """Return the suffix of files of a format, such as `.sdk`."""
    return _SUFFIXES[form]


def suggest_name(source: str, content: Content, suffix: str) -> str:
    """Return a file name that every system takes, after the photo that the puzzle is from.

    Args:
        source: name or path of the photo, or nothing.
        content: what the file holds.
        suffix: with its dot.
    """
    stem = _UNSAFE.sub("-", Path(source.replace("\\", "/")).stem).strip(" .-")[:_LONGEST_STEM]
    if not stem or _RESERVED.fullmatch(stem):
        stem = "sudoku"
    return f"{stem}-{content.value}{suffix}"


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


def encode_thumbnail(image: Image8, side_px: int = THUMBNAIL_PX) -> bytes:
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
