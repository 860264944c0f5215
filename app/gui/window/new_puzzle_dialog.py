"""The dialog that makes a new puzzle as wanted, and can be called off while it does."""

import secrets

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.session.background import Background, MayGoOn
from app.gui.theme import theme_of
from app.gui.translation import window_words
from app.gui.widgets import ListBox, choice_style, fill, follows_changes
from app.help import help_words as texts
from app.puzzles.new_puzzle import PuzzleWish, make_puzzle, sides_of
from solver.generation.generate import Symmetry
from solver.human.rating import Level
from solver.rules import SAMURAI_GRIDS, Kind


@follows_changes
class NewPuzzleDialog(QDialog):
    """Asks for a puzzle's kind, size and difficulty, and makes it in the background.

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
        self._retranslate()
        self.setStyleSheet(choice_style(theme_of(self)))
        self._show_work()

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

    def choose_kind(self, kind: Kind, side: int = 9) -> None:
        """Choose of what kind and how large it shall be; of a samurai, the number of its grids."""
        self._kind.setCurrentIndex(self._kind.findData(kind.value))
        self._side.setCurrentIndex(self._side.findData(side))

    def choose_level(self, level: Level) -> None:
        """Choose how hard it shall be."""
        self._levels.button(list(Level).index(level)).setChecked(True)

    def make(self) -> None:
        """Begin to make the puzzle."""
        wish, seed = self.wish, secrets.randbits(32) if self._seed is None else self._seed

        def work(may_go_on: MayGoOn) -> object:
            return make_puzzle(wish, seed, may_go_on)

        self._failed = False
        self._background.start(work)
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
        self._title = QLabel()
        self._levels = QButtonGroup(self)
        choices = QVBoxLayout()
        choices.setSpacing(8)
        for number, _ in enumerate(Level):
            button = QRadioButton()
            self._levels.addButton(button, number)
            choices.addWidget(button)
        self._levels.button(1).setChecked(True)
        self._kind, self._side = ListBox(), ListBox()
        for kind in Kind:
            self._kind.addItem("", kind.value)
        self._kind_label, self._side_label = QLabel(), QLabel()
        self._kind_label.setBuddy(self._kind)
        self._side_label.setBuddy(self._side)
        self._kind.currentIndexChanged.connect(self._list_sides)
        self._side.currentIndexChanged.connect(self._show_work)
        rules = QFormLayout()
        rules.addRow(self._kind_label, self._kind)
        rules.addRow(self._side_label, self._side)
        self._symmetry = ListBox()
        for symmetry in Symmetry:
            self._symmetry.addItem("", symmetry)
        self._symmetry_label = QLabel()
        self._symmetry_label.setBuddy(self._symmetry)
        pattern = QFormLayout()
        pattern.addRow(self._symmetry_label, self._symmetry)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._message = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self._message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self._make, self._cancel = QPushButton(), QPushButton()
        self._make.setDefault(True)
        self._make.setProperty("kind", "primary")
        self._make.clicked.connect(self.make)
        self._cancel.clicked.connect(self.cancel)
        buttons = fill(QHBoxLayout(), 0, self._cancel, self._make)
        fill(
            QVBoxLayout(self),
            rules,
            self._title,
            choices,
            pattern,
            self._bar,
            self._message,
            0,
            buttons,
            margins=(22, 20, 22, 18),
            spacing=14,
        )
        self.setMinimumWidth(360)
        self._list_sides()

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

    def _retranslate(self) -> None:
        words = window_words()
        self.setWindowTitle(self.tr("New puzzle"))
        self._kind_label.setText(self.tr("Kind"))
        self._side_label.setText(self.tr("Size"))
        for number in range(self._kind.count()):
            name = words.look_up(texts.KINDS[Kind(self._kind.itemData(number))])
            self._kind.setItemText(number, name)
        self._list_sides()
        self._title.setText(self.tr("How hard shall it be?"))
        needs = (
            self.tr("for beginners, each digit is soon seen"),
            self.tr("with some searching in rows and columns"),
            self.tr("it helps to note which digits may stand in a cell"),
            self.tr("for the practised, digits follow from long trains of thought"),
            self.tr("for the tireless, several cases must be thought through"),
        )
        for number, (level, need) in enumerate(zip(Level, needs, strict=True)):
            name = words.look_up(texts.LEVELS[level])
            text = self.tr("{0}: {1}").format(name[:1].upper() + name[1:], need)
            self._levels.button(number).setText(text)
        self._symmetry_label.setText(self.tr("Digits given"))
        names = {
            Symmetry.NONE: self.tr("anywhere"),
            Symmetry.POINT: self.tr("look the same upside down"),
            Symmetry.QUARTER_TURN: self.tr("look the same on every side"),
            Symmetry.HORIZONTAL: self.tr("left and right are mirror images"),
            Symmetry.VERTICAL: self.tr("top and bottom are mirror images"),
            Symmetry.DIAGONAL: self.tr("mirrored at the diagonal"),
        }
        for number in range(self._symmetry.count()):
            self._symmetry.setItemText(number, names[self._symmetry.itemData(number)])
        self._bar.setAccessibleName(self.tr("A puzzle is being made"))
        self._make.setText(self.tr("Make it"))
        self._cancel.setText(self.tr("Cancel"))

    def _restyle(self) -> None:
        self.setStyleSheet(choice_style(theme_of(self)))

    def _show_work(self) -> None:
        is_making = self._background.is_running
        policy = self._bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(policy)
        self._bar.setVisible(is_making)
        wish = self.wish
        for choice in (self._make, self._kind, self._side):
            choice.setEnabled(not is_making)
        self._symmetry.setEnabled(not is_making and wish.kind is not Kind.KILLER)
        for button in self._levels.buttons():
            button.setEnabled(not is_making and wish.is_rated)
        if is_making:
            self._message.setText(
                self.tr("Looking for such a puzzle. Hard ones may take a minute.")
            )
        elif self._failed:
            self._message.setText(
                self.tr("No such puzzle was found. Try again, or choose otherwise.")
            )
        elif not wish.is_rated:
            self._message.setText(self.tr("There is no scale of how hard such puzzles are."))
        else:
            self._message.setText("")

    def _finish(self, puzzle: object) -> None:
        self._failed = puzzle is None
        self._show_work()
        if puzzle is not None:
            self.accept()
            self.puzzle_made.emit(puzzle)
