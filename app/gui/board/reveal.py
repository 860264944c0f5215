"""The short wave in which a solution appears, the same on the photo and on the clean board."""

from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QObject, QVariantAnimation

from app.board.board_face import BoardFace

_WAVE_MS = 520
_SPREAD = 0.55
"""Share of the time by which the last cell begins after the first."""


class Reveal(QVariantAnimation):
    """Tells how far each cell's digit has appeared, 0..1, and signals `valueChanged` meanwhile."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(_WAVE_MS)
        self._fresh: frozenset[int] = frozenset()
        self._side = 9

    def begin(self, old: BoardFace | None, new: BoardFace | None, *, is_still: bool) -> None:
        """Let the digits appear that `new` shows and `old` does not, at once if `is_still`."""
        self.stop()
        wanted = [] if new is None else [face.solution for face in new.cells]
        shown = [] if old is None else [face.solution for face in old.cells]
        if len(shown) != len(wanted):
            shown = [0] * len(wanted)
        self._side = 9 if new is None else new.side
        self._fresh = frozenset(
            cell for cell, digit in enumerate(wanted) if digit and digit != shown[cell]
        )
        if is_still or not self._fresh:
            self._fresh = frozenset()
            return
        self.start()

    def share(self, cell: int) -> float:
        """Return how far the digit of a cell has appeared."""
        if cell not in self._fresh or self.state() == QAbstractAnimation.State.Stopped:
            return 1.0
        row, column = divmod(cell, self._side)
        delay = _SPREAD * (row + column) / (2 * self._side - 2)
        time = (float(self.currentValue() or 0.0) - delay) / (1 - _SPREAD)
        return QEasingCurve(QEasingCurve.Type.OutCubic).valueForProgress(min(max(time, 0.0), 1.0))
