"""Photos kept on the computer, for those who asked for it with `--keep`."""

import json
import logging
import os
import secrets
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from app.puzzles.exports import save_whole
from vision.media.decoding import picture_format

logger = logging.getLogger(__name__)


_TRIAL_BYTES: Final = 5_000_000
"""What a photo of a good phone takes."""


def keep_photo(
    folder: Path,
    data: bytes,
    report: dict[str, Any],
    least_free_bytes: int,
    now: float | None = None,
) -> bool:
    """Write a photo as it came, and its report beside it; what fails is told in the log.

    The name is of the time alone: nothing that a phone says becomes part of it.

    Args:
        folder: where, which is there.
        data: the picture's bytes.
        report: of the photo.
        least_free_bytes: of the disk; where it has less, nothing is written.
        now: seconds since 1970, those of the clock if left out.

    Returns:
        Whether both were written.
    """
    if not has_room(folder, least_free_bytes):
        logger.error("%s gets no more photos: its disk is nearly full; make room there", folder)
        return False
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    path = folder / f"{stamp}-{secrets.token_hex(4)}{_suffix(data)}"
    line = json.dumps({"file": path.name, **report}) + "\n"
    for target, content in ((path, data), (path.with_suffix(".json"), line)):
        fault = save_whole(target, content)
        if fault is not None:
            logger.error("%s cannot be written: %s", fault.path, fault.reason)
            return False
    return True


def find_fault(folder: Path, least_free_bytes: int) -> str | None:
    """Return why no photo can be kept in a folder now, None where one can; one is tried.

    Args:
        folder: where, which is there.
        least_free_bytes: of its disk.
    """
    if not has_room(folder, least_free_bytes):
        return f"its disk has less than {least_free_bytes / 1e9:g} GB left"
    try:
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(bytes(_TRIAL_BYTES))
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return None


def has_room(folder: Path, least_free_bytes: int) -> bool:
    """Tell whether the disk of a folder has so much left."""
    try:
        return shutil.disk_usage(folder).free >= least_free_bytes
    except OSError:  # writing tells what is wrong with it
        return True


def _suffix(data: bytes) -> str:
    kind = (picture_format(data[:32]) or "bin").lower()
    return ".jpg" if kind == "jpeg" else f".{kind}"
