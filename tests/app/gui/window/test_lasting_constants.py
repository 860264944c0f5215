"""However often Qt is called, Python lives on."""

import sys

import pytest
from command_rig import run_python

CALLS = """
import app.gui
from app.gui import keep_constants
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

again = keep_constants()
colour, thing = QColor(1, 2, 3), QObject()
for _ in range(100_000):
    colour.setAlpha(4)
    thing.setProperty("name", 1)
print(again)
"""


def test_a_hundred_thousand_calls_do_not_end_the_process() -> None:
    done = run_python("-c", CALLS)

    assert done.returncode == 0, done.stderr
    assert done.stdout == "False\n"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="constants cannot die in later Pythons")
@pytest.mark.parametrize("constant", [None, True, False])
def test_constants_have_references_to_spare_once_the_window_is_imported(constant: object) -> None:
    import app.gui  # noqa: F401

    assert sys.getrefcount(constant) > 1 << 40
