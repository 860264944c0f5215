"""Why a step holds, in one sentence by technique, for languages that the engine does not speak.

Most sentences are made from a step's fields. Chains, unique rectangles and the like follow more
than those hold: their English sentences are of few forms, which are read here and said anew. A test
walks through hard puzzles and sees to it that each is.
"""

import re
from typing import Final

from app.help.help_words import AND, OR, REMOVE, Words
from app.terminal.languages import translate
from solver.human.cage_steps import MOST_SETS
from solver.human.position import Step, Technique
from solver.signs import SIGNS

_CELL: Final = re.compile(r"r(\d+)c(\d+)")
_STATEMENT: Final = re.compile(r"r(\d+)c(\d+) is (not )?([1-9A-P])")

_LISTED: Final = re.compile(r"r\d+c\d+(?:(?:, | and | or )r\d+c\d+)*")
_BEGINNING: Final = re.compile(r"^[a-z]|(?<=[.!?] )[a-z]")

_ARROW: Final = " → "


def _spell_cells(text: str, words: Words) -> str:
    """Return an English sentence of the engine with its cells named as `words` names them."""
    if not words.is_long:
        return text

    def name(match: re.Match[str]) -> str:
        cells = _find_cells(match[0], words)
        return words.cells(cells, OR if " or " in match[0] else AND)

    return _LISTED.sub(name, text)


def _begin_sentences(text: str) -> str:
    """Return a text in which every sentence begins with a capital letter."""
    return _BEGINNING.sub(lambda match: match[0].upper(), text)


def retell(step: Step, words: Words) -> str | None:
    """Say in another language why a step holds, without what follows from it.

    Returns:
        None where the step's own fields say as much, or the sentence has no form known here.
    """
    reason = step.explanation.partition(": remove ")[0]
    if step.technique in _RINGS:
        chain = _statements(reason.partition(" again")[0], words)
        return words.say(_RING, chain=_ARROW.join(_say(chain, words)))
    if step.technique in _CHAINS:
        return _retell_chain(step, reason, words)
    for form, text in _FORMS:
        match = form.search(reason)
        if match:
            return words.say(text, **_render(match, words))
    return None


def _retell_chain(step: Step, reason: str, words: Words) -> str | None:
    told = _say(_statements(reason, words), words)
    if len(told) < 3:
        return None
    if "contradicts itself" in reason:
        return words.say(_CONTRADICTION, chain=", ".join(told[:-1]), target=told[-1])
    head, _, body = reason.partition(": ")
    if "; " in body:
        between = ", " if step.technique in _DYNAMIC else _ARROW
        branches = [between.join(_say(_statements(one, words), words)) for one in body.split("; ")]
        target = _say(_statements(head, words), words)[-1]
        return words.say(_EVERY_CASE, target=target, branches="; ".join(branches))
    if step.placements:
        return words.say(_SURE, chain=_ARROW.join(told[:-1]), target=told[-1])
    *chain, first, second = told
    return words.say(_ENDS, chain=_ARROW.join(chain), first=first, second=second)


def _find_cells(text: str, words: Words) -> list[int]:
    width = words.masks.width
    return [width * (int(row) - 1) + int(column) - 1 for row, column in _CELL.findall(text)]


def _statements(text: str, words: Words) -> list[tuple[int, bool, str]]:
    """Return (cell, whether it is so, digit) for each "r1c2 is not 5", in order."""
    width = words.masks.width
    return [
        (width * (int(row) - 1) + int(column) - 1, not is_not, _respell(digit, words))
        for row, column, is_not, digit in _STATEMENT.findall(text)
    ]


def _say(statements: list[tuple[int, bool, str]], words: Words) -> list[str]:
    return [
        f"{words.cell(cell)} {'=' if is_so else '≠'} {digit}" for cell, is_so, digit in statements
    ]


def _render(match: re.Match[str], words: Words) -> dict[str, object]:
    """Return what was found by name: names tell whether it is cells, a unit or digits."""
    fields: dict[str, object] = {}
    for name, found in match.groupdict().items():
        if name.startswith(("cells", "chain")):
            cells = _find_cells(found, words)
            is_chain = name == "chain"
            fields[name] = " – ".join(map(words.cell, cells)) if is_chain else words.cells(cells)
        elif name.startswith("unit"):
            masks = words.masks
            units = range(len(masks.unit_names))
            fields[name] = words.unit(next(u for u in units if masks.name_unit(u) == found))
        else:
            digits = re.findall("[1-9A-P]", found)
            fields[name] = words.digits(SIGNS.index(digit) + 1 for digit in digits)
    return fields


