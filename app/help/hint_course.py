"""Hints one after the other: how deep the present one is, and which steps were told before."""

from app.help.assistance import Progress, Told
from app.help.help_words import Words
from app.help.hint_depths import Depth, HintSource, find_hint, tell_depth
from solver.human.step import Step, Technique


class HintCourse:
    """Deepens a hint each time one is asked for, and goes on to the next."""

    def __init__(self) -> None:
        self._source: HintSource | None = None
        self._depth: Depth | None = None
        self._taken: tuple[Step, ...] = ()

    @property
    def depth(self) -> Depth | None:
        """How deep the present hint is; None where there is none."""
        return self._depth

    @property
    def technique(self) -> Technique | None:
        """The technique that the present hint has named; None where it has named none."""
        source = self._source
        if source is None or source.step is None or self._depth is Depth.LOOK:
            return None
        return source.step.technique

    @property
    def has_taken(self) -> bool:
        """Whether steps count as done because they were told."""
        return bool(self._taken)

    @property
    def has_told_step(self) -> bool:
        """Whether the present hint has told its step, so that another hint may follow."""
        source = self._source
        return self._depth is Depth.STEP and source is not None and source.step is not None

    @property
    def can_deepen(self) -> bool:
        """Whether there is more to tell of the present hint."""
        source = self._source
        if source is None or self._depth is Depth.STEP:
            return False
        return source.step is not None or bool(source.progress.wrong)

    def ask(self, progress: Progress, words: Words) -> Told:
        """Begin a hint, deepen it, or go on to the next."""
        self._take_told_step()
        if self._depth is None or self._source is None:
            self._source, self._depth = find_hint(progress, self._taken), Depth.LOOK
        elif self.can_deepen:
            self._depth = Depth(self._depth + 1)
        return tell_depth(self._source, self._depth, words)

    def tell(self, words: Words) -> Told | None:
        """Say the present hint once more, as in another language; None where there is none."""
        if self._source is None or self._depth is None:
            return None
        return tell_depth(self._source, self._depth, words)

    def follow(self) -> None:
        """End a hint of what has changed since; a step that was told still counts."""
        self._take_told_step()
        self.end()

    def end(self) -> None:
        """End the present hint."""
        self._source, self._depth = None, None

    def begin_anew(self) -> None:
        """Forget the present hint, and every step that was told."""
        self.end()
        self._taken = ()

    def _take_told_step(self) -> None:
        """Count a step that was told in full as done, so that it is not told again."""
        if self._source is not None and self._source.step is not None and self.has_told_step:
            self._taken = (*self._taken, self._source.step)
            self.end()
