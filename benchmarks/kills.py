"""End commands at random moments, and count what goes wrong: a table of what should be zeros.

    python -m benchmarks.kills --kills 20
    python -m benchmarks.kills --kills 100 --signals KILL --commands compare

Each command first runs undisturbed. Then it is ended at a moment drawn from the time that this
took, and the same command is run once more to its end. Counted are

- codes: ends with another exit code than the documented one;
- orphans: processes that are still there ten seconds later, told by a mark in their environment;
- half: files that cannot be read, and hidden ones that a signal has left, or the run after a kill;
- lost: results that were told, or stood in a file, and are gone;
- equal: runs to the end, after all that, whose results are those of the undisturbed one.

Linux alone shows what is needed for that.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.terminal.exit_codes import ExitCode
from benchmarks.kills_cases import CASES, Case, Results, log_of, send_photos

_MARK: Final = "SUDOKU_LENS_KILLS"
_PATIENCE_SECONDS: Final = 10.0
"""How long processes may outlive the one that began them."""

_HANG_SECONDS: Final = 120.0


@dataclass
class KillRow:
    """A row of the table."""

    command: str
    signal: str
    kills: int = 0
    codes: int = 0
    orphans: int = 0
    half: int = 0
    lost: int = 0
    equal: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.codes or self.orphans or self.half or self.lost) and (
            self.equal == self.kills
        )


@dataclass
class Running:
    """A command that runs, its outputs, and for a server who asks it."""

    process: "subprocess.Popen[bytes]"
    out: Path
    mark: str
    client: threading.Thread | None = None

    def wait(self) -> None:
        """Wait for the end; a server is asked to end once its client has all answers."""
        if self.client is not None:
            self.client.join()
            self.process.terminate()
        self.process.wait(_HANG_SECONDS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="End commands at random moments.")
    parser.add_argument("--kills", type=int, default=20, help="of each command and signal")
    parser.add_argument("--seed", type=int, default=1, help="of the moments, default 1")
    parser.add_argument("--signals", nargs="+", default=["KILL", "TERM"], metavar="NAME")
    parser.add_argument("--commands", nargs="+", default=list(CASES), choices=list(CASES))
    options = parser.parse_args(arguments)
    rows = []
    for name in options.commands:
        with tempfile.TemporaryDirectory(prefix="kills-") as folder:
            rows += _try_command(
                CASES[name], Path(folder), options.signals, options.kills, options.seed
            )
    _print_table(rows)
    return 0 if all(row.is_clean for row in rows) else 1


def _try_command(
    case: Case, folder: Path, signals: Sequence[str], kills: int, seed: int
) -> list[KillRow]:
    """End a command so often by each signal, and return the rows of the table."""
    given = folder / "given"
    given.mkdir()
    case.prepare(given)
    _run_undisturbed(case, given, folder / "first")  # what is compiled or cached is so from here on
    undisturbed, seconds = _run_undisturbed(case, given, folder / "undisturbed")
    rows = []
    for name in signals:
        row = KillRow(case.name, name)
        dice = random.Random(f"{seed} {case.name} {name}")
        tried = 0
        while row.kills < kills:
            tried += 1
            out = folder / f"{name}-{tried}"
            _end_once(case, given, out, dice.uniform(0, seconds), undisturbed, row)
            tell(f"{case.name} {name}: {row.kills} of {kills} in {tried} runs")
        rows.append(row)
        tell(format_row(row))
    return rows


def _run_undisturbed(case: Case, given: Path, out: Path) -> tuple[Results, float]:
    """Run a command to its end; return its results, and how many seconds it took."""
    start = time.monotonic()
    running = begin(case, given, out)
    running.wait()
    return case.read(out), time.monotonic() - start


def begin(case: Case, given: Path, out: Path) -> Running:
    """Start a command whose outputs go into a folder, what it tells beside it."""
    out.mkdir(exist_ok=True)
    mark = uuid.uuid4().hex
    log = log_of(out)
    with log.open("wb") as stdout, log.with_suffix(".err").open("ab") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", *case.arguments(given, out)],
            stdout=stdout,
            stderr=stderr,
            env={**os.environ, _MARK: mark},
        )
    running = Running(process, out, mark)
    if case.name == "serve":
        running.client = threading.Thread(target=send_photos, args=(process, given, out))
        running.client.start()
    return running


def _end_once(
    case: Case, given: Path, out: Path, moment: float, undisturbed: Results, row: KillRow
) -> None:
    """End one run, look at what it has left, and let the next run go on; count it all."""
    running = begin(case, given, out)
    time.sleep(moment)
    promised = case.promise(out)
    if running.process.poll() is not None or (running.client and not running.client.is_alive()):
        running.wait()
        return  # it was done before
    number = getattr(signal, f"SIG{row.signal}")
    running.process.send_signal(number)
    try:
        code = running.process.wait(_HANG_SECONDS)
    except subprocess.TimeoutExpired:
        running.process.kill()
        code = running.process.wait()
    if running.client is not None:
        running.client.join()
    if code in (0, 1) and code != case.code:
        return  # it was done in that very moment
    row.kills += 1
    before = len(row.faults)
    # Until Python listens, the system itself ends it.
    if code not in (-number, case.code, ExitCode.TERMINATED) or code == -9 != -number:
        row.codes += 1
        row.faults.append(f"code {code}")
    if left := _end_orphans(running.mark):
        row.orphans += left
        row.faults.append(f"{left} orphans")
    _count_half(case, out, row, is_all=number != signal.SIGKILL)
    missing = promised - case.kept(out)
    _run_again(case, given, out, undisturbed, row)
    missing |= promised - case.kept(out)
    if missing:
        row.lost += len(missing)
        row.faults.append(f"lost {sorted(missing)[:5]}")
    if row.faults[before:]:
        tell(f"{case.name} {row.signal} after {moment:.2f} s: {'; '.join(row.faults[before:])}")
        tell(log_of(out).with_suffix(".err").read_text(errors="replace")[-2000:])


def _run_again(case: Case, given: Path, out: Path, undisturbed: Results, row: KillRow) -> None:
    running = begin(case, given, out)
    running.wait()
    if left := _end_orphans(running.mark):
        row.orphans += left
        row.faults.append(f"{left} orphans of the run after it")
    half = row.half
    _count_half(case, out, row, is_all=True)
    if row.half == half and case.read(out) == undisturbed:
        row.equal += 1
    else:
        row.faults.append("the run after it is not equal")


def _count_half(case: Case, out: Path, row: KillRow, *, is_all: bool) -> None:
    """Count files that are not whole, hidden ones among them if all are wanted."""
    hidden = [path for path in out.rglob("*") if path.name.startswith(".")]
    hidden += [path for path in out.rglob("*") if path.name.endswith((".tmp", "-journal", "-wal"))]
    if is_all and hidden:
        row.half += len(set(hidden))
        row.faults.append(f"left {sorted({path.name for path in hidden})}")
    try:
        case.read(out)
    except Exception as error:
        row.half += 1
        row.faults.append(f"half: {error!r}")


def _end_orphans(mark: str) -> int:
    """Return how many processes with a mark outlive their time, and end these."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while (left := _marked_processes(mark)) and time.monotonic() < end:
        time.sleep(0.05)
    for process in left:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return len(left)


def _marked_processes(mark: str) -> list[int]:
    """Return the processes that were begun with a mark in their environment, and still live."""
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z":
                    found.append(int(folder.name))
    return found


def tell(text: str) -> None:
    """Say how far it is."""
    print(text, file=sys.stderr, flush=True)


def _print_table(rows: Sequence[KillRow]) -> None:
    print(
        "| command | signal | kills | other codes | orphans | half files | lost | resumed equal |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        print(format_row(row))


def format_row(row: KillRow) -> str:
    """Return a row of the table as text."""
    counts = [row.kills, row.codes, row.orphans, row.half, row.lost, row.equal]
    return f"| {row.command} | {row.signal} | {' | '.join(map(str, counts))} |"


if __name__ == "__main__":
    sys.exit(main())
