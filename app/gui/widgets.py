"""Widgets, styles and layouts that all parts of the window share."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from PySide6.QtCore import QEvent, QObject, QPointF, QSettings, QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAction,
    QColor,
    QPaintDevice,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from app.gui.theme import theme_of

_FACTOR: Final = "text_factor"


def plain_text(action: QAction) -> str:
    """Return what an action is called, without the signs that belong to menus."""
    return action.text().replace("&", "").rstrip("… ")


def capitalise(text: str) -> str:
    """Return a text that begins with a capital, and is otherwise as it was."""
    return text[:1].upper() + text[1:]


def enlarge(widget: QWidget, factor: float = 1.1, *, is_bold: bool = False) -> None:
    """Set a widget's text larger than the rest; `enlarge_again` keeps it so."""
    widget.setProperty(_FACTOR, factor)
    font = widget.font()
    font.setPointSizeF(QApplication.font().pointSizeF() * factor)
    font.setBold(is_bold)
    widget.setFont(font)


def enlarge_again() -> None:
    """Let all text that is larger than the rest follow once the rest has another size."""
    for widget in QApplication.allWidgets():
        factor = widget.property(_FACTOR)
        if factor is not None:
            enlarge(widget, factor, is_bold=widget.font().bold())


@contextmanager
def painting(on: QPaintDevice) -> Iterator[QPainter]:
    """Paint with smooth edges."""
    painter = QPainter(on)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    try:
        yield painter
    finally:
        painter.end()


_W = TypeVar("_W", bound=QWidget)
_Box = TypeVar("_Box", bound=QBoxLayout)


