"""The dialog that makes a new puzzle as wanted, and can be called off while it does."""

import secrets
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QProgressBar,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.session.background import Background
from app.gui.widgets import ListBox, capitalise, fill, keep_room, make_button, make_label
from app.gui.window.preferences import window_words
from app.help import help_words as texts
from app.puzzles.new_puzzle import PuzzleWish, make_puzzle, sides_of
from solver.generation.generate import Symmetry
from solver.human.walk import Level
from solver.rules import SAMURAI_GRIDS, Kind


class NewPuzzleDialog(QDialog):
    """Asks for a puzzle's kind, size and difficulty, and makes it in the background.

    It is made anew each time, and nobody chooses another language while it is open.

    Signals:
        puzzle_made: a `KindPuzzle`, proved to have exactly one solution; the dialog has closed.
    """

    puzzle_made = Signal(object)

    def __init__(self, parent: QWidget | None = None, seed: int | None = None) -> None:
        """Make the dialog; a seed leads to the same puzzles each time."""
        super().__init__(parent)
        self._seed = seed
        self._background = Background(self)
        self._background.finished.connect(self._finish)
        self._build()
        self._list_sides()

    @property
    def wish(self) -> PuzzleWish:
        """What is chosen."""
        number = self._levels.checkedId()
        level = None if number < 0 else list(Level)[number]
        symmetry = self._symmetry.currentData()
        kind, size = Kind(self._kind.currentData()), self._side.currentData()
        is_samurai = kind is Kind.SAMURAI
        return PuzzleWish(
            level,
            symmetry if isinstance(symmetry, Symmetry) else Symmetry.NONE,
            kind,
            side=9 if is_samurai or size is None else size,  # none while they are listed anew
            n_grids=size if is_samurai and size in SAMURAI_GRIDS else max(SAMURAI_GRIDS),
        )

    def make(self) -> None:
        """Begin to make the puzzle."""
        seed = secrets.randbits(32) if self._seed is None else self._seed
        self._failed = False
        self._background.start(partial(make_puzzle, self.wish, seed))
        self._show_work()

    def cancel(self) -> None:
        """Stop making, and wait for another wish; where nothing is made, close."""
        if not self._background.is_running:
            self.reject()
            return
        self._background.cancel()
        self._show_work()

    def done(self, result: int) -> None:
        """Stop making when the dialog closes."""
        self._background.cancel()
        self._show_work()
        super().done(result)

    def _build(self) -> None:
        self._failed = False
        words = window_words()
        self.setWindowTitle(self.tr("New puzzle"))
        self._kind, self._side, self._symmetry = ListBox(), ListBox(), ListBox()
        for kind in Kind:
            self._kind.addItem(capitalise(words.look_up(texts.KINDS[kind])), kind.value)
        for symmetry, name in {
            Symmetry.NONE: self.tr("anywhere"),
            Symmetry.POINT: self.tr("look the same upside down"),
            Symmetry.QUARTER_TURN: self.tr("look the same on every side"),
            Symmetry.HORIZONTAL: self.tr("left and right are mirror images"),
            Symmetry.VERTICAL: self.tr("top and bottom are mirror images"),
            Symmetry.DIAGONAL: self.tr("mirrored at the diagonal"),
        }.items():
            self._symmetry.addItem(name, symmetry)
        self._kind.currentIndexChanged.connect(self._list_sides)
        self._side.currentIndexChanged.connect(self._show_work)
        rules, pattern = QFormLayout(), QFormLayout()
        rules.addRow(self.tr("Kind"), self._kind)
        rules.addRow(self.tr("Size"), self._side)
        pattern.addRow(self.tr("Digits given"), self._symmetry)
        self._levels = QButtonGroup(self)
        needs = (
            self.tr("for beginners, each digit is soon seen"),
            self.tr("with some searching in rows and columns"),
            self.tr("it helps to note which digits may stand in a cell"),
            self.tr("for the practised, digits follow from long trains of thought"),
            self.tr("for the tireless, several cases must be thought through"),
        )
        for number, (level, need) in enumerate(zip(Level, needs, strict=True)):
            name = capitalise(words.look_up(texts.LEVELS[level]))
            text = self.tr("{0}: {1}").format(name, need)
            self._levels.addButton(QRadioButton(text), number)
        self._levels.button(1).setChecked(True)
        self._bar = keep_room(QProgressBar(minimum=0, maximum=0, textVisible=False))
        self._bar.setAccessibleName(self.tr("A puzzle is being made"))
        self._message = make_label(at=Qt.AlignmentFlag.AlignTop)
        self._message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self._make = make_button(lambda: self.tr("Make it"), self.make, kind="primary")
        self._make.setDefault(True)
        cancel = make_button(lambda: self.tr("Cancel"), self.cancel)
        fill(
            QVBoxLayout(self),
            rules,
            make_label(lambda: self.tr("How hard shall it be?"), is_wrapped=False),
            fill(QVBoxLayout(), *self._levels.buttons(), spacing=8),
            pattern,
            self._bar,
            self._message,
            0,
            fill(QHBoxLayout(), 0, cancel, self._make),
            margins=(22, 20, 22, 18),
            spacing=14,
        )
        if self.sizeHint().width() > self.screen().availableSize().width():
            for button in self._levels.buttons():  # on a small screen, in large text
                button.setText(button.text().replace(": ", ":\n", 1))

    def _list_sides(self) -> None:
        before, kind = self._side.currentData(), Kind(self._kind.currentData())
        is_samurai, had_sides = kind is Kind.SAMURAI, self._side.findData(9) >= 0
        self._side.clear()
        for size in SAMURAI_GRIDS if is_samurai else sides_of(kind):
            text = self.tr("{0} grids").format(size) if is_samurai else f"{size}×{size}"
            self._side.addItem(text, size)
        usual = self._side.findData(max(SAMURAI_GRIDS) if is_samurai else 9)
        index = self._side.findData(before) if is_samurai != had_sides else usual
        self._side.setCurrentIndex(usual if index < 0 else index)
        self._show_work()

    def _show_work(self) -> None:
        is_making, wish = self._background.is_running, self.wish
        self._bar.setVisible(is_making)
        for choice in (self._make, self._kind, self._side):
            choice.setEnabled(not is_making)
        self._symmetry.setEnabled(not is_making and wish.kind is not Kind.KILLER)
        for button in self._levels.buttons():
            button.setEnabled(not is_making and wish.is_rated)
        said = ""
        if is_making:
            said = self.tr("Looking for such a puzzle. Hard ones may take a minute.")
        elif self._failed:
            said = self.tr("No such puzzle was found. Try again, or choose otherwise.")
        elif not wish.is_rated:
            said = self.tr("There is no scale of how hard such puzzles are.")
        self._message.setText(said)

    def _finish(self, puzzle: object) -> None:
        self._failed = puzzle is None
        self._show_work()
        if puzzle is not None:
            self.accept()
            self.puzzle_made.emit(puzzle)
