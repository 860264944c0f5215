"""Looks of flat boards that finder and reader have to take."""

from typing import Final

from training.pages.flat_board import BoardStyle

BOARD_STYLES: Final = {
    "plain": BoardStyle(),
    "dark": BoardStyle(paper=(34, 30, 28), ink=(232, 232, 232), thin_ink=(120, 116, 112)),
    "tinted": BoardStyle(box_tint=(190, 225, 245), ink=(60, 30, 20)),
    "thin": BoardStyle(thin_width=0.012, thick_width=0.03, border_width=0.03),
    "grey": BoardStyle(thin_ink=(185, 185, 185), ink=(70, 70, 70)),
    "dotted": BoardStyle(border_width=0.05, border_dash=0.12),
    "thick_border": BoardStyle(border_width=0.3),
    "even": BoardStyle(thin_width=0.03, thick_width=0.03, border_width=0.03),
}
