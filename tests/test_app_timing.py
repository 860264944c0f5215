"""The clock of the line's stages."""

import itertools
import time

import pytest

from app.timing import STAGES, StageClock


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a second pass whenever somebody looks at the clock."""
    seconds = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(seconds)))


@pytest.mark.usefixtures("ticks")
def test_an_inner_stage_does_not_count_for_the_outer() -> None:
    clock = StageClock()

    with clock.stage("find"):
        with clock.stage("read"):
            pass
        with clock.stage("read"), clock.stage("decode"):
            pass

    # Eight looks at the clock, and a second from each to the next.
    expected = dict.fromkeys(STAGES, 0.0) | {"find": 3.0, "read": 3.0, "decode": 1.0}
    assert clock.seconds() == expected


@pytest.mark.usefixtures("ticks")
def test_time_between_stages_counts_for_none_and_a_failure_ends_its_stage() -> None:
    clock = StageClock()

    with pytest.raises(RuntimeError), clock.stage("find"):
        raise RuntimeError
    time.perf_counter()
    with clock.stage("solve"):
        pass

    assert clock.seconds()["find"] == clock.seconds()["solve"] == 1.0
    assert sum(clock.seconds().values()) == 2.0
