"""The sentences of advice, kept apart from Qt so that any language can be put in.

Every text stands in a call of `translate`, by whose name translators' programs find it; what shows
the sentences brings the function that looks them up in a language.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

from app.recognition.results import BoardResult
from app.report.advice import Fault, FaultKind, Region, find_faults
from app.report.board_symbols import NUMBERS, symbols_of
from models.lookalike_reader import Lookalike
from solver.rules import Kind

Translate = Callable[[str], str]
"""Takes an English text of this module and returns it in the user's language."""

_MOST_NAMED: Final = 6
"""More unsure cells than these are counted, not named."""


def translate(context: str, text: str) -> str:
    """Mark a text for translators, and return it as it is; the context is always ``Advice``."""
    del context
    return text


def _identity(text: str) -> str:
    return text


_EDGES: Final = {
    "left": translate("Advice", "left"),
    "right": translate("Advice", "right"),
    "top": translate("Advice", "top"),
    "bottom": translate("Advice", "bottom"),
}
_REGIONS: Final = {
    Region.UPPER: translate("Advice", "the upper half"),
    Region.LOWER: translate("Advice", "the lower half"),
    Region.LEFT: translate("Advice", "the left half"),
    Region.RIGHT: translate("Advice", "the right half"),
    Region.UPPER_LEFT: translate("Advice", "the upper left"),
    Region.UPPER_RIGHT: translate("Advice", "the upper right"),
    Region.LOWER_LEFT: translate("Advice", "the lower left"),
    Region.LOWER_RIGHT: translate("Advice", "the lower right"),
    Region.PARTS: translate("Advice", "parts of the board"),
}
_SENTENCES: Final = {
    FaultKind.OUTSIDE: translate(
        "Advice", "Part of the board is outside of the picture ({where}): take all of it."
    ),
    FaultKind.SMALL: translate(
        "Advice", "The cells are only {pixels} pixels high: take the photo nearer."
    ),
    FaultKind.BLURRED: translate(
        "Advice", "The board is blurred: hold the camera still, and let it focus."
    ),
    FaultKind.FAINT: translate(
        "Advice", "Ink and paper hardly differ: take the photo in better light."
    ),
    FaultKind.DARK: translate("Advice", "The board is dark: take the photo in more light."),
    FaultKind.SHADED: translate(
        "Advice", "The light falls off over {where}: take the photo in even light."
    ),
    FaultKind.MIXED_HANDS: translate(
        "Advice", "Some digits are by hand, and are not told from the printed ones for sure."
    ),
    FaultKind.UNSURE: translate("Advice", "{count} cells are not read for sure."),
    FaultKind.SUMS: translate("Advice", "Compare the sums of the cages at {cells}."),
    FaultKind.HIDDEN: translate(
        "Advice", "There are several solutions: a digit may be hidden or missing in {cells}."
    ),
}
_OTHER_KINDS: Final = {
    Kind.DIAGONAL: translate("Advice", "With both diagonals it has exactly one solution."),
    Kind.WINDOKU: translate("Advice", "With four windows it has exactly one solution."),
}
_LOOKALIKES: Final = {
    Lookalike.KENKEN: translate("Advice", "This seems to be a KenKen, not a Sudoku"),
    Lookalike.NONOGRAM: translate("Advice", "This seems to be a nonogram, not a Sudoku"),
    Lookalike.KAKURO: translate("Advice", "This seems to be a kakuro, not a Sudoku"),
    Lookalike.SUGURU: translate("Advice", "This seems to be a Suguru, not a Sudoku"),
    Lookalike.CROSSWORD: translate("Advice", "This seems to be a crossword, not a Sudoku"),
}
ABOUT_LOOKALIKES: Final = translate(
    "Advice", "If there is a Sudoku, take the photo nearer, with its whole border on it."
)
"""What to do where a photo shows another puzzle."""
_UNSURE_ONE: Final = translate("Advice", "1 cell is not read for sure: {cells}.")
_UNSURE_NAMED: Final = translate("Advice", "{count} cells are not read for sure: {cells}.")
_CELL: Final = translate("Advice", "r{row}c{column}")
_CELL_LONG: Final = translate("Advice", "row {row}, column {column}")
_EMPTY: Final = translate("Advice", "empty")
_HIDDEN_MANY: Final = translate(
    "Advice", "There are several solutions: a digit may be hidden or missing, perhaps in {cells}."
)
_AND: Final = translate("Advice", "{first} and {last}")
_OR: Final = translate("Advice", "{first} or {last}")


