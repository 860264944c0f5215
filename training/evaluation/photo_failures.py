"""Explains failures on labelled and rendered photos by what can be measured, for the gallery."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.digits import Reader
from solver.grid import parse_grid
from training.evaluation.failure_gallery import CellNote, GalleryEntry
from training.evaluation.photo_verdicts import (
    MIN_OVERLAP,
    PhotoStage,
    PhotoVerdict,
    judge,
    run_product,
    seen_digits,
)
from training.photo_labels import HANDWRITTEN, PRINTED, Kinds, PhotoLabel, load_kinds
from training.rendered.rendered_photos import RenderedPhoto
from vision.board import cut_cells, lattice_from_corners, rectify, turn_lattice
from vision.finder.lines import find_boards
from vision.finder.snap import BoardCandidate
from vision.geometry import Points, quad_overlap
from vision.media.images import load_image

_SURE: Final = 0.9
"""Probability of the likeliest class below which a cell is shown as doubtful."""

_SAME: Final = 0.9
"""Overlap from which a candidate is the report's board."""

_GREEN: Final = (60, 170, 40)
_RED: Final = (40, 40, 220)

Image8 = npt.NDArray[np.uint8]
Float32 = npt.NDArray[np.float32]


def explain_failures(
    folder: Path, verdicts: Sequence[PhotoVerdict], reader: Reader, options: Sequence[str] = ()
) -> list[GalleryEntry]:
    """Return an entry for every failure among the verdicts.

    The stages' pictures are the product's own. What it does not report, candidates that it dropped
    and probabilities, is measured here with the same finder and the same reader. But nobody answers
    for the digits while boards are looked for, so other places may be found.

    Args:
        folder: of the photos.
        verdicts: on them; those that are right are left out.
        reader: that the product read them with.
        options: that the product was run with.

    Raises:
        RuntimeError: if the product ends early.
    """
    kinds = load_kinds()
    entries = []
    for verdict in verdicts:
        if verdict.is_right:
            continue
        photo = load_image(folder / verdict.label.file)
        candidates = find_boards(photo)
        notes: list[CellNote] = []
        if verdict.board is not None:
            lattice = _lattice_of(np.array(verdict.board["corners"], np.float32), candidates)
            cells = cut_cells(rectify(photo, lattice))
            marks = kinds.get(verdict.label.file)
            notes = note_cells(verdict, cells, reader.read(cells), marks)
        pictures = [("found (red) and labelled (green)", _draw(photo, verdict, candidates))]
        pictures += _stage_pictures(folder, verdict.label.file, options)
        entries.append(
            GalleryEntry(
                name=verdict.label.file,
                source=verdict.label.source,
                stage=verdict.stage.value,
                cause=name_cause(verdict, candidates, notes),
                pictures=pictures,
                truth=verdict.label.digits,
                reading=None if verdict.board is None else seen_digits(verdict.board),
                cells=notes,
            )
        )
    return entries


def name_cause(
    verdict: PhotoVerdict, candidates: Sequence[BoardCandidate], notes: Sequence[CellNote]
) -> list[str]:
    """Say in sentences where a photo failed, with the numbers that were measured.

    Args:
        verdict: no right one.
        candidates: what the finder proposes on the photo, best first.
        notes: the cells worth a look.
    """
    cause = [f"The outcome is {verdict.report['outcome']}."]
    if verdict.stage is PhotoStage.FIND:
        return [*cause, _name_miss(verdict, candidates)]
    if verdict.stage is PhotoStage.WRONG:
        cause.append(_name_wrong(verdict))
    if verdict.board is None:
        return cause
    turns = _quarter_turns_off(verdict)
    if turns:
        cause.append(f"Read the wrong way up: {90 * turns}° clockwise from the label.")
    truth, seen = verdict.label.digits, seen_digits(verdict.board)
    missed = int(((seen == 0) & (truth > 0)).sum())
    added = int(((seen > 0) & (truth == 0)).sum())
    confused = int(((seen != truth) & (seen > 0) & (truth > 0)).sum())
    if missed + added + confused:
        cause.append(
            f"{missed + added + confused} cells misread: {missed} digits not seen, "
            f"{added} seen in empty cells, {confused} taken for other digits."
        )
    elif verdict.stage is PhotoStage.DECODE:
        cause.append("All 81 cells are right, and still no solution is claimed.")
    elif verdict.stage is PhotoStage.READ:
        cause.append("All digits are right, but not all of them are taken as clues.")
    if verdict.board["corrected"]:
        cause.append(f"The rules overruled {len(verdict.board['corrected'])} cells.")
    kinds = sum(_is_kind_note(note) for note in notes)
    if kinds:
        cause.append(f"Print and handwriting are confused in {kinds} cells.")
    doubtful = sum(not note.is_wrong for note in notes)
    if doubtful:
        cause.append(f"{doubtful} cells are right with a probability below {_SURE}.")
    return cause


def _quarter_turns_off(verdict: PhotoVerdict) -> int:
    """Return by how many corners the report's board begins after the labelled one."""
    if verdict.board is None or verdict.label.corners is None:
        return 0
    first = np.array(verdict.board["corners"][0], np.float32)
    return int(np.linalg.norm(verdict.label.corners - first, axis=1).argmin())


