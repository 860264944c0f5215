"""What each technique is, in words for beginners: what it says, how to spot it, what follows.

The words stand in `lessons.json` in every language. The techniques are those of the teaching order,
the easiest first. `help.technique_practice` has a position for each.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from solver.human.position import Technique
from solver.human.words import Words, translate

_Text = Mapping[str, str]
"""What is said in each language, by its code."""


@dataclass(frozen=True)
class Lesson:
    """A page on a technique: what it says, how to find one, and what it puts or strikes."""

    what: _Text
    spot: _Text
    effect: _Text

    def tell(self, words: Words) -> tuple[str, str, str]:
        """Return the three texts in a language."""
        language = words.say(_LANGUAGE)
        return self.what[language], self.spot[language], self.effect[language]


def _load_lessons() -> dict[Technique, Lesson]:
    """Return the lessons in their order; a text that several have stands there once, by a name."""
    told = json.loads(Path(__file__).with_name("lessons.json").read_text(encoding="utf-8"))
    shared: dict[str, _Text] = told["shared"]
    lessons: dict[str, dict[str, str | _Text]] = told["lessons"]
    return {
        Technique[name]: Lesson(
            **{
                part: shared[text] if isinstance(text, str) else text
                for part, text in lesson.items()
            }
        )
        for name, lesson in lessons.items()
    }


LESSONS: Final = _load_lessons()
"""The techniques of the teaching order, the easiest first."""

_LANGUAGE: Final = translate("Help", "en")
"""The code of the language that a text is in: each language's translation of this is its own."""

# What stands on a page.
ON_BOARD: Final = translate("Help", "On your board now")
EXAMPLE: Final = translate("Help", "An example")
SPOT: Final = translate("Help", "How to spot it")
EFFECT: Final = translate("Help", "What follows")
