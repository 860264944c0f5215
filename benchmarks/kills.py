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
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.terminal.exit_codes import ExitCode
from benchmarks.kills_cases import CASES, Case, log_of, send_photos
from training.evaluate import format_head, format_row

_MARK: Final = "SUDOKU_LENS_KILLS"
_PATIENCE_SECONDS: Final = 10.0
"""How long processes may outlive the one that began them."""
_HANG_SECONDS: Final = 120.0
_COUNTED: Final = ("kills", "other codes", "orphans", "half files", "lost", "resumed equal")


@dataclass
class Run:
    """A command that runs, and for a server who asks it."""

    process: "subprocess.Popen[bytes]"
    mark: str
    client: threading.Thread | None = None

    def wait(self) -> None:
        """Wait for the end; a server is asked to end once its client has all answers."""
        if self.client is not None:
            self.client.join()
            self.process.terminate()
        self.process.wait(_HANG_SECONDS)


@dataclass
class Trial:
    """A command and a signal, and what was counted.

    Attributes:
        given: folder of the inputs.
        undisturbed: results of a run to the end.
        counts: by the heads of the table.
        faults: of the kill at hand, in words.
    """

    case: Case
    signal: signal.Signals
    given: Path
    undisturbed: object
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing went wrong."""
        right = ("kills", "resumed equal")
        return self.counts["kills"] == self.counts["resumed equal"] and not any(
            self.counts[name] for name in _COUNTED if name not in right
        )

    def row(self) -> str:
        """Return the row of the table."""
        counts = [self.counts[name] for name in _COUNTED]
        return format_row((self.case.name, self.signal.name.removeprefix("SIG"), *counts))

    def note(self, what: str, fault: str, count: int = 1) -> None:
        """Count something that is wrong, if there is any of it."""
        if count:
            self.counts[what] += count
            self.faults.append(fault)

    def end_once(self, out: Path, moment: float) -> None:
        """End one run, look at what it has left, and let the next run go on; count it all."""
        case, self.faults = self.case, []
        run = begin(case, self.given, out)
        time.sleep(moment)
        promised = case.promise(out)
        if run.process.poll() is not None or (run.client and not run.client.is_alive()):
            run.wait()
            return  # it was done before
        run.process.send_signal(self.signal)
        try:
            code = run.process.wait(_HANG_SECONDS)
        except subprocess.TimeoutExpired:
            run.process.kill()
            code = run.process.wait()
        if run.client is not None:
            run.client.join()
        if code in (0, 1) and code != case.code:
            return  # it was done in that very moment
        self.counts["kills"] += 1
        # Until Python listens, the system itself ends it.
        is_hung = code == -signal.SIGKILL != -self.signal
        if is_hung or code not in (-self.signal, case.code, ExitCode.TERMINATED):
            self.note("other codes", f"code {code}")
        self._end_orphans(run.mark)
        self._look_for_halves(out, has_hidden=self.signal == signal.SIGKILL)
        missing = promised - case.kept(out)
        self._run_again(out)
        missing |= promised - case.kept(out)
        self.note("lost", f"lost {sorted(missing)[:5]}", len(missing))
        if self.faults:
            name = self.signal.name
            tell(f"{case.name} {name} after {moment:.2f} s: {'; '.join(self.faults)}")
            tell(log_of(out).with_suffix(".err").read_text(errors="replace")[-2000:])

    def _run_again(self, out: Path) -> None:
        run = begin(self.case, self.given, out)
        run.wait()
        self._end_orphans(run.mark)
        is_whole = self._look_for_halves(out, has_hidden=False)
        if is_whole and self.case.read(out) == self.undisturbed:
            self.counts["resumed equal"] += 1
        else:
            self.faults.append("the run after it is not equal")

    def _look_for_halves(self, out: Path, *, has_hidden: bool) -> bool:
        """Count files that are not whole, and hidden ones where there may be none."""
        before = self.counts["half files"]
        endings = (".tmp", "-journal", "-wal")
        hidden = {
            path.name
            for path in out.rglob("*")
            if path.name.startswith(".") or path.name.endswith(endings)
        }
        if not has_hidden:
            self.note("half files", f"left {sorted(hidden)}", len(hidden))
        try:
            self.case.read(out)
        except Exception as error:
            self.note("half files", f"half: {error!r}")
        return self.counts["half files"] == before

    def _end_orphans(self, mark: str) -> None:
        """Count the processes with a mark that outlive their time, and end these."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while (left := _marked_processes(mark)) and time.monotonic() < end:
            time.sleep(0.05)
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.note("orphans", f"{len(left)} orphans", len(left))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="End commands at random moments.")
    parser.add_argument("--kills", type=int, default=20, help="of each command and signal")
    parser.add_argument("--seed", type=int, default=1, help="of the moments, default 1")
    parser.add_argument("--signals", nargs="+", default=["KILL", "TERM"], metavar="NAME")
    parser.add_argument("--commands", nargs="+", default=list(CASES), choices=list(CASES))
    options = parser.parse_args(arguments)
    trials: list[Trial] = []
    for name in options.commands:
        case = CASES[name]
        with tempfile.TemporaryDirectory(prefix="kills-") as folder:
            given = Path(folder) / "given"
            given.mkdir()
            case.prepare(given)
            for time_of in ("first", "undisturbed"):  # what is compiled or cached is so then
                out, start = Path(folder) / time_of, time.monotonic()
                begin(case, given, out).wait()
                seconds = time.monotonic() - start
            for number in options.signals:
                trial = Trial(case, signal.Signals[f"SIG{number}"], given, case.read(out))
                dice, tried = random.Random(f"{options.seed} {name} {number}"), 0
                while trial.counts["kills"] < options.kills:
                    tried += 1
                    trial.end_once(Path(folder) / f"{number}-{tried}", dice.uniform(0, seconds))
                tell(f"{trial.row()} in {tried} runs")
                trials.append(trial)
    print(format_head(f"command | signal | {' | '.join(_COUNTED)}"))
    for trial in trials:
        print(trial.row())
    return 0 if all(trial.is_clean for trial in trials) else 1


def begin(case: Case, given: Path, out: Path) -> Run:
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
    run = Run(process, mark)
    if case.name == "serve":
        run.client = threading.Thread(target=send_photos, args=(process, given, out))
        run.client.start()
    return run


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


if __name__ == "__main__":
    sys.exit(main())
