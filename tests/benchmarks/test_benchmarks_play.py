"""A window that is killed while a puzzle is played in it loses its last stroke at most."""

import sys

import pytest

from benchmarks.play import kill_once

# Each window is a process that loads the networks, which takes seconds.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
]


@pytest.mark.parametrize("seconds", [0.0, 0.2, 0.7])
def test_a_killed_window_loses_one_stroke_at_most(seconds: float) -> None:
    assert kill_once(seconds).lost <= 1


def test_what_was_painted_before_the_kill_is_counted() -> None:
    killed = kill_once(0.3)

    assert killed.painted > 1
