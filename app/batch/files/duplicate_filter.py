"""The same photo under two names, where contents are read by who works on them, not by the client.

Photos of one content have one size, which listing them tells. So whoever reads a photo is told the
contents of that size that are known, and leaves one of them alone; and of photos of one size whose
contents are not known, only one is worked on at a time, while those of the others are looked up.
"""

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Final

from app.batch.engines.batch_engine import Done, Job
from app.batch.journal.records import Item
from app.batch.journal.run_journal import Journal

_MOST_TWINS: Final = 64
"""Contents of one size that a job is told; if there are more, it only looks its photo's up."""


class Twins:
    """Photos in hand whose contents are not known yet, and those that wait for them."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._in_hand: Counter[int] = Counter()
        """By size: photos being worked on whose contents are not known."""
        self._held: defaultdict[int, list[Item]] = defaultdict(list)
        """By size: photos whose contents are known, and may be among those."""
        self._returning = 0
        """Jobs in hand that may come back with nothing but the content."""

    def hold(self, item: Item) -> bool:
        """Let a photo wait while one of its content may be in hand; tell whether it does."""
        if not self._in_hand[item.stamp.size]:
            return False
        self._held[item.stamp.size].append(item)
        return True

    def begin(self, item: Item, job: Job) -> Job:
        """Return the job for a photo whose content is not known, as it is to be done."""
        size = item.stamp.size
        known = [] if self._in_hand[size] else self._journal.find_contents(size, _MOST_TWINS + 1)
        if self._in_hand[size] or len(known) > _MOST_TWINS:
            job = replace(job, overlay=None, is_lookup=True)
        else:
            job = replace(job, twins=tuple(known))
            self._in_hand[size] += 1
        self._returning += job.may_return
        return job

    def end(self, item: Item, done: Done) -> list[Item]:
        """Note what came of such a job, and return the photos that need wait no more."""
        size, job = item.stamp.size, done.job
        self._returning -= job.may_return
        if job.is_lookup:
            return []
        self._in_hand[size] -= 1
        if self._in_hand[size]:
            return []
        del self._in_hand[size]
        return self._held.pop(size, [])

    def are_awaited(self) -> bool:
        """Tell whether photos may be considered again."""
        return bool(self._returning or self._held)
