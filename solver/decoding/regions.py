"""From the lines and the paper between cells to the regions that thick lines or colours tell.

Letters: n cells in a row, c channels of colour, p pieces of line between two cells.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.grid import Booleans, Floats
from solver.layout import Layout

_CLEAR: Final = 1.35
"""How many times as heavy as a thin line a thick one is at least."""

_MOST_AGAINST: Final = 2.0
"""Pieces of line that may say otherwise, in all; each counts from half way to the other kind on."""

_LEAST_LEAD: Final = 1.5
"""Pieces of line by which regions lead all those in which two cells are swapped, which differ in
four pieces at least. The edge of a shadow makes thin lines heavy, but hardly all of these. Of 544
readings of 76 rendered jigsaws (levels 3 and 4, one-off), each on a lattice moved by up to a tenth
of a cell, 8 were wrong: none had more than 0.97 and as little against it."""

_LEAST_APART: Final = 0.3
"""By how much thick lines differ from thin ones somewhere on a board at least, in shares of the
usual difference: where glare leaves less, little is told."""

_MOST_AGAINST_BOXES: Final = 1.2
"""The same of lines between boxes, each held against the thin ones beside it. On 120 rendered
photos of level 3 and sides 6 to 16 there are 1.1 at most; regions that differ from boxes by two
cells have 2 at least."""

_MOST_AGAINST_GROWN: Final = 3.0
"""The same where cells that grow together across thin lines become the boxes: then no two cells
have swapped their regions, and it is the edge of a shadow that lies on some lines."""

_LEAST_CHANGE: Final = 3.5
"""Between two regions, in standard deviations of what the paper changes within regions. Of 71
jigsaws that colours alone tell (`training.rendered.kind_photos`, level 3) 65 have more; regions
that were wrong, of 300 boards with thick lines, had 2.9."""

_LEAST_SHOWN: Final = 0.5
"""Share of the change between two regions that each piece of line between them must show. Two cells
that swap their regions leave some pieces with none."""

_LEAST_WEIGHT: Final = 1e-3
"""Of a line, where none is seen."""

_FINEST: Final = 0.004
"""Step between the tones of a photo, in natural logarithms."""

_BRIGHTNESS_SHARE: Final = 0.3
"""What a change of all channels alike counts at first, as shadows change all alike."""

_ROUNDS: Final = 3
"""In which regions and spread are found; most photos need one."""

_Pieces = npt.NDArray[np.intp]
_Regions = tuple[tuple[int, ...], ...]


def decode_regions(right: Floats, below: Floats) -> tuple[tuple[int, ...], ...] | None:
    """Return n connected regions of n cells each, or None where the lines tell none for sure.

    Cells grow together across the thinnest lines first, as in J. B. Kruskal (1956, "On the shortest
    spanning subtree of a graph"), but to no more than n of them. How heavy thin and thick lines are
    where a piece lies is then learned from the board, as glare takes from both.

    Args:
        right: (n, n - 1) weights of the lines between a cell and the one to its right.
        below: (n - 1, n) weights of the lines between a cell and the one below.

    Returns:
        The regions in the order of their first cells, each with its cells ascending.
    """
    weights = np.concatenate([right.ravel(), below.ravel()])
    pieces = _list_pieces(len(right))
    regions = _grow_regions(weights, pieces)
    for _ in range(_ROUNDS):
        if regions is None or not _are_apart(weights, _are_between(regions, pieces)):
            return None
        evidence = _weigh_evidence(weights, _are_between(regions, pieces), pieces)
        before, regions = regions, _grow_regions(evidence, pieces)
        if regions == before:
            return regions if _are_decided(evidence, regions, pieces) else None
    return None


def decode_boxes(right: Floats, below: Floats) -> tuple[tuple[int, ...], ...] | None:
    """Return the boxes that thick lines part, or None where they part none for sure.

    Each piece of line is held against those beside it, in the same row or column of cells: glare
    and shadows leave them alike.

    Args:
        right: (n, n - 1) weights of the lines between a cell and the one to its right.
        below: (n - 1, n) weights of the lines between a cell and the one below.

    Returns:
        The boxes in the order of their first cells, each with its cells ascending.
    """
    side = len(right)
    weights = np.concatenate([right.ravel(), below.ravel()])
    grown = _grow_regions(weights, _list_pieces(side))
    told = []
    for rows in (count for count in range(2, side // 2 + 1) if side % count == 0):
        columns = side // rows
        ratios = [_compare_borders(right, columns), _compare_borders(below.T, rows)]
        logs = np.log(np.maximum(np.concatenate(ratios, axis=None), _LEAST_WEIGHT))
        usual = float(np.median(logs))
        if usual < math.log(_CLEAR):
            continue
        boxes = tuple(map(tuple, Layout(rows, columns).boxes.tolist()))
        # 0 from half way to the usual thickness on, 1 for what is as the lines beside it.
        against = (1 - 2 * logs / usual).clip(0, 1).sum()
        if against <= (_MOST_AGAINST_GROWN if grown == boxes else _MOST_AGAINST_BOXES):
            told.append(boxes)
    return told[0] if len(told) == 1 else None


def decode_colours(right: Floats, below: Floats) -> tuple[tuple[int, ...], ...] | None:
    """Return n connected regions of n cells each, or None where the colours tell none for sure.

    How much the paper changes within regions is learned from the photo itself: where a shadow falls
    on the board, brightness counts for less.

    Args:
        right: (n, n - 1, c) change of the paper from a cell to the one to its right.
        below: (n - 1, n, c) change from a cell to the one below.

    Returns:
        The regions in the order of their first cells, each with its cells ascending.
    """
    channels = right.shape[-1]
    changes = np.concatenate([right.reshape(-1, channels), below.reshape(-1, channels)])
    pieces = _list_pieces(len(right))
    common = changes.mean(axis=1, keepdims=True)
    scaled = changes - (1 - _BRIGHTNESS_SHARE) * common
    regions = _grow_regions(np.linalg.norm(scaled, axis=1), pieces)
    for _ in range(_ROUNDS):
        if regions is None:
            return None
        within = changes[~_are_between(regions, pieces)]
        spread = within.T @ within / len(within) + _FINEST**2 * np.eye(channels)
        scaled = changes @ np.linalg.cholesky(np.linalg.inv(spread))
        before, regions = regions, _grow_regions(np.linalg.norm(scaled, axis=1), pieces)
        if regions == before:
            is_told = not _are_stripes(regions) and _are_coloured(scaled, regions, pieces)
            return regions if is_told else None
    return None


def _list_pieces(side: int) -> _Pieces:
    """Return the two cells of each piece of line, (p, 2)."""
    cells = np.arange(side * side).reshape(side, side)
    across = np.stack([cells[:, :-1].ravel(), cells[:, 1:].ravel()], axis=1)
    down = np.stack([cells[:-1].ravel(), cells[1:].ravel()], axis=1)
    return np.concatenate([across, down])


def _grow_regions(weights: Floats, pieces: _Pieces) -> _Regions | None:
    """Return the regions that grow across the pieces of least weight, if all become full."""
    last = int(pieces.max())
    side = math.isqrt(last + 1)
    owner = list(range(last + 1))
    members = [[cell] for cell in owner]
    for one, other in pieces[np.argsort(weights, kind="stable")].tolist():
        a, b = owner[one], owner[other]
        if a == b or len(members[a]) + len(members[b]) > side:
            continue
        for cell in members[b]:
            owner[cell] = a
        members[a] += members[b]
        members[b] = []
    regions = tuple(sorted(tuple(sorted(cells)) for cells in members if cells))
    return regions if all(len(region) == side for region in regions) else None


def _are_stripes(regions: _Regions) -> bool:
    """Tell whether the regions are the rows or the columns, as tables are striped."""
    cells = np.arange(len(regions) ** 2).reshape(len(regions), -1)
    return any(regions == tuple(map(tuple, lines.tolist())) for lines in (cells, cells.T))


def _number_cells(regions: _Regions) -> npt.NDArray[np.intp]:
    """Return the number of each cell's region."""
    numbers = np.empty(sum(map(len, regions)), np.intp)
    for number, cells in enumerate(regions):
        numbers[list(cells)] = number
    return numbers


def _are_between(regions: _Regions, pieces: _Pieces) -> Booleans:
    """Return which pieces part two regions, (p,)."""
    ends = _number_cells(regions)[pieces]
    return np.asarray(ends[:, 0] != ends[:, 1])


def _are_coloured(scaled: Floats, regions: _Regions, pieces: _Pieces) -> bool:
    """Tell whether the paper changes between any two regions, at each piece of line.

    Args:
        scaled: (p, c) changes in standard deviations of those within regions.
        regions: of the board.
        pieces: (p, 2).
    """
    ends = _number_cells(regions)[pieces]
    ways = np.sign(ends[:, 1] - ends[:, 0])
    borders = ends.min(axis=1) * len(regions) + ends.max(axis=1)
    for border in np.unique(borders[ways != 0]):
        is_here = borders == border
        changes = scaled[is_here] * ways[is_here, None]
        usual = changes.mean(axis=0)
        size = float(np.linalg.norm(usual))
        if size < _LEAST_CHANGE or (changes @ usual).min() < _LEAST_SHOWN * size**2:
            return False
    return True


def _are_apart(weights: Floats, is_border: Booleans) -> bool:
    """Tell whether the lines between regions are thicker than those within them."""
    low, high = float(np.median(weights[~is_border])), float(np.median(weights[is_border]))
    return high > low and high >= _CLEAR * low


def _weigh_evidence(weights: Floats, is_border: Booleans, pieces: _Pieces) -> Floats:
    """Return from -1, as a thin line there, to 1, as a thick one, which each piece is, (p,).

    Args:
        weights: (p,) of the pieces.
        is_border: (p,) which of them part two regions, as far as is known.
        pieces: (p, 2).
    """
    places = np.divmod(pieces, math.isqrt(int(pieces.max()) + 1))
    y, x = (axis.mean(axis=1) / axis.max() - 0.5 for axis in places)
    # Second order each way, as the light of a lamp falls off.
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    thin, thick = (
        terms @ np.linalg.lstsq(terms[kind], weights[kind], rcond=None)[0]
        for kind in (~is_border, is_border)
    )
    thin = thin.clip(0)
    apart = np.maximum(thick - thin, _LEAST_APART * np.median(thick - thin))
    evidence = (2 * weights - thin - thick) / np.maximum(apart, _LEAST_WEIGHT)
    return np.asarray(evidence.clip(-1, 1))


def _are_decided(evidence: Floats, regions: _Regions, pieces: _Pieces) -> bool:
    """Tell whether little speaks against regions, and more against others that are much alike.

    Args:
        evidence: (p,) -1..1, that a piece of line parts two regions.
        regions: of the board.
        pieces: (p, 2).
    """
    is_border = _are_between(regions, pieces)
    against = np.where(is_border, -evidence, evidence).clip(0, 1).sum()
    return (
        bool(against <= _MOST_AGAINST) and _measure_lead(evidence, regions, pieces) >= _LEAST_LEAD
    )


def _measure_lead(evidence: Floats, regions: _Regions, pieces: _Pieces) -> float:
    """Return how much less evidence there is for any regions in which two cells are swapped.

    Takes what `_are_decided` takes.
    """
    numbers = _number_cells(regions)
    one, other = pieces.T
    between = np.zeros((len(numbers), len(numbers)))
    between[one, other] = between[other, one] = evidence
    is_beside = np.zeros(between.shape)
    is_beside[one, other] = is_beside[other, one] = 1
    is_member = np.eye(len(regions))[numbers]
    # Row by row a cell, column by column the one that it swaps with.
    beyond = (between @ is_member)[:, numbers]
    within = np.diag(beyond)
    gain = within[:, None] + within - beyond - beyond.T + 2 * between
    touches = (is_beside @ is_member)[:, numbers] > is_beside
    is_swap = touches & touches.T & (numbers[:, None] != numbers)
    return -float(gain[is_swap].max(initial=-np.inf))


def _compare_borders(lines: Floats, step: int) -> Floats:
    """Return how many times as heavy lines between boxes are as the heavier line beside them.

    Args:
        lines: (n, n - 1) weights of parallel lines; the second axis goes across them.
        step: lines from one between boxes to the next.
    """
    borders = np.arange(step - 1, lines.shape[1], step)
    beside = np.maximum(lines[:, borders - 1], lines[:, borders + 1])
    return np.asarray(lines[:, borders] / np.maximum(beside, _LEAST_WEIGHT))
