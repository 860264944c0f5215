"""Reads the cages and sums of a killer, whichever way it lies."""

import logging
import math
from collections.abc import Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from models.cage_reader import CAGE_CELL_PX, CAGE_CROP_PX, SIDES, CageReader, CageViews
from models.engine import EngineError, EngineKind
from solver.decoding.cage_colours import open_plain_cells, turn_sides, weigh_colours
from solver.decoding.cage_walls import FEW_TRIED, decode_walls
from solver.decoding.cages import CageDecoding, decode_cages, settle_cages
from solver.decoding.decode import DecodeLimits, DecodeOutcome, decode_clues, withdraw_claim
from solver.decoding.handwriting import Basis, FilledDecoding
from solver.decoding.print_and_hand import PRINTED, merge_print_and_handwriting
from solver.rules import Rules, killer_rules
from vision.board import cut_windows, move_lattice, show_board, turn_cells, turn_lattice
from vision.geometry import Float32, Floats, Image8, Points
from vision.kinds.markings import CELL_PX, measure_steps, turn_steps

logger = logging.getLogger(__name__)

_BOARD_SIDES: Final = (6, 8, 9)
"""Sides of killers that are read: on a board of 4 four cells alone would tell whether it is one,
and the network of cages knows no sums above 45."""

_WALLED: Final = 0.5
"""Mean likelihood of a wall along the board's edges from which it may be a killer: of 54 pictures
of other programs all have 0.6, also those with an edge along which no cell lies in a cage."""

_LEAST_INNER: Final = 0.45
"""The same of the sides between cells: these pictures have 0.48 at least, and 40 KenKens 0.40 at
most, whose thick lines part cells without lying inside them."""

_LEAST_SURE: Final = 0.65
"""Share of these sides that are seen to be a wall or none: these pictures have 0.78 at least. Of
152 real classic boards with as many walls none has more than 0.58."""

_CLEAR: Final = 0.4
"""Distance from one half of a likelihood that says wall or none."""

_SUMMED: Final = 0.8
"""Share of coloured areas that show a sum, and of sums that stand where an area begins."""

_MANY_SUMS: Final = 5 / 3
"""Expected sums, in sides of the board, from which the other turns are not read: a wrong turn shows
next to none."""

_JITTER: Final = 0.04
"""Cells by which a lattice is moved for another look."""

_JITTERS: Final = tuple(
    (_JITTER * right, _JITTER * down)
    for right in (-1, 0, 1)
    for down in (-1, 0, 1)
    if right or down
)

_INDEPENDENT: Final = 1.5
"""As how many independent looks at sums nine count. On 48 pictures of killers in other programs'
styles any number from 1 to 1.5 fits the true sums equally; with 1.5 all sums together are sure on
27, with 1 on 9, and none of these is wrong."""

_SURE_PRINT: Final = 0.95
"""Likelihood of a printed digit from which it is a clue: killers have few or none."""

_SURE_ENTRY: Final = 0.9
"""Probability from which a digit is an entry.

What dashed lines and sums leave in empty cells looked a little like digits on 18 of 29 rendered
photos that nobody wrote on: 166 times, once above this.
"""

_LEAST: Final = 1e-6
"""Least probability of one look, before looks are multiplied."""


@dataclass(frozen=True, eq=False)
class KillerLook:
    """What a killer's cages look like.

    Attributes:
        turn: quarter turns after which it stands upright, as `vision.board.turn_lattice` takes it.
        has_sum: (n²,) bool, upright.
        cages: what they came to.
    """

    turn: int
    has_sum: npt.NDArray[np.bool_]
    cages: CageDecoding

    @property
    def side(self) -> int:
        """The number of cells in a row, n."""
        return math.isqrt(len(self.has_sum))

    @property
    def is_caged(self) -> npt.NDArray[np.bool_]:
        """Return which cells lie in a cage, (n²,); all where no cages are told."""
        caged = np.zeros(len(self.has_sum), np.bool_)
        caged[[cell for cage in self.cages.cages for cell in cage.cells]] = True
        return caged if self.cages.cages else ~caged

    @cached_property
    def rules(self) -> Rules:
        """Of the killer; without cages where they are not told for sure."""
        return killer_rules(self.cages.cages, self.side)


