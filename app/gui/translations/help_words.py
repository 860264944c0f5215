"""The words of help in the language of the window."""

from PySide6.QtCore import QCoreApplication, QLocale

from app import assistance_words as texts
from app.assistance_words import Words


def window_words() -> Words:
    """Return how to say things now; ask again after the language was changed."""
    is_english = _look_up(texts.LOOK) == texts.LOOK
    return Words(_look_up, is_english, is_long=True, decimal_point=QLocale().decimalPoint())


def _look_up(text: str) -> str:
    return QCoreApplication.translate("Help", text)
