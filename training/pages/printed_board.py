"""Boards of every side and kind as they are printed, with regions, cages and diagonals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.script_reader import SCRIPTS
from training.pages.flat_board import Colour, are_distinct, as_colour, choose_papers, draw_grey
from training.pages.shape import BOXES, Shape, box_regions, colour_regions
from training.rendered.filled_board import BoardLook, choose_look
from training.rendered.large_digits import (
    ALPHABETS,
    INK_PX,
    face_shapes,
    print_symbol,
    text_shape,
    typefaces,
)
from training.rendered.writing import Canvas
from vision.geometry import Float32, Image8, Points


@dataclass(frozen=True)
class KindLook:
    """How a board is printed, beyond what all boards have; lengths in cells.

    Attributes:
        base: lines, paper and type.
        region_colours: BGR papers of regions; none leaves them white.
        region_width: of the lines between regions.
        cage_dash: half the length from one of a cage's dashes to the next; 0 draws it whole.
        cage_ink_share: of that length, the share that is inked; little makes dots.
        cage_colour: BGR of the cages' lines.
        cage_width: of the cages' lines; 0 draws none.
        cage_inset: from the cells' edges to the cages' lines.
        cage_papers: BGR papers of cages; none leaves them white.
        sum_height: of a cage's sum.
        sum_inset: from the cell's edges to its sum.
        sum_face: typeface of the sums; None for that of the digits.
        sum_ink: BGR of the sums; None for that of the lines.
        has_even_sums: those of two digits are as high as those of one.
        has_sum_paper: the cages' lines are interrupted where a sum stands.
        shade: BGR paper of windows and of shaded diagonals.
        window_width: of lines around windows, in the cages' colour; 0 shades the windows.
        has_diagonal_lines: diagonals are drawn, not shaded.
        alphabet: one of `ALPHABETS`, or of `models.script_reader.SCRIPTS`.
    """

    base: BoardLook
    region_colours: tuple[Colour, ...] = ()
    region_width: float = 0.065
    cage_dash: float = 0.08
    cage_ink_share: float = 0.5
    cage_colour: Colour = (60, 60, 60)
    cage_width: float = 0.02
    cage_inset: float = 0.09
    cage_papers: tuple[Colour, ...] = ()
    sum_height: float = 0.2
    sum_inset: float = 0.12
    sum_face: str | None = None
    sum_ink: Colour | None = None
    has_even_sums: bool = False
    has_sum_paper: bool = True
    shade: Colour = (215, 215, 215)
    window_width: float = 0.0
    has_diagonal_lines: bool = False
    alphabet: str = "numbers"


@dataclass(frozen=True, eq=False)
class PrintedBoard:
    """Boards that are printed together, before they meet page and camera.

    Attributes:
        image: (H, H, 3) uint8 BGR.
        lattices: of each board (n + 1, n + 1, 2) float32, crossings (x, y) in pixels of `image`;
            a samurai has two to five.
        clues: of each board, (n, n) uint8, 0 = empty.
    """

    image: Image8
    lattices: tuple[Points, ...]
    clues: tuple[npt.NDArray[np.uint8], ...]


def choose_kind_look(shape: Shape, medium: str, rng: np.random.Generator) -> KindLook:
    """Draw the look of a board of such a kind as a medium prints it."""
    base = choose_look(rng, medium)
    is_dark = sum(base.style.paper) < 300
    thick = float(rng.uniform(2.0, 4.5)) * base.style.thin_width
    colours: tuple[Colour, ...] = ()
    if shape.kind == "jigsaw" and rng.random() < 0.45:
        count = int(rng.integers(3, 7))
        colours = choose_papers(base.style.paper, count, rng)
        if rng.random() < 0.3:  # some tell regions by colour alone
            thick = base.style.thin_width
            count = max(count, int(colour_regions(shape.regions, _same_colours()).max()) + 1)
            while len(colours) < count or not are_distinct(colours):
                colours = choose_papers(base.style.paper, count, rng)
    if shape.kind != "classic" or shape.side != 9:
        base = replace(base, style=replace(base.style, box_tint=None))
    if shape.side > 9 and not isinstance(base.face, str):
        base = replace(base, face=typefaces()[int(rng.integers(len(typefaces())))])
    look = KindLook(
        base,
        colours,
        thick,
        cage_dash=0.0 if rng.random() < 0.15 else float(rng.uniform(0.04, 0.11)),
        cage_colour=base.style.ink if rng.random() < 0.6 else draw_grey(rng, 60, 150),
        sum_height=float(rng.uniform(0.15, 0.24)),
        shade=choose_papers(base.style.paper, 1, rng)[0],
        has_diagonal_lines=bool(rng.random() < (0.7 if is_dark else 0.5)),
        alphabet=ALPHABETS[int(rng.integers(len(ALPHABETS)))],
    )
    return _choose_cages(look, rng) if shape.kind == "killer" else look


def _choose_cages(look: KindLook, rng: np.random.Generator) -> KindLook:
    """Draw how cages and sums are printed: the lines are as thin as those between cells."""
    inset = float(rng.uniform(0.05, 0.12))
    is_tinted = rng.random() < 0.15
    return replace(
        look,
        cage_width=max(look.base.style.thin_width * float(rng.uniform(0.75, 1.25)), 0.015),
        cage_inset=inset,
        cage_papers=choose_papers(look.base.style.paper, 5, rng) if is_tinted else (),
        sum_height=float(rng.uniform(0.16, 0.26)),
        sum_inset=float(rng.uniform(0.045, inset + 0.05)),
        sum_face=typefaces()[int(rng.integers(len(typefaces())))],
    )


def print_board(
    shape: Shape, clues: npt.NDArray[np.uint8], sums: Sequence[int], px: int, look: KindLook
) -> PrintedBoard:
    """Draw a board of any side and kind.

    Args:
        shape: the lines.
        clues: (n, n) uint8, 0 = empty.
        sums: of the cages, in their order.
        px: distance between the outer lines, in pixels.
        look: how it is printed.

    Raises:
        ValueError: if clues or sums do not fit the shape.
    """
    side = shape.side
    if clues.shape != (side, side) or int(clues.max()) > side or len(sums) != len(shape.cages):
        raise ValueError(f"clues {clues.shape} and {len(sums)} sums for a board of side {side}")
    sheet = _Sheet.blank(px / side, side, look)
    sheet.draw(shape, clues, sums, (0, 0))
    return PrintedBoard(sheet.canvas.done(), (sheet.lattice(side, (0, 0)),), (clues,))


def print_samurai(
    places: Sequence[tuple[int, int]], clues: npt.NDArray[np.uint8], px: int, look: KindLook
) -> PrintedBoard:
    """Draw 9×9 boards that share boxes.

    Args:
        places: row and column of each board's first cell.
        clues: (width, width) uint8 over all places of the paper, 0 = empty or no cell.
        px: side of the paper's places, in pixels.
        look: how they are printed.
    """
    width = len(clues)
    sheet = _Sheet.blank(px / width, width, replace(look, alphabet="numbers"))
    shape = Shape("classic", box_regions(3, 3))
    for place in places:
        sheet.draw(shape, None, (), place)
    sheet.set_symbols(clues, (0, 0))
    return PrintedBoard(
        sheet.canvas.done(),
        tuple(sheet.lattice(9, place) for place in places),
        tuple(clues[row : row + 9, column : column + 9].copy() for row, column in places),
    )


@dataclass(frozen=True, eq=False)
class _Sheet:
    """Paper in whose places, counted in cells, a board is drawn."""

    canvas: Canvas
    look: KindLook

    @classmethod
    def blank(cls, cell: float, side: int, look: KindLook) -> "_Sheet":
        style = look.base.style
        margin = round(style.margin * cell + style.border_width * cell)
        px = round(side * cell) + 2 * margin + 1
        image = np.empty((px, px, 3), np.float32)
        image[:] = style.paper
        return cls(Canvas(image, cell, float(margin)), look)

    def lattice(self, side: int, place: tuple[int, int]) -> Points:
        row, column = np.indices((side + 1, side + 1))
        points = np.stack([column + place[1], row + place[0]], axis=2)
        return np.asarray(self.canvas.origin + points * self.canvas.cell, np.float32)

    def draw(
        self,
        shape: Shape,
        clues: npt.NDArray[np.uint8] | None,
        sums: Sequence[int],
        place: tuple[int, int],
    ) -> None:
        """Print a board with its first cell at a place."""
        self._paper_cells(shape, place)
        self._draw_lines(shape, place)
        if shape.kind == "diagonal" and self.look.has_diagonal_lines:
            self._draw_diagonals(shape.side, place)
        if shape.windows is not None and self.look.window_width > 0:
            self._draw_window_lines(shape.windows, place)
        for cage, total in zip(shape.cages, sums, strict=True):
            self._draw_cage(cage, total, place)
        if clues is not None:
            self.set_symbols(clues, place)

    def set_symbols(self, clues: npt.NDArray[np.uint8], place: tuple[int, int]) -> None:
        """Print the clues of a board."""
        base = self.look.base
        # Up to side 9 figures, unless the script is another.
        is_chosen = len(clues) > 9 or self.look.alphabet in SCRIPTS
        alphabet = self.look.alphabet if is_chosen else "numbers"
        # A typeface of another script may lack the usual digits.
        shapes = {} if alphabet in SCRIPTS else face_shapes(base.face)
        for row, column in np.argwhere(clues):
            symbol, squeeze = int(clues[row, column]), base.squeeze
            text = print_symbol(symbol, alphabet)
            known = shapes.get(int(text)) if text in "123456789" else None
            drawn = text_shape(base.face, text) if known is None else known
            if len(text) > 1:
                squeeze *= 0.8
            at = (float(column + place[1] + 0.5), float(row + place[0] + 0.5))
            self.canvas.stamp(drawn, at, base.digit_height, base.digit_ink, squeeze=squeeze)

    def _paper_cells(self, shape: Shape, place: tuple[int, int]) -> None:
        look, side = self.look, shape.side
        papers: dict[tuple[int, int], Colour] = {}
        if look.cage_papers:
            owner = np.full((side, side), len(shape.cages), np.uint8)
            for number, cage in enumerate(shape.cages):
                owner[tuple(np.transpose(cage))] = number
            colours = colour_regions(owner, _same_colours())
            for cell in (cell for cage in shape.cages for cell in cage):
                papers[cell] = look.cage_papers[int(colours[owner[cell]]) % len(look.cage_papers)]
        if look.region_colours and shape.kind == "jigsaw":
            colours = colour_regions(shape.regions, _same_colours())
            for cell in np.ndindex(side, side):
                number = int(colours[shape.regions[cell]]) % len(look.region_colours)
                papers[cell[0], cell[1]] = look.region_colours[number]
        if look.base.style.box_tint is not None and shape.kind == "classic":
            rows, columns = BOXES[side]
            for row, column in np.ndindex(side, side):
                if (row // rows + column // columns) % 2 == 0:
                    papers[row, column] = look.base.style.box_tint
        if shape.windows is not None and look.window_width == 0:
            papers |= {(int(y), int(x)): look.shade for y, x in np.argwhere(shape.windows)}
        if shape.kind == "diagonal" and not look.has_diagonal_lines:
            papers |= {(at, at): look.shade for at in range(side)}
            papers |= {(at, side - 1 - at): look.shade for at in range(side)}
        for (row, column), colour in papers.items():
            y, x = row + place[0], column + place[1]
            self._fill((x, y, x + 1, y + 1), colour)

    def _draw_lines(self, shape: Shape, place: tuple[int, int]) -> None:
        style, side, (top, left) = self.look.base.style, shape.side, place
        thin, thick = style.thin_width, self.look.region_width
        for line in range(1, side):
            self._draw_line((left, top + line), (left + side, top + line), thin, style.thin_ink)
            self._draw_line((left + line, top), (left + line, top + side), thin, style.thin_ink)
        for row, column in np.ndindex(side, side):
            x, y, region = left + column, top + row, shape.regions[row, column]
            if column + 1 < side and shape.regions[row, column + 1] != region:
                self._draw_line((x + 1, y), (x + 1, y + 1), thick, style.ink)
            if row + 1 < side and shape.regions[row + 1, column] != region:
                self._draw_line((x, y + 1), (x + 1, y + 1), thick, style.ink)
        border = max(style.border_width, thick)
        # A border thicker than the lines between regions grows outwards.
        out = (border - thick) / 2
        low, right, bottom = -out, left + side + out, top + side + out
        for at in (low, side + out):
            self._draw_line((left + low, top + at), (right, top + at), border, style.ink)
            self._draw_line((left + at, top + low), (left + at, bottom), border, style.ink)

    def _draw_diagonals(self, side: int, place: tuple[int, int]) -> None:
        top, left = place
        width, ink = self.look.base.style.thin_width, self.look.cage_colour
        self.canvas.line((left, top), (left + side, top + side), width, ink)
        self.canvas.line((left, top + side), (left + side, top), width, ink)

    def _draw_window_lines(self, windows: npt.NDArray[np.bool_], place: tuple[int, int]) -> None:
        (top, left), width, ink = place, self.look.window_width, self.look.cage_colour
        for row, column in np.argwhere(windows[:, 1:] != windows[:, :-1]):
            x, y = left + column + 1, top + row
            self._draw_line((x, y), (x, y + 1), width, ink)
        for row, column in np.argwhere(windows[1:] != windows[:-1]):
            x, y = left + column, top + row + 1
            self._draw_line((x, y), (x + 1, y), width, ink)

    def _draw_cage(
        self, cage: Sequence[tuple[int, int]], total: int, place: tuple[int, int]
    ) -> None:
        """Draw a frame a little inside the cells, and its sum in the first cell's corner."""
        look, inside = self.look, set(cage)
        inset, width = look.cage_inset, look.cage_width
        for row, column in cage:
            y, x = row + place[0], column + place[1]
            is_open = {
                (dy, dx): (row + dy, column + dx) in inside
                for dy in (-1, 0, 1)
                for dx in (-1, 0, 1)
            }
            low_x = x if is_open[0, -1] else x + inset
            high_x = x + 1 if is_open[0, 1] else x + 1 - inset
            low_y = y if is_open[-1, 0] else y + inset
            high_y = y + 1 if is_open[1, 0] else y + 1 - inset
            for dy, at in ((-1, y + inset), (1, y + 1 - inset)):
                if not is_open[dy, 0]:
                    self._draw_dashes((low_x, at), (high_x, at), width)
                for dx, corner in ((-1, x), (1, x + 1)):
                    # An inner corner: both neighbours belong to the cage, the one between not.
                    if is_open[dy, 0] and is_open[0, dx] and not is_open[dy, dx]:
                        edge = x + inset if dx < 0 else x + 1 - inset
                        end = y if dy < 0 else y + 1
                        self._draw_dashes((min(edge, corner), at), (max(edge, corner), at), width)
                        self._draw_dashes((edge, min(at, end)), (edge, max(at, end)), width)
            for dx, at in ((-1, x + inset), (1, x + 1 - inset)):
                if not is_open[0, dx]:
                    self._draw_dashes((at, low_y), (at, high_y), width)
        row, column = cage[0]
        shape = text_shape(look.sum_face or look.base.face, str(total))
        high, wide = (float(np.ptp(np.flatnonzero(shape.max(axis=axis))) + 1) for axis in (1, 0))
        height = look.sum_height * (INK_PX / high if look.has_even_sums and total > 9 else 1)
        ink_width = wide / INK_PX * height
        left, top = column + place[1] + look.sum_inset, row + place[0] + look.sum_inset
        right, bottom = left + ink_width, top + look.sum_height
        if look.has_sum_paper:
            paper = self._paper_at(row + place[0], column + place[1])
            self._fill((left - 0.02, top - 0.02, right + 0.03, bottom + 0.02), paper)
        middle = ((left + right) / 2, (top + bottom) / 2)
        self.canvas.stamp(shape, middle, height, look.sum_ink or look.base.style.ink)

    def _paper_at(self, row: int, column: int) -> Colour:
        canvas = self.canvas
        y, x = (round(canvas.origin + (at + 0.5) * canvas.cell) for at in (row, column))
        return as_colour(canvas.image[y, x])

    def _draw_dashes(
        self, start: tuple[float, float], end: tuple[float, float], width: float
    ) -> None:
        dash, length = self.look.cage_dash, max(end[0] - start[0], end[1] - start[1])
        if length <= 0 or width <= 0:
            return
        count = max(round(length / dash / 2), 1) if dash > 0 else 1
        for step in range(count):
            ends = (step / count, (step + (self.look.cage_ink_share if dash > 0 else 1)) / count)
            (x, y), (x_end, y_end) = (
                [a + share * (b - a) for a, b in zip(start, end, strict=True)] for share in ends
            )
            self._draw_line((x, y), (x_end, y_end), width, self.look.cage_colour)

    def _draw_line(
        self, start: tuple[float, float], end: tuple[float, float], width: float, colour: Colour
    ) -> None:
        """Draw a horizontal or vertical line with square ends."""
        half = width / 2
        box = (start[0] - half, start[1] - half, end[0] + half, end[1] + half)
        self._fill(box, colour)

    def _fill(self, box: tuple[float, float, float, float], colour: Colour) -> None:
        """Colour a rectangle given in cells; pixels at its rim take their share."""
        # A pixel's middle has integer coordinates.
        image, origin, cell = self.canvas.image, self.canvas.origin, self.canvas.cell
        left, top, right, bottom = (origin + at * cell + 0.5 for at in box)
        x, part_x = _cover(left, right, image.shape[1])
        y, part_y = _cover(top, bottom, image.shape[0])
        alpha = (part_y[:, None] * part_x[None, :])[:, :, None]
        patch = image[y : y + len(part_y), x : x + len(part_x)]
        patch += (np.array(colour, np.float32) - patch) * alpha


def _cover(low: float, high: float, size: int) -> tuple[int, Float32]:
    """Return the first pixel of a span, and how much of each pixel it covers."""
    first, last = max(int(np.floor(low)), 0), min(int(np.ceil(high)), size)
    at = np.arange(first, max(last, first))
    share = np.minimum(at + 1, high) - np.maximum(at, low)
    return first, np.clip(share, 0, 1).astype(np.float32)


def _same_colours() -> np.random.Generator:
    """Return what chooses the regions' colours, the same for a look and its print."""
    return np.random.default_rng(0)
