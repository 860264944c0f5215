"""Puzzles that many tests use, as texts and as grids."""

from typing import Final

import numpy as np

from solver.grid import Grid, parse_grid
from solver.layout import LAYOUTS

EASY: Final = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EASY_SOLUTION: Final = (
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)
TWO_SOLUTIONS: Final = (
    "53..7....6..195....98......8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
"""EASY without the 6 in r3c8."""

NO_SOLUTION: Final = (
    "531.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
HARD: Final = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""Arto Inkala 2012: beyond single chains."""

HARD_SOLUTION: Final = (
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
)
GUESSING: Final = (
    "9..7..1...3..28.9.8.2...4..5.9....2.....6...52.7..1......8.421.....93...4..2....."
)
"""One solution, which singles alone do not find."""

MINIMAL: Final = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
"""Seventeen clues, none of which can be missed."""

DEEP: Final = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
"""No solution, which takes thousands of nodes to prove where only cells are tried (Norvig)."""

CHAINS: Final = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
"""Extreme, and solved by chains."""

FORCING: Final = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
"""A long path, of chains that force their ends."""

OTHER: Final = "2...8.3...6..7..84.3.5..2.9...1.54.8.........4.27.6...3.1..7.4.72..4..6...4.1...3"
EULER: Final = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
"""The first puzzle of Project Euler's problem 96."""

EASY_GRID: Final = parse_grid(EASY)
EASY_SOLUTION_GRID: Final = parse_grid(EASY_SOLUTION)
OTHER_GRID: Final = parse_grid(OTHER)
EULER_GRID: Final = parse_grid(EULER)


def pattern(side: int) -> Grid:
    """Return the plainest full grid: every row is shifted against the one above."""
    layout = LAYOUTS[side]
    row = np.arange(side)[:, None]
    shift = row * layout.box_columns + row // layout.box_rows
    return ((shift + np.arange(side)) % side + 1).astype(np.uint8)
