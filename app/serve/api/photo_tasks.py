"""What is done with an uploaded photo: from its bytes to the report, or to the solved one.

Photos are kept on the computer for those who asked for it with `--keep`.
"""

import json
import logging
import os
import secrets
import shutil
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PIL import Image

from app.recognition.results import BoardResult, PhotoResult, show_likely_cages
from app.recognition.timing import StageClock
from app.report.photo_report import CheckStyle, photo_report
from app.report.report_pictures import draw_solutions, save_whole
from app.serve.api.problems import Problem, ProblemError
from vision.geometry import Image8, is_sane_quad
from vision.media.decoding import Photo, picture_format
from vision.media.images import ImageError, TooManyPixelsError, encode_image, load_photo

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

logger = logging.getLogger(__name__)

_STYLE: Final = CheckStyle(reveal=True)
"""Entries are judged, and the solution is told: what is shown of it, the page's user chooses."""

_LEAST_SIDE_PX: Final = 45.0
"""Of a board whose corners were set by hand: five pixels a cell."""

_READABLE_PX: Final = 2000
"""The longer side of a picture that a browser could not open; the page sends none larger."""


@dataclass(frozen=True)
class PhotoTask:
    """An uploaded photo.

    Attributes:
        max_pixels: more are refused before any is decoded.
        corners: of the board, set by hand: x1, y1 to x4, y4 in pixels of the upright photo; None
            lets them be found.
        suffix: the format of the solved picture, if that is wanted in place of the report.
    """

    data: bytes
    max_pixels: int
    corners: tuple[float, ...] | None = None
    suffix: str | None = None
    wants_result: bool = False


def solve_picture(pipeline: "Pipeline", task: PhotoTask) -> dict[str, Any]:
    """Return the report of a photo, and with it what else is wanted: the solved one under
    `picture`, the `app.recognition.results.PhotoResult` under `result`.

    Raises:
        ProblemError: if it is no picture, has too many pixels, if the corners are no board's, or
            if a solved picture is wanted and nothing is solved.
    """
    clock = StageClock()
    with clock.stage("load"):
        photo = _load(task.data, task.max_pixels)
    image = photo.pixels
    result = replace(_solve(pipeline, image, task, clock), warnings=photo.warnings)
    shown = replace(result, boards=tuple(show_likely_cages(board) for board in result.boards))
    report = _report(image, shown)
    if task.suffix is not None:
        drawn = draw_solutions(image, result)
        if drawn is None:
            raise ProblemError(Problem.NOT_SOLVED)
        report["picture"] = encode_image(drawn, task.suffix)
    if task.wants_result:
        report["result"] = result
    return report


def make_readable(_: "Pipeline", data: bytes, max_pixels: int) -> bytes:
    """Return a picture as an upright JPEG, no larger than a page needs it to show it.

    Raises:
        ProblemError: if it is no picture, or has too many pixels.
    """
    picture = Image.fromarray(_load(data, max_pixels).pixels)
    picture.thumbnail((_READABLE_PX, _READABLE_PX), Image.Resampling.BOX)
    return encode_image(np.asarray(picture, np.uint8), ".jpg")


def _load(data: bytes, max_pixels: int) -> Photo:
    try:
        return load_photo(data, max_pixels)
    except TooManyPixelsError as error:
        raise ProblemError(Problem.TOO_MANY_PIXELS) from error
    except ImageError as error:
        raise ProblemError(Problem.BAD_IMAGE) from error


def _solve(pipeline: "Pipeline", image: Image8, task: PhotoTask, clock: StageClock) -> PhotoResult:
    if task.corners is None:
        return pipeline.solve_photo(image, clock)
    corners = np.array(task.corners, np.float32).reshape(4, 2)
    height, width = image.shape[:2]
    is_near = bool((np.abs(corners) <= 2 * max(width, height)).all())
    if not is_near or not is_sane_quad(corners, _LEAST_SIDE_PX):
        raise ProblemError(Problem.INVALID)
    board = pipeline.solve_corners(image, corners, clock)
    return PhotoResult(board.outcome, (board,), (), clock.seconds())


def _report(image: Image8, result: PhotoResult) -> dict[str, Any]:
    report = photo_report(result, _STYLE)
    for board, told in zip(result.boards, report["boards"], strict=True):
        told["lattice"] = np.round(board.lattice.astype(float), 1).tolist()
        told["handwritten"] = _cells_by_hand(board)
    size = {"width": image.shape[1], "height": image.shape[0]}
    return {**size, "looks_like": None, "warnings": [], **report}


def _cells_by_hand(board: BoardResult) -> list[int]:
    if board.reading is None:
        return []
    by_hand = board.reading.decoding.handwritten & (board.clues.ravel() > 0)
    return [int(cell) for cell in np.flatnonzero(by_hand)]


_TRIAL_BYTES: Final = 5_000_000
"""What a photo of a good phone takes."""


def keep_photo(folder: Path, data: bytes, report: dict[str, Any], least_free_bytes: int) -> bool:
    """Write a photo as it came, and its report beside it; tell whether both were written.

    The name is of the time alone: nothing that a phone says becomes part of it. Where the disk has
    less than `least_free_bytes`, nothing is written. What fails is told in the log.
    """
    if not has_room(folder, least_free_bytes):
        logger.error("%s gets no more photos: its disk is nearly full; make room there", folder)
        return False
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = folder / f"{stamp}-{secrets.token_hex(4)}{_suffix(data)}"
    line = json.dumps({"file": path.name, **report}) + "\n"
    for target, content in ((path, data), (path.with_suffix(".json"), line)):
        fault = save_whole(target, content)
        if fault is not None:
            logger.error("%s cannot be written: %s", target, fault)
            return False
    return True


def find_fault(folder: Path, least_free_bytes: int) -> str | None:
    """Return why no photo can be kept in a folder now, None where one can; one is tried."""
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
