"""The list of photos keeps the one that is looked at, whatever Qt would choose."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.photo.film_strip import FilmStrip, ListedPhoto, Standing


class Key:
    """Stands for a document."""


def click(strip: FilmStrip, row: int) -> None:
    place = strip.visualRect(strip.model().index(row, 0)).center()
    QTest.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_photo_that_leaves_the_list_is_shown_until_another_is_clicked(qtbot: QtBot) -> None:
    strip, first, second = FilmStrip(), Key(), Key()
    qtbot.addWidget(strip)
    strip.resize(strip.width(), 600)
    strip.show()
    for key, name in ((first, "a"), (second, "b")):
        strip.put(key, ListedPhoto(name, standing=Standing.WORKING))
    strip.show_chosen(first)
    strip.show_only(Standing.WORKING)
    chosen: list[object] = []
    strip.chosen.connect(chosen.append)

    strip.put(first, ListedPhoto("a", standing=Standing.SOLVED))  # it is not shown any more

    assert strip.shown == [second]
    assert chosen == []
    click(strip, 0)
    assert chosen == [second]
