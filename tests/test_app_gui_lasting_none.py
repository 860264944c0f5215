"""However often Qt is called, Python lives on."""

import subprocess
import sys

import pytest

CALLS = """
import sys
import app.gui
from app.gui.lasting_none import keep_none
from PySide6.QtGui import QColor

again = keep_none()
colour = QColor(1, 2, 3)
for _ in range(100_000):
    colour.setAlpha(4)
print(again, sys.getrefcount(None) > 1 << 40)
"""


def test_a_hundred_thousand_calls_that_return_nothing_do_not_end_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CALLS], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("False ")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None cannot die in later Pythons")
def test_none_has_references_to_spare_once_the_window_is_imported() -> None:
    import app.gui  # noqa: F401

    assert sys.getrefcount(None) > 1 << 40
