"""Lets the digits of a place decide whether it is a board, while boards are looked for."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from vision.candidate import BoardCandidate, as_candidate
from vision.geometry import Points, quad_overlap
from vision.lattice import CONVINCING, LatticeFit
from vision.stages import by_score
from vision.windows import View

_LIKELY: Final = 0.7
"""Score of a place whose digits are asked whether it is a board, before other ways to look for
boards are tried. Digits may be read on lattices with less, too, but a page that is given up there
shows less of its other boards: of a dark page with four, one was told by dark lines at 0.61."""

_LIKELY_AT_LAST: Final = 0.6
"""The same when the picture was searched in all ways: of 166 photos of level 5 that were solved
none had less than 0.65."""

_VERY_LIKELY: Final = 0.8
"""Score of a place that is asked insistently then."""

_DENIED: Final = 0.69
"""Score of a place with the lines of a board whose digits deny it: nothing is to be sought on or
beside it, and what is likely goes before it."""

_SAME_DENIED: Final = 0.95
"""Overlap from which a place counts as one that was denied. Where a lattice begins a column late it
is 0.8, and the right one must be asked."""


class Verdict(Enum):
    """What the digits of a place say about it: a board for sure, none for sure, or neither."""

    BOARD = auto()
    NO_BOARD = auto()
    OPEN = auto()


AskDigits = Callable[[BoardCandidate, bool], Verdict]
"""Judges a place; with True it takes the time for a harder look."""


class Judge:
    """Lets the digits decide about likely places, on each lattice once by either look."""

    def __init__(self, ask: AskDigits | None) -> None:
        """Begin with a photo.

        Args:
            ask: who reads the digits; without it, lines alone decide.
        """
        self._ask = ask
        self._asked: set[tuple[bytes, bool]] = set()
        self._denied: list[Points] = []

    def confirm(
        self, fits: Sequence[LatticeFit], view: View | None = None, *, is_last: bool = False
    ) -> list[LatticeFit]:
        """Return the fits, the best with a score of 1 if its digits confirm it, less if they deny.

        Args:
            fits: in pixels of the view, or of the photo without one.
            view: where they were found.
            is_last: a picture was searched in all ways, so that less likely places are asked,
                too, and the likeliest looked at hard.
        """
        fits = list(fits)
        if self._ask is None:
            return fits
        while True:
            fits = [self._doubt_denied(fit, view) for fit in fits]
            best = min((fit for fit in fits if fit.score != _DENIED), key=by_score, default=None)
            if best is None:
                return fits
            verdict = self._judge(best if view is None else view.place(best), is_last=is_last)
            if verdict is Verdict.BOARD and best.score < CONVINCING:
                return [replace(fit, score=1.0) if fit is best else fit for fit in fits]
            if verdict is not Verdict.NO_BOARD:
                return fits

    def is_denied(self, fit: LatticeFit) -> bool:
        """Tell whether the digits of a place in the photo deny that it is a board."""
        return any(quad_overlap(fit.corners, other) > _SAME_DENIED for other in self._denied)

    def _doubt_denied(self, fit: LatticeFit, view: View | None) -> LatticeFit:
        if fit.score <= _DENIED or not self.is_denied(fit if view is None else view.place(fit)):
            return fit
        return replace(fit, score=_DENIED)

    def _judge(self, fit: LatticeFit, *, is_last: bool) -> Verdict:
        """Return what the digits say; that it is no board only where its lines say that it is."""
        is_clear = fit.score >= CONVINCING
        least = _LIKELY_AT_LAST if is_last else _LIKELY
        candidate = as_candidate(fit)
        looks_hard = is_clear or (is_last and fit.score >= _VERY_LIKELY)
        question = candidate.lattice.tobytes(), looks_hard
        if self._ask is None or fit.score < least or question in self._asked:
            return Verdict.OPEN
        self._asked.add(question)
        verdict = self._ask(candidate, looks_hard)
        if verdict is Verdict.BOARD:
            self._asked.add((question[0], True))
        if verdict is Verdict.NO_BOARD:
            if not is_clear:
                return Verdict.OPEN
            self._denied.append(fit.corners)
        return verdict
