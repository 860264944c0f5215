"""Makes the pictures that the program and its documents carry, but for screenshots.

    python packaging/pictures.py icons
    python packaging/pictures.py glyphs
    python packaging/pictures.py sample
    python packaging/pictures.py kinds
    python packaging/pictures.py levels

The icons come from the drawing `app/gui/icon/sudoku-lens.svg`. The pictures in the sizes that
desktops ask for lie beside it, those of the phone page in `app/serve/page`.

The glyphs are what the phone page writes over photos, `app/serve/page/glyphs.js`: each figure, and
the letters of large boards, as an SVG path in the face of saved pictures. The height of a zero is
1000, its middle at (0, 0), so that pages can carry it into a cell of any perspective.

The sample is the photo that the window opens at its first start, a part of `samples/newspaper.jpg`.

The kinds are a photo of each kind of puzzle, and its overlay, for docs/kinds.md. The photos are so
small that a page of them loads at once, and still are what the program itself solves:
`sudoku-lens solve docs/kinds/killer.webp`. No other picture is in them.

The levels are a sheet for docs/rendered.md: rendered photos of each level, and decoys.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import cv2
import numpy as np
from PIL import Image

from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.report.report_pictures import draw_solutions
from solver.rules import Kind
from training.rendered.kind_photos import render_kind_photo, render_samurai_photo
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.levels import LEVELS
from training.rendered.photographed_decoys import DECOYS, render_decoy
from training.rendered.rendered_photos import RenderedPhoto, render_photo
from vision.geometry import Image8
from vision.media.images import load_image, save_image

State = TypeVar("State")

_ROOT: Final = Path(__file__).parents[1]
_ICON: Final = _ROOT / "app" / "gui" / "icon" / "sudoku-lens.svg"
_PAGE: Final = _ROOT / "app" / "serve" / "page"
_SIDES_PX: Final = (16, 24, 32, 48, 64, 128, 256)
_PAPER: Final = "#f6f4f0"
_ROOM: Final = 0.1
"""Beside the drawing where phones cut icons to a shape of their own, as part of the side."""
_MASKABLE_ROOM: Final = 0.17
"""Nothing of the drawing may lie outside of a circle of four fifths of the side."""
_FACE: Final = _ROOT / "vision" / "fonts" / "Nunito-Bold.ttf"
_FONT_PX: Final = 1000
_SIGNS: Final = "0123456789ABCDEFGHIJKLMNOP"
_PART: Final = (20, 190, 1010, 1010)
"""Of the sample page, in pixels: left, top, right, bottom."""
_SAMPLE_QUALITY: Final = 78
_KINDS: Final = _ROOT / "docs" / "kinds"
_SCREENSHOTS: Final = _ROOT / "docs" / "screenshots"
_LEVEL: Final = 2
_QUALITY: Final = 55
_TILE_PX: Final = 220
_GAP_PX: Final = 6
_SHEET_QUALITY: Final = 66


_MOST_BYTES: Final = 80_000
"""Of a screenshot."""


def parse_states(
    description: str, states: Mapping[str, State], arguments: Sequence[str] | None
) -> dict[Path, State]:
    """Return the states that a command names, all if none, by the file that shows each."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(states))
    parser.add_argument("-o", "--output", type=Path, default=_SCREENSHOTS, help="folder")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    return {options.output / f"{name}.png": states[name] for name in options.names or states}


def render_page(folder: Path, level: int, seed: int, boards: int = 1) -> Path:
    """Return the file of a photo for a screenshot, rendered from the project's shapes alone."""
    path = folder / f"page-{level}-{seed}.jpg"
    with using_shapes_of(NO_DATA):
        save_image(path, render_photo(level, seed, boards).photo)
    return path


def save_screenshot(picture: Image.Image, path: Path) -> None:
    """Save in few colours; as JPEG where a photo makes that too large."""
    for other in (path, path.with_suffix(".jpg")):
        other.unlink(missing_ok=True)
    picture.quantize(200, dither=Image.Dither.NONE).save(path, optimize=True)
    if path.stat().st_size <= _MOST_BYTES:
        return
    path.unlink()
    for quality in (85, 78, 70, 62, 54, 46, 38):
        picture.save(path.with_suffix(".jpg"), quality=quality, optimize=True)
        if path.with_suffix(".jpg").stat().st_size <= _MOST_BYTES:
            break


@dataclass(frozen=True)
class _Wish:
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


_WISHES: Final = {
    "six": _Wish(Kind.CLASSIC, 6, 5, 420),
    "sixteen": _Wish(Kind.CLASSIC, 16, 0, 640),
    "jigsaw": _Wish(Kind.JIGSAW, 9, 0, 420),
    "diagonal": _Wish(Kind.DIAGONAL, 9, 2, 420),
    "windoku": _Wish(Kind.WINDOKU, 9, 1, 420),
    "killer": _Wish(Kind.KILLER, 9, 7, 560),
    "samurai": _Wish(Kind.SAMURAI, 9, 7, 560),
}


def _make_icons() -> None:
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    _application = QGuiApplication([])
    drawing = QSvgRenderer(str(_ICON))
    clear = QColor(Qt.GlobalColor.transparent)
    wanted = [(_ICON.with_name(f"{_ICON.stem}-{side}.png"), side, 0.0, clear) for side in _SIDES_PX]
    wanted += [(_PAGE / f"icon-{side}.png", side, 0.0, clear) for side in (192, 512)]
    wanted.append((_PAGE / "icon-180.png", 180, _ROOM, QColor(_PAPER)))
    wanted.append((_PAGE / "icon-maskable-512.png", 512, _MASKABLE_ROOM, QColor(_PAPER)))
    for path, side, room, ground in wanted:
        picture = QImage(side, side, QImage.Format.Format_ARGB32)
        picture.fill(ground)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = room * side
        drawing.render(painter, QRectF(edge, edge, side - 2 * edge, side - 2 * edge))
        painter.end()
        if not picture.save(str(path)):
            raise SystemExit(f"{path} cannot be written")


