"""Why a step holds, in one sentence by technique, for languages that the engine does not speak."""

from typing import Final

from app.help.help_words import OR, REMOVE, Words, translate
from app.help.sentences import begin_sentences, retell, spell_cells
from solver.human.cage_steps import MOST_SETS
from solver.human.step import Step, Technique


def explain(step: Step, pattern_digits: set[int], words: Words) -> str:
    """Return why a step holds and what follows from it.

    Args:
        step: of the engine.
        pattern_digits: digits 1..9 that the pattern is about.
        words: of the language; in English these are the engine's own sentences.
    """
    told = _explain(step, pattern_digits, words)
    return begin_sentences(told) if words.is_long else told


def _explain(step: Step, pattern_digits: set[int], words: Words) -> str:
    if words.is_english and words.rules is None:
        return spell_cells(step.explanation, words)
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
