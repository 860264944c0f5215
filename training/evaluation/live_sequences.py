"""The sequences of the live benchmark: what a hand, a page and a lamp do in ten seconds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from training.evaluation.filming_camera import (
    CameraPath,
    CameraPose,
    Light,
    Moment,
    Page,
    bend_page,
    print_live_page,
)


@dataclass(frozen=True, eq=False)
class Scenario:
    """A sequence that can be filmed.

    Attributes:
        name: what happens in it.
        path: what lies before the camera at a time.
        exposure: share of a frame's time that the shutter is open.
        noise: of the sensor, standard deviation in grey levels.
        is_still: whether nothing moves, so that jitter can be told.
    """

    name: str
    path: CameraPath
    exposure: float = 0.4
    noise: float = 3.0
    is_still: bool = False


Make = Callable[[], Scenario]


def rendered_scenarios() -> dict[str, Make]:
    """Return what makes each sequence of rendered pages, by name."""
    printed = print_live_page
    return {
        "still": lambda: Scenario("still", partial(_still, printed(0)), is_still=True),
        "hand shake": lambda: Scenario("hand shake", partial(_hand, printed(1))),
        "tilt": lambda: Scenario("tilt", partial(_tilting, printed(2, "magazine"))),
        "zoom": lambda: Scenario("zoom", partial(_zooming, printed(3))),
        "motion blur": lambda: Scenario("motion blur", partial(_jerks, printed(4, "print")), 0.9),
        "light": lambda: Scenario("light", partial(_lamp, printed(5))),
        "leaves and returns": lambda: Scenario("leaves and returns", partial(_leaving, printed(6))),
        "page changes": lambda: Scenario(
            "page changes", partial(_changing, [printed(7), printed(8)])
        ),
        "bent page": lambda: Scenario("bent page", partial(_circling, bend_page(printed(9), 0.06))),
    }


def photo_scenarios(pages: Sequence[Page]) -> dict[str, Make]:
    """Return what makes each sequence of real photos, by name."""
    paths = (_hand, _tilting, _leaving)
    return {
        page.name: partial(Scenario, page.name, partial(path, page))
        for page, path in zip(pages, paths, strict=False)
    }


@lru_cache(maxsize=64)
def _waves(seed: int, slow_hz: float, fast_hz: float) -> Callable[[float], float]:
    """Return a smooth wandering of unit strength: a sum of sines, slower ones stronger."""
    rng, count = np.random.default_rng([5, seed]), 6
    rates = np.exp(rng.uniform(np.log(slow_hz), np.log(fast_hz), count))
    phases = rng.uniform(0, 2 * np.pi, count)
    weights = 1 / rates
    weights /= np.sqrt((weights**2).sum() / 2)
    return lambda seconds: float((weights * np.sin(2 * np.pi * rates * seconds + phases)).sum())


def _shaken(pose: CameraPose, seconds: float, strength: float, seed: int = 0) -> CameraPose:
    """Return the pose as a hand holds it: the palm drifts, the fingers tremble."""
    drift = [_waves(seed + n, 0.15, 1.2)(seconds) * strength for n in range(6)]
    tremble = [_waves(100 + seed + n, 4.0, 10.0)(seconds) * strength for n in range(2)]
    return replace(
        pose,
        x=pose.x + 18 * drift[0] + 2.5 * tremble[0],
        y=pose.y + 12 * drift[1] + 2.5 * tremble[1],
        side=pose.side * (1 + 0.02 * drift[2]),
        tilt=pose.tilt + 1.5 * drift[3],
        pan=pose.pan + 1.5 * drift[4],
        turn=pose.turn + 1.2 * drift[5],
    )


def _still(page: Page, _: float) -> Moment:
    pose = CameraPose(x=12.3, y=-5.7, side=482.0, tilt=14.0, pan=-9.0, turn=3.0)
    return Moment(page, pose)


def _hand(page: Page, seconds: float) -> Moment:
    base = CameraPose(side=460.0, tilt=12.0, pan=6.0, turn=-4.0)
    return Moment(page, _shaken(base, seconds, 1.0))


def _tilting(page: Page, seconds: float) -> Moment:
    swing = 2 * np.pi * seconds / 5
    base = CameraPose(
        side=440.0,
        tilt=34 * np.sin(swing),
        pan=30 * np.sin(1.3 * swing + 1),
        turn=15 * np.sin(0.7 * swing),
    )
    return Moment(page, _shaken(base, seconds, 0.6, seed=20))


def _zooming(page: Page, seconds: float) -> Moment:
    side = 430.0 * np.exp(0.42 * np.sin(2 * np.pi * seconds / 4))
    return Moment(page, _shaken(CameraPose(side=side, tilt=8.0), seconds, 0.5, seed=30))


def _jerks(page: Page, seconds: float) -> Moment:
    """Move in jerks: half a second still, then quickly to another place."""
    rng = np.random.default_rng(3)
    stops = rng.uniform((-260, -70), (260, 70), (40, 2))
    leg = int(max(seconds, 0) / 0.8)
    within = max(seconds, 0) / 0.8 - leg
    share = np.clip((within - 0.5) / 0.5, 0, 1)
    share = share * share * (3 - 2 * share)
    x, y = stops[leg] * (1 - share) + stops[leg + 1] * share
    base = CameraPose(x=float(x), y=float(y), side=440.0, tilt=10.0, turn=5.0)
    return Moment(page, _shaken(base, seconds, 0.4, seed=40))


def _lamp(page: Page, seconds: float) -> Moment:
    """Let the camera's exposure hunt, a lamp be switched off and on, and a shadow pass."""
    gain = 0.85 + 0.25 * np.sin(2 * np.pi * seconds / 3)
    if 4.0 <= seconds < 6.0:
        gain *= 0.55
    edge = (seconds - 6.0) / 3.0
    light = Light(float(gain), 0.45 if 0 <= edge <= 1.2 else 0.0, float(edge))
    base = CameraPose(side=455.0, tilt=10.0, pan=-8.0)
    return Moment(page, _shaken(base, seconds, 0.7, seed=50), light)