def _make_glyphs() -> None:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QPainterPath

    _application = QGuiApplication([])
    families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(_FACE)))
    font = QFont(families[0])
    font.setPixelSize(_FONT_PX)
    font.setWeight(QFont.Weight.Bold)

    def outline(sign: str) -> QPainterPath:
        path = QPainterPath()
        path.addText(QPointF(0, 0), font, sign)
        return path

    zero = outline("0").boundingRect()
    scale = 1000 / zero.height()
    lines = [
        "// The figures, and the letters of large boards, as outlines; made by",
        "// packaging/pictures.py.",
        "export const GLYPHS = {",
    ]
    for sign in _SIGNS:
        path = outline(sign)
        # Signs share a baseline, which middles of their own boxes would not.
        middle = (path.boundingRect().center().x(), zero.center().y())
        points = [
            (round((at.x - middle[0]) * scale), round((at.y - middle[1]) * scale), at.type)
            for at in (path.elementAt(number) for number in range(path.elementCount()))
        ]
        lines.append(f'  {sign}: "{_as_svg(points)}",')
    (_PAGE / "glyphs.js").write_text("\n".join([*lines, "};", ""]), encoding="utf-8")


def _as_svg(points: list[tuple[int, int, object]]) -> str:
    from PySide6.QtGui import QPainterPath

    kinds = QPainterPath.ElementType
    letters = {kinds.MoveToElement: "M", kinds.LineToElement: "L", kinds.CurveToElement: "C"}
    parts: list[str] = []
    for x, y, kind in points:
        if kind is kinds.MoveToElement and parts:
            parts.append("Z")
        parts.append(f"{letters.get(kind, '')}{x},{y}")
    return " ".join([*parts, "Z"])


def _make_sample() -> None:
    with Image.open(_ROOT / "samples" / "newspaper.jpg") as page:
        sample = _ROOT / "app" / "gui" / "sample.jpg"
        page.crop(_PART).save(sample, quality=_SAMPLE_QUALITY, optimize=True)


def _make_kinds() -> None:
    """Write a photo and its overlay for each kind, and say how large they are."""
    _KINDS.mkdir(parents=True, exist_ok=True)
    pipeline = Pipeline.load(PipelineOptions())
    for name, wish in _WISHES.items():
        path = _KINDS / f"{name}.webp"
        _write(path, _render(wish))
        photo = load_image(path)
        drawn = draw_solutions(photo, pipeline.solve_photo(photo))
        if drawn is None:
            raise SystemExit(f"{path} is not solved; choose another seed, or more pixels")
        _write(_KINDS / f"{name}-solved.webp", drawn)


def _render(wish: _Wish) -> Image8:
    """Return the photo, (H, W, 3) uint8 BGR."""
    with using_shapes_of(NO_DATA):
        if wish.kind is Kind.SAMURAI:
            photo = render_samurai_photo(_LEVEL, wish.seed, n_grids=5).photo
        else:
            photo = render_kind_photo(wish.kind, _LEVEL, wish.seed, wish.side).photo
    scale = wish.px / max(photo.shape[:2])
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _write(path: Path, picture: Image8) -> None:
    webp, jpeg = [cv2.IMWRITE_WEBP_QUALITY, _QUALITY], [cv2.IMWRITE_JPEG_QUALITY, _SHEET_QUALITY]
    _, data = cv2.imencode(path.suffix, picture, webp if path.suffix == ".webp" else jpeg)
    path.write_bytes(data.tobytes())
    print(f"{path.name}: {picture.shape[1]}×{picture.shape[0]}, {len(data) / 1000:.0f} kB")


def _make_levels() -> None:
    seeds = range(6)
    kinds = list(DECOYS)
    with using_shapes_of(NO_DATA):
        rows = [
            *(
                (f"level {level}", [render_photo(level, seed) for seed in seeds])
                for level in LEVELS
            ),
            ("4 boards", [render_photo(2 + seed % 3, seed, boards=4) for seed in seeds]),
            ("decoys", [render_decoy(kinds[2 * seed % len(kinds)], seed) for seed in seeds]),
        ]
    sheet = np.vstack([_draw_row(name, photos) for name, photos in rows])
    path = _ROOT / "docs" / "rendered" / "levels.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, sheet)


def _draw_row(name: str, photos: Sequence[RenderedPhoto]) -> Image8:
    """Return photos side by side behind a name, (H, W, 3) uint8 BGR."""
    row = np.full((_TILE_PX + _GAP_PX, 90 + len(photos) * (_TILE_PX + _GAP_PX), 3), 255, np.uint8)
    place = (4, _TILE_PX // 2)
    cv2.putText(row, name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    for number, photo in enumerate(one.photo for one in photos):
        scale = _TILE_PX / max(photo.shape[:2])
        small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        left = 90 + number * (_TILE_PX + _GAP_PX)
        row[: small.shape[0], left : left + small.shape[1]] = small
    return row


_SUBJECTS: Final = {
    "icons": _make_icons,
    "glyphs": _make_glyphs,
    "sample": _make_sample,
    "kinds": _make_kinds,
    "levels": _make_levels,
}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Make pictures of the program and its documents.")
    parser.add_argument("subject", choices=_SUBJECTS)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _SUBJECTS[parser.parse_args().subject]()


if __name__ == "__main__":
    main()
