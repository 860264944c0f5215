"""Where the pictures go: checked before any work begins, and never two to the same name."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from app.exits import UsageError

STDIN: Final = "-"

_PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp"})
"""What can be written, as `vision.images.save_image` lists it, which is slow to import."""


def plan_outputs(names: Sequence[str], output: str | None) -> list[Path | None]:
    """Decide where each photo's overlay goes.

    Args:
        names: photos as typed; `-` is stdin.
        output: what `-o` says: a picture's name, a folder, or None for no pictures.

    Returns:
        One path a photo, all different and none of them an input, or None for each.

    Raises:
        UsageError: if the output can never be written, or would replace a photo.
    """
    if output is None:
        return [None] * len(names)
    path = Path(output)
    inputs = {_identity(Path(name)) for name in names if name != STDIN}
    is_folder = (
        path.is_dir() or output.endswith(("/", os.sep)) or path.suffix.lower() not in _PICTURES
    )
    if is_folder:
        check_folder(path)
        stems = distinct_stems(names)
        return [
            _free_name(path, stem, name, inputs) for stem, name in zip(stems, names, strict=True)
        ]
    if len(names) > 1:
        raise UsageError(f"-o {output} is one picture for {len(names)} photos; name a folder")
    if _identity(path) in inputs:
        raise UsageError(f"-o {output} would replace the photo itself; choose another name")
    check_folder(path.parent)
    return [path]


def check_folder(folder: Path) -> None:
    """Make sure that a folder exists or can be made, and may be written to; nothing is changed.

    Raises:
        UsageError: if not; the message says which part is in the way.
    """
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        raise UsageError(f"cannot write to {folder}: {existing} is not a folder; choose another")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise UsageError(f"cannot write to {folder}: no permission for {existing}; choose another")


def make_folder(folder: Path) -> None:
    """Make a folder and those above it where they are missing.

    Raises:
        UsageError: if that fails.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror or error}") from error


def distinct_stems(names: Iterable[str]) -> list[str]:
    """Return a file name without ending for each photo, all different even where case is not."""
    taken: set[str] = set()
    stems = []
    for name in names:
        stem = "stdin" if name == STDIN else Path(name).stem or "photo"
        free, number = stem, 1
        while free.lower() in taken:
            number += 1
            free = f"{stem}-{number}"
        taken.add(free.lower())
        stems.append(free)
    return stems


def _free_name(folder: Path, stem: str, name: str, inputs: set[str]) -> Path:
    suffix = Path(name).suffix.lower()
    ending = suffix if suffix in _PICTURES else ".jpg"
    path, number = folder / f"{stem}-solved{ending}", 1
    while _identity(path) in inputs:
        number += 1
        path = folder / f"{stem}-solved-{number}{ending}"
    return path


def _identity(path: Path) -> str:
    return os.path.normcase(path.absolute().resolve())
