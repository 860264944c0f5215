"""What the commands say on stderr, and how much of it."""

import logging
import sys


def start_logging(verbose: int, quiet: bool) -> None:
    """Send this program's log to stderr: warnings, or as much as the options ask for.

    Args:
        verbose: how often -v was given.
        quiet: whether only errors are wanted.
    """
    level = logging.ERROR if quiet else logging.WARNING - 10 * min(verbose, 2)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("sudoku-lens: %(levelname)s: %(message)s"))
    for package in ("app", "vision", "solver", "models"):
        logger = logging.getLogger(package)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


def say(message: str) -> None:
    """Tell the user something on stderr, so that stdout holds results only."""
    sys.stderr.write(f"sudoku-lens: {message}\n")
