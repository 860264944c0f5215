"""Where sharing hangs in the window: its menu is made once there is something to be handed on."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QToolButton, QWidget

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from app.gui.session.document import Document
    from app.gui.sharing.menu import Shared, ShareMenu
    from app.gui.window.actions import Actions
    from app.gui.window.menus import Menus


class ShareEntry(QObject):
    """Puts the menu into the menu bar and behind the button, and tells it what is looked at.

    Signals:
        said: what was done, or why something was not.

    Attributes:
        menu: hands on what is looked at; None until the networks are loaded.
    """

    said = Signal(str)

    def __init__(self, window: QWidget, settings: QSettings, button: QToolButton) -> None:
        """Make it for a window, whose button opens the menu."""
        super().__init__(window)
        self._window, self._settings, self._button = window, settings, button
        self.menu: ShareMenu | None = None

    def begin(self, actions: "Actions", menus: "Menus") -> None:
        """Make the menu, and let the actions for sharing work."""
        from app.gui.sharing.menu import ShareMenu

        is_native = bool(self._settings.value("window/native_dialogs", True, bool))
        self.menu = menu = ShareMenu(self._window, uses_native_dialogs=is_native)
        menu.said.connect(self.said)
        menu.failed.connect(self.said)
        actions.copy_image.triggered.connect(menu.copy_picture)
        actions.copy_digits.triggered.connect(menu.copy_puzzle)
        actions.save_image.triggered.connect(menu.save_solved_picture)
        menus.put_share(menu)
        self._button.setMenu(menu)
        self._button.setEnabled(True)

    def show_document(self, document: "Document | None") -> None:
        """Hand on the board of this document that is looked at, or nothing."""
        if self.menu is not None:
            self.menu.set_shared(_what_is_shared(document))


def _what_is_shared(document: "Document | None") -> "Shared":
    from app.gui.sharing.menu import Shared

    held = None if document is None else document.board
    if document is None or held is None or held.pending is not None or not held.has_puzzle:
        return Shared()
    image = document.image

    def draw() -> "npt.NDArray[np.uint8] | None":
        from app.recognition.outcome import Outcome
        from app.recognition.results import PhotoResult
        from app.report.report_pictures import draw_solutions

        if image is None:
            return None
        # All boards as they are now, corrected or not; only what is verified is drawn.
        boards = tuple(one.board for one in document.state.boards if one.solution is not None)
        return draw_solutions(image, PhotoResult(Outcome.SOLVED, boards, (), {}))

    return Shared(
        clues=held.board.clues,
        solution=held.solution,
        source=document.name,
        make_picture=None if image is None else draw,
        rules=held.rules,
        symbols=held.symbols,
    )
