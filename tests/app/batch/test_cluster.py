"""Batches on a cluster end as those of one machine do, whatever happens to its workers."""

import importlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from command_rig import PROJECT, SUPPORT, begin_python
from planted_work import children_of, die_at_once, do_what_the_photo_says, load_planted, refuse
from present import present

from app.batch.photo_work import (
    Decoded,
    Job,
    JobResult,
    LoadWork,
    Work,
    WorkOptions,
    load_alike,
    work_here,
)
from app.batch.sources import is_address, read_source
from app.cli.batch_command import run_batch
from app.cli.command_options import BatchOptions
from app.terminal.exit_codes import MissingError, Stop, UsageError
from app.workers.worker_pool import PoolOptions

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

from app.batch.cluster_task import Order, do_jobs, end_run  # noqa: E402
from app.batch.dask_cluster import work_on_cluster  # noqa: E402

TESTS: Final = Path(__file__).parent
pytestmark = pytest.mark.slow
Plant = Callable[..., list[Job]]


def load_deadly(_options: WorkOptions | None = None) -> Work:
    """Load planted work that also knows how to kill the cluster's worker, and reads addresses."""
    load_planted()
    return do_deadly


def do_deadly(job: Job, decoded: Decoded) -> JobResult:
    data = read_source(job.path)
    if data.startswith(b"kill-worker"):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
    if data.startswith(b"slow"):
        time.sleep(0.3)
    if not is_address(job.path):
        return do_what_the_photo_says(job, decoded)
    local = Path(job.path.partition("://")[2])
    return replace(do_what_the_photo_says(replace(job, path=str(local)), decoded), job=job)