class KillerReader:
    """Tells killers from other boards, and reads them; the network is loaded when it is needed."""

    def __init__(self, engine: EngineKind = "litert") -> None:
        """Begin without the network.

        Args:
            engine: what runs it.
        """
        self._engine = engine
        self._is_missing = False

    @cached_property
    def _reader(self) -> CageReader:
        return CageReader.load(self._engine)

    def read(self, image: Image8, lattice: Points) -> KillerLook | None:
        """Return what the cages look like, None if the board is no killer.

        Args:
            image: (H, W, 3) BGR uint8.
            lattice: (n + 1, n + 1, 2) float32 in pixels of `image`, turned any way.
        """
        if self._is_missing or len(lattice) - 1 not in _BOARD_SIDES:
            return None
        try:
            return self._read(image, lattice) or self._read_coloured(image, lattice)
        except EngineError as error:
            logger.warning("killers cannot be read: %s", error)
            self._is_missing = True
            return None

    def _read(self, image: Image8, lattice: Points) -> KillerLook | None:
        crops = _cut(image, lattice)
        if not self._has_walls_around(crops):
            return None
        seen = self._choose_turn(crops)
        if seen is None:
            return None
        turn, views = seen
        upright = turn_lattice(lattice, turn)
        cages = decode_cages(views.sums, views.walls)
        if not cages.cages:
            views, more = self._read_augmented(image, upright, views)
            # Sums need more looks; walls are at times seen best where the lattice lies.
            tries = [decode_cages(views.sums, walls) for walls in (views.walls, more.walls)]
            cages = min(tries, key=lambda one: one.covers[0].loss if one.covers else math.inf)
        return KillerLook(turn, views.sums[:, 0] < 0.5, cages)

    def _read_augmented(
        self, image: Image8, upright: Points, views: CageViews
    ) -> tuple[CageViews, CageViews]:
        """Return what more looks say of the sums alone, and of sums and walls."""
        moved = [move_lattice(upright, *jitter) for jitter in _JITTERS]
        more = _join([views, *(self._reader.read(_cut(image, one)) for one in moved)])
        return views._replace(sums=more.sums), more

    def _read_coloured(self, image: Image8, lattice: Points) -> KillerLook | None:
        """Return the cages that colours alone tell, None where they tell none."""
        steps = measure_steps(show_board(image, lattice, CELL_PX), is_dark=False)
        walls = weigh_colours(*steps)
        if walls is None:
            return None
        crops = _cut(image, lattice)
        for turn in range(4):
            sums = self._reader.read(turn_cells(crops, turn)).sums
            if np.count_nonzero(sums[:, 0] < 0.5) < _fewest_sums(sums):
                continue
            upright = turn_sides(walls, turn)
            upright = open_plain_cells(upright, *turn_steps(steps, turn), sums)
            if _have_sums(sums, upright):
                cages = decode_cages(sums, upright)
                if not cages.cages:
                    lattice = turn_lattice(lattice, turn)
                    sums = self._read_augmented(image, lattice, CageViews(sums, upright))[0].sums
                    cages = decode_cages(sums, upright)
                return KillerLook(turn, sums[:, 0] < 0.5, cages)
        return None

    def _has_walls_around(self, crops: Image8) -> bool:
        """Tell whether cages end at the board's edges; only cells there are looked at."""
        side = math.isqrt(len(crops))
        grid = np.arange(side * side).reshape(side, side)
        some = slice(1, -1, 2)
        edges = np.stack([grid[some, 0], grid[0, some], grid[some, -1], grid[-1, some]])
        walls = self._reader.read(crops[edges.ravel()]).walls
        rows = np.repeat(np.arange(len(SIDES)), edges.shape[1])
        if walls[np.arange(len(walls)), rows].mean() < _WALLED:
            return False
        return bool((np.abs(walls - 0.5) > _CLEAR).mean() >= _LEAST_SURE)

    def _choose_turn(self, crops: Image8) -> tuple[int, CageViews] | None:
        """Return the turn that shows most sums, and what it shows; None where no killer shows."""
        best: tuple[float, int, CageViews] | None = None
        for turn in range(4):
            views = self._reader.read(turn_cells(crops, turn))
            if not _has_walls_within(views.walls):
                return None
            n_sums = float((1 - views.sums[:, 0]).sum())
            if best is None or n_sums > best[0]:
                best = n_sums, turn, views
            if n_sums >= _MANY_SUMS * math.isqrt(len(crops)):
                break
        assert best is not None
        return (best[1], best[2]) if best[0] >= _fewest_sums(crops) else None


