"""A folder with one HTML page of failures, which needs nothing else to be looked at.

    write_gallery(Path("gallery"), entries, "Failures of …")

Pictures lie beside the page; the page filters by source and by stage.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import Grid
from vision.media.images import save_image

_MOST_PX: Final = 1600
"""Longer side of a picture in the gallery: enough to see a digit."""

Image8 = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class CellNote:
    """A cell that is worth a look.

    Attributes:
        cell: 0..80.
        picture: (h, w) uint8, as the reader saw it.
        truth: what stands there, in words.
        reading: what was read, in words, the likeliest first.
        is_wrong: whether the reading differs from the truth; otherwise it is only doubtful.
    """

    cell: int
    picture: Image8
    truth: str
    reading: str
    is_wrong: bool


@dataclass(frozen=True, eq=False)
class GalleryEntry:
    """One failure.

    Attributes:
        name: of the photo.
        source: where it comes from; one filter of the page.
        stage: where it failed; the other filter.
        cause: what was measured about that, a sentence each.
        pictures: caption and picture, BGR or grey uint8, in the order of the stages.
        truth: (9, 9) uint8, what stands in the cells, or None where that is not known.
        reading: (9, 9) uint8, what was read, or None where nothing was.
        cells: those worth a look.
    """

    name: str
    source: str
    stage: str
    cause: Sequence[str]
    pictures: Sequence[tuple[str, Image8]] = ()
    truth: Grid | None = None
    reading: Grid | None = None
    cells: Sequence[CellNote] = field(default=())


def write_gallery(folder: Path, entries: Sequence[GalleryEntry], title: str) -> Path:
    """Write `index.html` and its pictures, over those of an earlier gallery.

    Args:
        folder: made where it is missing.
        entries: shown in this order.
        title: of the page.

    Returns:
        The page.

    Raises:
        vision.media.images.ImageError: if a picture cannot be written.
        OSError: if the folder or the page cannot be.
    """
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    for old in pictures.glob("*.png"):
        old.unlink()
    parts = [_show_entry(folder, number, entry) for number, entry in enumerate(entries)]
    sources = _filter("source", [entry.source for entry in entries])
    stages = _filter("stage", [entry.stage for entry in entries])
    page = folder / "index.html"
    page.write_text(
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{html.escape(title)}</h1>\n"
        f'<p>{sources} {stages} <span id="count">{len(entries)}</span> shown</p>\n'
        f"{''.join(parts)}<script>{_SCRIPT}</script>\n</body>\n</html>\n",
        encoding="utf-8",
    )
    return page


def _filter(name: str, values: Sequence[str]) -> str:
    options = "".join(
        f'<option value="{html.escape(value)}">{html.escape(value)} ({values.count(value)})'
        f"</option>"
        for value in dict.fromkeys(values)
    )
    return (
        f'<label>{name} <select id="{name}"><option value="">all</option>{options}</select></label>'
    )


def _show_entry(folder: Path, number: int, entry: GalleryEntry) -> str:
    figures = "".join(
        _show_picture(folder, f"{number}-{place}", caption, picture)
        for place, (caption, picture) in enumerate(entry.pictures)
    )
    cells = "".join(
        _show_cell(folder, f"{number}-cell{note.cell}", note)
        for note in sorted(entry.cells, key=lambda note: not note.is_wrong)
    )
    cause = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in entry.cause)
    return (
        f'<article data-source="{html.escape(entry.source)}" '
        f'data-stage="{html.escape(entry.stage)}">\n'
        f"<h2>{html.escape(entry.name)} <small>{html.escape(entry.stage)}</small></h2>\n"
        f'<ul class="cause">{cause}</ul>\n'
        f'<div class="row">{figures}{_show_grids(entry)}</div>\n'
        f'<div class="row">{cells}</div>\n</article>\n'
    )


def _show_picture(folder: Path, stem: str, caption: str, picture: Image8) -> str:
    path = f"pictures/{stem}.png"
    scale = _MOST_PX / max(picture.shape[:2])
    if scale < 1:
        shrunk = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture = np.asarray(shrunk, np.uint8)
    save_image(folder / path, picture)
    return (
        f'<figure><a href="{path}"><img loading="lazy" src="{path}" alt=""></a>'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>\n"
    )


def _show_cell(folder: Path, stem: str, note: CellNote) -> str:
    path = f"pictures/{stem}.png"
    save_image(folder / path, note.picture)
    kind = "wrong" if note.is_wrong else "doubtful"
    return (
        f'<figure class="cell {kind}"><img loading="lazy" src="{path}" alt="">'
        f"<figcaption>r{note.cell // 9 + 1}c{note.cell % 9 + 1}: {html.escape(note.truth)}<br>"
        f"read {html.escape(note.reading)}</figcaption></figure>\n"
    )


def _show_grids(entry: GalleryEntry) -> str:
    """Show truth and reading side by side; what was read wrong is marked in both."""
    if entry.truth is None or entry.reading is None:
        grids = [("truth", entry.truth), ("reading", entry.reading)]
        return "".join(_show_grid(name, grid, None) for name, grid in grids if grid is not None)
    wrong = np.asarray(entry.truth != entry.reading)
    return _show_grid("truth", entry.truth, wrong) + _show_grid("reading", entry.reading, wrong)


def _show_grid(caption: str, grid: Grid, wrong: npt.NDArray[np.bool_] | None) -> str:
    rows = []
    for row in range(9):
        marks = ["" if wrong is None or not wrong[row, c] else ' class="wrong"' for c in range(9)]
        cells = [f"<td{marks[c]}>{grid[row, c] or '·'}</td>" for c in range(9)]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f"<figure><table>{''.join(rows)}</table>"
        f"<figcaption>{html.escape(caption)}</figcaption></figure>\n"
    )


_STYLE: Final = """
body { font: 15px/1.4 sans-serif; margin: 1.5em; color: #222; background: #fff; }
article { border-top: 1px solid #bbb; padding: .5em 0 1em; }
h2 { font-size: 1.1em; margin: .4em 0; } h2 small { color: #b00; font-weight: normal; }
.row { display: flex; flex-wrap: wrap; gap: .8em; align-items: flex-start; }
figure { margin: 0; } figcaption { font-size: .8em; color: #555; }
img { max-height: 260px; max-width: 360px; }
.cell img { width: 64px; height: 64px; image-rendering: pixelated; }
.cell { border-left: 3px solid #e90; padding-left: .3em; } .cell.wrong { border-color: #c00; }
table { border-collapse: collapse; border: 2px solid #333; }
td { width: 1.6em; height: 1.6em; text-align: center; border: 1px solid #bbb; }
td:nth-child(3n) { border-right: 2px solid #333; }
tr:nth-child(3n) td { border-bottom: 2px solid #333; }
td.wrong { background: #fcc; color: #900; font-weight: bold; }
"""

_SCRIPT: Final = """
const selects = ["source", "stage"].map(name => document.getElementById(name));
function choose() {
  let count = 0;
  for (const one of document.querySelectorAll("article")) {
    one.hidden = selects.some(select => select.value && one.dataset[select.id] !== select.value);
    count += !one.hidden;
  }
  document.getElementById("count").textContent = count;
}
selects.forEach(select => select.addEventListener("change", choose));
"""
