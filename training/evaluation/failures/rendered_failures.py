"""Failures on rendered photos, told as those on labelled photos are, for the same gallery."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from models.reader import Reader
from training.evaluation.failures.failure_gallery import GalleryEntry
from training.evaluation.failures.photo_failures import explain_failures
from training.evaluation.photo_verdicts import MIN_OVERLAP, judge
from training.photos.photo_labels import PhotoLabel
from training.rendered.rendered_photos import RenderedPhoto
from vision.geometry import quad_overlap

Explain = Callable[[Path, str, RenderedPhoto, dict[str, Any]], list[GalleryEntry]]
"""Takes the folder, the photo's file in it, the truth, and the product's report."""


def explainer(load_reader: Callable[[], Reader]) -> Explain:
    """Return what makes entries of failures, with a reader that is loaded for the first."""
    loaded: list[Reader] = []

    def explain(
        folder: Path, file: str, truth: RenderedPhoto, report: dict[str, Any]
    ) -> list[GalleryEntry]:
        if not loaded:
            loaded.append(load_reader())
        verdicts = [
            judge(label, {**report, "boards": _boards_of(label, truth, report)})
            for label in label_boards(file, truth)
        ]
        return explain_failures(folder, verdicts, loaded[0])

    return explain


def label_boards(file: str, truth: RenderedPhoto) -> list[PhotoLabel]:
    """Return a label for each board of a rendered photo, or one without a board for a decoy."""
    source, kind, group = "rendered", truth.circumstances.medium, Path(file).stem
    if not truth.boards:
        empty = np.zeros((9, 9), np.uint8)
        return [PhotoLabel(file, source, kind, group, empty, None, None)]
    return [
        PhotoLabel(
            file, source, kind, group, board.clues + board.entries, board.solution, board.corners
        )
        for board in truth.boards
    ]


def _boards_of(
    label: PhotoLabel, truth: RenderedPhoto, report: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the report's boards without those that lie on other boards of the photo."""
    if label.corners is None:
        return list(report["boards"])
    own = label.corners
    others = [b.corners for b in truth.boards if not np.array_equal(b.corners, own)]
    kept = []
    for board in report["boards"]:
        corners = np.array(board["corners"], np.float32)
        if all(quad_overlap(corners, other) < MIN_OVERLAP for other in others):
            kept.append(board)
    return kept
