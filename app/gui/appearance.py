"""How the window looks: its theme, its icons, and whether things move."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.gui.actions import Actions
from app.gui.theme import Theme, apply_theme, theme_of, wants_motion


class Appearance(QObject):
    """Dresses the application, now and whenever the system's theme or the settings change."""

    def __init__(self, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._name = str(settings.value("window/theme", "system"))
        self._redraw: list[Callable[[Theme], None]] = []
        self._dress()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def theme_name(self) -> str:
        """What is chosen, one of `app.gui.theme.THEMES`."""
        return self._name

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

    def set_still(self, is_still: bool) -> None:
        """Choose whether things move."""
        self._settings.setValue("window/less_motion", is_still)

    def _follow_system(self) -> None:
        if self._name == "system":
            self._dress()

    def _dress(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, self._name)
        for redraw in self._redraw:
            redraw(theme_of())
