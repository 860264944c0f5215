"""What the commands say on stderr, and how much of it."""

import contextlib
import logging
import os
import sys


def start_logging(verbose: int, quiet: bool) -> None:
    """Send this program's log to stderr: warnings, or as much as the options ask for.

    Args:
        verbose: how often -v was given.
        quiet: whether only errors are wanted.
    """
    level = logging.ERROR if quiet else logging.WARNING - 10 * min(verbose, 2)
    handler: logging.Handler = logging.NullHandler()
    if sys.stderr is not None:  # it is where there is none, whatever its type says
        handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("sudoku-lens: %(levelname)s: %(message)s"))
    for package in ("app", "vision", "solver", "models"):
        logger = logging.getLogger(package)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


def say(message: str) -> None:
    """Tell the user something on stderr, so that stdout holds results only."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):  # there is nobody left to tell
            sys.stderr.write(f"sudoku-lens: {message}\n")


def fill_closed_streams() -> None:
    """Open the null device in place of standard streams that are closed.

    Otherwise the next file that is opened would get the number of stdout or stderr, and a library
    that writes there would write into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, so this one
