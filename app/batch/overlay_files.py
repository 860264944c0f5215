"""Files that a batch writes: overlays named by the template, written whole, known in later runs.

Names are never two alike, and the same in every run.
"""

import contextlib
import logging
import os
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from app.batch.run_journal import JOURNAL_NAME, JOURNAL_SUFFIX, Journal, read_written
from app.batch.sources import GALLERY_ENDING, GALLERY_MARK, InputFile, is_within, real_folder
from app.terminal.exit_codes import UsageError
from app.terminal.named_files import PICTURE_SUFFIXES, cut_stem
from vision.media.whole_files import open_whole, remove_temporaries

if TYPE_CHECKING:
    from app.puzzles.bulk_files import BulkCounts

logger = logging.getLogger(__name__)

DEFAULT_TEMPLATE: Final = "{stem}-solved{suffix}"
_FIELDS: Final = ("stem", "suffix", "folder")

_MOST_BYTES: Final = 240
"""Of a name: 255 are usual, and a temporary name has 14 more."""

_CHUNK_BYTES: Final = 1 << 20
_NUMBERS: Final = 99
"""Names alike that are told apart by number; more by a hash, which needs no search."""


class OutputPath(NamedTuple):
    """A name, and whether a file has it that no run of this journal has written, or is an input."""

    path: str
    is_foreign: bool
    is_input: bool = False


@dataclass(frozen=True)
class NamerOptions:
    """How names are chosen.

    Attributes:
        folder: absolute, where all outputs go; None for beside the inputs.
        template: of overlays' names, with `FIELDS` in braces.
        is_sharded: whether other runs write to the same folder, so that a name must not depend on
            what this one meets.
        reserved: real paths, in lower case, of files that the run writes for itself.
    """

    folder: str | None
    template: str = DEFAULT_TEMPLATE
    is_sharded: bool = False
    reserved: frozenset[str] = frozenset()


class OutputNamer:
    """Chooses names and keeps them in the journal."""

    def __init__(
        self, journal: Journal, options: NamerOptions, may_be_input: Callable[[str], bool]
    ) -> None:
        """Prepare for choosing; what `may_be_input` is never replaced, whatever is asked for."""
        self._journal = journal
        self._options = options
        self._may_be_input = may_be_input

    def claim(self, found: InputFile) -> OutputPath:
        """Return where the overlay, or the solutions, of an input go."""
        folder = os.path.dirname(found.path)
        if self._options.folder is not None:
            folder = os.path.join(self._options.folder, found.folder)
        folder = real_folder(folder)
        stem, suffix = self._render(found)
        if self._options.is_sharded and not self._is_alone(found, suffix):
            return self._try(os.path.join(folder, _with_hash(stem, suffix, found)), found)
        for number in range(1, _NUMBERS + 1):
            name = f"{stem}-{number}{suffix}" if number > 1 else f"{stem}{suffix}"
            path = os.path.join(folder, name)
            if path.casefold() in self._options.reserved:
                continue
            known = self._journal.find_output(path)
            if known is None or known.input == found.path:
                claim = self._try(path if known is None else known.path, found)
                if not claim.is_input:
                    return claim
        return self._try(os.path.join(folder, _with_hash(stem, suffix, found)), found)

    def _try(self, path: str, found: InputFile) -> OutputPath:
        is_foreign = not self._journal.is_ours(path) and os.path.lexists(path)
        return OutputPath(path, is_foreign, is_foreign and self._is_input(path, found))

    def take(self, claim: OutputPath, found: InputFile) -> None:
        """Keep a name for an input."""
        self._journal.claim_output(claim.path, found.path)

    def _is_input(self, path: str, found: InputFile) -> bool:
        return (
            path == found.path
            or self._may_be_input(path)
            or self._journal.find_input(path) is not None
        )

    def _is_alone(self, found: InputFile, suffix: str) -> bool:
        """Tell whether no photo of another share can have the same name."""
        is_telling = "{stem}" in self._options.template
        return is_telling and found.root == 0 and os.path.splitext(found.file)[1] == suffix

    def _render(self, found: InputFile) -> tuple[str, str]:
        stem, suffix = os.path.splitext(os.path.basename(found.path))
        if found.kind == "text":
            return _cut(f"{stem}-solved", suffix), suffix
        written = suffix.lower() if suffix.lower() in PICTURE_SUFFIXES else ".jpg"
        folder = os.path.basename(os.path.dirname(found.path))
        name = self._options.template.format(stem=stem, suffix=written, folder=folder)
        stem, suffix = os.path.splitext(name)
        return _cut(stem, suffix), suffix


def in_the_way(claim: OutputPath) -> str:
    """Say that a file is where an output should go, and what to do about that."""
    if claim.is_input:
        return f"{claim.path} is one of the inputs and is not replaced; choose another --name"
    return (
        f"{claim.path} is there already, and is of no run of this journal; give --overwrite to "
        "replace such files, --skip-existing to leave their inputs out, or another --output-dir"
    )


def check_template(template: str) -> None:
    """Make sure that a template gives names of pictures.

    Raises:
        UsageError: if not; the message says why.
    """
    wish = f"--name {template}"
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError as error:
        raise UsageError(f"{wish}: {error}; write a brace itself twice") from error
    for _, field, form, conversion in parts:
        if field is not None and (field not in _FIELDS or form or conversion):
            known = ", ".join(f"{{{name}}}" for name in _FIELDS)
            raise UsageError(f"{wish}: there is no {{{field}}}; use {known}")
    name = template.format(stem="photo", suffix=".jpg", folder="album")
    if "/" in name or "\\" in name or name.startswith("."):
        raise UsageError(f"{wish} must name a file, not a folder; see --output-dir")
    if os.path.splitext(name)[1].lower() not in PICTURE_SUFFIXES:
        known = ", ".join(sorted(PICTURE_SUFFIXES))
        raise UsageError(f"{wish} must end with {{suffix}}, or with one of {known}")


