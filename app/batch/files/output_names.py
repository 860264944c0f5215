"""What overlays are called: as the template says, never two alike, and the same in every run."""

import os
import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.batch.files.inputs import Found, real_folder
from app.batch.journal.run_journal import Journal
from app.batch.report.outcome_words import PICTURE_SUFFIXES
from app.terminal.exits import UsageError
from app.terminal.outputs import cut_stem

DEFAULT_TEMPLATE: Final = "{stem}-solved{suffix}"

FIELDS: Final = ("stem", "suffix", "folder")

_MOST_BYTES: Final = 240
"""Of a name: 255 are usual, and a temporary name has 14 more."""

_NUMBERS: Final = 99
"""Names alike that are told apart by number; more by a hash, which needs no search."""


class Claim(NamedTuple):
    """A name, and whether a file has it that no run of this journal has written, or is an input."""

    path: str
    is_foreign: bool
    is_input: bool = False

    def may_be_taken(self, *, overwrite: bool) -> bool:
        """Tell whether nothing is in the way that must stay."""
        return not self.is_foreign or (overwrite and not self.is_input)


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


class Namer:
    """Chooses names and keeps them in the journal."""

    def __init__(
        self, journal: Journal, options: NamerOptions, may_be_input: Callable[[str], bool]
    ) -> None:
        """Prepare for choosing.

        Args:
            journal: what remembers the names.
            options: how they are chosen.
            may_be_input: tells of a file in the way whether it may be one of the inputs, which
                is never replaced, whatever the user asks for.
        """
        self._journal = journal
        self._options = options
        self._may_be_input = may_be_input

    def claim(self, found: Found) -> Claim:
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

    def _try(self, path: str, found: Found) -> Claim:
        known = self._journal.find_output(path)
        is_ours = known is not None and known.is_ours
        is_foreign = not is_ours and os.path.lexists(path)
        return Claim(path, is_foreign, is_foreign and self._is_input(path, found))

    def take(self, claim: Claim, found: Found) -> None:
        """Keep a name for an input."""
        self._journal.claim_output(claim.path, found.path)

    def _is_input(self, path: str, found: Found) -> bool:
        return (
            path == found.path
            or self._may_be_input(path)
            or self._journal.find_input(path) is not None
        )

    def _is_alone(self, found: Found, suffix: str) -> bool:
        """Tell whether no photo of another share can have the same name."""
        is_telling = "{stem}" in self._options.template
        return is_telling and found.root == 0 and os.path.splitext(found.file)[1] == suffix

    def _render(self, found: Found) -> tuple[str, str]:
        """Return the name's stem and suffix."""
        stem, suffix = os.path.splitext(os.path.basename(found.path))
        if found.kind == "text":
            return _cut(f"{stem}-solved", suffix), suffix
        written = suffix.lower() if suffix.lower() in PICTURE_SUFFIXES else ".jpg"
        folder = os.path.basename(os.path.dirname(found.path))
        name = self._options.template.format(stem=stem, suffix=written, folder=folder)
        stem, suffix = os.path.splitext(name)
        return _cut(stem, suffix), suffix


def in_the_way(claim: Claim) -> str:
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
        if field is not None and (field not in FIELDS or form or conversion):
            known = ", ".join(f"{{{name}}}" for name in FIELDS)
            raise UsageError(f"{wish}: there is no {{{field}}}; use {known}")
    name = template.format(stem="photo", suffix=".jpg", folder="album")
    if "/" in name or "\\" in name or name.startswith("."):
        raise UsageError(f"{wish} must name a file, not a folder; see --output-dir")
    if os.path.splitext(name)[1].lower() not in PICTURE_SUFFIXES:
        known = ", ".join(sorted(PICTURE_SUFFIXES))
        raise UsageError(f"{wish} must end with {{suffix}}, or with one of {known}")


def _with_hash(stem: str, suffix: str, found: Found) -> str:
    import hashlib

    where = f"{found.root}/{found.place}".encode(errors="surrogateescape")
    mark = hashlib.blake2b(where, digest_size=5).hexdigest()
    return f"{stem}-{mark}{suffix}"


def _cut(stem: str, suffix: str) -> str:
    """Shorten a stem until the name, a number and a temporary ending fit into a file system."""
    return cut_stem(stem, _MOST_BYTES - len(os.fsencode(suffix)) - len("-0123456789"))
