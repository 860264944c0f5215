"""The ways in which a picture is searched for boards, one after the other while it takes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from vision.board import corners_from_lattice
from vision.classic_finder.lattice import (
    CONVINCING,
    LatticeFit,
    shift_lattice,
    snap_lattice,
    unfold_lattice,
)
from vision.classic_finder.propose import Ink, Inks, lattices_from_cells, lattices_from_outlines
from vision.finder.snap import Pyramid
from vision.geometry import Points, quad_overlap

ShowsNoPuzzle = Callable[[LatticeFit], bool]
"""Tells whether what stands on a lattice can be no puzzle, not even a part of one."""

Confirm = Callable[[Sequence[LatticeFit]], list[LatticeFit]]
"""Takes what was found so far and returns it, with a score of 1 for what surely is a board, and as
denied what is none."""

ENOUGH: Final = 0.85
"""A score of the best board from which no larger picture is searched."""

_SAME_GUESS: Final = 0.02
"""Guesses whose corners are no further apart are one, in diagonals of the board."""

_SHIFTED: Final = 0.5
"""From this score on a lattice may be a part of a board and of what lies beside it."""

_OTHER_GRID: Final = 0.8
"""A score from which lines are a grid's, so that without digits it is none of a board."""

_MAX_SHIFTED: Final = 2


@dataclass(frozen=True)
class Stage:
    """One way to look for boards; later ones run only where the earlier found nothing sure.

    The search ends after this stage with a score of at least `enough`. `is_inverted` says that
    lines are light on dark paper, whatever the ink is.
    """

    ink: Ink
    by_outline: bool
    enough: float
    is_inverted: bool = False


FINE: Final = Ink("dark", 40)
_COARSE: Final = Ink("dark", 12)
_LIGHT: Final = Ink("dark", 12, is_inverted=True)

STAGES: Final = (
    Stage(FINE, by_outline=False, enough=CONVINCING),
    Stage(_COARSE, by_outline=False, enough=CONVINCING),
    Stage(FINE, by_outline=True, enough=CONVINCING),
    Stage(_COARSE, by_outline=True, enough=0.85),
    Stage(Ink("faint", 40), by_outline=True, enough=0.85),
    Stage(Ink("faint", 20), by_outline=True, enough=0.85),
    Stage(Ink("lines"), by_outline=True, enough=0.85),
    Stage(Ink("weak lines"), by_outline=True, enough=0.85),
    Stage(_LIGHT, by_outline=False, enough=0.85, is_inverted=True),
    Stage(_LIGHT, by_outline=True, enough=0.85, is_inverted=True),
    # Of dark boards with faint lines on a light page, it is the edge that shows.
    Stage(FINE, by_outline=True, enough=1.0, is_inverted=True),
    Stage(Ink("faint", 40, is_inverted=True), by_outline=True, enough=0.85, is_inverted=True),
)


FILTERED: Final = (Ink("lines"), Ink("weak lines"))
"""What the filter of `vision.classic_finder.propose` shows."""

WITHOUT_LINES: Final = tuple(stage for stage in STAGES if stage.ink not in FILTERED)
"""For the larger picture, where the filter takes four times as long and found nothing more."""


def pick_hasty_stages(is_inverted: bool) -> tuple[Stage, ...]:
    """Return the stages for a window of a photo on which a board is known: few of the other kind.

    Boards of a page are mostly printed alike, and most windows hold none.
    """
    likely = [s for s in STAGES if s.is_inverted == is_inverted][:3]
    other = next(s for s in STAGES if s.is_inverted != is_inverted)
    return (*likely, other)


class Shown(NamedTuple):
    """What a picture shows, and how many guesses were snapped to see it, which takes the time."""

    fits: list[LatticeFit]
    guesses: int


