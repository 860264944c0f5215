"""What Linux tells of the memory of processes, in megabytes of 1,048,576 bytes."""

from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")


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