def _with_hash(stem: str, suffix: str, found: InputFile) -> str:
    import hashlib

    where = f"{found.root}/{found.place}".encode(errors="surrogateescape")
    mark = hashlib.blake2b(where, digest_size=5).hexdigest()
    return f"{stem}-{mark}{suffix}"


def _cut(stem: str, suffix: str) -> str:
    """Shorten a stem until the name, a number and a temporary ending fit into a file system."""
    return cut_stem(stem, _MOST_BYTES - len(os.fsencode(suffix)) - len("-0123456789"))


@contextlib.contextmanager
def writing_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be written; it gets its name, and replaces what had it, at the block's end.

    Raises:
        UsageError: if that fails; the file that had the name stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_whole(path) as file:
            yield file
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"{path} cannot be written: {reason}; see to that, and run the same command to go on"
        ) from error


def copy_twin(journal: Journal, output: str, digest: bytes) -> bool:
    """Give a photo the overlay of another of the same content; tell whether there is one.

    Raises:
        UsageError: if the copy cannot be written.
    """
    twin = journal.find_twin(digest, os.path.splitext(output)[1])
    if twin is None or twin == output:
        return False
    journal.begin_output(output)
    journal.commit()
    try:
        data = Path(twin).read_bytes()
    except OSError:
        return False
    with writing_whole(Path(output)) as file:
        file.write(data)
    journal.end_output(output, digest)
    return True


def write_solutions(
    found: InputFile, claim: OutputPath, *, may_replace: bool, quiet: bool
) -> "BulkCounts":
    """Write the solutions of a text; over a file of others only if all of it is among them.

    Raises:
        UsageError: if they cannot be written.
        CommandError: if the text cannot be solved.
    """
    from app.puzzles.bulk_files import solve_in_bulk

    output = Path(claim.path)
    remove_temporaries(output)
    with writing_whole(output) as file:
        counts = solve_in_bulk(
            found.path,
            lambda lines: file.write(lines.encode()),
            quiet=quiet,
            name=found.file,
        )
        file.flush()
        # Without a journal, an earlier run has written it, perhaps of fewer puzzles.
        if not (may_replace or _begins_with(Path(file.name), output)):
            raise UsageError(in_the_way(claim))
    return counts


def _begins_with(path: Path, other: Path) -> bool:
    """Tell whether a file begins with all that another one holds."""
    if not other.is_file():
        return False
    with path.open("rb") as file, other.open("rb") as beginning:
        chunks = iter(lambda: beginning.read(_CHUNK_BYTES), b"")
        return all(file.read(len(chunk)) == chunk for chunk in chunks)


def remove_output(journal: Journal, output: str) -> None:
    """Remove an overlay that shows what is no longer so, if there is one.

    Raises:
        UsageError: if it cannot be removed.
    """
    try:
        Path(output).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{output} cannot be removed: {error.strerror or error}") from error
    journal.end_output(output, None)


def remove_leftovers(journal: Journal) -> None:
    """Remove what runs that were killed have left half-written."""
    for path in journal.begun_outputs():
        remove_temporaries(Path(path))
        # One that is there is whole, and shows what its photo's result, if kept, would not tell: it
        # is made again, unless its photo is gone.
        if not os.path.lexists(path):
            journal.end_output(path, None)
    journal.commit()


_IsOutput = Callable[[str], bool]


class Outputs:
    """What runs have written, and where; nobody wants it for an input."""

    def __init__(self, journal: Journal, folder: str | None, gallery: str | None = None) -> None:
        """Remember this run's journal, and its real folders of outputs and of thumbnails."""
        self._journal = journal
        self._folders = {one for one in (folder, gallery) if one is not None}
        self._elsewhere = _Elsewhere(journal.path)

    def include(self, path: str) -> bool:
        """Tell whether an absolute path is an output or a folder of them, by whatever link."""
        return self._include(path, self._journal.is_ours, self._elsewhere)

    def for_thread(self, inputs: Iterable[str]) -> _IsOutput:
        """Return what tells the same in another thread, as things are now.

        The inputs are absolute paths. What this journal knows may be much: it is asked only where
        outputs are among them; else their folder is left out.
        """
        places = [real_folder(path) for path in inputs]
        written: frozenset[int] = frozenset()
        if any(is_within(place, folder) for place in places for folder in self._folders):
            written = frozenset(map(_shortened, self._journal.written_outputs()))
        elsewhere = _Elsewhere(self._journal.path)
        return lambda path: self._include(path, lambda real: _shortened(real) in written, elsewhere)

    def _include(self, path: str, is_ours: _IsOutput, elsewhere: "_Elsewhere") -> bool:
        above, name = os.path.split(path)
        above = real_folder(above)
        real = os.path.join(above, name)
        if real in self._folders or (os.path.islink(path) and real_folder(path) in self._folders):
            return True
        return is_ours(real) or _is_solved_text(path) or elsewhere.includes(above, real)


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


def _shortened(path: str) -> int:
    """Return a number for a name, as millions of names would fill the memory."""
    return hash(path.casefold())


def _is_gallery(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, GALLERY_MARK))


def _is_solved_text(path: str) -> bool:
    stem, suffix = os.path.splitext(path)
    source = stem.removesuffix("-solved")
    return source != stem and os.path.exists(source + suffix) and suffix in (".txt", ".sdm")
