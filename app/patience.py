"""How far the readings of one photo may be searched before enough was searched in vain."""

from dataclasses import replace
from typing import Final

from solver.decode import DecodeLimits, DecodeOutcome
from solver.handwriting import FilledDecoding

_MOST_IN_VAIN: Final = 800
"""Nodes of searches in vain after which a photo's other readings get few."""

_FEW: Final = 60
"""As many are enough for a reading with hardly a doubt."""

_BESIDE_SOLVED: Final = 150
"""Nodes for what lies beside a board that was solved, and may be a crossword."""

_FIRST_LOOK: Final = 150
"""Nodes where a board may be looked at again, by which it is told with fewer: on 60 photos of level
5 searches with success took up to 491 nodes by one look, and up to 120 by another."""


class Patience:
    """Gives each decoding of a photo its limits.

    Counted in nodes and not in seconds, so that a busy machine changes nothing.
    """

    def __init__(self, limits: DecodeLimits) -> None:
        """Begin with a photo.

        Args:
            limits: of a decoding as long as little was searched in vain.
        """
        self._limits = limits
        self._in_vain = 0
        self._has_solved = False

    def limits(self, *, is_first_look: bool = False) -> DecodeLimits:
        """Return the limits of the next decoding, of a look that another one may follow or not."""
        nodes = self._limits.nodes
        if is_first_look:
            nodes = min(nodes, _FIRST_LOOK)
        if self._has_solved:
            nodes = min(nodes, _BESIDE_SOLVED)
        if self._in_vain >= _MOST_IN_VAIN:
            nodes = min(nodes, _FEW)
        return replace(self._limits, nodes=nodes)

    def note(self, filled: FilledDecoding) -> None:
        """Take note of what a decoding came to."""
        if filled.decoding.outcome is DecodeOutcome.SOLVED:
            self._has_solved = True
        else:
            self._in_vain += filled.nodes
