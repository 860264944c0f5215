"""Work for batches that dies, hangs or fails as its photo says, and is cheap otherwise.

It is loaded by the processes of a batch, which import this module by its name; run as a program,
it is the batch command with this work in place of photos.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

from app.batch.overlay_files import writing_whole
from app.batch.photo_work import Decoded, Job, JobResult, Work
from app.batch.sources import digest_bytes, read_source
from app.terminal.exit_codes import MissingError, ending_well
from app.workers.child_process import ChildContext


def load_planted(_options: object = None) -> Work:
    return do_what_the_photo_says


def refuse() -> Work:
    raise MissingError("the network is not there")


def die_at_once() -> Work:
    os._exit(3)


def do_what_the_photo_says(job: Job, decoded: Decoded) -> JobResult:
    """Do a job: the first word of the photo is what happens, the rest is drawn as its overlay."""
    data = read_source(job.path)
    start, digest = time.perf_counter(), digest_bytes(data)
    if job.is_lookup:
        return JobResult(job, digest, "", "", time.perf_counter() - start)
    word = data.split()[0].decode()
    if word == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "hang":
        time.sleep(1000)
    while word == "wait" and not Path(job.path).parents[1].joinpath("gate").exists():
        time.sleep(0.005)
    decoded()
    if word == "crash-late":
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "die-once":
        died = Path(job.path).with_suffix(".died")
        if not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    if word == "fault":
        raise ZeroDivisionError("planted")
    is_solved = word in ("solved", "die-once")
    if job.overlay is not None and is_solved:
        with writing_whole(Path(job.overlay)) as file:
            file.write(data[: len(data) // 2])
            file.flush()
            time.sleep(0.005)  # a moment at which only half of it is there
            file.write(data[len(data) // 2 :])
    outcome = "solved" if is_solved else "no_board"
    record = {"outcome": outcome, "boards": [], "seconds": {"load": time.perf_counter()}}
    return JobResult(job, digest, outcome, json.dumps(record), 0.0)


def hang(context: ChildContext) -> None:
    """Say that it has begun, and do nothing for ever."""
    context.connection.send("begun")
    time.sleep(1000)


def children_of(parent: int) -> list[int]:
    """Return the processes that work for a batch of this process, where the system tells."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
            command = (status.parent / "cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        if int(fields[1]) == parent and fields[0] != "Z" and b"spawn_main" in command:
            found.append(int(status.parent.name))
    return found


def watch() -> None:
    """Watch the folder `album`, as the command does, with this work in place of photos."""
    from app.cli.batch_command import run_batch
    from app.cli.command_options import BatchOptions

    with ending_well():
        chosen = BatchOptions(watch=True, report=Path("report.jsonl"), as_json=True, jobs=1)
        sys.exit(run_batch(["album"], chosen, load_planted))


if __name__ == "__main__":
    from planted_work import load_planted as load_by_name

    from app.cli.batch_command import run_batch
    from app.cli.command_options import BatchOptions

    folder, output, report = sys.argv[1:4]
    with ending_well():
        chosen = BatchOptions(
            output_dir=Path(output), report=Path(report), jobs=2, as_json=True, quiet=True
        )
        sys.exit(run_batch([folder], chosen, load_by_name))