def _respell(sign: str, words: Words) -> str:
    """Return how the puzzle writes a digit that the engine writes so."""
    return words.digit(SIGNS.index(sign) + 1)


_ENDS: Final = translate(
    "Help", "{chain}. So {first} or {second}, and what both rule out is wrong."
)
_SURE: Final = translate("Help", "{chain}. So {target} in any case.")
_RING: Final = translate(
    "Help",
    "{chain}: a ring, which holds backwards, too. Of each two neighbours in it one is right, and "
    "what both rule out is wrong.",
)
_EVERY_CASE: Final = translate("Help", "In every case {target}: {branches}.")
_CONTRADICTION: Final = translate(
    "Help", "Suppose, one after the other: {chain}. That contradicts itself, so {target}."
)

_RINGS: Final = frozenset({Technique.X_CYCLE, Technique.XY_CYCLE, Technique.CONTINUOUS_LOOP})
_DYNAMIC: Final = frozenset(
    {Technique.NISHIO, Technique.DYNAMIC_FORCING, Technique.DYNAMIC_FORCING_PLUS}
)
_CHAINS: Final = _DYNAMIC | {
    Technique.X_CHAIN,
    Technique.XY_CHAIN,
    Technique.AIC,
    Technique.CELL_FORCING,
    Technique.UNIT_FORCING,
}

_CELLS_FORM: Final = r"r\d+c\d+(?:(?:, | and )r\d+c\d+)*"
_DIGITS_FORM: Final = r"[1-9A-P](?:(?:, | and )[1-9A-P])*"
_UNIT_FORM: Final = (
    r"(?:(?:row|column|box|window) \d+|the (?:falling|rising) diagonal|region at r\d+c\d+)"
)
_WARNING_FORM: Final = (
    rf"If (?P<cells>{_CELLS_FORM}) held only (?P<digits>{_DIGITS_FORM}), these could be swapped "
    "for a second solution"
)

