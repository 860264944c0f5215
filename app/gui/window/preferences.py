"""What a person prefers, kept from one start to the next: theme, size of text, motion, language,
and when solutions are shown; and the page on which all of it can be chosen.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QFormLayout, QLabel, QVBoxLayout

from app.gui.theme import Theme, apply_theme, theme_of, wants_motion
from app.gui.translation import SETTING, choose_language
from app.gui.widgets import ListBox, TickBox, enlarge_again, fill, follows_changes

if TYPE_CHECKING:
    from app.gui.session.session import WindowSession
    from app.gui.window.main_window import Window

TEXT_SIZES: Final = (100, 125, 150, 200)
"""In percent of the system's."""

_SYSTEM_POINTS: Final = "system_points"


class Appearance(QObject):
    """Dresses the application, now and whenever the system's theme or the settings change."""

    def __init__(self, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
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
        return is_system_still or bool(self._settings.value("window/less_motion", False, bool))

    def whenever(self, redraw: Callable[[Theme], None]) -> None:
        """Draw something now, and again in every other theme."""
        self._redraw.append(redraw)
        redraw(theme_of())

    def choose(self, name: str) -> None:
        """Choose a theme."""
        self.theme_name = name
        self._settings.setValue("window/theme", name)
        self._dress()

    def set_text_size(self, percent: int) -> None:
        """Choose how large text is, one of `TEXT_SIZES`."""
        self.text_size = percent
        self._settings.setValue("window/text_size", percent)
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


_AT_ONCE: Final = "board/reveal_at_once"


class Preferences(QObject):
    """Follows what is chosen of theme, language, motion, and when solutions are shown."""

    def __init__(self, window: "Window") -> None:
        """Make it for a window, whose parts look as they did last time."""
        super().__init__(window)
        settings, actions = window.settings, window.actions_of_window
        self._settings, self._appearance, self._desk = settings, window.appearance, window.desk
        self._session: WindowSession | None = None
        self._at_once = actions.reveal_at_once
        window.menus.theme_chosen.connect(self._appearance.choose)
        window.menus.language_chosen.connect(self._choose_language)
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
        self._settings.setValue("window/less_motion", is_still)
        self._desk.photo.is_still = self._desk.clean.is_still = self._appearance.is_still

    def _set_reveal_at_once(self, is_wanted: bool) -> None:
        self._settings.setValue(_AT_ONCE, is_wanted)
        if self._session is not None:
            self._session.is_revealing = is_wanted


@follows_changes
class PreferencesDialog(QDialog):
    """Shows what the menus show here and there, and blocks nothing."""

    def __init__(self, window: "Window") -> None:
        """Make it for a window; what is chosen is chosen in its menus, too."""
        from app.gui.window.about import close_button  # loads what the empty window does without

        super().__init__(window)
        actions, menus, appearance = window.actions_of_window, window.menus, window.appearance
        self._menus, self._appearance = menus, appearance
        self._language, self._theme, self._text = ListBox(), ListBox(), ListBox()
        self._view = ListBox()
        self._labels = [QLabel(self) for _ in range(4)]
        form = QFormLayout(horizontalSpacing=18, verticalSpacing=10)
        boxes = self._language, self._theme, self._text, self._view
        for label, box in zip(self._labels, boxes, strict=True):
            label.setBuddy(box)
            form.addRow(label, box)
        self._switches = [
            self._bind(action)
            for action in (actions.reveal_at_once, actions.badges, actions.motion)
        ]
        self._views = actions.views
        column = fill(QVBoxLayout(self), form, margins=(24, 22, 24, 18), spacing=12)
        for switch in self._switches:
            column.addWidget(switch)
        column.addStretch()
        column.addWidget(close_button(self))
        self._retranslate()
        self._language.activated.connect(
            lambda number: menus.languages[self._language.itemData(number)].trigger()
        )
        self._theme.activated.connect(
            lambda number: menus.themes[self._theme.itemData(number)].trigger()
        )
        self._text.activated.connect(lambda number: appearance.set_text_size(TEXT_SIZES[number]))
        self._view.activated.connect(lambda number: self._views[number].trigger())

    def _bind(self, action: QAction) -> TickBox:
        """Return a box that is ticked as an action is, and ticks it."""
        box = TickBox()

        def follow() -> None:
            box.setText(action.text().replace("&", ""))
            box.setEnabled(action.isEnabled())
            box.setChecked(action.isChecked())

        follow()
        action.changed.connect(follow)
        box.clicked.connect(lambda is_on: action.setChecked(is_on))
        return box

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Preferences"))
        names = (
            self.tr("Language"),
            self.tr("Theme"),
            self.tr("Text size"),
            self.tr("Show"),
        )
        for label, name in zip(self._labels, names, strict=True):
            label.setText(name)
        self._fill(self._language, self._menus.languages)
        self._fill(self._theme, self._menus.themes)
        self._text.clear()
        for percent in TEXT_SIZES:
            self._text.addItem(self.tr("{} %").format(percent), percent)
        self._text.setCurrentIndex(TEXT_SIZES.index(self._appearance.text_size))
        self._view.clear()
        self._view.addItems([action.text().replace("&", "") for action in self._views])
        checked = [action.isChecked() for action in self._views]
        self._view.setCurrentIndex(checked.index(True) if True in checked else 0)

    def _fill(self, box: ListBox, choices: dict[str, QAction]) -> None:
        box.clear()
        for number, (name, action) in enumerate(choices.items()):
            box.addItem(action.text().replace("&", ""), name)
            if action.isChecked():
                box.setCurrentIndex(number)
