"""Files that no output may replace, whatever the user asks for: the inputs of the run."""

import os
from collections.abc import Callable, Iterator, Sequence

from app.batch.files.inputs import Found, real_folder
from app.batch.files.remote_sources import local_path

_Identity = tuple[int, int]


class Spared:
    """A run's inputs, known by whatever name or link they are reached."""

    def __init__(
        self,
        folders: Sequence[str],
        list_files: Callable[[], Iterator[Found]],
        *,
        is_recursive: bool,
        is_growing: bool,
    ) -> None:
        """Remember what is spared, without looking yet.

        Args:
            folders: named as inputs; what comes into them later is spared too.
            list_files: finds all inputs.
            is_recursive: whether folders are inputs to their depth.
            is_growing: whether inputs come during the run, so that they are listed each time.
        """
        self._folders = {real_folder(os.path.abspath(folder)) for folder in folders}
        self._list_files = list_files
        self._is_recursive = is_recursive
        self._is_growing = is_growing
        self._known: set[_Identity] | None = None

    def include(self, path: str) -> bool:
        """Tell whether a file that is there is an input; the first time, all inputs are listed."""
        above = real_folder(os.path.dirname(path))
        if above in self._folders or (self._is_recursive and self._is_below(above)):
            return True
        identity = _identity(path)
        if identity is None:
            return False
        if self._known is None or self._is_growing:
            self.look()
        assert self._known is not None
        return identity in self._known

    def look(self) -> None:
        """List the inputs."""
        self._known = set()
        for found in self._list_files():
            path = found.path if found.stamp is None else local_path(found.path)
            if path is not None and (identity := _identity(path)) is not None:
                self._known.add(identity)

    def _is_below(self, folder: str) -> bool:
        return any(folder.startswith(one.rstrip(os.sep) + os.sep) for one in self._folders)


def _identity(path: str) -> _Identity | None:
    """Return what all names of a file have in common, or None where there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
