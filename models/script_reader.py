"""Reads boards that are printed in other digits than 1 to 9: Arabic, Persian and Devanagari ones.

Cells say what stands in them; only all of them together say which script it is, as a stroke is a 1
in several, and some typefaces draw 9 alike.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.digits import run_cells
from models.engine import INPUT_SHAPE, Engine, EngineKind, Float32, Job, UInt8, load_engine
from models.symbol_reader import build_cell_net

SCRIPTS: Final[Mapping[str, str]] = MappingProxyType(
    {"arabic": "١٢٣٤٥٦٧٨٩", "persian": "۱۲۳۴۵۶۷۸۹", "devanagari": "१२३४५६७८९"}
)
"""The digits 1 to 9 of each script."""

EMPTY: Final = 0
"""Class of a cell in which nothing stands."""

FIRST_OF: Final[Mapping[str, int]] = MappingProxyType({"arabic": 1, "persian": 1, "devanagari": 10})
"""Class of the first digit of each script. Arabic and Persian digits mean the same where they look
the same, so they share their classes."""

NO_DIGIT: Final = 19
"""Class of what is none of these: other digits, a digit that lies on its side, parts of cells."""

CLASSES: Final = NO_DIGIT + 1

READS_SCRIPTS: Final = Job(
    "reads scripts", INPUT_SHAPE, (CLASSES,), "docs/model_card_symbols.md"
)  # fmt: skip

_N_DIGITS: Final = 9

_LEAST: Final = 0.01
"""Likelihood of a cell under a script that it does not speak for, at least: dirt in one cell must
not outweigh several digits."""

_CLEAR_LEAD: Final = 12.0
"""Nats by which a script must lead: three cells that nothing else explains."""

_SURE_LEAD: Final = 4.5
"""Nats by which a digit leads all others in a cell that surely shows it. On 150 boards in typefaces
that the network did not learn from, digits that look like another one led by less (one-off)."""

_GAP: Final = 4.0
"""Nats between the leads of cells that show different digits, at least."""

_CLEAR: Final = 0.8
"""Probability from which a cell clearly shows a digit."""

_ALIKE: Final = frozenset((2, 3, 4))
"""Digits that differ by a tooth in these scripts: a board must show all of them. Of boards put
together without a 3, some showed a 2 that was surely read as one."""

_RULED_OUT: Final = 6.0
"""Nats by which each cell must look more like its digit than like one that is not shown.
docs/model_card_symbols.md says how often that was wrong."""

_TINY: Final = 1e-7
"""Least likelihood of a digit."""

_OTHER_SHARE: Final = 0.1
"""Of what looks like no digit of the script that is told, how much counts against its digits: what
looks like the 1 of several scripts is that of this one."""


class ScriptReader:
    """Says which digit of which script stands in a cell; not to be shared by two threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def load(cls, kind: EngineKind = "litert", threads: int = 2) -> "ScriptReader":
        """Open the shipped network.

        Raises:
            models.engine.EngineError: if weights or the engine's package are missing or broken.
        """
        return cls(load_engine("scripts", kind, job=READS_SCRIPTS, threads=threads))

    def read(self, cells: UInt8) -> Float32:
        """Return how likely each class is in each cell.

        Args:
            cells: (n, 32, 32) uint8 grey, n may be 0.

        Returns:
            (n, 20) float32: empty; 1–9 in Arabic or Persian digits; 1–9 in Devanagari; none of
            these. Rows sum to 1.

        Raises:
            ValueError: if the cells have another shape or type.
        """
        return run_cells(self._engine, cells, CLASSES)


def tell_digits(seen: Float32) -> Float32 | None:
    """Return how likely each digit is in each cell of a board, if its script is clear.

    It is told from what the cells look like, never from what could be solved.

    Args:
        seen: (n, 20) float32, as `ScriptReader.read` returns them.

    Returns:
        (n, 10) float32: empty, 1–9; rows sum to 1. None if no script of these explains the cells.
    """
    firsts = sorted(set(FIRST_OF.values()))
    parts = [seen[:, first : first + _N_DIGITS] for first in firsts]
    likelihoods = [_weigh(seen[:, EMPTY] + part.sum(axis=1)) for part in parts]
    best = int(np.argmax(likelihoods))
    others = [one for number, one in enumerate(likelihoods) if number != best]
    others.append(_weigh(seen[:, EMPTY] + seen[:, NO_DIGIT]))
    if likelihoods[best] - max(others) < _CLEAR_LEAD:
        return None
    digits = np.column_stack([seen[:, EMPTY], parts[best]]).astype(np.float64)
    other = np.maximum(1 - digits.sum(axis=1, keepdims=True), 0)
    digits += _OTHER_SHARE * other / digits.shape[1]
    digits = _part_lookalikes(digits)
    return np.asarray(digits / digits.sum(axis=1, keepdims=True), np.float32)


def _part_lookalikes(digits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return likelihoods, (n, 10), in which a cell is no digit that others show far more surely.

    In a typeface that is not known, a 2 may look more like a 3 than like a 2. But it does so far
    less surely than each 3 of the same board.
    """
    parted = digits.copy()
    is_filled = digits[:, EMPTY] < digits[:, 1:].sum(axis=1)
    for one in range(1, 1 + _N_DIGITS):
        rivals = np.delete(digits, [EMPTY, one], axis=1).max(axis=1)
        leads = np.log(np.maximum(digits[:, one], _TINY) / np.maximum(rivals, _TINY))
        is_sure = leads >= _SURE_LEAD
        sure, others = leads[is_filled & is_sure], leads[is_filled & ~is_sure]
        if not len(sure) or not len(others):
            continue
        below, above = others.max(), sure.min()
        if above - below >= _GAP and above + below > 0:
            parted[~is_sure, one] *= np.exp(-(below + above) / 2)
    return parted


def knows_digits(digits: Float32, n_values: int, looks: int) -> bool:
    """Tell whether it is clear what each digit of a board means.

    A typeface may have every 4 look like a 3. The rules do not object as long as no other clue is
    a 3. So 2, 3 and 4 must be shown. Where another digit is not, all that is read must surely be
    another one, and one look does not tell.

    Args:
        digits: (n, 10) float32, as `tell_digits` returns them.
        n_values: that the board's cells can have.
        looks: that they were told from.
    """
    read = digits.argmax(axis=1)
    shown = set(read[digits.max(axis=1) >= _CLEAR].tolist())
    absent = [digit for digit in range(1, n_values + 1) if digit not in shown]
    if not _ALIKE.isdisjoint(absent):
        return False
    filled = digits[read != EMPTY]
    leads = np.log(filled.max(axis=1)[:, None] / np.maximum(filled[:, absent], _TINY))
    return not absent or (looks > 1 and bool((leads >= _RULED_OUT).all()))


def _weigh(explained: Float32) -> float:
    """Return a log likelihood from the share of each cell that is explained."""
    return float(np.log(np.maximum(explained, _LEAST)).sum())


def build_script_net() -> Any:
    """Return the network, untrained: (b, 32, 32, 1) float32 → (b, 20) probabilities.

    62,000 weights, 1.8 million multiply-adds a cell.
    """
    return build_cell_net("scripts", (16, 20, 28, 32, 40, 24), 80, 0.1, CLASSES)
