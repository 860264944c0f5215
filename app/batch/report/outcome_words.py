"""Outcomes and endings as plain words, for the process that hands photos out.

`outcome` and `media.images` own them, but load NumPy and OpenCV, which would keep the first
photo waiting; a test holds both to the same words.
"""

from typing import Final

SOLVED: Final = "solved"
GAVE_UP: Final = "gave_up"
BAD_IMAGE: Final = "bad_image"

OUTCOMES: Final = (
    SOLVED,
    "ambiguous",
    "no_solution",
    GAVE_UP,
    "unreadable",
    "no_board",
    BAD_IMAGE,
)
"""From the best to the worst."""

PHOTO_SUFFIXES: Final = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".heic", ".heif", ".hif", ".webp"}
    | {".tif", ".tiff", ".bmp", ".gif", ".avif"}
)
"""Files of a folder that are taken for photos; what they hold is looked at when they are read."""

PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp"})
"""What overlays can be written as."""

TEXT_SUFFIXES: Final = frozenset({".sdm", ".txt"})
"""Files of a folder that may hold puzzles, one a line."""

NAMED_TEXT_SUFFIXES: Final = TEXT_SUFFIXES | {".csv"}
"""Files that are taken for text where they are named themselves."""

GALLERY_ENDING: Final = "_files"
"""Of the folder beside a gallery's page."""

GALLERY_MARK: Final = "sudoku-lens-gallery.txt"
"""A file in that folder, there before the first thumbnail, that tells what the folder is."""
