"""The command that ends the others at random moments."""

import sys

import pytest

from benchmarks.kills import main

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc"),
    pytest.mark.slow,  # the commands run for real, each several times
]


@pytest.mark.parametrize("name", ["compare", "live"])
def test_nothing_is_left_of_a_command_that_is_killed_or_terminated(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["--kills", "2", "--commands", name])

    rows = capsys.readouterr().out.splitlines()[2:]
    assert code == 0
    assert rows == [f"| {name} | {kind} | 2 | 0 | 0 | 0 | 0 | 2 |" for kind in ("KILL", "TERM")]
