"""Cuts the photo that the window opens at its first start out of the sample page.

Run it with `python packaging/make_sample.py`.
"""

import sys
from pathlib import Path
from typing import Final

from PIL import Image

_ROOT: Final = Path(__file__).parents[1]
PAGE: Final = _ROOT / "samples" / "newspaper.jpg"
SAMPLE: Final = _ROOT / "app" / "gui" / "sample.jpg"
PART: Final = (20, 190, 1010, 1010)
"""Of the page, in pixels: left, top, right, bottom."""

_QUALITY: Final = 78


def main() -> int:
    """Run from the command line."""
    with Image.open(PAGE) as page:
        page.crop(PART).save(SAMPLE, quality=_QUALITY, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