def _fewest_sums(cells: Sized) -> int:
    """Return how many cages a board has at least: none has more cells than there are digits."""
    return math.isqrt(len(cells))


def _has_walls_within(walls: Float32) -> bool:
    """Tell whether cages part cells as they do in killers.

    Args:
        walls: (n², 4) as `CageViews` has them.
    """
    side = math.isqrt(len(walls))
    left, top, right, bottom = walls.reshape(side, side, len(SIDES)).transpose(2, 0, 1)
    inner = np.concatenate([left[:, 1:].T, right[:, :-1].T, top[1:], bottom[:-1]])
    is_sure = np.abs(inner - 0.5) > _CLEAR
    return bool(inner.mean() >= _LEAST_INNER and is_sure.mean() >= _LEAST_SURE)


def _have_sums(sums: Float32, walls: Floats) -> bool:
    """Tell whether sums stand in the first cells of coloured areas, and hardly anywhere else.

    One area may be a dim corner of shaded diagonals, with a digit: there must be as many as lines
    tell at least.

    Args:
        sums: (n², 46) as `CageViews` has them.
        walls: (n², 4) around the areas.
    """
    has_sum = sums[:, 0] < 0.5
    firsts = [cells[0] for cells in decode_walls(sums, walls, FEW_TRIED).cages]
    n_found = np.count_nonzero(has_sum[firsts])
    least = max(_fewest_sums(sums), _SUMMED * len(firsts), _SUMMED * has_sum.sum())
    return bool(n_found >= least)


def _cut(image: Image8, lattice: Points) -> Image8:
    return cut_windows(image, lattice, CAGE_CELL_PX, CAGE_CROP_PX)


def _join(looks: list[CageViews]) -> CageViews:
    """Return what several looks say together."""
    logs = np.mean([np.log(np.maximum(one.sums, _LEAST)) for one in looks], axis=0)
    sums = np.exp(_INDEPENDENT * logs)
    walls = np.array([np.clip(one.walls, _LEAST, 1 - _LEAST) for one in looks])
    odds = np.mean(np.log(walls / (1 - walls)), axis=0)
    return CageViews(
        np.asarray(sums / sums.sum(axis=1, keepdims=True), np.float32),
        np.asarray(1 / (1 + np.exp(-odds)), np.float32),
    )


def decode_killer(
    look: KillerLook, probabilities: Float32, limits: DecodeLimits
) -> tuple[FilledDecoding, KillerLook]:
    """Return what cages and sure print say together; whatever else stands in cells is an entry.

    Where cages or sums are doubtful, or have no solution, they are settled by what has one; then
    the look that comes back has these.
    What `corrected` names are the cells of sums.

    Args:
        look: at the cages.
        probabilities: (n², 19) float32 of the cells, as `DigitReader.read` returns them.
        limits: of the search.
    """
    of_values = merge_print_and_handwriting(probabilities)
    seen = of_values.argmax(axis=1)
    is_clue = (probabilities[:, PRINTED].max(axis=1) >= _SURE_PRINT) & (seen > 0)
    taken = np.zeros_like(probabilities)
    taken[np.arange(len(seen)), np.where(is_clue, seen, 0)] = 1
    is_entry = ~is_clue & (seen > 0)
    is_told = is_entry & (seen <= look.side) & (of_values.max(axis=1) >= _SURE_ENTRY)
    entries = np.where(is_told, seen, 0).astype(np.uint8).reshape(look.side, look.side)
    decoding = decode_clues(taken, limits, rules=look.rules)
    if not look.cages.cages or decoding.outcome is DecodeOutcome.NO_SOLUTION:
        settled = settle_cages(look.cages, np.where(is_clue, seen, 0).tolist())
        if settled is not None:
            look = replace(look, cages=settled)
            decoding = decode_clues(taken, limits, rules=look.rules)
    # Where something was not read for sure, or a cage overlooked, no solution or more than one
    # says nothing.
    n_caged = sum(len(cage.cells) for cage in look.cages.cages)
    is_sure = n_caged == len(seen) and not look.cages.corrected and not is_entry.any()
    is_solved = bool(look.cages.cages) and decoding.outcome is DecodeOutcome.SOLVED
    if not (is_solved or is_sure):
        decoding = withdraw_claim(decoding)
    decoding = replace(
        decoding,
        confidence=decoding.confidence * look.cages.confidence,
        corrected=look.cages.corrected,
    )
    return FilledDecoding(decoding, entries, Basis.PRINT), look
