"""Why a step holds, in one sentence by technique, for languages that the engine does not speak."""

from typing import Final

from app.assistance_words import REMOVE, Words, translate
from solver.human.step import Step
from solver.human.technique import Technique


def explain(step: Step, pattern_digits: set[int], words: Words) -> str:
    """Return why a step holds and what follows from it.

    Args:
        step: of the engine.
        pattern_digits: digits 1..9 that the pattern is about.
        words: of the language; in English these are the engine's own sentences.
    """
    if words.is_english:
        return step.explanation
    fields: dict[str, object] = {
        "cells": words.cells(step.cells) if step.cells else "–",
        "units": words.units(step.units) if step.units else "–",
        "first": words.unit(step.units[0]) if step.units else "–",
        "second": words.unit(step.units[-1]) if step.units else "–",
        "digits": words.digits(pattern_digits or {digit for _, digit in step.eliminations}),
    }
    if step.placements:
        ((cell, digit),) = step.placements
        fields |= {"cell": words.cell(cell), "digit": digit}
        told = _PLACED.get(step.technique, _PLACED_BY_CHAIN)
        return words.say(told, **fields)
    fields["struck"] = words.digits({digit for _, digit in step.eliminations})
    removals = words.say(REMOVE, removals=words.removals(step.eliminations))
    return f"{words.say(_REASONS.get(step.technique, _BY_CHAIN), **fields)} {removals}"


_HIDDEN_SINGLE: Final = translate("Help", "In {units}, {digit} fits only in {cell}.")
_PLACED_BY_CHAIN: Final = translate(
    "Help", "Whichever way the chain through {cells} is followed, {cell} is {digit}."
)
_PLACED: Final = {
    Technique.FULL_HOUSE: translate(
        "Help", "{cell} is the last empty cell of {units}, so it takes the missing {digit}."
    ),
    Technique.HIDDEN_SINGLE_BOX: _HIDDEN_SINGLE,
    Technique.HIDDEN_SINGLE_LINE: _HIDDEN_SINGLE,
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
    "In {first}, {struck} fits only in {cells}, all in {second}, so the rest of {second} cannot "
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
_ONE_DIGIT: Final = translate(
    "Help",
    "Follow {struck} through {cells}: it must stand at one end or the other, so no cell that sees "
    "both ends can hold it.",
)
_COLOURING: Final = translate(
    "Help",
    "In {cells}, {struck} stands in every other cell, one way or the other; what both ways rule "
    "out is wrong.",
)
_WING: Final = translate(
    "Help",
    "Whatever {cells} hold, {struck} is among them, so no cell that sees all its places there can "
    "hold it.",
)
_W_WING: Final = translate(
    "Help",
    "The two equal cells among {cells} cannot both hold the other digit, because {units} needs a "
    "place for it; so one of them is {struck}.",
)
_REMOTE_PAIR: Final = translate(
    "Help",
    "Along {cells}, {digits} take turns, so the ends hold one each, and no cell that sees both "
    "ends can hold either.",
)
_UNIQUE: Final = translate(
    "Help",
    "If {cells} held only the same two digits, these could be swapped, and the puzzle would have "
    "two solutions.",
)
_BY_CHAIN: Final = translate(
    "Help", "Whichever way the chain through {cells} is followed, the same digits are ruled out."
)
_RING: Final = translate(
    "Help",
    "The chain through {cells} is a ring and holds in both directions; what two neighbours on it "
    "rule out is wrong.",
)
_REFUTED: Final = translate(
    "Help", "The opposite would lead to a contradiction, by the chain through {cells}."
)

_REASONS: Final = {
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
    Technique.SKYSCRAPER: _ONE_DIGIT,
    Technique.TWO_STRING_KITE: _ONE_DIGIT,
    Technique.TURBOT_FISH: _ONE_DIGIT,
    Technique.GROUPED_TURBOT_FISH: _ONE_DIGIT,
    Technique.THREE_STRONG_LINKS: _ONE_DIGIT,
    Technique.GROUPED_STRONG_LINKS: _ONE_DIGIT,
    Technique.SIMPLE_COLOURING: _COLOURING,
    Technique.XY_WING: _WING,
    Technique.XYZ_WING: _WING,
    Technique.WXYZ_WING: _WING,
    Technique.VWXYZ_WING: _WING,
    Technique.W_WING: _W_WING,
    Technique.REMOTE_PAIR: _REMOTE_PAIR,
    Technique.UNIQUE_RECTANGLE_1: _UNIQUE,
    Technique.UNIQUE_RECTANGLE_2: _UNIQUE,
    Technique.UNIQUE_RECTANGLE_3: _UNIQUE,
    Technique.UNIQUE_RECTANGLE_4: _UNIQUE,
    Technique.UNIQUE_LOOP: _UNIQUE,
    Technique.HIDDEN_RECTANGLE: _UNIQUE,
    Technique.X_CYCLE: _RING,
    Technique.XY_CYCLE: _RING,
    Technique.CONTINUOUS_LOOP: _RING,
    Technique.NISHIO: _REFUTED,
    Technique.DYNAMIC_FORCING: _REFUTED,
    Technique.DYNAMIC_FORCING_PLUS: _REFUTED,
}
