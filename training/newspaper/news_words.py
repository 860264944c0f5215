"""Small-town news without end: sentences put together from phrases written for this project."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

_PHRASES: Final[Mapping[str, Sequence[str]]] = MappingProxyType(
    {
        "sentence": (
            "{who} {said} that {plan} {when}.",
            "{when_first}, {who} {did} {thing} {where}.",
            "{thing_first} {where} {fate}, {said_after} {who}.",
            "“{quote},” {said} {who}.",
            "{who_first} {did} {thing} {when}, and {result}.",
            "Nobody {where} remembers {thing} quite like it.",
            "For {number} years {who} {did} {thing} {where}.",
            "The work will cost about {number} thousand crowns, and {result}.",
            "{who_first} had hoped that {plan} {when}.",
            "Visitors {where} found {thing} {when}.",
            "About {number} people came, although {trouble}.",
            "{trouble_first}, yet {who} {did} {thing} all the same.",
            "It is not the first time that {trouble}.",
            "“{quote}, and {result},” {said} {who}.",
        ),
        "who": (
            "the harbour master",
            "the baker of Mill Lane",
            "a retired clockmaker",
            "the chess club",
            "the town council",
            "the keeper of the lighthouse",
            "the school orchestra",
            "the ferry company",
            "the librarian",
            "a young carpenter",
            "the swimming club",
            "the gardeners’ society",
            "the mayor’s office",
            "the museum",
            "a family of bakers",
            "the station’s last porter",
        ),
        "said": ("said", "explained", "wrote", "told this paper", "announced", "admitted"),
        "said_after": ("said", "according to", "reports"),
        "plan": (
            "the old pier would open again",
            "the market would move to the square",
            "the bell should ring twice a day",
            "the reading room would stay warm",
            "the path along the river would be lit",
            "a second ferry would sail at weekends",
            "every pupil would learn to swim",
            "the orchard would be shared out",
            "the mill wheel would turn again",
        ),
        "when": (
            "before the summer",
            "on Tuesday evening",
            "after the first frost",
            "in the second week of May",
            "within two years",
            "at the end of the month",
            "during the long holidays",
            "as soon as the rain stops",
            "early on Sunday",
        ),
        "did": (
            "repaired",
            "discovered",
            "painted",
            "looked after",
            "measured",
            "collected",
            "carried home",
            "put on show",
            "counted",
            "gave away",
        ),
        "thing": (
            "a wooden rowing boat",
            "more than a hundred lanterns",
            "the brass weather vane",
            "a map of the coast",
            "three barrels of apples",
            "the oldest tram in the county",
            "an album of pressed flowers",
            "the stage curtain",
            "a flock of small white geese",
            "the tower clock",
            "a crate of letters",
            "the long stone wall",
        ),
        "where": (
            "in the harbour",
            "behind the town hall",
            "on Quay Street",
            "at the foot of the hill",
            "near the old brewery",
            "beside the canal",
            "in the valley",
            "under the railway bridge",
            "on the north beach",
        ),
        "fate": (
            "has been kept dry all winter",
            "is to be auctioned",
            "turned out to be older than thought",
            "will not be moved",
            "drew a crowd",
            "needs a new roof",
            "is back where it belongs",
        ),
        "quote": (
            "We never thought it would float",
            "You learn to listen to the wind",
            "The children saw it first",
            "My grandfather would have laughed",
            "It takes patience and a good ladder",
            "There is always one screw left over",
            "Nobody asked us to hurry",
            "The second coat of paint is the one that counts",
        ),
        "result": (
            "most of it is paid for already",
            "nobody has complained so far",
            "the neighbours brought soup",
            "the rest will follow",
            "the queue reached the bridge",
            "that was that",
            "the dog came too",
            "tickets are going fast",
        ),
        "trouble": (
            "it had rained since morning",
            "the last bus had left",
            "the key could not be found",
            "the tide was late",
            "the money ran out in autumn",
            "the lights failed twice",
            "fog lay over the fields",
        ),
        "number": (
            "eleven",
            "twenty",
            "forty",
            "sixty",
            "ninety",
            "a hundred and ten",
            "two hundred",
        ),
        "headline": (
            "Old pier to open before the summer",
            "A clockmaker’s last great repair",
            "The ferry that would not sink",
            "Town counts its lanterns again",
            "Orchard wall yields a crate of letters",
            "Fog delays the bell, not the band",
            "Lighthouse keeper finds a lost map",
            "Market square to be lit by night",
            "Geese return to the north beach",
            "Mill wheel turns after forty years",
        ),
    }
)


def write_text(rng: np.random.Generator, characters: int) -> str:
    """Return sentences of at least so many characters, in paragraphs parted by line breaks."""
    sentences: list[str] = []
    length = 0
    paragraph_left = int(rng.integers(2, 5))
    while length < characters:
        sentence = pick_phrase(rng, "sentence")
        paragraph_left -= 1
        end = "\n" if paragraph_left == 0 else " "
        paragraph_left = paragraph_left or int(rng.integers(2, 5))
        sentences.append(sentence + end)
        length += len(sentence) + 1
    return "".join(sentences).strip()


def pick_phrase(rng: np.random.Generator, kind: str) -> str:
    """Return a random phrase of a kind, such as "headline", with its blanks filled in."""
    choices = _PHRASES[kind.removesuffix("_first")]
    phrase = choices[int(rng.integers(len(choices)))]
    phrase = re.sub(r"{(\w+)}", lambda blank: pick_phrase(rng, blank[1]), phrase)
    return phrase[0].upper() + phrase[1:] if kind.endswith(("_first", "sentence")) else phrase
