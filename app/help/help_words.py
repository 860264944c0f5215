"""The words of hints, walks and checks, kept apart from Qt so that any language can be put in.

Every text stands in a call of `translate`, by whose name translators' programs find it; what
shows the words brings the function that looks them up in a language.
"""

import functools
from typing import Final

from app.terminal.languages import ENGLISH, LANGUAGES, load_texts
from solver.human.walk import Level
from solver.human.words import Words, translate
from solver.rules import Kind

LEVELS: Final = {
    Level.EASY: translate("Help", "easy"),
    Level.MEDIUM: translate("Help", "medium"),
    Level.HARD: translate("Help", "hard"),
    Level.EXPERT: translate("Help", "expert"),
    Level.EXTREME: translate("Help", "extreme"),
}

KINDS: Final = {
    Kind.CLASSIC: translate("Help", "classic"),
    Kind.JIGSAW: translate("Help", "jigsaw"),
    Kind.DIAGONAL: translate("Help", "diagonal"),
    Kind.WINDOKU: translate("Help", "windoku"),
    Kind.KILLER: translate("Help", "killer"),
    Kind.SAMURAI: translate("Help", "samurai"),
}

# Hints, weakest first.
LOOK: Final = translate("Help", "Look at {units}.")
LOOK_ANYWHERE: Final = translate("Help", "Look across the whole board.")
PATTERN_ANYWHERE: Final = translate("Help", "Technique: {technique}, in {cells}.")
PATTERN: Final = translate("Help", "Look at {units}. Technique: {technique}, in {cells}.")

# What stands in the way of a hint.
UNVERIFIED: Final = translate(
    "Help",
    "There is no hint: no solution of this puzzle has been verified. Check its digits first.",
)
CONFLICT: Final = translate("Help", "{digit} stands twice in {units}.")
CONFLICT_ANYWHERE: Final = translate("Help", "Some digits contradict each other.")
FINISHED: Final = translate("Help", "The puzzle is finished, and every digit is right.")
ALL_TOLD: Final = translate("Help", "Every digit has been told.")
WRONG_ONE: Final = translate("Help", "First of all: one of your entries is wrong, in {units}.")
WRONG_MANY: Final = translate(
    "Help", "First of all: {count} of your entries are wrong, in {units}."
)
WRONG_CELLS: Final = translate("Help", "First of all, look at your entries once more: {cells}.")
WRONG_DIGITS: Final = translate("Help", "Your entries that are wrong: {corrections}.")
CORRECTION: Final = translate("Help", "{cell} has {written}, but is {digit}")
STUCK: Final = translate(
    "Help",
    "None of the techniques known here goes on from this point. Reveal a cell, such as {cell}, "
    "and ask again.",
)

# The check of entries.
NO_ENTRIES: Final = translate("Help", "There are no entries to check.")
ALL_RIGHT_ONE: Final = translate("Help", "Your one entry is right.")
ALL_RIGHT: Final = translate("Help", "All {count} of your entries are right.")
SOME_WRONG: Final = translate("Help", "{right} right, {wrong} wrong: {cells}.")
SOME_UNSURE: Final = translate("Help", "Not read for sure: {cells}.")
CANDIDATE_STRUCK: Final = translate("Help", "The right candidate is struck out: {cells}.")
UNCHECKED: Final = translate(
    "Help", "Your entries cannot be checked: no solution of this puzzle has been verified."
)

# Ratings.
RATED: Final = translate("Help", "{level} ({score}); hardest step: {technique}")
RATED_BEYOND: Final = translate("Help", "{level}; beyond the techniques known here")
RATED_NOTHING: Final = translate("Help", "{level}; nothing is left to solve")

# Walks.
FULL_HOUSE_IN: Final = translate("Help", "full house in {unit}")
HIDDEN_SINGLE_IN: Final = translate("Help", "hidden single in {unit}")
WALK_START: Final = translate("Help", "The puzzle as it was given.")
WALK_END: Final = translate("Help", "Solved.")
WALK_STUCK: Final = translate("Help", "None of the techniques known here goes on from this point.")


@functools.lru_cache(maxsize=len(LANGUAGES))
def words_of(language: str) -> Words:
    """Return how to say things in one of `LANGUAGES`.

    Where its texts cannot be loaded, which the log says, that is English.
    """
    if language == ENGLISH:
        return Words()
    look_up = load_texts(language, "Help")
    return Words() if look_up is None else Words(look_up)