def fill(
    box: _Box,
    *parts: Any,
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> _Box:
    """Put parts into a row or a column, and return it; margins and spacing are in pixels.

    Args:
        parts: widgets and layouts in order, in a tuple with stretch and alignment where they have
            one. A number is an empty place that is stretched so much.
        margins: left, top, right and bottom.
    """
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for one in parts:
        part, *more = one if isinstance(one, tuple) else (one,)
        if isinstance(part, int):
            box.addStretch(part)
        elif isinstance(part, QLayout):
            box.addLayout(part, *more)
        else:
            box.addWidget(part, *more)
    return box


_FOLLOWED: Final = {
    QEvent.Type.LanguageChange: "_retranslate",
    QEvent.Type.PaletteChange: "_restyle",
    QEvent.Type.FontChange: "_refit",
}
"""What a widget does when another language, theme or size of text is chosen."""


def follows_changes(widget: type[_W]) -> type[_W]:
    """Let a class of widgets call those of `_FOLLOWED` that it has."""

    def changeEvent(self: Any, event: QEvent) -> None:
        super(widget, self).changeEvent(event)
        follow = _FOLLOWED.get(event.type(), "")
        if hasattr(self, follow):
            getattr(self, follow)()

    widget.changeEvent = changeEvent  # type: ignore[method-assign]
    return widget


Say = Callable[[], str]
"""Returns a text in the language of now."""


class Retold(QObject):
    """Says something now, and again whenever another language is chosen while a widget lives."""

    def __init__(
        self, part: QWidget, say: Callable[[], Any], give: Callable[[Any], object]
    ) -> None:
        """Give what is said to what shows it.

        Qt tells the children of the widget of another language, of which this is one.
        """
        super().__init__(part)
        self._say, self._give = say, give
        give(say())

    def event(self, event: QEvent) -> bool:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._give(self._say())
        return super().event(event)


def put_words(
    part: _W, text: Say | None = None, *, name: Say | None = None, tip: Say | None = None
) -> _W:
    """Give a widget its text, its name for screen readers and its tip in every language."""
    set_text: Callable[[str], object] | None = getattr(part, "setText", None)
    for give, say in (
        (set_text, text), (part.setAccessibleName, name), (part.setToolTip, tip)
    ):  # fmt: skip
        if give is not None and say is not None:
            Retold(part, say, give)
    return part


def make_button(
    text: Say | None = None,
    act: Callable[[], object] | None = None,
    *,
    kind: str = "",
    name: Say | None = None,
    tip: Say | None = None,
) -> QPushButton:
    """Return a button that does something; `kind` is one of the style sheet's."""
    button = put_words(QPushButton(), text, name=name, tip=tip)
    button.setProperty("kind", kind)
    if act is not None:
        button.clicked.connect(lambda: act())
    return button


def make_label(
    text: Say | str | None = None,
    *,
    name: Say | None = None,
    factor: float = 1.0,
    is_bold: bool = False,
    is_wrapped: bool = True,
    is_copied: bool = False,
    at: Qt.AlignmentFlag | None = None,
) -> QLabel:
    """Return a text, larger than others by a factor, of which parts can be copied or not.

    It is plain, also where names of files in it look like HTML.
    """
    label = QLabel(text if isinstance(text, str) else "", wordWrap=is_wrapped)
    label.setTextFormat(Qt.TextFormat.PlainText)
    put_words(label, None if isinstance(text, str) else text, name=name)
    if factor != 1 or is_bold:
        enlarge(label, factor, is_bold=is_bold)
    if is_copied:
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    if at is not None:
        label.setAlignment(at)
    return label


def keep_room(part: _W) -> _W:
    """Let a widget take its room while it is hidden, so that nothing jumps when it comes."""
    policy = part.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    part.setSizePolicy(policy)
    return part


def empty_layout(box: QLayout) -> None:
    """Take the widgets out of a layout, for good."""
    while (item := box.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


def keep_switch(
    settings: QSettings, key: str, switch: QAction | QAbstractButton, *, is_on: bool = False
) -> None:
    """Switch something as the settings have it, `is_on` at first, and have them follow it."""
    switch.setChecked(bool(settings.value(key, is_on, bool)))
    switch.toggled.connect(partial(settings.setValue, key))


def make_file_dialog(
    parent: QWidget | None, title: str, folder: str, filters: Sequence[str], *, is_native: bool
) -> QFileDialog:
    """Return a dialog for names of files, which ends when it is closed; `open` it.

    Its filters are such as `PNG (*.png)`; `is_native` tells whether it is the system's own.
    """
    dialog = QFileDialog(parent, title, folder)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, not is_native)
    dialog.setNameFilters(filters)
    return dialog


def in_scroll_area(widget: QWidget) -> QScrollArea:
    """Return what scrolls a widget as soon as it has less room than it needs."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(widget)
    return area


def tell(label: QLabel, text: str) -> None:
    """Show a sentence, and have it read out where it is a new one and someone listens."""
    if text == label.text():
        return
    label.setText(text)
    if text and label.isVisible() and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(label, text))


class Folding(QWidget):
    """Looks at its room, and what it holds, whenever one of them changes."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold, or unfold."""
        super().resizeEvent(event)
        self._fold()

    def event(self, event: QEvent) -> bool:
        """Follow parts whose words change."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold()
        return super().event(event)

    def _fold(self) -> None:
        raise NotImplementedError


class FoldingRow(Folding):
    """Puts its parts side by side, or one below the other where there is no room for that."""

    def __init__(
        self, *parts: QWidget, spacing_px: int = 8, is_even: bool = True, is_centred: bool = False
    ) -> None:
        """Hold the parts: they share the room equally, or stand in its middle if `is_centred`."""
        super().__init__()
        is_even = is_even and not is_centred
        self._parts, self._is_even = parts, is_even
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(spacing_px)
        centre = Qt.AlignmentFlag.AlignCenter if is_centred else Qt.AlignmentFlag(0)
        around = [1] if is_centred else []
        fill(self._line, *around, *((part, int(is_even), centre) for part in parts), *around)

    def minimumSizeHint(self) -> QSize:
        """Return the least size, in which the widest part has its room."""
        width = max(part.minimumSizeHint().width() for part in self._parts)
        return QSize(width, super().minimumSizeHint().height())

    def _fold(self) -> None:
        widths = [part.sizeHint().width() for part in self._parts]
        if self._is_even:
            widest = max(part.minimumSizeHint().width() for part in self._parts)
            widths = [widest] * len(self._parts)
        wanted = sum(widths) + self._line.spacing() * (len(widths) - 1)
        directions = QBoxLayout.Direction
        is_wide = self.width() >= wanted
        self._line.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)


_ARROW_PX: Final = 15
"""From the edge to the middle of the arrow."""


class ListBox(QComboBox):
    """A list of which one is chosen."""

    def __init__(
        self,
        choices: Callable[[], Iterable[tuple[str, object]]] | None = None,
        *,
        name: Say | None = None,
        tip: Say | None = None,
    ) -> None:
        """Make it of texts and their data; `choices` says them anew in every language."""
        super().__init__()
        # The style's own arrow is drawn with a frame as soon as a style sheet touches the list.
        self.setStyleSheet("QComboBox::drop-down { border: none; width: 26px; }")
        put_words(self, name=name, tip=tip)
        if choices is not None:
            Retold(self, choices, self.list_choices)

    def list_choices(self, choices: Iterable[tuple[str, object]]) -> None:
        """List texts and their data; the choice stays where it is."""
        with QSignalBlocker(self):
            chosen = max(self.currentIndex(), 0)
            self.clear()
            for text, data in choices:
                self.addItem(text, data)
            self.setCurrentIndex(chosen)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the list, and its arrow."""
        super().paintEvent(event)
        with painting(self) as painter:
            is_right = self.layoutDirection() == Qt.LayoutDirection.LeftToRight
            x = self.width() - _ARROW_PX if is_right else _ARROW_PX
            painter.setPen(QPen(QColor(theme_of(self).muted), 1.6))
            arrow = QPolygonF([QPointF(-4, -2), QPointF(0, 2), QPointF(4, -2)])
            painter.drawPolyline(arrow.translated(QPointF(x, self.height() / 2)))


class TickBox(QCheckBox):
    """Is on or off; its frame is the style sheet's, its tick is drawn here."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box, and its tick."""
        super().paintEvent(event)
        if not self.isChecked():
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_CheckBoxIndicator
        box = self.style().subElementRect(part, option, self)
        with painting(self) as painter:
            painter.setPen(QPen(QColor(theme_of(self).on_accent), 2))
            x, y, side = box.x(), box.y(), box.width()
            places = (0.24, 0.54), (0.43, 0.73), (0.78, 0.3)
            painter.drawPolyline(
                QPolygonF([QPointF(x + a * side, y + b * side) for a, b in places])
            )