def _leaving(page: Page, seconds: float) -> Moment:
    """Turn the camera away and back, twice: to the side, then upwards."""
    side = _bump(seconds, 2.5, 4.5)
    up = _bump(seconds, 6.0, 8.0)
    base = CameraPose(x=1100 * side, y=-760 * up, side=450.0, tilt=10.0, turn=-3.0)
    return Moment(page, _shaken(base, seconds, 0.6, seed=60))


def _bump(seconds: float, start: float, end: float) -> float:
    """Return 0 outside of the time and 1 in its middle half, smooth between."""
    ramp = (end - start) / 4
    share = float(np.clip(min(seconds - start, end - seconds) / ramp, 0, 1))
    return share * share * (3 - 2 * share)


def _changing(pages: Sequence[Page], seconds: float) -> Moment:
    """Lay another page in the same place, then the first again; then pull one away sideways."""
    base = CameraPose(side=450.0, tilt=9.0, turn=2.0)
    pose = _shaken(base, seconds, 0.6, seed=70)
    if seconds < 2.5:
        return Moment(pages[0], pose)
    if seconds < 5.0:
        return Moment(pages[1], pose)
    if seconds < 7.5:
        return Moment(pages[0], pose)
    away = float(np.clip((seconds - 7.5) / 0.4, 0, 1))
    if away < 1:
        return Moment(pages[0], replace(pose, x=pose.x + 1150 * away * away))
    back = float(np.clip((seconds - 7.9) / 0.4, 0, 1))
    return Moment(pages[1], replace(pose, x=pose.x - 1150 * (1 - back) ** 2))


def _circling(page: Page, seconds: float) -> Moment:
    swing = 2 * np.pi * seconds / 6
    base = CameraPose(side=450.0, tilt=16 * np.sin(swing), pan=16 * np.cos(swing))
    return Moment(page, _shaken(base, seconds, 0.6, seed=80))
