"""The log of a training run, beside what it writes."""

import logging
from pathlib import Path


def start_log(out: Path) -> None:
    """Write messages to stderr and to a `.log` file.

    Args:
        out: path of the run's results without ending; its folder is made where it is missing.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        handlers=[logging.FileHandler(out.with_suffix(".log")), logging.StreamHandler()],
    )