def _name_miss(verdict: PhotoVerdict, candidates: Sequence[BoardCandidate]) -> str:
    if not candidates:
        return "Not located: the finder proposes nothing."
    if verdict.label.corners is None:
        return f"Nothing is taken for a board; the best candidate scores {candidates[0].score:.2f}."
    overlaps = [quad_overlap(one.corners, verdict.label.corners) for one in candidates]
    nearest = int(np.argmax(overlaps))
    what = f"candidate {nearest + 1} of {len(candidates)}"
    told = f"score {candidates[nearest].score:.2f}, overlap (IoU) {overlaps[nearest]:.2f}"
    if overlaps[nearest] >= MIN_OVERLAP:
        return f"Proposed, but dropped: {what} lies on the board ({told})."
    return f"Not located: the nearest is {what} ({told})."


def _name_wrong(verdict: PhotoVerdict) -> str:
    if verdict.label.solution is None:
        return "WRONG: a solution is shown for digits that are no puzzle."
    for board in verdict.report["boards"]:
        if board["solution"] is None:
            continue
        cells = int((parse_grid(board["solution"]) != verdict.label.solution).sum())
        if cells:
            return f"WRONG: the solution shown differs from the true one in {cells} cells."
    return "WRONG: a solution is shown."


def note_cells(
    verdict: PhotoVerdict, cells: Image8, probabilities: Float32, kinds: Kinds | None
) -> list[CellNote]:
    """Return the cells that were read wrong, or right with doubt.

    Args:
        verdict: with a board.
        cells: (81, h, w) uint8, as they were cut.
        probabilities: (81, 19) float32, as `models.digits.Reader` returns them.
        kinds: (81,) marks of print and handwriting, or None where they are not labelled.
    """
    assert verdict.board is not None
    truth, seen = verdict.label.digits.ravel(), seen_digits(verdict.board).ravel()
    notes = []
    for cell in range(81):
        likeliest, second = np.argsort(-probabilities[cell])[:2]
        mark = None if kinds is None or not truth[cell] else kinds[cell]
        has_other_kind = (
            mark in (PRINTED, HANDWRITTEN)
            and likeliest > 0
            and (likeliest > 9) != (mark == HANDWRITTEN)
        )
        is_wrong = bool(seen[cell] != truth[cell]) or has_other_kind
        if not is_wrong and probabilities[cell, likeliest] >= _SURE:
            continue
        words = [
            f"{_name_class(int(one))} {probabilities[cell, one]:.3f}" for one in (likeliest, second)
        ]
        reading = ", ".join(words)
        if seen[cell] != (likeliest - 1) % 9 + 1 and (seen[cell] or likeliest):
            reading += f"; decoded as {seen[cell] or 'empty'}"
        stands = str(truth[cell]) if truth[cell] else "empty"
        if mark in (PRINTED, HANDWRITTEN):
            stands += _KIND_WORDS[mark]
        notes.append(CellNote(cell, cells[cell], stands, reading, is_wrong))
    return notes


_KIND_WORDS: Final = {PRINTED: " in print", HANDWRITTEN: " by hand"}


def _is_kind_note(note: CellNote) -> bool:
    """Tell whether the likeliest reading has the right digit of the wrong kind."""
    digit, _, kind = note.truth.partition(" ")
    words = note.reading.split(",")[0].split()
    return bool(
        note.is_wrong and kind and words[0] == digit and ("hand" in words) != ("hand" in kind)
    )


def _name_class(index: int) -> str:
    if index == 0:
        return "empty"
    return f"{index} in print" if index < 10 else f"{index - 9} by hand"


def _lattice_of(corners: Points, candidates: Sequence[BoardCandidate]) -> Points:
    """Return the lattice of the report's board, which reports its corners only."""
    for candidate in candidates:
        if quad_overlap(candidate.corners, corners) >= _SAME:
            gaps = np.linalg.norm(candidate.corners - corners[0], axis=1)
            return turn_lattice(candidate.lattice, int(gaps.argmin()))
    return lattice_from_corners(corners)


def _draw(photo: Image8, verdict: PhotoVerdict, candidates: Sequence[BoardCandidate]) -> Image8:
    picture = photo.copy()
    width = max(1, max(photo.shape) // 400)
    corners = None
    if verdict.board is not None:
        corners = np.array(verdict.board["corners"], np.float32)
        lattice = _lattice_of(corners, candidates)
    elif candidates:
        lattice = candidates[0].lattice
    if verdict.board is not None or candidates:
        for line in (*lattice, *lattice.swapaxes(0, 1)):
            cv2.polylines(picture, [np.round(line).astype(np.int32)], False, _RED, width)
    if verdict.label.corners is not None:
        outline = np.round(verdict.label.corners).astype(np.int32)
        cv2.polylines(picture, [outline], True, _GREEN, 2 * width)
        cv2.circle(picture, outline[0].tolist(), 5 * width, _GREEN, -1)
    return picture


def _stage_pictures(folder: Path, file: str, options: Sequence[str]) -> list[tuple[str, Image8]]:
    """Run the product once more, and return the pictures that it draws of its stages."""
    with tempfile.TemporaryDirectory(prefix="stages-") as stages:
        list(run_product(folder, [file], [*options, "--debug", stages]))
        prefix = f"{Path(file).stem}-"
        return [
            (path.stem.removeprefix(prefix), load_image(path))
            for path in sorted(Path(stages).glob("*.png"))
        ]


def explain_rendered(
    file: Path, truth: RenderedPhoto, report: dict[str, Any], reader: Reader
) -> list[GalleryEntry]:
    """Return an entry for every board of a rendered photo that is not right.

    Args:
        file: of the photo.
        truth: what it shows.
        report: of the product.
        reader: that the product read it with.
    """
    verdicts = [
        judge(label, {**report, "boards": _boards_of(label, truth, report)})
        for label in label_boards(file.name, truth)
    ]
    return explain_failures(file.parent, verdicts, reader)


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
