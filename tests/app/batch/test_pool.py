"""The local pool: whoever dies or hangs costs one photo, and the rest goes on."""

import json
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from planted_work import children_of, die_at_once, load_planted, refuse

from app.batch.photo_work import Job, JobResult, LoadWork, Work, work_here
from app.terminal.exit_codes import MissingError, Stop
from app.workers.worker_pool import PoolOptions, start_patience

Plant = Callable[..., list[Job]]


def run(
    jobs: list[Job], options: PoolOptions | None = None, stop: Callable[[], bool] = lambda: False
) -> dict[int, JobResult]:
    done = work_here(load_planted, options or PoolOptions(), iter(jobs), stop)
    return {one.job.number: one for one in done}


def error_of(done: JobResult) -> str:
    return str(json.loads(done.record)["error"])


def test_every_photo_is_done_once(plant_jobs: Plant) -> None:
    jobs = plant_jobs(*["solved", "empty"] * 4)

    done = list(work_here(load_planted, PoolOptions(workers=2), iter(jobs), lambda: False))

    assert sorted(one.job.number for one in done) == list(range(1, 9))
    assert {one.outcome for one in done} == {"solved", "no_board"}


def test_photos_that_crash_are_named_and_the_rest_goes_on(plant_jobs: Plant) -> None:
    done = run(
        plant_jobs("crash", "solved", "crash-late", "fault", "solved"), PoolOptions(workers=2)
    )

    assert {number: one.outcome for number, one in done.items()} == {
        1: "bad_image",
        2: "solved",
        3: "gave_up",
        4: "gave_up",
        5: "solved",
    }
    assert error_of(done[1]) == "decoding it ended the process, 3 times (signal SIGSEGV)"
    assert "working on it" in error_of(done[3])
    assert "ZeroDivisionError: planted" in error_of(done[4])


def test_a_photo_that_hangs_is_given_up(plant_jobs: Plant) -> None:
    done = run(plant_jobs("hang", "solved"), PoolOptions(workers=1, timeout=3.0))

    assert (done[1].outcome, done[1].timed_out) == ("gave_up", True)
    assert error_of(done[1]) == "it was not done after 3 seconds"
    assert done[2].outcome == "solved"


@pytest.mark.parametrize(
    ("load", "told"),
    [
        (refuse, "the network is not there"),
        (die_at_once, r"no worker can be started \(exit code 3\)"),
    ],
)
def test_what_cannot_be_loaded_ends_the_run(plant_jobs: Plant, load: LoadWork, told: str) -> None:
    with pytest.raises(MissingError, match=told):
        list(work_here(load, PoolOptions(), iter(plant_jobs("solved")), lambda: False))


def refuse_after(end: str) -> Work:
    """Load planted work, until a file is there: then say so in a file beside it, and refuse."""
    if Path(end).exists():
        Path(end).with_name(f"refused-{os.getpid()}").touch()
        refuse()
    return load_planted()


def have_refused(folder: Path, workers: int) -> bool:
    """Tell whether so many processes have refused, and are gone."""
    refused = {int(path.name.partition("-")[2]) for path in folder.glob("refused-*")}
    return len(refused) == workers and refused.isdisjoint(children_of(os.getpid()))


def test_what_was_done_before_the_last_worker_died_stays(plant_jobs: Plant, tmp_path: Path) -> None:
    end = tmp_path / "end"
    engine = partial(work_here, partial(refuse_after, str(end)), PoolOptions(workers=2))
    jobs = plant_jobs("solved", "solved", "crash", "crash", "solved")

    outcomes = engine(iter(jobs), lambda: False)
    kept = [next(outcomes).job.number]
    end.touch()
    while not have_refused(tmp_path, 2):
        time.sleep(0.01)
    with pytest.raises(MissingError, match="the network is not there"):
        kept.extend(one.job.number for one in outcomes)

    assert sorted(kept) == [1, 2]


def load_once(end: str) -> Work:
    """Load planted work, the first time only."""
    work = refuse_after(end)
    Path(end).touch()
    return work


def test_a_photo_without_a_worker_left_ends_the_run(plant_jobs: Plant, tmp_path: Path) -> None:
    first, second = plant_jobs("solved", "solved")

    def supply() -> Iterator[Job | None]:
        yield first
        while not have_refused(tmp_path, 1):
            yield None
        yield second

    costly = PoolOptions(max_resident_bytes=1)  # each photo costs its process
    engine = partial(work_here, partial(load_once, str(tmp_path / "end")), costly)
    outcomes = engine(supply(), lambda: False)

    assert next(outcomes).job == first
    with pytest.raises(MissingError, match="the network is not there"):
        next(outcomes)


def test_a_machine_that_has_no_room_for_a_process_ends_the_run(
    plant_jobs: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin(*_: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("app.workers.worker_pool.ChildProcess", begin)

    with pytest.raises(MissingError, match=r"no worker can be started \(.*unavailable\)"):
        run(plant_jobs("solved", "solved"), PoolOptions(workers=2))


def test_nothing_is_begun_once_the_run_stops(plant_jobs: Plant) -> None:
    stop, done = Stop(), []

    for one in work_here(load_planted, PoolOptions(), iter(plant_jobs(*["solved"] * 9)), stop):
        done.append(one.job.number)
        stop.set()

    assert done == [1, 2]  # the second was in hand


def test_no_worker_is_left_when_the_run_is_abandoned(plant_jobs: Plant) -> None:
    stop = Stop()
    outcomes = work_here(load_planted, PoolOptions(), iter(plant_jobs("solved", "hang")), stop)

    next(outcomes)
    stop.set()
    outcomes.close()

    assert children_of(os.getpid()) == []


def test_a_supply_that_has_nothing_at_the_moment_is_asked_again(plant_jobs: Plant) -> None:
    def supply() -> Iterator[Job | None]:
        for job in plant_jobs("solved", "solved"):
            yield None
            yield job
            yield None

    done = list(work_here(load_planted, PoolOptions(), supply(), lambda: False))

    assert [one.outcome for one in done] == ["solved", "solved"]


def test_what_a_killed_worker_wrote_by_half_is_removed(plant_jobs: Plant, tmp_path: Path) -> None:
    jobs = plant_jobs("crash")
    (tmp_path / ".1-solved.jpg.0123abcd.tmp").write_text("half")

    run(jobs)

    assert list(tmp_path.glob(".*")) == []


def freeze_once(marker: str) -> Work:
    """Load nothing, for ever, where nobody has done so before."""
    if not Path(marker).exists():
        Path(marker).touch()
        time.sleep(1000)
    return load_planted()


def test_a_worker_that_freezes_at_its_start_is_replaced(plant_jobs: Plant, tmp_path: Path) -> None:
    engine = partial(
        work_here, partial(freeze_once, str(tmp_path / "frozen")), PoolOptions(start_seconds=1.0)
    )

    done = list(engine(iter(plant_jobs("solved", "solved")), lambda: False))

    assert [one.outcome for one in done] == ["solved", "solved"]


@pytest.mark.parametrize(
    ("timeout", "failed", "seconds"),
    [(60.0, 0, 30.0), (7.0, 0, 7.0), (7.0, 2, 28.0), (0.1, 0, 5.0), (None, 0, 30.0), (60, 3, 120)],
)
def test_a_worker_may_take_as_long_to_start_as_a_photo_and_more_after_each_failure(
    timeout: float | None, failed: int, seconds: float
) -> None:
    assert start_patience(PoolOptions(timeout=timeout), failed) == seconds