def search_picture(
    pyramid: Pyramid,
    inks: Inks,
    stages: Iterable[Stage],
    confirm: Confirm,
    shows_no_puzzle: ShowsNoPuzzle,
) -> Shown:
    """Return what a picture shows.

    Args:
        pyramid: of the picture.
        inks: of the picture.
        stages: ways to look, in this order.
        confirm: asked after each of them.
        shows_no_puzzle: asked before a lattice is improved. Where it says yes it is left as it is,
            and if it is a clear grid, as denied, nothing more is looked for there.
    """
    guesses = 0
    fits: list[LatticeFit] = []
    tried: list[Points] = []
    improved: list[LatticeFit] = []
    other_grids: list[LatticeFit] = []
    is_inverted = False
    for stage in stages:
        if stage.is_inverted != is_inverted:
            is_inverted, tried = stage.is_inverted, []
        propose = lattices_from_outlines if stage.by_outline else lattices_from_cells
        for lattice in propose(inks.separate(stage.ink)):
            settled = [fit for fit in fits if fit.is_convincing] + other_grids
            if _is_on_any(lattice, settled) or _is_near_any(lattice, tried):
                continue
            tried.append(lattice)
            guesses += 1
            fit = snap_lattice(pyramid, lattice, is_inverted)
            if fit is None:
                continue
            if fit.score >= _OTHER_GRID and shows_no_puzzle(fit):
                fit = replace(fit, is_denied=True)
                other_grids.append(fit)
            fits.append(fit)
        best = _find_best(fits)
        if best is not None and _may_be_improved(best, improved) and shows_no_puzzle(best):
            improved.append(best)
        fits = confirm(_improve_best(pyramid, fits, improved))
        if find_best_score(fits) >= stage.enough:
            break
    unimproved = [fit for fit in fits if not _is_any_of(fit, improved)]
    fits += _shifted(pyramid, unimproved, shows_no_puzzle)
    return Shown(confirm(_improve_best(pyramid, fits, improved)), guesses)


def find_best_score(fits: Sequence[LatticeFit]) -> float:
    """Return the highest score of what is not denied, 0 of none."""
    return max((fit.score for fit in fits if not fit.is_denied), default=0.0)


def by_score(fit: LatticeFit) -> float:
    """Sort the best first."""
    return -fit.score


def _improve_best(
    pyramid: Pyramid, fits: Sequence[LatticeFit], improved: list[LatticeFit]
) -> list[LatticeFit]:
    """Return the fits, and what the best becomes at another start and behind a fold.

    Only what this has been done to may be confirmed by its digits: eight rows of a board and the
    paper below it can be a puzzle, too, with one solution, which is not that of the board.

    Args:
        pyramid: of the picture.
        fits: what was found in it.
        improved: those that this was done to, or is not worth while for, which grows.
    """
    best = _find_best(fits)
    if best is None or not _may_be_improved(best, improved):
        return list(fits)
    other = unfold_lattice(pyramid, shift_lattice(pyramid, best))
    improved += [best, other]
    return list(fits) if other is best else [*fits, other]


def _may_be_improved(fit: LatticeFit, improved: Sequence[LatticeFit]) -> bool:
    """Tell whether a fit shows enough of a board to be improved, is in doubt and was not before."""
    return _SHIFTED <= fit.score <= CONVINCING and not _is_any_of(fit, improved)


def _find_best(fits: Sequence[LatticeFit]) -> LatticeFit | None:
    """Return the best of what is not denied."""
    return min((fit for fit in fits if not fit.is_denied), key=by_score, default=None)


def _is_any_of(fit: LatticeFit, others: Sequence[LatticeFit]) -> bool:
    return any(fit is other for other in others)


def _shifted(
    pyramid: Pyramid, fits: Sequence[LatticeFit], shows_no_puzzle: ShowsNoPuzzle
) -> list[LatticeFit]:
    """Return what the best of doubtful fits become where they begin some lines further on."""
    doubtful = [fit for fit in fits if fit.score >= _SHIFTED and not fit.is_denied]
    best = sorted(doubtful, key=by_score)[:_MAX_SHIFTED]
    if not best or best[0].score > ENOUGH:
        return []
    best = [fit for fit in best if not shows_no_puzzle(fit)]
    return [other for fit in best if (other := shift_lattice(pyramid, fit)) is not fit]


def _is_on_any(lattice: Points, fits: Sequence[LatticeFit]) -> bool:
    """Tell whether a guess is of the same lines as any of the fits."""
    corners = corners_from_lattice(lattice)
    return any(quad_overlap(corners, fit.corners) > 0.7 for fit in fits)


def _is_near_any(lattice: Points, tried: Sequence[Points]) -> bool:
    """Tell whether a guess is as good as one that was tried before."""
    corners = corners_from_lattice(lattice)
    reach = _SAME_GUESS * float(np.hypot(*(corners[2] - corners[0])))
    return any(
        float(np.abs(corners - corners_from_lattice(other)).max()) < reach for other in tried
    )