_FORMS: Final = tuple(
    (re.compile(form), text)
    for form, text in (
        (
            rf"{_WARNING_FORM}, so (?P<cells_roof>r\d+c\d+) must hold another digit",
            translate(
                "Help",
                "If {cells} held only {digits}, these could be swapped for a second solution, so "
                "{cells_roof} must hold another digit.",
            ),
        ),
        (
            rf"{_WARNING_FORM}, so one of (?P<cells_roof>{_CELLS_FORM}) must be "
            r"(?P<digits_more>[1-9A-P])",
            translate(
                "Help",
                "If {cells} held only {digits}, these could be swapped for a second solution, so "
                "one of {cells_roof} must be {digits_more}.",
            ),
        ),
        (
            rf"{_WARNING_FORM}, so (?P<cells_roof>{_CELLS_FORM}) hold one of "
            rf"(?P<digits_more>{_DIGITS_FORM}) and, with (?P<cells_subset>{_CELLS_FORM}), use up "
            rf"(?P<digits_used>{_DIGITS_FORM}) in (?P<unit>{_UNIT_FORM})",
            translate(
                "Help",
                "If {cells} held only {digits}, these could be swapped for a second solution, so "
                "{cells_roof} hold one of {digits_more} and, with {cells_subset}, use up "
                "{digits_used} in {unit}.",
            ),
        ),
        (
            rf"{_WARNING_FORM}; in (?P<unit>{_UNIT_FORM}), (?P<digits_there>[1-9A-P]) fits only in "
            rf"(?P<cells_roof>{_CELLS_FORM}), so neither of these can be "
            r"(?P<digits_other>[1-9A-P])",
            translate(
                "Help",
                "If {cells} held only {digits}, these could be swapped for a second solution. In "
                "{unit}, {digits_there} fits only in {cells_roof}, so neither of these can be "
                "{digits_other}.",
            ),
        ),
        (
            rf"{_WARNING_FORM}; with (?P<digits_other>[1-9A-P]) in (?P<cells_corner>r\d+c\d+), "
            rf"(?P<unit_row>{_UNIT_FORM}) and (?P<unit_column>{_UNIT_FORM}) would leave just that, "
            r"as (?P<digits_there>[1-9A-P]) fits",
            translate(
                "Help",
                "If {cells} held only {digits}, these could be swapped for a second solution. With "
                "{digits_other} in {cells_corner} it would come to that, as in {unit_row} and in "
                "{unit_column}, {digits_there} fits only in corners.",
            ),
        ),
        (
            r"^(?P<cells_ends>r\d+c\d+ and r\d+c\d+) cannot both be (?P<digits_other>[1-9A-P]), as "
            rf"(?P<unit>{_UNIT_FORM}) would then have no place for it, so one of them is "
            r"(?P<digits>[1-9A-P])",
            translate(
                "Help",
                "{cells_ends} cannot both be {digits_other}, as {unit} would then have no place "
                "for it, so one of them is {digits}, and no cell that sees both can hold "
                "{digits}.",
            ),
        ),
        (
            rf"^(?P<digits>[1-9A-P]) stands either in all of (?P<cells_one>{_CELLS_FORM}) or in "
            rf"all of (?P<cells_two>{_CELLS_FORM}), and two of the latter see each other",
            translate(
                "Help",
                "{digits} stands either in all of {cells_one} or in all of {cells_two}; two of the "
                "latter see each other, so it stands in none of them.",
            ),
        ),
        (
            rf"^(?P<digits>[1-9A-P]) stands either in all of (?P<cells_one>{_CELLS_FORM}) or in "
            rf"all of (?P<cells_two>{_CELLS_FORM}), so no cell that sees one of each",
            translate(
                "Help",
                "{digits} stands either in all of {cells_one} or in all of {cells_two}, so no cell "
                "that sees one of each can hold it.",
            ),
        ),
        (
            r"^Follow (?P<digits>[1-9A-P]): (?P<chain>.*); so it stands at one end",
            translate(
                "Help",
                "Follow {digits} along {chain}: it stands at one end or the other, so no cell that "
                "sees both ends can hold it.",
            ),
        ),
        (
            rf"^Along (?P<chain>{_CELLS_FORM}(?: – {_CELLS_FORM})*), "
            r"(?P<digits>[1-9A-P] and [1-9A-P]) take turns, so "
            r"(?P<cells_ends>r\d+c\d+ and r\d+c\d+)",
            translate(
                "Help",
                "Along {chain}, {digits} take turns, so {cells_ends} hold one each, and no cell "
                "that sees both can hold either.",
            ),
        ),
    )
)


def explain(step: Step, pattern_digits: set[int], words: Words) -> str:
    """Return why a step holds and what follows from it.

    Args:
        step: of the engine.
        pattern_digits: digits 1..9 that the pattern is about.
        words: of the language; in English these are the engine's own sentences.
    """
    told = _explain(step, pattern_digits, words)
    return _begin_sentences(told) if words.is_long else told


