"""The list of photos, with what tells how many there are and chooses which of them are shown."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.gui.photo.film_strip import FilmStrip, ListOrder, Standing
from app.gui.style.widgets import ListBox


class PhotoList(QWidget):
    """Stands beside the photo as soon as there are several.

    Attributes:
        strip: the photos themselves.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.strip = FilmStrip()
        self._count = QLabel()
        self._count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._outcome, self._order = ListBox(), ListBox()
        for standing in (None, Standing.SOLVED, Standing.DOUBTFUL, Standing.UNSOLVED):
            self._outcome.addItem("", standing)
        for order in ListOrder:
            self._order.addItem("", order)
        for box in (self._outcome, self._order):
            box.setSizeAdjustPolicy(ListBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(4)
        self._outcome.activated.connect(self._choose_outcome)
        self._order.activated.connect(self._choose_order)
        self.strip.counted.connect(self._tell_count)
        head = QVBoxLayout()
        head.setContentsMargins(8, 8, 8, 2)
        head.setSpacing(5)
        for part in (self._count, self._outcome, self._order):
            head.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.strip, 1)
        self.setFixedWidth(self.strip.minimumWidth())
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        outcomes = (
            self.tr("All"), self.tr("Solved"), self.tr("In doubt"), self.tr("Not solved")
        )  # fmt: skip
        orders = (
            self.tr("As opened"), self.tr("By name"), self.tr("By date"), self.tr("By outcome")
        )  # fmt: skip
        for box, names in ((self._outcome, outcomes), (self._order, orders)):
            for number, name in enumerate(names):
                box.setItemText(number, name)
        self._outcome.setAccessibleName(self.tr("Show photos by outcome"))
        self._outcome.setToolTip(self.tr("Which photos are listed"))
        self._order.setAccessibleName(self.tr("Sort the photos"))
        self._order.setToolTip(self.tr("How the photos are sorted"))
        self._tell_count()

    def _choose_outcome(self) -> None:
        wanted = self._outcome.currentData()
        self.strip.show_only(None if wanted is None else Standing(wanted))

    def _choose_order(self) -> None:
        self.strip.sort_by(ListOrder(self._order.currentData()))

    def _tell_count(self) -> None:
        """Say how many are shown, or how many are done while all of them are shown."""
        standings = self.strip.standings
        count, wanted = len(standings), self._outcome.currentData()
        done = count - standings.count(Standing.WORKING)
        if wanted is not None:
            text, said = self.tr("{0} of {1}"), self.tr("{0} of {1} photos are shown")
            part = standings.count(Standing(wanted))
        elif done < count:
            text, said = self.tr("{0} of {1}"), self.tr("{0} of {1} photos are done")
            part = done
        else:
            text, said = self.tr("{1} photos"), self.tr("All {1} photos are shown")
            part = count
        self._count.setText(text.format(part, count))
        self._count.setToolTip(said.format(part, count))
        self._count.setAccessibleName(said.format(part, count))
