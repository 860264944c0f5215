"""Saving under a name that a person chooses: the dialog, its answer, and what came of it."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.puzzles.exports import SaveFault

translate = QCoreApplication.translate

Save = Callable[[Path], SaveFault | None]
"""Writes a file; returns what kept it from that."""


class Saving(QObject):
    """Asks for names and saves, in dialogs that block nothing.

    Signals:
        said: that a file was saved.
        failed: why one was not, and what to do.
    """

    said = Signal(str)
    failed = Signal(str)

    def __init__(self, window: QWidget | None, *, uses_native_dialogs: bool) -> None:
        """Make it for a window; its dialogs begin among the user's documents."""
        super().__init__(window)
        self._window, self._uses_native = window, uses_native_dialogs
        self._folder = _first_folder()

    def ask(self, title: str, name: str, filters: Sequence[str], save: Save) -> None:
        """Open a dialog, and save when a name was chosen.

        Args:
            title: of the dialog.
            name: what is suggested.
            filters: the kinds of files, such as `PNG (*.png)`, the usual one first.
            save: writes the file.
        """
        dialog = QFileDialog(self._window, title, str(self._folder))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog, not self._uses_native)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(filters)
        if not self._uses_native:
            # It asks before it replaces a file, by the name with its ending. Of the dialogs of
            # systems some have asked by then, by the name without.
            dialog.setDefaultSuffix(_ending_of(filters[0]).removeprefix("."))
            dialog.filterSelected.connect(
                lambda chosen: dialog.setDefaultSuffix(_ending_of(chosen).removeprefix("."))
            )
        dialog.selectFile(name)
        dialog.fileSelected.connect(
            lambda chosen: self._take(Path(chosen), _ending_of(dialog.selectedNameFilter()), save)
        )
        dialog.open()

    def _take(self, path: Path, ending: str, save: Save) -> None:
        """Save under a name that was chosen, with an ending if it has none."""
        if path.suffix:
            self._save(path, save)
            return
        whole = path.with_name(path.name + ending)
        if not whole.exists():
            self._save(whole, save)
            return
        yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No
        text = translate("ShareMenu", "{0} is there already. Replace it?").format(whole.name)
        box = QMessageBox(QMessageBox.Icon.Question, "", text, yes | no, self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setDefaultButton(no)
        box.finished.connect(lambda answer: self._save(whole, save) if answer == yes else None)
        box.open()

    def _save(self, path: Path, save: Save) -> None:
        fault = save(path)
        if fault is None:
            self._folder = path.parent
            self.said.emit(translate("ShareMenu", "Saved as {0}.").format(path.name))
        else:
            self.failed.emit(
                translate("ShareMenu", "{0} was not saved: {1}. Choose another place.").format(
                    path.name, fault.reason
                )
            )


def _ending_of(name_filter: str) -> str:
    """Return the first ending that a filter of a dialog names, such as `.jpg`."""
    return "." + name_filter.partition("*.")[2].rstrip(")").split()[0]


def _first_folder() -> Path:
    location = QStandardPaths.StandardLocation.DocumentsLocation
    return Path(QStandardPaths.writableLocation(location) or ".")
