"""The words of help in the language of a phone, without a window."""

import functools
import logging
from collections.abc import Callable
from typing import Final
from xml.etree import ElementTree

from app.help.help_words import Words
from app.terminal.languages import ENGLISH, FOLDER, LANGUAGES, PREFIX

logger = logging.getLogger(__name__)

_CONTEXT: Final = "Help"
"""Of the texts, as the window's translations call it."""


@functools.lru_cache(maxsize=len(LANGUAGES))
def words_of(language: str) -> Words:
    """Return how to say things in one of `app.terminal.languages.LANGUAGES`.

    Where its texts cannot be loaded, which the log says, that is English.
    """
    if language == ENGLISH:
        return Words()
    look_up = _load(language)
    return Words() if look_up is None else Words(look_up, is_english=False)


def _load(language: str) -> Callable[[str], str] | None:
    """Return how to look up a text, from the file for translators: that needs no Qt."""
    path = FOLDER / f"{PREFIX}{language}.ts"
    try:
        contexts = ElementTree.parse(path).getroot().iter("context")
    except (OSError, ElementTree.ParseError) as error:
        logger.warning("%s cannot be spoken: its texts are missing: %s", language, error)
        return None
    texts = {
        message.findtext("source", ""): message.findtext("translation", "")
        for context in contexts
        if context.findtext("name") == _CONTEXT
        for message in context.iter("message")
    }
    return lambda text: texts.get(text) or text
