"""What runs have written, so that it is never taken for a photo."""

import os

from app.batch.inputs import is_solved_text, real_folder
from app.batch.journal import Journal


class Outputs:
    """What runs have written, and where; nobody wants it for an input."""

    def __init__(self, journal: Journal, folder: str | None, gallery: str | None = None) -> None:
        """Remember what to look for.

        Args:
            journal: knows the files.
            folder: the output folder, absolute and without links; None for none.
            gallery: likewise, the folder of the thumbnails that this run makes.
        """
        self._journal = journal
        self._folders = {one for one in (folder, gallery) if one is not None}

    def include(self, path: str) -> bool:
        """Tell whether an absolute path is an output or a folder of them, by whatever link."""
        above, name = os.path.split(path)
        real = os.path.join(real_folder(above), name)
        if real in self._folders or (os.path.islink(path) and real_folder(path) in self._folders):
            return True
        known = self._journal.find_output(real)
        return (known is not None and known.is_ours) or is_solved_text(path)
