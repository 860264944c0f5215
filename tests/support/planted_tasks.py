"""Tasks for the server's processes that die, hang or fail, and what they load in place of networks.

The processes import this module by its name.
"""

import os
import signal
import time
from pathlib import Path
from typing import Any

from app.serve.api.problems import Problem, ProblemError
from app.terminal.exit_codes import MissingError


def load() -> Any:
    return "the line"


def load_unless(died: str, gate: str) -> Any:
    """Load, unless a process has died: then wait until another may be there."""
    while Path(died).exists() and not Path(gate).exists():
        time.sleep(0.01)
    Path(died).with_name(f"loaded-{os.getpid()}").touch()
    return "the line"


def refuse() -> Any:
    raise MissingError("the network is not there")


def die_at_once() -> Any:
    os._exit(3)


def echo(line: str, word: str) -> tuple[str, str, int]:
    return line, word, os.getpid()


def reject(_line: str) -> None:
    raise ProblemError(Problem.BAD_IMAGE)


def fail(_line: str) -> None:
    raise ZeroDivisionError("planted")


def crash(_line: str) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def crash_once(_line: str, marker: str) -> str:
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def wait_for(_line: str, begun: str, gate: str) -> str:
    """Say that it has begun, and wait until it may end."""
    Path(begun).touch()
    while not Path(gate).exists():
        time.sleep(0.01)
    return "done"


def hoard(_line: str, size: int) -> int:
    return len(bytearray(size))