def advise(board: BoardResult, look_up: Translate = _identity) -> list[str]:
    """Return a sentence for each fault that was measured, the gravest first; none if solved."""
    width, symbols = len(board.clues), symbols_of(board)
    return [say_fault(fault, look_up, width=width, symbols=symbols) for fault in find_faults(board)]


def say_fault(
    fault: Fault,
    look_up: Translate = _identity,
    *,
    is_long: bool = False,
    width: int = 9,
    symbols: Sequence[str] = NUMBERS,
) -> str:
    """Return a sentence: what is wrong, and what to do about it.

    Args:
        fault: what was measured.
        look_up: translates.
        is_long: whether cells are called "row 2, column 5" and not r2c5, and options of the
            command line are not named.
        width: cells in a row.
        symbols: what stands for each digit, from 1 on.
    """
    if fault.kind is FaultKind.OTHER_KIND:
        text = look_up(_OTHER_KINDS[fault.puzzle_kind])
        return text if is_long else f"{text.removesuffix('.')}: --kind {fault.puzzle_kind}."
    if fault.kind is FaultKind.UNSURE:
        if len(fault.cells) > _MOST_NAMED:
            return look_up(_SENTENCES[FaultKind.UNSURE]).format(count=len(fault.cells))
        named = [name_cell(one.cell, look_up, is_long=is_long, width=width) for one in fault.cells]
        written = (look_up(_EMPTY), *symbols)
        digits = [[written[digit] for digit in one.digits] for one in fault.cells]
        return _say_unsure(named, digits, look_up, is_long)
    if fault.kind is FaultKind.SUMS:
        named = [name_cell(one.cell, look_up, is_long=is_long, width=width) for one in fault.cells]
        between = "; " if is_long else ", "
        cells = _enumerate(named, look_up, between, _AND)
        return look_up(_SENTENCES[FaultKind.SUMS]).format(cells=cells)
    if fault.kind is FaultKind.HIDDEN:
        first = fault.cells[:_MOST_NAMED]
        named = [name_cell(one.cell, look_up, is_long=is_long, width=width) for one in first]
        is_all = len(fault.cells) <= _MOST_NAMED
        text = _SENTENCES[FaultKind.HIDDEN] if is_all else _HIDDEN_MANY
        return look_up(text).format(cells=_enumerate(named, look_up, "; " if is_long else ", "))
    where = look_up(_REGIONS[fault.region])
    if fault.kind is FaultKind.OUTSIDE:
        where = _join([look_up(_EDGES[edge]) for edge in fault.edges], look_up(_AND))
    return look_up(_SENTENCES[fault.kind]).format(where=where, pixels=f"{fault.cell_px:.0f}")


def say_lookalike(lookalike: Lookalike, look_up: Translate = _identity) -> str:
    """Return what a photo without a Sudoku seems to show, as a headline without its stop."""
    return look_up(_LOOKALIKES[lookalike])


def name_cell(
    cell: int, look_up: Translate = _identity, *, is_long: bool = False, width: int = 9
) -> str:
    """Return `r2c5`, or in long `row 2, column 5`, for the fifth cell of the second row."""
    text = _CELL_LONG if is_long else _CELL
    return look_up(text).format(row=cell // width + 1, column=cell % width + 1)


def _say_unsure(
    places: Sequence[str], digits: Sequence[list[str]], look_up: Translate, is_long: bool
) -> str:
    """Return where which digits may stand, a few places at most."""
    named = []
    for place, words in zip(places, digits, strict=True):
        told = _enumerate(words, look_up) if is_long else _join(words, look_up(_OR))
        named.append(f"{place} ({told})")
    text = look_up(_UNSURE_ONE if len(named) == 1 else _UNSURE_NAMED)
    return text.format(count=len(named), cells=("; " if is_long else ", ").join(named))


def _enumerate(words: list[str], look_up: Translate, between: str = ", ", joint: str = _OR) -> str:
    """Return `a, b or c`, or with another joint `a, b and c`."""
    *first, last = words
    return _join([between.join(first), last], look_up(joint)) if first else last


def _join(words: list[str], last: str) -> str:
    return reduce(lambda said, word: last.format(first=said, last=word), words)
