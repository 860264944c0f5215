"""Contact sheets of rendered photos, to be looked at.

    python -m training.rendered.contact_sheet -o docs/rendered/levels.jpg

draws a row of photos of each level, and a row of decoys. As the sheet is part of the project,
digits are set in our own typefaces and strokes only, whatever data are at hand.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.levels import LEVELS
from training.rendered.photographed_decoys import DECOYS, render_decoy
from training.rendered.rendered_photos import RenderedPhoto, render_photo

_TILE: Final = 220
_GAP: Final = 6
_PAPER: Final = 255

Image8 = npt.NDArray[np.uint8]


def draw_gallery(rows: Sequence[tuple[str, Sequence[RenderedPhoto]]], tile_px: int) -> Image8:
    """Return photos side by side, (H, W, 3) uint8 BGR, each row with its name before it.

    Args:
        rows: a name and photos, as many in every row.
        tile_px: the side that a photo is shrunk to.
    """
    drawn = []
    for name, photos in rows:
        label = np.full((tile_px + _GAP, 90, 3), _PAPER, np.uint8)
        place = (4, tile_px // 2)
        cv2.putText(label, name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        tiles = [_tile(rendered.photo, tile_px) for rendered in photos]
        drawn.append(np.hstack([label, *tiles]))
    return np.vstack(drawn)


def _tile(photo: Image8, tile_px: int) -> Image8:
    scale = tile_px / max(photo.shape[:2])
    small = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    tile = np.full((tile_px + _GAP, tile_px + _GAP, 3), _PAPER, np.uint8)
    tile[: small.shape[0], : small.shape[1]] = small[:tile_px, :tile_px]
    return tile


def _render_rows(seeds: Sequence[int]) -> list[tuple[str, list[RenderedPhoto]]]:
    rows = [(f"level {level}", [render_photo(level, seed) for seed in seeds]) for level in LEVELS]
    rows.append(("4 boards", [render_photo(2 + seed % 3, seed, boards=4) for seed in seeds]))
    kinds = list(DECOYS)
    decoys = [render_decoy(kinds[2 * seed % len(kinds)], seed) for seed in seeds]
    return [*rows, ("decoys", decoys)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Render the photos and write their contact sheet."""
    parser = argparse.ArgumentParser(description="Draw a contact sheet of rendered photos.")
    parser.add_argument("--columns", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0, help="of the first column")
    parser.add_argument("--tile-px", type=int, default=_TILE)
    parser.add_argument("--quality", type=int, default=66, help="of the JPEG")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/rendered/levels.jpg"))
    options = parser.parse_args(arguments)
    seeds = range(options.seed, options.seed + options.columns)
    with using_shapes_of(NO_DATA):
        rows = _render_rows(seeds)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    sheet = draw_gallery(rows, options.tile_px)
    _, data = cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, options.quality])
    options.output.write_bytes(data.tobytes())
    print(f"{options.output}: {sheet.shape[1]}×{sheet.shape[0]}, {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
