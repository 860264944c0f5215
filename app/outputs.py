"""Where the pictures go: checked before any work begins, and never two to the same name."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from app.exits import UsageError

STDIN: Final = "-"

_PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp"})
"""What can be written, as `vision.images.save_image` lists it, which is slow to import."""

_OTHER_PICTURES: Final = frozenset(
    {".gif", ".heic", ".heif", ".hif", ".avif", ".jxl", ".jp2", ".jpe", ".jfif", ".apng"}
    | {".pdf", ".svg", ".eps", ".ps", ".psd", ".ppm", ".pgm", ".pnm", ".tga", ".ico", ".dng"}
)
"""What is meant as a picture's name and not as a folder's, but cannot be written."""


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
    if not output:
        raise UsageError("the output after -o is empty; name a file or a folder")
    path = Path(output)
    inputs = [Path(name) for name in names if name != STDIN]
    is_folder = (
        path.is_dir() or output.endswith(("/", os.sep)) or path.suffix.lower() not in _PICTURES
    )
    if is_folder:
        _refuse_other_picture(path, output)
        check_folder(path)
        stems = distinct_stems(names)
        return [
            _free_name(path, stem, name, inputs) for stem, name in zip(stems, names, strict=True)
        ]
    if len(names) > 1:
        raise UsageError(f"-o {output} is one picture for {len(names)} photos; name a folder")
    if _is_any(path, inputs):
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


def _refuse_other_picture(path: Path, output: str) -> None:
    """Refuse what would become a folder with the name of a picture."""
    suffix = path.suffix.lower()
    if suffix in _OTHER_PICTURES and not path.is_dir() and not output.endswith(("/", os.sep)):
        raise UsageError(f"cannot write {output} as {suffix}; use {', '.join(sorted(_PICTURES))}")


def _free_name(folder: Path, stem: str, name: str, inputs: Sequence[Path]) -> Path:
    suffix = Path(name).suffix.lower()
    ending = suffix if suffix in _PICTURES else ".jpg"
    path, number = folder / f"{stem}-solved{ending}", 1
    while _is_any(path, inputs):
        number += 1
        path = folder / f"{stem}-solved-{number}{ending}"
    return path


def _is_any(path: Path, inputs: Sequence[Path]) -> bool:
    """Tell whether a path leads to one of the inputs, by whatever name."""
    return any(_identity(path) == _identity(one) or _is_same_file(path, one) for one in inputs)


def _identity(path: Path) -> str:
    return os.path.normcase(path.absolute().resolve())


def _is_same_file(one: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file, which also holds where the case is ignored."""
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist
        return False
