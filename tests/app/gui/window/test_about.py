"""The window that tells what the program is made of, and the pages that it opens."""

import re
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.gui.start import ICONS
from app.gui.window.about import LICENCE, NETWORKS, show_about


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def text_of(dialog: QDialog) -> QLabel:
    label = dialog.findChild(QLabel, "about_text")
    assert isinstance(label, QLabel)
    return label


def test_every_network_that_ships_leads_to_its_page(project: Path, parent: QWidget) -> None:
    shipped = {path.stem for path in (project / "models" / "weights").glob("*.tflite")}

    text = text_of(show_about(parent)).text()

    assert NETWORKS.keys() == shipped
    assert len(re.findall(r"\d kB", text)) == len(shipped)
    for page in (LICENCE, *NETWORKS.values()):
        assert f'href="{(project / page).as_uri()}"' in text
        assert (project / page).is_file()


@pytest.mark.parametrize("factor", [1, 2])
def test_no_line_of_the_details_is_cut_off(
    parent: QWidget, qapp: QApplication, factor: int
) -> None:
    usual, large = qapp.font(), qapp.font()
    large.setPointSizeF(factor * large.pointSizeF())
    qapp.setFont(large)
    dialog = show_about(parent)
    (more,) = (one for one in dialog.findChildren(QPushButton) if one.isCheckable())

    more.click()
    QTest.qWait(50)

    details = text_of(dialog)
    assert details.height() >= details.heightForWidth(details.width())
    assert dialog.height() <= dialog.screen().availableSize().height()
    qapp.setFont(usual)


def test_the_icon_is_there_in_every_size_of_its_drawing(qapp: object) -> None:
    from PySide6.QtGui import QImage

    sides = sorted(QImage(str(path)).width() for path in ICONS.glob("sudoku-lens-*.png"))

    assert sides == [16, 24, 32, 48, 64, 128, 256]
    assert (ICONS / "sudoku-lens.svg").is_file()
