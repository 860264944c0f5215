"""A window that is killed while a puzzle is played in it loses its last stroke at most."""

import sys

import pytest

from benchmarks.window import kill_once

# Each window is a process that loads the networks, which takes seconds.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
]


@pytest.mark.parametrize(("seconds", "least"), [(0.0, 0), (0.3, 2), (0.7, 2)])
def test_a_killed_window_loses_one_stroke_at_most(seconds: float, least: int) -> None:
    killed = kill_once(seconds)

    assert killed.lost <= 1
    assert killed.painted >= least
