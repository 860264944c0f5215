"""What runs have written: overlays, solutions, thumbnails; it is never taken for a photo."""

import logging
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from app.batch.files.inputs import is_solved_text, real_folder
from app.batch.journal.database import JOURNAL_NAME, JOURNAL_SUFFIX, read_written
from app.batch.journal.run_journal import Journal
from app.batch.report.outcome_words import GALLERY_ENDING, GALLERY_MARK
from app.terminal.exits import UsageError

logger = logging.getLogger(__name__)

IsOutput = Callable[[str], bool]


class Outputs:
    """What runs have written, and where; nobody wants it for an input."""

    def __init__(self, journal: Journal, folder: str | None, gallery: str | None = None) -> None:
        """Remember what to look for.

        Args:
            journal: of this run; it knows the files.
            folder: the output folder, absolute and without links; None for none.
            gallery: likewise, the folder of the thumbnails that this run makes.
        """
        self._journal = journal
        self._folders = {one for one in (folder, gallery) if one is not None}
        self._elsewhere = _Elsewhere(journal.path)

    def include(self, path: str) -> bool:
        """Tell whether an absolute path is an output or a folder of them, by whatever link."""
        return self._include(path, self._is_ours, self._elsewhere)

    def for_thread(self, inputs: Iterable[str]) -> IsOutput:
        """Return what tells the same in another thread, as things are now.

        Args:
            inputs: absolute paths that are listed there. What this journal knows is asked for only
                where outputs are among them, as it may be much; else their folder is left out.
        """
        places = [real_folder(path) for path in inputs]
        written: frozenset[int] = frozenset()
        if any(_is_within(place, folder) for place in places for folder in self._folders):
            written = frozenset(map(_shortened, self._journal.written_outputs()))
        elsewhere = _Elsewhere(self._journal.path)
        return lambda path: self._include(path, lambda real: _shortened(real) in written, elsewhere)

    def _include(self, path: str, is_ours: IsOutput, elsewhere: "_Elsewhere") -> bool:
        above, name = os.path.split(path)
        above = real_folder(above)
        real = os.path.join(above, name)
        if real in self._folders or (os.path.islink(path) and real_folder(path) in self._folders):
            return True
        return is_ours(real) or is_solved_text(path) or elsewhere.includes(above, real)

    def _is_ours(self, real: str) -> bool:
        known = self._journal.find_output(real)
        return known is not None and known.is_ours


class _Place(NamedTuple):
    """A folder: whether it is a gallery's, and what journals in it and above it have written."""

    is_gallery: bool
    written: tuple[frozenset[int], ...]


class _Elsewhere:
    """What runs with other journals have left in folders of photos, or above them."""

    def __init__(self, ours: Path | None) -> None:
        self._ours = None if ours is None else os.path.realpath(ours)
        self._places: dict[str, _Place] = {}

    def includes(self, folder: str, path: str) -> bool:
        """Tell whether a real path in a folder is something that such a run has written."""
        place = self._look(folder)
        if place.is_gallery or (path.endswith(GALLERY_ENDING) and _is_gallery(path)):
            return True
        return bool(place.written) and any(_shortened(path) in one for one in place.written)

    def _look(self, folder: str) -> _Place:
        place = self._places.get(folder)
        if place is None:
            above = os.path.dirname(folder)
            outer = _Place(False, ()) if above == folder else self._look(above)
            is_gallery = outer.is_gallery or (
                folder.endswith(GALLERY_ENDING) and _is_gallery(folder)
            )
            written = outer.written + tuple(map(_read_one, self._find(folder)))
            place = self._places[folder] = _Place(is_gallery, written)
        return place

    def _find(self, folder: str) -> list[str]:
        try:
            with os.scandir(folder) as entries:
                names = [
                    entry.path
                    for entry in entries
                    if entry.name.startswith(JOURNAL_NAME) and entry.name.endswith(JOURNAL_SUFFIX)
                ]
        except OSError:
            return []
        return [name for name in sorted(names) if os.path.realpath(name) != self._ours]


def _read_one(name: str) -> frozenset[int]:
    try:
        return frozenset(map(_shortened, read_written(Path(name))))
    except UsageError as error:
        logger.warning("overlays may be taken for photos: %s", error)
        return frozenset()


def _is_within(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)


def _shortened(path: str) -> int:
    """Return a number for a name, as millions of names would fill the memory."""
    return hash(path.casefold())


def _is_gallery(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, GALLERY_MARK))
