"""Renders a photo of each kind of puzzle, and its overlay, for docs/kinds.md.

    python packaging/kind_pictures.py

The photos are so small that a page of them loads at once, and still are what the program itself
solves: `sudoku-lens solve docs/kinds/killer.webp`. No other picture is in them.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.report.report_pictures import draw_solutions
from solver.rules import Kind
from training.rendered.kind_photos import render_kind_photo, render_samurai_photo
from training.rendered.large_digits import NO_DATA, using_shapes_of
from vision.media.images import load_image

FOLDER: Final = Path(__file__).parents[1] / "docs" / "kinds"
_LEVEL: Final = 2
_QUALITY: Final = 55

Image8 = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Wish:
    """Which photo is rendered, and how small.

    Attributes:
        kind: of the puzzle.
        side: of its grid.
        seed: of the photo; chosen by eye.
        px: of its longer side; less was not always solved, or could not be seen well.
    """

    kind: Kind
    side: int
    seed: int
    px: int


WISHES: Final = {
    "six": Wish(Kind.CLASSIC, 6, 5, 420),
    "sixteen": Wish(Kind.CLASSIC, 16, 0, 640),
    "jigsaw": Wish(Kind.JIGSAW, 9, 0, 420),
    "diagonal": Wish(Kind.DIAGONAL, 9, 2, 420),
    "windoku": Wish(Kind.WINDOKU, 9, 1, 420),
    "killer": Wish(Kind.KILLER, 9, 7, 560),
    "samurai": Wish(Kind.SAMURAI, 9, 7, 560),
}


def render(wish: Wish) -> Image8:
    """Return the photo, (H, W, 3) uint8 BGR."""
    with using_shapes_of(NO_DATA):
        if wish.kind is Kind.SAMURAI:
            photo = render_samurai_photo(_LEVEL, wish.seed, n_grids=5).photo
        else:
            photo = render_kind_photo(wish.kind, _LEVEL, wish.seed, wish.side).photo
    scale = wish.px / max(photo.shape[:2])
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def main() -> None:
    """Write a photo and its overlay for each kind, and say how large they are."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    pipeline = Pipeline.load(PipelineOptions())
    for name, wish in WISHES.items():
        path = FOLDER / f"{name}.webp"
        _write(path, render(wish))
        photo = load_image(path)
        drawn = draw_solutions(photo, pipeline.solve_photo(photo))
        if drawn is None:
            raise SystemExit(f"{path} is not solved; choose another seed, or more pixels")
        _write(FOLDER / f"{name}-solved.webp", drawn)


def _write(path: Path, picture: Image8) -> None:
    _, data = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])
    path.write_bytes(data.tobytes())
    print(f"{path.name}: {picture.shape[1]}×{picture.shape[0]}, {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
