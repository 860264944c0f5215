"""How far the readings of one photo may be searched before enough was searched in vain."""

from dataclasses import replace
from typing import Final

from solver.decoding.decode import DecodeLimits, DecodeOutcome
from solver.decoding.handwriting import FilledDecoding

_MOST_IN_VAIN: Final = 800
"""Nodes searched in vain after which the first looks of a photo get few; another look gets its
nodes until twice as many were."""

_MOST_BESIDE: Final = 200
"""As many more are searched in vain for first looks, and twice as many for others, once a board of
the photo is solved: what cannot be read beside it is mostly none."""

_FEW: Final = 60
"""As many are enough for a reading with hardly a doubt."""

_FIRST_LOOK: Final = 150
"""Nodes of a search where another look may follow, which needs fewer: on 60 photos of level 5
searches with success took up to 491 nodes by one look, and up to 120 by another."""

_MOST_CLOSER_LOOKS: Final = 16
"""Closer looks in vain after which there are no more on a photo."""


class Patience:
    """Gives each decoding of a photo its limits.

    Counted in nodes and not in seconds, so that a busy machine changes nothing.
    """

    def __init__(self, limits: DecodeLimits) -> None:
        """Begin with a photo.

        Args:
            limits: of a search as long as few were in vain.
        """
        self._limits = limits
        self._in_vain = 0
        self._most_first = _MOST_IN_VAIN
        self._most_again = 2 * _MOST_IN_VAIN
        self._closer_looks_in_vain = 0

    @property
    def allows_closer_look(self) -> bool:
        """Whether another closer look may be taken: each takes as long as twenty first ones."""
        return self._closer_looks_in_vain < _MOST_CLOSER_LOOKS

    def note_closer_look(self, *, is_solved: bool) -> None:
        """Take note of a closer look."""
        self._closer_looks_in_vain += not is_solved

    def choose_limits(self, *, is_first_look: bool = False) -> DecodeLimits:
        """Return the limits of the next decoding, of a look that another one may follow or not."""
        nodes = self._limits.nodes
        most = self._most_again
        if is_first_look:
            nodes, most = min(nodes, _FIRST_LOOK), self._most_first
        if self._in_vain >= most:
            nodes = min(nodes, _FEW)
        return replace(self._limits, nodes=nodes)

    def note(self, filled: FilledDecoding) -> None:
        """Take note of what a decoding came to."""
        if filled.decoding.outcome is not DecodeOutcome.SOLVED:
            self._in_vain += filled.nodes

    def note_board(self) -> None:
        """Take note that a board of the photo is solved."""
        self._most_first = min(self._most_first, self._in_vain + _MOST_BESIDE)
        self._most_again = min(self._most_again, self._in_vain + 2 * _MOST_BESIDE)