def _explain(step: Step, pattern_digits: set[int], words: Words) -> str:
    if words.is_english and words.rules is None:
        return _spell_cells(step.explanation, words)
    removals = words.removals(step.eliminations) if step.eliminations else ""
    struck = f" {words.say(REMOVE, removals=removals)}" if removals else ""
    retold = retell(step, words)
    if retold is not None:
        return f"{retold}{struck}"
    fields: dict[str, object] = {
        "cells": words.cells(step.cells),
        "any_cell": words.cells(step.cells, OR),
        "digits": words.digits(pattern_digits or {digit for _, digit in step.eliminations}),
    }
    if step.units:
        fields["units"] = words.units(step.units)
        fields["first"], fields["second"] = words.unit(step.units[0]), words.unit(step.units[-1])
    if step.total:
        side = words.masks.side
        fields |= {"total": step.total, "rule": side * (side + 1) // 2}
    if step.placements:
        ((cell, digit),) = step.placements
        fields |= {"cell": words.cell(cell), "digit": words.digit(digit)}
        told = _PLACED.get(step.technique, _PLACED_BY_CHAIN)
        if step.technique is Technique.NAKED_SINGLE and words.rules is not None:
            told = _ONLY_CANDIDATE
        return words.say(told, **fields)
    fields["struck"] = words.digits({digit for _, digit in step.eliminations})
    reason = _REASONS.get(step.technique, _BY_CHAIN)
    if step.technique in _NAMED_SUMS and 0 < len(step.sums) <= MOST_SETS:
        reason, fields["sums"] = _NAMED_SUMS[step.technique], words.sums(step.sums)
    return f"{words.say(reason, **fields)}{struck}"


_HIDDEN_SINGLE: Final = translate("Help", "In {units}, {digit} fits only in {cell}.")
_PLACED_BY_CHAIN: Final = translate(
    "Help", "Whichever way the chain through {cells} is followed, {cell} is {digit}."
)
_ONLY_CANDIDATE: Final = translate(
    "Help", "{cell} can only be {digit}: every other digit is ruled out for it."
)
_PLACED: Final = {
    Technique.FULL_HOUSE: translate(
        "Help", "{cell} is the last empty cell of {units}, so it takes the missing {digit}."
    ),
    Technique.HIDDEN_SINGLE_BOX: _HIDDEN_SINGLE,
    Technique.HIDDEN_SINGLE_LINE: _HIDDEN_SINGLE,
    Technique.HIDDEN_SINGLE: _HIDDEN_SINGLE,
    Technique.CAGE_COMBINATIONS: translate(
        "Help", "In {units}, only {cell} is empty, and {total} is left of the sum."
    ),
    Technique.INNIES_OUTIES: translate(
        "Help", "By the rule of {rule}, {units} and the cages there leave {total} for {cell}."
    ),
    Technique.NAKED_SINGLE: translate(
        "Help",
        "{cell} can only be {digit}: every other digit is ruled out for it by its row, column "
        "and box.",
    ),
    Technique.BUG: translate(
        "Help",
        "Without {digit} in {cell}, every empty cell would have two candidates, and the puzzle "
        "two solutions or none; so {cell} is {digit}.",
    ),
}

_LOCKED: Final = translate(
    "Help",
    "In {first}, {struck} fits only in {any_cell}, all in {second}, so the rest of {second} cannot "
    "hold it.",
)
_NAKED: Final = translate(
    "Help",
    "The cells {cells} can hold nothing but {digits} and use them up, so no other cell of "
    "{units} can hold them.",
)
_HIDDEN: Final = translate(
    "Help",
    "In {units}, {digits} fit only in {cells}, so these cells have no room for anything else.",
)
_FISH: Final = translate(
    "Help",
    "The places for {struck} in {cells} lie in as many rows as columns ({units}) and use all of "
    "these up, so {struck} cannot stand anywhere else there.",
)
_WING: Final = translate(
    "Help",
    "Whatever {cells} hold, {struck} is among them, so no cell that sees all its places there can "
    "hold it.",
)
_BY_CHAIN: Final = translate(
    "Help", "Whichever way the chain through {cells} is followed, the same digits are ruled out."
)

_NAMED_SUMS: Final = {
    Technique.CAGE_COMBINATIONS: translate(
        "Help", "In {units}, a sum of {total} is left for {cells}, which is {sums}."
    ),
    Technique.INNIES_OUTIES: translate(
        "Help",
        "By the rule of {rule}, {units} and the cages there leave a sum of {total} for {cells}, "
        "which is {sums}.",
    ),
}
"""Where few sets of digits make the sum."""

_REASONS: Final = {
    Technique.CAGE_COMBINATIONS: translate(
        "Help",
        "In {units}, a sum of {total} is left for {cells}, which not all of their candidates can "
        "be part of.",
    ),
    Technique.INNIES_OUTIES: translate(
        "Help",
        "By the rule of {rule}, {units} and the cages there leave a sum of {total} for {cells}, "
        "which not all of their candidates can be part of.",
    ),
    Technique.CAGE_DIGIT: translate(
        "Help",
        "In {units}, the sum needs {struck}, which fits only in {any_cell}, so no cell that sees "
        "all of these can hold it.",
    ),
    Technique.POINTING: _LOCKED,
    Technique.CLAIMING: _LOCKED,
    Technique.NAKED_PAIR: _NAKED,
    Technique.NAKED_TRIPLE: _NAKED,
    Technique.NAKED_QUAD: _NAKED,
    Technique.HIDDEN_PAIR: _HIDDEN,
    Technique.HIDDEN_TRIPLE: _HIDDEN,
    Technique.HIDDEN_QUAD: _HIDDEN,
    Technique.X_WING: _FISH,
    Technique.SWORDFISH: _FISH,
    Technique.JELLYFISH: _FISH,
    Technique.XY_WING: _WING,
    Technique.XYZ_WING: _WING,
    Technique.WXYZ_WING: _WING,
    Technique.VWXYZ_WING: _WING,
}
