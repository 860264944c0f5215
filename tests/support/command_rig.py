"""The command line, run in the test's own process, or in one of its own where that matters."""

import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Final

import pytest

PROJECT: Final = Path(__file__).resolve().parents[2]
SUPPORT: Final = PROJECT / "tests" / "support"
"""What child processes of tests import, beside the project itself."""

RunCommand = Callable[..., "subprocess.CompletedProcess[str]"]
"""Takes the arguments, and by name `cwd`, `stdin` and `environment`, which is added to ours."""

_ENDED: Final = (130, 143)
_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


def run_in_process(
    *arguments: str | Path,
    cwd: Path | None = None,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run `sudoku-lens` without the seconds that a process takes to load all packages.

    The standard streams are files, also for what native libraries write. What the command changes
    in this process is put back.
    """
    from app.__main__ import main

    command = [str(PROJECT / "app" / "__main__.py"), *map(str, arguments)]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, ExitStack() as stack:
        given.write(stdin.encode())
        given.seek(0)
        err = stack.enter_context(tempfile.TemporaryFile())
        with _as_a_process(command, cwd, environment or {}), _streams(given, out, err):
            code = _exit_code_of(main)
        if code in _ENDED:
            raise KeyboardInterrupt  # nobody but who runs the tests ends this process
        return subprocess.CompletedProcess(command, code, _read(out), _read(err))


def run_process(
    *arguments: str | Path,
    cwd: Path | None = None,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run `sudoku-lens` as users run it, for what only a process shows, such as what it imports."""
    variables = _importing((PROJECT,)) | dict(environment or {})
    return run_python("-m", "app", *arguments, cwd=cwd, input=stdin, env=variables)


def run_python(
    *arguments: str | Path, paths: Sequence[Path] = (PROJECT,), **options: Any
) -> "subprocess.CompletedProcess[Any]":
    """Run Python where the modules of these folders can be imported, and keep what it writes.

    Args:
        paths: which folders.
        options: of `subprocess.run`; by default it is all text, and any exit code will do.
    """
    usual: dict[str, Any] = {"capture_output": True, "text": True, "check": False}
    usual["env"] = _importing(paths)
    return subprocess.run([sys.executable, *map(str, arguments)], **usual | options)


def begin_python(
    *arguments: str | Path, paths: Sequence[Path] = (PROJECT,), **options: Any
) -> "subprocess.Popen[Any]":
    """Begin what `run_python` runs; its output and its errors are pipes."""
    usual: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    usual["env"] = _importing(paths)
    return subprocess.Popen([sys.executable, *map(str, arguments)], **usual | options)


def _importing(paths: Sequence[Path]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}


def _exit_code_of(main: Callable[[], None]) -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


@contextmanager
def _as_a_process(
    command: list[str], cwd: Path | None, environment: Mapping[str, str]
) -> Iterator[None]:
    """Set what a new process starts with, and put back what the command has changed of it."""
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    argv, path, folder, variables = sys.argv, list(sys.path), Path.cwd(), dict(os.environ)
    hook = sys.unraisablehook
    try:
        sys.argv = command
        os.environ.update(environment)
        os.chdir(cwd or folder)
        yield
    finally:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        sys.argv, sys.path[:], sys.unraisablehook = argv, path, hook
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def _streams(given: IO[bytes], out: IO[bytes], err: IO[bytes]) -> Iterator[None]:
    """Put files in the place of the standard streams, Python's and the system's."""
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(number) for number in range(3)]
    try:
        for number, file in enumerate((given, out, err)):
            os.dup2(file.fileno(), number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - closed with its file
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for number, copy in enumerate(kept):
            os.dup2(copy, number)
            os.close(copy)


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file grow beyond a size in bytes; skips where the system has no such limit."""
    resource = pytest.importorskip("resource", reason="only Unix limits files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
