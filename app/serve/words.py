"""The words of help in the language of a phone, without a window."""

import functools
import logging
from collections.abc import Callable

from app.assistance_words import Words
from app.languages import ENGLISH, FOLDER, LANGUAGES, PREFIX

logger = logging.getLogger(__name__)


@functools.lru_cache(maxsize=len(LANGUAGES))
def words_of(language: str) -> Words:
    """Return how to say things in one of `app.languages.LANGUAGES`.

    Where its texts cannot be loaded, which the log says, that is English.
    """
    if language == ENGLISH:
        return Words()
    look_up = _load(language)
    return Words() if look_up is None else Words(look_up, is_english=False)


def _load(language: str) -> Callable[[str], str] | None:
    try:
        from PySide6.QtCore import QTranslator
    except ImportError as error:  # of a system library that a bare server may not have
        logger.warning("%s cannot be spoken: %s; run: sudoku-lens doctor", language, error)
        return None
    translator = QTranslator()
    if not translator.load(f"{PREFIX}{language}", str(FOLDER)):
        logger.warning("%s cannot be spoken: its texts are missing", language)
        return None

    def look_up(text: str) -> str:
        # Qt returns nothing for what is not translated.
        return translator.translate("Help", text) or text

    return look_up
