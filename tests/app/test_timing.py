"""The clock of the line's stages."""

from itertools import count

import pytest

from app.recognition.timing import STAGES, StageClock


def ticking(told: "list[str] | None" = None) -> StageClock:
    """Return a clock for which a second passes whenever it looks at the time."""
    seconds = count()
    return StageClock(None if told is None else told.append, lambda: float(next(seconds)))


def test_an_inner_stage_does_not_count_for_the_outer() -> None:
    clock = ticking()

    with clock.stage("find"):
        with clock.stage("read"):
            pass
        with clock.stage("read"), clock.stage("decode"):
            pass

    # Eight looks at the clock, and a second from each to the next.
    expected = dict.fromkeys(STAGES, 0.0) | {"find": 3.0, "read": 3.0, "decode": 1.0}
    assert clock.seconds() == expected


def test_time_between_stages_counts_for_none_and_a_failure_ends_its_stage() -> None:
    clock = ticking()

    with pytest.raises(RuntimeError), clock.stage("find"):
        raise RuntimeError
    with clock.stage("solve"):
        pass

    assert clock.seconds() == dict.fromkeys(STAGES, 0.0) | {"find": 1.0, "solve": 1.0}


def test_who_watches_is_told_when_the_outer_stage_goes_on() -> None:
    told: list[str] = []
    clock = ticking(told)

    with clock.stage("find"), clock.stage("read"):
        pass

    assert told == ["find", "read", "find"]


def test_a_cancelled_stage_goes_on_with_nothing() -> None:
    def cancel(name: str) -> None:
        if name == "read":
            raise KeyboardInterrupt
        told.append(name)

    told: list[str] = []
    clock = StageClock(cancel)

    with pytest.raises(KeyboardInterrupt), clock.stage("find"), clock.stage("read"):
        pass

    assert told == ["find"]
