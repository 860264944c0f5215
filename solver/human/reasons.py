"""Why a step holds: one catalogue of texts, filled in from a step's fields for any language."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from solver.human.position import Step, Technique
from solver.human.words import OR, Words, translate
from solver.layout import bits_of

Statement = tuple[int, bool]
"""A candidate, as `solver.human.masks` numbers them, and whether it is right."""

MOST_SETS: Final = 4
"""Sets of digits that a sentence names."""

# What makers of steps choose among, with the parts that they name.
RECTANGLE_1: Final = translate(
    "Help",
    "If {cells} held only {digits}, these could be swapped for a second solution, so "
    "{cells_roof} must hold another digit.",
)
RECTANGLE_2: Final = translate(
    "Help",
    "If {cells} held only {digits}, these could be swapped for a second solution, so "
    "one of {cells_roof} must be {digits_more}.",
)
RECTANGLE_3: Final = translate(
    "Help",
    "If {cells_corners} held only {digits}, these could be swapped for a second solution, so "
    "{cells_roof} hold one of {digits_more} and, with {cells_subset}, use up "
    "{digits_used} in {unit}.",
)
RECTANGLE_4: Final = translate(
    "Help",
    "If {cells} held only {digits}, these could be swapped for a second solution. In "
    "{unit}, {digits_there} fits only in {cells_roof}, so neither of these can be "
    "{digits_other}.",
)
RECTANGLE_HIDDEN: Final = translate(
    "Help",
    "If {cells} held only {digits}, these could be swapped for a second solution. With "
    "{digits_other} in {cells_corner} it would come to that, as in {unit_row} and in "
    "{unit_column}, {digits_there} fits only in corners.",
)
BRIDGE: Final = translate(
    "Help",
    "{cells_ends} cannot both be {digits_other}, as {unit} would then have no place "
    "for it, so one of them is {digits}, and no cell that sees both can hold "
    "{digits}.",
)
COLOUR_WRONG: Final = translate(
    "Help",
    "{digits} stands either in all of {cells_one} or in all of {cells_two}; two of the "
    "latter see each other, so it stands in none of them.",
)
COLOUR_SEEN: Final = translate(
    "Help",
    "{digits} stands either in all of {cells_one} or in all of {cells_two}, so no cell "
    "that sees one of each can hold it.",
)
LINKS: Final = translate(
    "Help",
    "Follow {digits}: {links}. So it stands at one end of this chain, and no cell that sees both "
    "{cells_one} and {cells_two} can hold it.",
)
PAIRS: Final = translate(
    "Help",
    "Along {chain}, {digits} take turns, so {cells_ends} hold one each, and no cell "
    "that sees both can hold either.",
)
ENDS: Final = translate(
    "Help", "If {start}, then {then}. So {first} or {second}, and what both rule out is wrong."
)
SURE: Final = translate("Help", "If {start}, then {then}. So {target} in any case.")
RING: Final = translate(
    "Help",
    "If {start}, then {then}: a ring, which holds backwards, too. Of each two neighbours in it one "
    "is right, and what both rule out is wrong.",
)
EVERY_DIGIT: Final = translate("Help", "Whatever digit {cell_choice} takes, {target}: {branches}.")
EVERY_PLACE: Final = translate("Help", "Wherever {digits} goes in {unit}, {target}: {branches}.")
CONTRADICTION: Final = translate(
    "Help", "Suppose, one after the other: {story}. That contradicts itself, so {target}."
)
_CASE: Final = translate("Help", "if {start}, then {then}")
_LINK: Final = translate("Help", "in {unit} it fits only in {one} or in {other}")
_IS: Final = translate("Help", "{cell} is {digit}")
_IS_NOT: Final = translate("Help", "{cell} is not {digit}")
_SO: Final = translate("Help", "{before}, so {after}")
_STRIKE: Final = translate("Help", "Strike {removals}.")

_HIDDEN_SINGLE: Final = translate("Help", "In {units}, {digit} fits only in {cell}.")
_DIRECT: Final = translate(
    "Help", "What {cells} rule out leaves {cell} as the only place for {digit} in {second}."
)
_ONLY_CANDIDATE: Final = translate(
    "Help", "{cell} can only be {digit}: every other digit is ruled out for it."
)
_PLACED: Final = {
    Technique.FULL_HOUSE: translate(
        "Help", "{cell} is the last empty cell of {units}, so it takes the missing {digit}."
    ),
    Technique.DIRECT_POINTING: _DIRECT,
    Technique.DIRECT_CLAIMING: _DIRECT,
    Technique.DIRECT_HIDDEN_PAIR: _DIRECT,
    Technique.DIRECT_HIDDEN_TRIPLE: _DIRECT,
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


def explain(step: Step, words: Words | None = None) -> str:
    """Say why a step holds and what follows from it.

    Args:
        step: of the engine.
        words: of the language, with the puzzle's rules; English of the usual ones when None.
    """
    words = words or Words()
    side = words.masks.side
    changed = {digit for _, digit in step.eliminations or step.placements}
    fields: dict[str, object] = {
        "cells": words.cells(step.cells),
        "any_cell": words.cells(step.cells, OR),
        "digits": words.digits(step.digits or changed),
        "struck": words.digits(changed),
        "total": step.total,
        "rule": side * (side + 1) // 2,
    }
    if step.units:
        fields["units"] = words.units(step.units)
        fields["first"], fields["second"] = words.unit(step.units[0]), words.unit(step.units[-1])
    if step.sums:
        fields["sums"] = words.sums(step.sums)
    for cell, digit in step.placements:
        fields |= {"cell": words.cell(cell), "digit": words.digit(digit)}
    for name, part in step.parts:
        fields[name] = _RENDER[name.partition("_")[0]](part, words)
    told = words.say(_text_of(step, words), **fields)
    if step.eliminations and not step.placements:
        told += " " + words.say(_STRIKE, removals=words.removals(step.eliminations))
    return words.begin_sentences(told)


def _text_of(step: Step, words: Words) -> str:
    if step.why:
        return step.why
    if step.placements:
        if step.technique is Technique.NAKED_SINGLE and not words.masks.is_classic:
            return _ONLY_CANDIDATE
        return _PLACED[step.technique]
    if step.technique in _NAMED_SUMS and 0 < len(step.sums) <= MOST_SETS:
        return _NAMED_SUMS[step.technique]
    return _REASONS[step.technique]


def _say_statement(statement: Statement, words: Words) -> str:
    digit, cell = divmod(statement[0], words.masks.n_places)
    text = _IS if statement[1] else _IS_NOT
    return words.say(text, cell=words.cell(cell), digit=words.digit(digit + 1))


def _say_chain(chain: Iterable[Statement], words: Words) -> str:
    told, *rest = (_say_statement(one, words) for one in chain)
    for after in rest:
        told = words.say(_SO, before=told, after=after)
    return told


def _say_story(story: Iterable[Statement], words: Words) -> str:
    return ", ".join(_say_statement(one, words) for one in story)


def _say_branch(branch: tuple[bool, list[Statement]], words: Words) -> str:
    """Say what follows from a choice: link by link, or in a net one after the other."""
    is_net, (start, *rest) = branch
    if is_net:
        return _say_story(branch[1], words)
    told = _say_statement(start, words)
    return words.say(_CASE, start=told, then=_say_chain(rest, words)) if rest else told


def _say_link(link: tuple[int, int, int], words: Words) -> str:
    unit, one, other = link
    named = [words.cells(bits_of(ends), OR) for ends in (one, other)]
    return words.say(_LINK, unit=words.unit(unit), one=named[0], other=named[1])


_RENDER: Final[dict[str, Callable[[Any, Words], str]]] = {
    "cell": lambda cell, words: words.cell(cell),
    "cells": lambda mask, words: words.cells(bits_of(mask)),
    "chain": lambda cells, words: " – ".join(map(words.cell, cells)),
    "unit": lambda unit, words: words.unit(unit),
    "digits": lambda mask, words: words.digits(bit + 1 for bit in bits_of(mask)),
    "start": _say_statement,
    "first": _say_statement,
    "second": _say_statement,
    "target": _say_statement,
    "then": _say_chain,
    "story": _say_story,
    "branches": lambda branches, words: "; ".join(_say_branch(one, words) for one in branches),
    "links": lambda links, words: "; ".join(_say_link(one, words) for one in links),
}
"""How a part is said, by what its name begins with; cells and digits are masks, in order in a
`chain`."""
