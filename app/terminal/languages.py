"""The languages that the program speaks, and where their words are; free of Qt."""

from pathlib import Path
from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = {ENGLISH: "English", "de": "Deutsch", "fr": "Français"}
"""Each by its own name, as people look for it in a list."""

FOLDER: Final = Path(__file__).parents[1] / "gui" / "translations"
"""Holds, of every language but English, the texts for translators (`.ts`) and for Qt (`.qm`)."""

PREFIX: Final = "sudoku_lens_"
"""What the names of its files begin with, before the language."""
