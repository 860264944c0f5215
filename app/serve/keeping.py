"""Photos kept on the computer, for those who asked for it with `--keep`."""

import json
import logging
import secrets
import shutil
import time
from pathlib import Path
from typing import Any, Final

from app.sharing import save_whole
from vision.decoding import picture_format

logger = logging.getLogger(__name__)

LEAST_FREE_BYTES: Final = 1_000_000_000
"""What is left of the disk to all else that the computer does."""


def keep_photo(
    folder: Path,
    data: bytes,
    report: dict[str, Any],
    now: float | None = None,
    least_free_bytes: int = LEAST_FREE_BYTES,
) -> None:
    """Write a photo as it came, and its report beside it; what fails is told in the log.

    The name is of the time alone: nothing that a phone says becomes part of it.

    Args:
        folder: where, which is there.
        data: the picture's bytes.
        report: of the photo.
        now: seconds since 1970, those of the clock if left out.
        least_free_bytes: of the disk; where it has less, nothing is written.
    """
    if not _has_room(folder, least_free_bytes):
        logger.error("%s gets no more photos: its disk is nearly full", folder)
        return
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    path = folder / f"{stamp}-{secrets.token_hex(4)}{_suffix(data)}"
    line = json.dumps({"file": path.name, **report}) + "\n"
    for target, content in ((path, data), (path.with_suffix(".json"), line)):
        fault = save_whole(target, content)
        if fault is not None:
            logger.error("%s cannot be written: %s", fault.path, fault.reason)
            return


def _has_room(folder: Path, least_free_bytes: int) -> bool:
    try:
        return shutil.disk_usage(folder).free >= least_free_bytes
    except OSError:  # writing tells what is wrong with it
        return True


def _suffix(data: bytes) -> str:
    kind = (picture_format(data[:32]) or "bin").lower()
    return ".jpg" if kind == "jpeg" else f".{kind}"
