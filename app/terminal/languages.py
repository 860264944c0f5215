"""The languages that the program speaks, and where their texts are; free of Qt, quick to import."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

logger = logging.getLogger(__name__)
ENGLISH: Final = "en"
LANGUAGES: Final = {ENGLISH: "English", "de": "Deutsch", "fr": "Français"}
"""Each by its own name, as people look for it in a list."""

FOLDER: Final = Path(__file__).parents[1] / "gui" / "translations"
"""Holds, of every language but English, the texts for translators (`.ts`) and for Qt (`.qm`)."""

PREFIX: Final = "sudoku_lens_"
"""What the names of its files begin with, before the language."""


def load_texts(language: str, wanted: str) -> Callable[[str], str] | None:
    """Return how to look up the texts of a context, from the file for translators, without Qt.

    None where they cannot be loaded, which the log says.
    """
    path = FOLDER / f"{PREFIX}{language}.ts"
    try:
        contexts = ElementTree.parse(path).getroot().iter("context")
    except (OSError, ElementTree.ParseError) as error:
        logger.warning("%s cannot be spoken: its texts are missing: %s", language, error)
        return None
    texts = {
        message.findtext("source", ""): message.findtext("translation", "")
        for context in contexts
        if context.findtext("name") == wanted
        for message in context.iter("message")
    }
    return lambda text: texts.get(text) or text
