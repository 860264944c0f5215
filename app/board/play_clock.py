"""How long a person has been at a puzzle; what time it is, the caller says."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class PlayClock:
    """A clock that runs, stands, or is paused.

    Attributes:
        seconds: what it had counted when it was last started or stopped.
        since: when it was started, in seconds of any clock that only goes forward; None while it
            stands.
        has_begun: whether a stroke was made, before which nothing is counted.
        is_paused: whether a person stopped it, so that it stands until the person goes on.
    """

    seconds: float = 0.0
    since: float | None = None
    has_begun: bool = False
    is_paused: bool = False

    def elapsed(self, now: float) -> float:
        """Return the seconds that were played."""
        return self.seconds if self.since is None else self.seconds + max(now - self.since, 0.0)


def begin_clock(clock: PlayClock) -> PlayClock:
    """Let the time count from the first stroke on."""
    return clock if clock.has_begun else replace(clock, has_begun=True)


def pause_clock(clock: PlayClock, now: float, *, is_paused: bool) -> PlayClock:
    """Pause, or go on; whether it runs then, `run_clock` decides."""
    return replace(stop_clock(clock, now), is_paused=is_paused)


def run_clock(clock: PlayClock, now: float, *, is_played: bool) -> PlayClock:
    """Let the clock run, if it may, while its board is being played, and stand else."""
    if not (is_played and clock.has_begun and not clock.is_paused):
        return stop_clock(clock, now)
    return clock if clock.since is not None else replace(clock, since=now)


def stop_clock(clock: PlayClock, now: float) -> PlayClock:
    """Let the clock stand."""
    return clock if clock.since is None else replace(clock, seconds=clock.elapsed(now), since=None)


def say_seconds(seconds: float) -> str:
    """Return a time as people write it: 4:05, or 1:02:09."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
