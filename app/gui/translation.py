"""Chooses the language of the window and loads its translations.

English is in the sources; `translations/` holds the others, as texts for translators (`.ts`) and
as what Qt loads (`.qm`). `make translations` brings both up to date.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.terminal.languages import ENGLISH, FOLDER, LANGUAGES, PREFIX

if TYPE_CHECKING:
    from solver.human.words import Words


SYSTEM: Final = "system"

SETTING: Final = "window/language"
"""Where the choice is kept in the settings."""

_OURS: Final = "sudoku-lens-translator"


def choose_language(app: QApplication, name: str = SYSTEM) -> str:
    """Let everything that is made from now on, and what can change, speak one of `LANGUAGES`.

    Return the language that is spoken: the system's for every other name, and English where that is
    not among ours.
    """
    code = name if name in LANGUAGES else _system_language()
    for old in app.findChildren(QTranslator, _OURS):
        app.removeTranslator(old)
        old.deleteLater()
    # Dates and numbers follow what was chosen; the system's own habits are kept otherwise.
    QLocale.setDefault(QLocale(code) if name in LANGUAGES else QLocale.system())
    if code == ENGLISH:
        return code
    qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for file, folder in ((f"qtbase_{code}", qt_folder), (f"{PREFIX}{code}", str(FOLDER))):
        translator = QTranslator(app)
        translator.setObjectName(_OURS)
        # Qt's own words may be missing from an installation; ours never are, a test sees to it.
        if translator.load(file, folder):
            app.installTranslator(translator)
    return code


def _system_language() -> str:
    """Return the first of the languages that the user prefers which is among ours."""
    for tag in QLocale.system().uiLanguages():
        code = tag.replace("_", "-").partition("-")[0]
        if code in LANGUAGES:
            return code
    return ENGLISH


def window_words() -> "Words":
    """Return how to say things in help now; ask again after the language was changed."""
    from solver.human.words import Words

    return Words(
        partial(QCoreApplication.translate, "Help"),
        is_long=True,
        decimal_point=QLocale().decimalPoint(),
    )
