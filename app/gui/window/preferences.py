"""What a person prefers, chosen in the menus and kept from one start to the next."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication

from app.gui.style.appearance import Appearance
from app.gui.translations.language import SETTING, choose_language
from app.gui.window.actions import Actions
from app.gui.window.desk import Desk
from app.gui.window.menus import Menus

if TYPE_CHECKING:
    from app.gui.session.session import WindowSession

_AT_ONCE: Final = "board/reveal_at_once"


class Preferences(QObject):
    """Follows what is chosen of theme, language, motion, and when solutions are shown."""

    def __init__(
        self,
        settings: QSettings,
        actions: Actions,
        menus: Menus,
        appearance: Appearance,
        desk: Desk,
    ) -> None:
        """Make it for the parts of a window, which look as they did last time."""
        super().__init__(desk)
        self._settings, self._appearance, self._desk = settings, appearance, desk
        self._session: WindowSession | None = None
        self._at_once = actions.reveal_at_once
        menus.theme_chosen.connect(appearance.choose)
        menus.language_chosen.connect(self._choose_language)
        actions.motion.setChecked(bool(settings.value("window/less_motion", False, bool)))
        actions.motion.toggled.connect(self._set_still)
        self._set_still(actions.motion.isChecked())
        self._at_once.setChecked(bool(settings.value(_AT_ONCE, True, bool)))
        self._at_once.toggled.connect(self._set_reveal_at_once)

    def use(self, session: "WindowSession") -> None:
        """Show solutions in this session when it is wanted."""
        self._session = session
        session.is_revealing = self._at_once.isChecked()

    def _choose_language(self, name: str) -> None:
        self._settings.setValue(SETTING, name)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            choose_language(app, name)  # every part hears of that, and follows

    def _set_still(self, is_still: bool) -> None:
        self._appearance.set_still(is_still)
        self._desk.photo.is_still = self._desk.clean.is_still = self._appearance.is_still

    def _set_reveal_at_once(self, is_wanted: bool) -> None:
        self._settings.setValue(_AT_ONCE, is_wanted)
        if self._session is not None:
            self._session.is_revealing = is_wanted
