"""What screen readers are told of the boards: a table with a name for every cell."""

from collections.abc import Sequence
from functools import cache
from typing import Final, Protocol, cast, runtime_checkable

from PySide6.QtCore import QCoreApplication, QObject, QRect, QRectF
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from app.board.board_values import DIGIT_CHARS, BoardViewModel, CellView, Doubt
from app.gui.board.board_bars import say_colour

translate = QCoreApplication.translate

_NOTHING: Final = cast(QAccessibleInterface, None)
"""Qt takes None where there is no such part, which its type stubs do not say."""


@runtime_checkable
class SpokenBoard(Protocol):
    """A widget that shows a board whose cells can be asked for."""

    @property
    def face(self) -> BoardViewModel | None:
        """What the board shows; None where there is no board."""

    @property
    def cell(self) -> int | None:
        """The chosen cell."""

    def cell_rect(self, cell: int) -> QRectF:
        """Return where a cell lies in the widget."""


@cache
def install_board_access() -> None:
    """Let screen readers ask the boards cell by cell; needed once a process."""
    QAccessible.installFactory(_make)


def announce_chosen_cell(widget: QWidget, cell: int | None) -> None:
    """Have the cell read out that was chosen in a board."""
    if cell is None or not QAccessible.isActive() or not widget.isVisible():
        return
    event = QAccessibleEvent(widget, QAccessible.Event.Focus)
    event.setChild(cell)
    QAccessible.updateAccessibility(event)


def say_cell(cell: int, face: CellView, side: int = 9, symbols: Sequence[str] = DIGIT_CHARS) -> str:
    """Return what is told of a cell that shows a face: "row 2, column 4, 5, clue"."""
    row, column = divmod(cell, side)
    place = translate("BoardAccess", "row {0}, column {1}").format(row + 1, column + 1)
    said = [place]
    if not face.is_cell:
        return f"{place}, " + translate("BoardAccess", "no cell")
    if face.clue:
        said += [symbols[face.clue - 1], translate("BoardAccess", "clue")]
    elif face.is_wrong and face.solution:
        text = translate("BoardAccess", "{0}, solution; the entry {1} is wrong")
        said.append(text.format(symbols[face.solution - 1], symbols[face.entry - 1]))
    elif face.entry:
        said += [symbols[face.entry - 1], translate("BoardAccess", "entry")]
    elif face.solution:
        said += [symbols[face.solution - 1], translate("BoardAccess", "solution")]
    else:
        said.append(translate("BoardAccess", "empty"))
    said += say_notes(face, symbols)
    if face.doubt is not None:
        said.append(
            {
                Doubt.UNSURE: translate("BoardAccess", "not read for sure"),
                Doubt.OVERRULED: translate("BoardAccess", "corrected by the rules"),
                Doubt.CONFLICT: translate("BoardAccess", "stands twice"),
            }[face.doubt]
        )
    return ", ".join(said)


def say_notes(face: CellView, symbols: Sequence[str] = DIGIT_CHARS) -> list[str]:
    """Return what is told of a cell beside its digit: sum, colour, and notes that are seen."""
    said = []
    if face.cage_sum:
        said.append(translate("BoardAccess", "cage with the sum {0}").format(face.cage_sum))
    if face.colour:
        said.append(say_colour(face.colour))
    if face.clue or face.entry or face.solution:
        return said
    for digits, words in (
        (face.corner, translate("BoardAccess", "corner marks {0}")),
        (face.centre, translate("BoardAccess", "centre marks {0}")),
    ):
        if digits:
            said.append(words.format(" ".join(symbols[digit - 1] for digit in digits)))
    return said


class BoardAccess(QAccessibleWidget):
    """A board as a table of its cells, in reading order."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Table)
        assert isinstance(widget, SpokenBoard)
        self.board: SpokenBoard = widget
        self._cells: list[_CellAccess] = []

    def childCount(self) -> int:
        """Return how many cells there are to ask for."""
        face = self.board.face
        count = 0 if face is None else len(face.cells)
        while len(self._cells) < count:
            self._cells.append(_CellAccess(self, len(self._cells)))
            QAccessible.registerAccessibleInterface(self._cells[-1])
        return count

    def child(self, index: int) -> QAccessibleInterface:
        """Return a cell."""
        return self._cells[index] if 0 <= index < self.childCount() else _NOTHING

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return the number of a cell, or -1."""
        return next((n for n, one in enumerate(self._cells) if one is child), -1)

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        """Return the cell at a place of the screen."""
        cells = self._cells[: self.childCount()]
        return next((cell for cell in cells if cell.rect().contains(x, y)), _NOTHING)

    def focusChild(self) -> QAccessibleInterface:
        """Return the cell that is chosen."""
        cell = self.board.cell
        return _NOTHING if cell is None else self.child(cell)


class _CellAccess(QAccessibleInterface):
    """One cell of a board: no object of Qt, and without parts."""

    def __init__(self, board: BoardAccess, cell: int) -> None:
        super().__init__()
        self._parent, self._board, self._cell = board, board.board, cell

    def isValid(self) -> bool:
        face = self._board.face
        return face is not None and self._cell < len(face.cells)

    def object(self) -> QObject:
        return cast(QObject, None)

    def parent(self) -> QAccessibleInterface:
        return self._parent

    def child(self, index: int) -> QAccessibleInterface:
        return _NOTHING

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        return _NOTHING

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.Cell

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        chosen, widget = self._board.cell == self._cell, self._parent.widget()
        for name, is_so in (
            ("focusable", True),
            ("selectable", True),
            ("focused", chosen and widget.hasFocus()),
            ("selected", chosen),
            ("invisible", not widget.isVisible()),
        ):
            setattr(state, name, is_so)
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """Return what is told of the cell; what else shall be said follows from the board."""
        face = self._board.face
        if kind != QAccessible.Text.Name or face is None or not self.isValid():
            return ""
        return say_cell(self._cell, face.cells[self._cell], face.side, face.symbols)

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        pass

    def rect(self) -> QRect:
        place, widget = self._board.cell_rect(self._cell).toRect(), self._parent.widget()
        return QRect(widget.mapToGlobal(place.topLeft()), place.size())


def _make(key: str, thing: QObject | None) -> QAccessibleInterface | None:
    del key
    if not isinstance(thing, QWidget) or not isinstance(thing, SpokenBoard):
        return None
    access = BoardAccess(thing)
    # Qt keeps no count of Python's references; it ends the interface together with the widget.
    known = id(thing)
    _kept[known] = access
    thing.destroyed.connect(lambda: _kept.pop(known, None))
    return access


_kept: dict[int, BoardAccess] = {}
