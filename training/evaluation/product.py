"""Runs the product as its users do, by its command."""

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any


def run_product(
    folder: Path, files: Sequence[str], options: Sequence[str] = ()
) -> Iterable[dict[str, Any]]:
    """Yield the report of every file, as `sudoku-lens solve --json` prints them.

    Raises:
        RuntimeError: if the product ends before every photo has its report.
    """
    command = [sys.executable, "-m", "app", "solve", "--json", "--quiet", *options]
    paths = [str(folder / file) for file in files]
    with subprocess.Popen([*command, *paths], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        count = 0
        for line in process.stdout:
            count += 1
            yield json.loads(line)
    if count != len(files):
        raise RuntimeError(f"{count} reports for {len(files)} photos: {' '.join(command)}")
