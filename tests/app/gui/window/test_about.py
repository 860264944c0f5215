"""The window that tells what the program is made of, and the pages that it opens."""

import io
import zipfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.gui.start import ICONS
from app.gui.window.about import LICENCE, NETWORKS, NetworkFact, show_about


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def text_of(dialog: QDialog) -> QLabel:
    label = dialog.findChild(QLabel, "about_text")
    assert isinstance(label, QLabel)
    return label


@pytest.mark.parametrize("network", NETWORKS, ids=[network.stem for network in NETWORKS])
def test_the_weights_that_are_told_are_those_that_ship(project: Path, network: NetworkFact) -> None:
    h5py = pytest.importorskip("h5py", exc_type=ImportError)
    archive = zipfile.ZipFile(project / "models" / "weights" / f"{network.stem}.keras")
    sizes: dict[str, int] = {}

    def note(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset):
            sizes[name] = item.size

    with h5py.File(io.BytesIO(archive.read("model.weights.h5"))) as weights:
        weights.visititems(note)

    # What training leaves beside them, an optimizer's state, is no part of the network.
    held = sum(size for name, size in sizes.items() if name.startswith("layers/"))
    assert network.weights == held


def test_every_network_and_the_licence_lead_to_their_page(project: Path, parent: QWidget) -> None:
    text = text_of(show_about(parent)).text()

    for page in (LICENCE, *(network.page for network in NETWORKS)):
        assert f'href="{(project / page).as_uri()}"' in text
        assert (project / page).is_file()


def test_the_icon_is_there_in_every_size_of_its_drawing(qapp: object) -> None:
    from PySide6.QtGui import QImage

    sides = sorted(QImage(str(path)).width() for path in ICONS.glob("sudoku-lens-*.png"))

    assert sides == [16, 24, 32, 48, 64, 128, 256]
    assert (ICONS / "sudoku-lens.svg").is_file()
