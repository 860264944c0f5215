"""A server as benchmarks start it, and what Linux tells of processes' memory, in MB of 2**20."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PROC = Path("/proc")


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, int]]:
    """Run `sudoku-lens serve` on a free port of the loopback; yield its address and process."""
    command = [sys.executable, "-m", "app", "serve", "--host", "127.0.0.1", "--port", "0", "-q"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip(), server.pid
        finally:
            server.terminate()


def memory_mb(process: int | str = "self") -> tuple[float, float]:
    """Return the megabytes that a process holds now, and the most that it has held.

    Raises:
        OSError: if there is no such process.
        KeyError: if it has ended.
    """
    lines = (_PROC / str(process) / "status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    now, most = (int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    return now, most


def workers_mb(parent: int) -> list[tuple[float, float]]:
    """Return the same of each process that `multiprocessing` began for another one."""
    held = []
    for folder in _PROC.glob("[0-9]*"):
        with suppress(OSError, KeyError, IndexError, ValueError):
            above = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if above == parent and b"spawn_main" in (folder / "cmdline").read_bytes():
                held.append(memory_mb(folder.name))
    return sorted(held)