def start_cluster(workers: int) -> Any:
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
        silence_logs=logging.CRITICAL,
    )


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a cluster of two workers that gives tasks up after the first death."""
    import dask

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        start_cluster(2) as cluster,
    ):
        yield cluster.scheduler_address


def seen(done: JobResult) -> tuple[object, ...]:
    """Return what is told of a photo, without times."""
    record = {**json.loads(done.record), "seconds": None}
    return done.job, done.digest, done.outcome, record, done.timed_out, done.unwritten


def overlays(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*-solved.jpg")}


def hashed(jobs: list[Job]) -> list[Job]:
    from app.batch.sources import digest_file

    return [replace(job, digest=digest_file(job.path)) for job in jobs]


def test_crashing_hanging_and_failing_photos_are_told_as_one_machine_tells_them(
    plant_jobs: Plant, tmp_path: Path, address: str
) -> None:
    jobs = plant_jobs(
        "solved", "crash", "empty", "hang", "crash-late", "fault", "die-once", "solved"
    )
    local = partial(work_here, load_planted, PoolOptions(workers=2, timeout=3.0))
    expected = sorted(map(seen, local(iter(hashed(jobs)), lambda: False)), key=str)
    drawn = overlays(tmp_path)
    for path in tmp_path.glob("*-solved.jpg"):
        path.unlink()
    Path(tmp_path / "7.died").unlink()

    engine = partial(work_on_cluster, load_planted, address, PoolOptions(timeout=3.0))
    done = list(engine(iter(jobs), lambda: False))

    # Of what ended its process, the run itself reads the content.
    hashes = {job.number: job.digest for job in hashed(jobs)}
    assert all(one.digest == hashes[one.job.number] for one in done if not one.is_lost)
    told = [replace(one, digest=hashes[one.job.number]) for one in done]
    told = [replace(one, job=replace(one.job, digest=one.digest)) for one in told]
    assert sorted(map(seen, told), key=str) == expected
    assert overlays(tmp_path) == drawn
    assert len(drawn) == 3


def test_a_photo_that_kills_workers_is_given_up_alone(plant_jobs: Plant, address: str) -> None:
    jobs = plant_jobs("solved", "kill-worker", *["solved"] * 6)

    engine = partial(work_on_cluster, load_deadly, address, PoolOptions())
    done = {one.job.number: one for one in engine(iter(jobs), lambda: False)}

    assert sorted(done) == list(range(1, 9))
    assert {number for number, one in done.items() if one.outcome != "solved"} == {2}
    assert done[2].outcome == "gave_up"
    assert json.loads(done[2].record)["error"] == "it ended every worker that had it"


def test_work_of_a_worker_that_is_killed_is_done_by_another(plant_jobs: Plant) -> None:
    jobs = plant_jobs(*["slow"] * 8)
    with start_cluster(2) as cluster:
        engine = partial(work_on_cluster, load_deadly, cluster.scheduler_address, PoolOptions())
        outcomes = engine(iter(jobs), lambda: False)
        done = [next(outcomes)]
        os.kill(cluster.workers[0].pid, signal.SIGKILL)
        done += outcomes

    assert sorted(one.job.number for one in done) == list(range(1, 9))
    assert {one.outcome for one in done} == {"no_board"}


def test_nothing_is_begun_once_the_run_stops(plant_jobs: Plant, address: str) -> None:
    stop, done = Stop(), []

    engine = partial(work_on_cluster, load_deadly, address, PoolOptions())
    for one in engine(iter(plant_jobs(*["slow"] * 30)), stop):
        done.append(one.job.number)
        stop.set()

    assert 1 <= len(done) <= 4
    assert len(set(done)) == len(done)


def test_an_abandoned_run_leaves_its_workers_to_the_next(plant_jobs: Plant, address: str) -> None:
    hanging, *rest = plant_jobs("hang", "solved", "solved")
    outcomes = work_on_cluster(
        load_planted,
        address,
        PoolOptions(timeout=None),
        iter([rest[0], hanging]),
        lambda: False,
    )
    next(outcomes)
    outcomes.close()

    engine = partial(work_on_cluster, load_planted, address, PoolOptions())
    done = [one.outcome for one in engine(iter(rest * 4), lambda: False)]

    assert done == ["solved"] * 8


def test_a_supply_with_nothing_for_now_is_asked_again(plant_jobs: Plant, address: str) -> None:
    def supply() -> Iterator[Job | None]:
        for job in plant_jobs("solved", "empty", "solved"):
            yield None
            yield job
            yield None

    engine = partial(work_on_cluster, load_planted, address, PoolOptions())

    assert len(list(engine(supply(), lambda: False))) == 3


@pytest.mark.parametrize(
    ("load", "told"),
    [
        (refuse, "the network is not there"),
        (die_at_once, "no worker can be started"),
        (partial(load_alike, "ours", WorkOptions(), load_planted), "install the same on all"),
    ],
    ids=["no networks", "processes that die", "other networks"],
)
def test_a_cluster_that_cannot_work_ends_the_run(
    plant_jobs: Plant, address: str, load: LoadWork, told: str
) -> None:
    engine = partial(work_on_cluster, load, address, PoolOptions())

    with pytest.raises(MissingError, match=told):
        list(engine(iter(plant_jobs("solved")), lambda: False))


def test_a_scheduler_that_does_not_answer_ends_the_run(
    plant_jobs: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.batch.dask_cluster._CONNECT_SECONDS", 0.5)
    engine = partial(work_on_cluster, load_planted, "tcp://127.0.0.1:9", PoolOptions())

    with pytest.raises(MissingError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        list(engine(iter(plant_jobs("solved")), lambda: False))


@pytest.mark.parametrize("place", ["scheduler", "ftp://scheduler:8786", "tcp://scheduler"])
def test_what_is_no_address_ends_the_run_at_once(plant_jobs: Plant, place: str) -> None:
    engine = partial(work_on_cluster, load_planted, place, PoolOptions())

    with pytest.raises(UsageError, match=f"--cluster {place} is no address"):
        list(engine(iter(plant_jobs("solved")), lambda: False))


def test_a_scheduler_that_goes_away_ends_the_run(
    plant_jobs: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.batch.dask_cluster._LOST_SECONDS", 0.5)
    with start_cluster(1) as cluster:
        engine = partial(work_on_cluster, load_deadly, cluster.scheduler_address, PoolOptions())
        outcomes = engine(iter(plant_jobs(*["slow"] * 20)), lambda: False)
        next(outcomes)
        cluster.close()

        with pytest.raises(MissingError, match="is gone; start it again"):
            list(outcomes)


def test_a_run_that_stops_does_not_wait_for_workers_to_come(
    plant_jobs: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.batch.dask_cluster._COUNT_SECONDS", 0.1)
    stop = Stop()
    with start_cluster(1) as cluster:
        engine = partial(work_on_cluster, load_deadly, cluster.scheduler_address, PoolOptions())
        outcomes = engine(iter(plant_jobs(*["slow"] * 20)), stop)
        done = [next(outcomes)]
        cluster.scale(0)
        stop.set()
        done += outcomes

    assert len(done) < 20


def test_without_dask_the_command_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(MissingError, match=r"pip install 'sudoku-lens\[cluster\]'"):
        run_batch(["album"], BatchOptions(cluster="local"))


def test_a_watch_of_an_address_is_refused() -> None:
    with pytest.raises(UsageError, match="--watch and addresses exclude each other"):
        run_batch(["s3://bucket/album"], BatchOptions(watch=True))


def read_report(path: Path) -> list[dict[str, Any]]:
    reports = [json.loads(line) for line in path.read_text().splitlines()]
    return [{**report, "seconds": None} for report in reports]


def test_photos_at_an_address_are_done_as_those_of_a_folder(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    album = tmp_path / "album" / "inner"
    album.mkdir(parents=True)
    for number, word in enumerate(["solved", "empty", "fault"]):
        (album / f"{number}.jpg").write_text(f"{word} {number}")
    there = f"file://{tmp_path}/album"
    wishes: dict[str, Any] = {"recursive": True, "quiet": True, "timeout": 20.0}

    def go(name: str, out: str, cluster: str | None) -> list[dict[str, Any]]:
        report = Path(out, "report.jsonl")
        chosen = BatchOptions(output_dir=Path(out), report=report, cluster=cluster, **wishes)
        run_batch([name], chosen, load_deadly)
        return [{**one, "file": Path(one["file"]).name} for one in read_report(report)]

    near = go("album", "near", None)
    far = go(there, "far", address)
    left = [path.name for path in Path("far/inner").iterdir()]
    again = go(there, "far", "tcp://127.0.0.1:9")  # which nobody asks: all is known

    assert far == near == again
    assert [one["outcome"] for one in far] == ["solved", "no_board", "gave_up"]
    assert left == [path.name for path in Path("near/inner").iterdir()] == ["0-solved.jpg"]


def test_photos_at_an_address_that_end_their_process_are_told_as_those_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("album").mkdir()
    for number, word in enumerate(["crash", "crash-late", "hang", "fault", "solved"]):
        Path("album", f"{number}.jpg").write_text(word)
    chosen = BatchOptions(quiet=True, jobs=2, timeout=3.0, report=Path("near"))

    run_batch(["album"], chosen, load_planted)
    for _ in range(2):  # the second finds all of it known
        run_batch([f"file://{tmp_path}/album"], replace(chosen, report=Path("far")), load_planted)

    near, far = (read_report(Path(name)) for name in ("near", "far"))
    assert [{**one, "file": Path(one["file"]).name} for one in far] == [
        {**one, "file": Path(one["file"]).name} for one in near
    ]


def begin(album: Path, output: Path, cluster: str) -> "subprocess.Popen[str]":
    """Begin a batch with planted work in a process of its own."""
    paths = (PROJECT, TESTS, SUPPORT)
    return begin_python(__file__, album, output, cluster, paths=paths, start_new_session=True)


def test_killed_and_begun_again_a_batch_ends_as_any_other(tmp_path: Path, address: str) -> None:
    album = tmp_path / "album"
    album.mkdir()
    for number in range(24):
        word = ("solved", "slow", "empty")[number % 3]
        (album / f"{number:02}.jpg").write_text(f"{word} {number} {'pixel ' * 500}")
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    begin(album, undisturbed, "").communicate()

    for known in (1, 8):
        run = begin(album, killed, address)
        for _ in range(known):
            present(run.stdout).readline()
        run.send_signal(signal.SIGKILL)
        run.communicate()
    last = begin(album, killed, address)
    stdout, stderr = last.communicate()

    assert (last.returncode, stderr) == (1, "")
    assert len(stdout.splitlines()) == 24
    assert read_report(killed / "report.jsonl") == read_report(undisturbed / "report.jsonl")
    assert overlays(killed) == overlays(undisturbed)
    assert not list(killed.glob("*.tmp"))


def load_noting(folder: str) -> Work:
    """Load planted work, and leave a file that is named after the process."""
    Path(folder, str(os.getpid())).touch()
    return load_planted()


def test_processes_of_a_client_that_was_killed_end_with_the_next_run(
    plant_jobs: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = SimpleNamespace(local_directory=str(tmp_path))
    monkeypatch.setattr(distributed, "get_worker", lambda: worker)
    folders = [tmp_path / "left", tmp_path / "next"]
    orders = [Order(path.name, partial(load_noting, str(path)), PoolOptions()) for path in folders]
    jobs = plant_jobs("solved")

    def alive() -> list[bool]:
        children = children_of(os.getpid())
        return [int(next(path.iterdir()).name) in children for path in folders]

    for folder in folders:
        folder.mkdir()
    other = threading.Thread(target=do_jobs, args=(orders[0], jobs))
    other.start()
    other.join()
    do_jobs(orders[1], jobs)

    assert alive() == [False, True]
    end_run("next", is_abandoned=False)
    assert alive() == [False, False]


def test_a_disk_that_a_worker_cannot_write_to_is_told_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = SimpleNamespace(local_directory=str(tmp_path / "none"))
    monkeypatch.setattr(distributed, "get_worker", lambda: worker)

    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            do_jobs(Order("disk", load_planted, PoolOptions()), [])


def test_ctrl_c_in_the_terminal_finishes_the_photos_in_hand(tmp_path: Path) -> None:
    album, output = tmp_path / "album", tmp_path / "out"
    album.mkdir()
    for number in range(40):
        (album / f"{number:02}.jpg").write_text(f"slow {number}")
    run = begin(album, output, "local")
    present(run.stdout).readline()
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does
    _, stderr = run.communicate()

    assert run.returncode == 130
    assert stderr == "sudoku-lens: ending after the photos in hand; Ctrl-C once more ends at once\n"
    assert 1 <= len(read_report(output / "report.jsonl")) < 40


if __name__ == "__main__":
    from app.terminal.exit_codes import ending_well

    load_by_name = importlib.import_module("test_cluster").load_deadly

    folder, out, wish = sys.argv[1:4]
    with ending_well():
        options = BatchOptions(
            output_dir=Path(out),
            report=Path(out, "report.jsonl"),
            jobs=2,
            as_json=True,
            quiet=True,
            cluster=wish or None,
        )
        sys.exit(run_batch([folder], options, load_by_name))
