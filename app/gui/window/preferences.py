"""What a person prefers, kept from one start to the next: theme, size of text, motion, language,
and when solutions are shown; and the page on which all of it can be chosen.

English is in the sources; `app/gui/translations` holds the other languages, as texts for
translators (`.ts`) and as what Qt loads (`.qm`). `make translations` brings both up to date.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QObject,
    QSettings,
    QTranslator,
)
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QFormLayout, QVBoxLayout

from app.gui.theme import Theme, apply_theme, theme_of, wants_motion
from app.gui.widgets import (
    ListBox,
    Retold,
    TickBox,
    enlarge_again,
    fill,
    keep_switch,
    make_label,
    plain_text,
)
from app.terminal.languages import ENGLISH, FOLDER, LANGUAGES, PREFIX

if TYPE_CHECKING:
    from app.gui.window.main_window import Window
    from solver.human.words import Words

TEXT_SIZES: Final = (100, 125, 150, 200)
"""In percent of the system's."""

SYSTEM: Final = "system"
SETTING: Final = "window/language"
"""Where the language is kept in the settings."""

_OURS: Final = "sudoku-lens-translator"

_SYSTEM_POINTS: Final = "system_points"
_LESS_MOTION: Final = "window/less_motion"


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


class Appearance(QObject):
    """Dresses the application, now and whenever the system's theme or the settings change."""

    def __init__(self, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self.settings = settings
        self.theme_name = str(settings.value("window/theme", "system"))
        """What is chosen, one of `app.gui.theme.THEMES`."""
        percent = str(settings.value("window/text_size", TEXT_SIZES[0]))
        self.text_size = next((one for one in TEXT_SIZES if str(one) == percent), TEXT_SIZES[0])
        """How large text is, one of `TEXT_SIZES`."""
        self._redraw: list[Callable[[Theme], None]] = []
        self._dress()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def is_still(self) -> bool:
        """Whether nothing shall move, as the settings or the system say."""
        app = QApplication.instance()
        is_system_still = isinstance(app, QApplication) and not wants_motion(app)
        return is_system_still or bool(self.settings.value(_LESS_MOTION, False, bool))

    def whenever(self, redraw: Callable[[Theme], None]) -> None:
        """Draw something now, and again in every other theme."""
        self._redraw.append(redraw)
        redraw(theme_of())

    def choose(self, name: str) -> None:
        """Choose a theme."""
        self.theme_name = name
        self.settings.setValue("window/theme", name)
        self._dress()

    def speak(self, name: str) -> None:
        """Choose one of `app.terminal.languages.LANGUAGES`, or `SYSTEM`; every part follows."""
        self.settings.setValue(SETTING, name)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            choose_language(app, name)

    def set_text_size(self, percent: int) -> None:
        """Choose how large text is, one of `TEXT_SIZES`."""
        self.text_size = percent
        self.settings.setValue("window/text_size", percent)
        self._dress()

    def _follow_system(self) -> None:
        if self.theme_name == "system":
            self._dress()

    def _dress(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            self._size_text(app)
            apply_theme(app, self.theme_name)
            enlarge_again()
        for redraw in self._redraw:
            redraw(theme_of())

    def _size_text(self, app: QApplication) -> None:
        font = app.font()
        points = app.property(_SYSTEM_POINTS)
        if points is None:
            points = font.pointSizeF()
            app.setProperty(_SYSTEM_POINTS, points)
        font.setPointSizeF(float(points) * self.text_size / 100)
        if font != app.font():
            # A style sheet would give every widget back the size that it had.
            app.setStyleSheet("")
            app.setFont(font)


def follow_preferences(window: "Window") -> None:
    """Let the parts of a window look as they did last time, and as the menus say from now on."""
    settings, actions = window.settings, window.actions_of_window

    def rest() -> None:
        window.photo.is_still = window.clean.is_still = window.appearance.is_still

    keep_switch(settings, "board/reveal_at_once", actions.reveal_at_once, is_on=True)
    keep_switch(settings, _LESS_MOTION, actions.motion)
    actions.motion.toggled.connect(rest)
    rest()


class PreferencesDialog(QDialog):
    """Shows what the menus show here and there, and blocks nothing."""

    def __init__(self, window: "Window") -> None:
        """Make it for a window; what is chosen is chosen in its menus, too."""
        # Both load what the appearance does without.
        from app.gui.window.about import close_button
        from app.gui.window.central_view import VIEWS

        super().__init__(window)
        actions, menus, appearance = window.actions_of_window, window.menus, window.appearance
        Retold(self, lambda: self.tr("Preferences"), self.setWindowTitle)
        form = QFormLayout(horizontalSpacing=18, verticalSpacing=10)
        text_size = ListBox(
            lambda: [(self.tr("{} %").format(percent), percent) for percent in TEXT_SIZES]
        )
        text_size.setCurrentIndex(TEXT_SIZES.index(appearance.text_size))
        text_size.activated.connect(lambda number: appearance.set_text_size(TEXT_SIZES[number]))
        # The actions do so only where there is a photo.
        views = ListBox(lambda: [(plain_text(action), None) for action in actions.views])
        views.setCurrentIndex(VIEWS.index(window.central_view.chosen_view))
        views.activated.connect(lambda number: window.central_view.choose_view(VIEWS[number]))
        for name, box in (
            (lambda: self.tr("Language"), _list_actions(menus.languages.values())),
            (lambda: self.tr("Theme"), _list_actions(menus.themes.values())),
            (lambda: self.tr("Text size"), text_size),
            (lambda: self.tr("Show"), views),
        ):
            label = make_label(name, is_wrapped=False)
            label.setBuddy(box)
            form.addRow(label, box)
        switches = actions.reveal_at_once, actions.badges, actions.motion
        self._switches = {action: TickBox() for action in switches}
        for action, tick in self._switches.items():
            action.changed.connect(self._follow)  # which ends with this dialog
            tick.toggled.connect(action.setChecked)
        self._follow()
        parts = form, *self._switches.values(), 0, close_button(self)
        fill(QVBoxLayout(self), *parts, margins=(24, 22, 24, 18), spacing=12)

    def _follow(self) -> None:
        """Tick the boxes as their actions are, and name them likewise."""
        for action, tick in self._switches.items():
            tick.setText(plain_text(action))
            tick.setEnabled(action.isEnabled())
            tick.setChecked(action.isChecked())


def _list_actions(actions: Iterable[QAction]) -> ListBox:
    """Return a list of actions of which one is on; what is chosen is switched on."""
    listed = list(actions)
    box = ListBox(lambda: [(plain_text(action), None) for action in listed])
    box.setCurrentIndex(next((n for n, one in enumerate(listed) if one.isChecked()), 0))
    box.activated.connect(lambda number: listed[number].trigger())
    return box
