"""How the window looks: its theme, its icons, and whether things move."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.gui.style.theme import Theme, apply_theme, theme_of, wants_motion
from app.gui.style.widgets import enlarge_again
from app.gui.window.actions import Actions

TEXT_SIZES: Final = (100, 125, 150, 200)
"""In percent of the system's."""

_SYSTEM_POINTS: Final = "system_points"


class Appearance(QObject):
    """Dresses the application, now and whenever the system's theme or the settings change."""

    def __init__(self, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._name = str(settings.value("window/theme", "system"))
        percent = str(settings.value("window/text_size", TEXT_SIZES[0]))
        self._percent = next((one for one in TEXT_SIZES if str(one) == percent), TEXT_SIZES[0])
        self._redraw: list[Callable[[Theme], None]] = []
        self._dress()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def theme_name(self) -> str:
        """What is chosen, one of `app.gui.style.theme.THEMES`."""
        return self._name

    @property
    def text_size(self) -> int:
        """How large text is, one of `TEXT_SIZES`."""
        return self._percent

    @property
    def is_still(self) -> bool:
        """Whether nothing shall move, as the settings or the system say."""
        app = QApplication.instance()
        is_system_still = isinstance(app, QApplication) and not wants_motion(app)
        return is_system_still or bool(self._settings.value("window/less_motion", False, bool))

    def colour(self, actions: Actions) -> None:
        """Draw the icons of actions, now and in every other theme."""
        self.whenever(actions.colour)

    def whenever(self, redraw: Callable[[Theme], None]) -> None:
        """Draw something now, and again in every other theme."""
        self._redraw.append(redraw)
        redraw(theme_of())

    def choose(self, name: str) -> None:
        """Choose a theme."""
        self._name = name
        self._settings.setValue("window/theme", name)
        self._dress()

    def set_text_size(self, percent: int) -> None:
        """Choose how large text is, one of `TEXT_SIZES`."""
        self._percent = percent
        self._settings.setValue("window/text_size", percent)
        self._dress()

    def set_still(self, is_still: bool) -> None:
        """Choose whether things move."""
        self._settings.setValue("window/less_motion", is_still)

    def _follow_system(self) -> None:
        if self._name == "system":
            self._dress()

    def _dress(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            self._size_text(app)
            apply_theme(app, self._name)
            enlarge_again()
        for redraw in self._redraw:
            redraw(theme_of())

    def _size_text(self, app: QApplication) -> None:
        font = app.font()
        points = app.property(_SYSTEM_POINTS)
        if points is None:
            points = font.pointSizeF()
            app.setProperty(_SYSTEM_POINTS, points)
        font.setPointSizeF(float(points) * self._percent / 100)
        if font != app.font():
            # A style sheet would give every widget back the size that it had.
            app.setStyleSheet("")
            app.setFont(font)
