"""Cages of killers as web sites, apps and newspapers draw them: any lines, colours, cells outside.

`training.pages.printed_board.choose_kind_look` draws the look of one newspaper; this varies it.
"""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from training.pages.flat_board import Colour, as_colour, draw_grey
from training.pages.printed_board import KindLook
from training.pages.shape import Shape

_UNLINED: Final = 0.15
"""Share of the looks whose cages only papers tell."""
_TINTED: Final = 0.3
"""Share of the others whose cages have papers too."""
_SOLID: Final = 0.2
_DOTTED: Final = 0.4
"""Shares of the lines, the dotted ones after the solid ones; the rest is dashed."""
_TOUCHING: Final = 0.25
"""Share of the cages whose lines nearly touch those of the grid."""
_CELLS_OUTSIDE: Final = (5, 30)
"""How many cells at least are left without a cage, the last excluded."""
_PAPERS: Final = 8
"""As many as colour the cages of a board so that neighbours differ."""
_LEAST_APART: Final = 9.0
"""Distance in CIELAB of the papers of neighbouring cages."""


def restyle_cages(look: KindLook, rng: np.random.Generator) -> KindLook:
    """Return a look with other cages and sums: lines, colours, places and sizes are drawn anew."""
    style = look.base.style
    is_dark = sum(style.paper) < 300
    is_lined = rng.random() >= _UNLINED
    is_tinted = not is_lined or rng.random() < _TINTED
    papers = draw_cage_papers(rng, is_dark=is_dark) if is_tinted else ()
    if rng.random() < 0.4:  # many programs draw cells with pale lines
        ink = draw_grey(rng, 60, 110) if is_dark else draw_grey(rng, 150, 225)
        style = replace(style, thin_ink=ink, thin_width=float(rng.uniform(0.01, 0.02)))
    low, high = (0.015, 0.045) if rng.random() < _TOUCHING else (0.045, 0.12)
    inset = float(rng.uniform(low, high))
    kind = rng.random()
    dash, share = float(rng.uniform(0.04, 0.1)), float(rng.uniform(0.4, 0.65))
    if kind < _SOLID:
        dash = 0.0
    elif kind < _DOTTED:
        dash, share = float(rng.uniform(0.02, 0.04)), float(rng.uniform(0.3, 0.45))
    return replace(
        look,
        base=replace(look.base, style=style),
        cage_dash=dash,
        cage_ink_share=share,
        cage_width=float(rng.uniform(0.011, 0.028)) if is_lined else 0.0,
        cage_inset=inset,
        cage_colour=_draw_ink(style.ink, rng, is_dark=is_dark),
        cage_papers=papers,
        sum_height=float(rng.uniform(0.11, 0.24)),
        sum_inset=float(rng.uniform(0.035, max(0.11, inset + 0.04))),
        sum_ink=_draw_ink(style.ink, rng, is_dark=is_dark) if rng.random() < 0.3 else None,
        has_even_sums=True,
        has_sum_paper=bool(rng.random() < 0.5),
    )


def draw_cage_papers(rng: np.random.Generator, *, is_dark: bool) -> tuple[Colour, ...]:
    """Return BGR papers for cages, pale ones on light boards; any two of them differ clearly."""
    lightness = (12, 38) if is_dark else (70, 97)
    strength = float(rng.uniform(12, 40))
    papers: list[Colour] = []
    lab = np.zeros((0, 3))
    while len(papers) < _PAPERS:
        angle, radius = rng.uniform(0, 2 * np.pi), strength * rng.uniform(0.4, 1)
        tone = rng.uniform(*lightness)
        one = np.array([tone, radius * np.cos(angle), radius * np.sin(angle)])
        if len(lab) and np.linalg.norm(lab - one, axis=1).min() < _LEAST_APART:
            continue
        bgr = cv2.cvtColor(one.astype(np.float32)[None, None], cv2.COLOR_Lab2BGR)[0, 0]
        papers.append(as_colour(np.clip(np.rint(255 * bgr), 0, 255)))
        lab = np.vstack([lab, one])
    return tuple(papers)


def leave_cells_out(shape: Shape, rng: np.random.Generator) -> Shape:
    """Return a killer without some of its cages, whose cells then lie in none."""
    cages = [shape.cages[number] for number in rng.permutation(len(shape.cages))]
    n_out, wanted = 0, int(rng.integers(*_CELLS_OUTSIDE))
    while n_out < wanted:
        n_out += len(cages.pop())
    return replace(shape, cages=tuple(sorted(cages)))


def _draw_ink(ink: Colour, rng: np.random.Generator, *, is_dark: bool) -> Colour:
    """Return the ink of a board, a grey or a colour."""
    kind = rng.random()
    if kind < 0.4:
        return ink
    if kind < 0.65:
        return draw_grey(rng, 120, 200) if is_dark else draw_grey(rng, 50, 165)
    return as_colour(rng.integers(130, 256, 3) if is_dark else rng.integers(0, 150, 3))
