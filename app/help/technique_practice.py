"""Positions for each technique: an example, the technique at work, and new ones to practise on.

A position is a puzzle with some digits filled in, and some candidates noted where these matter.
The words to it are in `app.help.technique_lessons`. Examples were found by a search of our own
among generated puzzles: 81 characters each, `.` for an empty cell, or as `solver.formats_kinds`
writes a puzzle of another kind. Tests hold them against the technique engine.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.help.assistance import Progress, Told
from app.help.hints import draw_step
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.generation.generate import generate_puzzles, warm_up_generator
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid
from solver.human.position import Position, Step, Technique
from solver.human.technique_engine import (
    GaveUpError,
    Options,
    allow_searches,
    find_step,
    find_technique,
)
from solver.human.words import Words
from solver.rules import Kind, Rules, box_rules
from solver.symmetry import random_transformation

NEEDED_NEXT: Final = {
    Technique.FULL_HOUSE: (
        ".5....67426...43599.45.6....23.5.7.66..3.29.5549...2834.21935677.6.85.....5..7..."
    ),
    Technique.HIDDEN_SINGLE_BOX: (
        "....9....1.54...67.......5..84.....5657..9..83..........8.56.4....3.8.7.9.6..1..."
    ),
    Technique.HIDDEN_SINGLE_LINE: (
        "7..823..1.32..58.7.85.7..2381.7..2..5..1.27..2.75.41..451...37.378....6.926357.1."
    ),
    Technique.HIDDEN_SINGLE: (
        '{"kind": "jigsaw", "clues": ".....5..7...3....8.1...7.4...4.......6..........4......7...4.'
        '....59.....4..1.3...", "regions": "ABBBBBCCCAAABBBDCCEAAAFBDCCEAAFFDDCCEFFFFDDDGEEEEFFDDGH'
        'HEEIIIIGHHHIIIIGGHHHHIGGGG"}'
    ),
    Technique.NAKED_SINGLE: (
        "....95...1954..867......95.284....95657..94.8319584726..8956.4.5.13.86799.6..158."
    ),
    Technique.POINTING: (
        "267.4591.3941.76.5158.964.7625439871981672354743518269872953146519.647..4367.159."
    ),
    Technique.CLAIMING: (
        ".8573.92676.8925..2.956.7.85..6872.9.7625938.928143675857426193342915867691378452"
    ),
    Technique.NAKED_PAIR: (
        "751892643.43561.9.6.9437.154621593..397628451518374926..6915..49.574316.1.42865.9"
    ),
    Technique.HIDDEN_PAIR: (
        "546793...972148653318265974167359428834627...2954817367.9.1634.6.1.34..7453.72.6."
    ),
    Technique.NAKED_TRIPLE: (
        "897612534356794821...38579667.25..8.5...6..7...3.7.65.765129348412837965938546217"
    ),
    Technique.X_WING: (
        "16..92.37.32.716597.9.3621.6..217.93.9136572.273984165916758342384629571527143986"
    ),
    Technique.HIDDEN_TRIPLE: (
        ".9.72...8.3.1592.6.2548....35.241....6.375..2472698..1587964123216537894943812..5"
    ),
    Technique.NAKED_QUAD: (
        ".93.24..8.6..38.....8.91...589347612412965873376182..48..279...621453789937816425"
    ),
    Technique.SIMPLE_COLOURING: (
        "4938675218..5147931573296842396481576.5172.3971.953.6.37..859165.179634.9...31.75"
    ),
    Technique.XY_WING: (
        ".8715.429.59.287.11.29.78.5763895142894712653215...978921574386578631294..6289517"
    ),
    Technique.SWORDFISH: (
        "8746259132693814571537946...9.84713.73..16.494...3976.34.9685.1.8.1723949..453..6"
    ),
    Technique.XYZ_WING: (
        "937126548618459273425.7.1968.423.65.3...9.48.1...4.73.743962815561.8.924289514367"
    ),
    Technique.W_WING: (
        "3259864..718423..6964517832257634..8483291...6918752431467523895793.8.2.8321.97.."
    ),
    Technique.UNIQUE_RECTANGLE_1: (
        "7265941831453682973982714656149375288791..6345328467199...1.8422..4893..48....9.."
    ),
    Technique.UNIQUE_RECTANGLE_2: (
        "412379586786145293395268714549816372167523948238.9.651.....2.399.3.....7...93...5"
    ),
    Technique.UNIQUE_RECTANGLE_4: (
        "628759341317462859954381627.438....6.619..5.3.79.364.2496...2.81826....5735298164"
    ),
    Technique.UNIQUE_RECTANGLE_3: (
        "546793.8.972148653318265974167359428834627...2954817367.9.1634...1.3...7.53.7...."
    ),
    Technique.HIDDEN_RECTANGLE: (
        "978365421..1279.68..61489.76.9417...3.76521.9.1598367.792534816154826793863791..."
    ),
    Technique.UNIQUE_LOOP: (
        ".14.79...83945261772..819...9.538471483..7596157964328.6.7931..97..46.3534.8.5769"
    ),
    Technique.BUG: (
        "693..1785278635491451..7632714.6.529936512847582.7.3163491562781257..963867...154"
    ),
    Technique.SKYSCRAPER: (
        "9251873463485961276173249..5.32.1.691.2.6..3.4968..2.1861.52..3734.1...2259....1."
    ),
    Technique.TWO_STRING_KITE: (
        "8.2..9..3.7...52.9..9..2.4869327148571.5.69322...93176981357624...124897427968351"
    ),
    Technique.TURBOT_FISH: (
        "9.76.13.5.6..5.9...5...7..6.8.536791791842563536719....7..641.8...1.563.61.2..4.9"
    ),
    Technique.GROUPED_TURBOT_FISH: (
        ".2..83516518762493.6.1.5872..235.148..1.789.58.5.146.72.65...8118....25995.821.64"
    ),
    Technique.WXYZ_WING: (
        "857469132219385..6463172...7915248635867.3.2.3248.6...1482376596729513..9356482.."
    ),
    Technique.XY_CHAIN: (
        "137...592945712368286...714413875629568.2.173729...485694...237872..6951351297846"
    ),
    Technique.AIC: (
        "62.7..549...5.6.72..59...86.4.6..8313.61..295.5.3..4672..4796588672..914594861723"
    ),
}
"""Here nothing easier leads on."""

NEEDED_LATER: Final = {
    Technique.CAGE_COMBINATIONS: (
        '{"kind": "killer", "clues": "........................6....................................'
        '................3...", "cages": [[17, [0, 1]], [14, [2, 3, 4]], [22, [5, 13, 14, 15]], [17'
        ", [6, 7, 8, 16]], [7, [9, 10, 19]], [14, [11, 12, 20]], [9, [17, 26]], [8, [18, 27]], [18,"
        " [21, 22, 30, 39]], [20, [23, 32, 33, 42]], [6, [24]], [21, [25, 34, 35]], [20, [28, 29, 3"
        "7, 38]], [27, [31, 40, 41, 50]], [17, [36, 45, 46]], [25, [43, 44, 51, 52, 61]], [11, [47,"
        " 48]], [18, [49, 58, 59, 60]], [12, [53, 62, 71]], [11, [54, 55, 56]], [10, [57, 66]], [20"
        ", [63, 64, 65]], [7, [67, 68]], [12, [69, 78]], [9, [70, 79, 80]], [30, [72, 73, 74, 75, 7"
        "6]], [3, [77]]]}"
    ),
    Technique.INNIES_OUTIES: (
        '{"kind": "killer", "clues": ".............................................................'
        '....................", "cages": [[24, [0, 1, 2, 10]], [12, [3, 12, 21]], [13, [4, 13, 22]]'
        ", [12, [5, 14]], [28, [6, 15, 23, 24, 32]], [20, [7, 8, 16, 17]], [13, [9, 18, 19]], [8, ["
        "11, 20]], [19, [25, 26, 34, 35]], [8, [27, 36, 45]], [28, [28, 37, 46, 47]], [14, [29, 30,"
        " 31]], [5, [33]], [10, [38, 39]], [7, [40, 41]], [18, [42, 50, 51, 52]], [13, [43, 44]], ["
        "16, [48, 49]], [8, [53, 62]], [25, [54, 63, 72, 73]], [8, [55, 56]], [10, [57, 66]], [9, ["
        "58, 67]], [13, [59, 60, 68]], [17, [61, 69, 70]], [12, [64, 65, 74]], [12, [71, 80]], [23,"
        " [75, 76, 77, 78, 79]]]}"
    ),
    Technique.CAGE_DIGIT: (
        '{"kind": "killer", "clues": "..........................4...............9..6..............7'
        '...........7........", "cages": [[7, [0, 1, 9]], [15, [2, 3]], [16, [4, 13, 14]], [29, [5,'
        " 6, 15, 16, 24]], [12, [7, 8, 17]], [19, [10, 11, 12]], [12, [18, 27, 36]], [20, [19, 28, "
        "37, 46]], [22, [20, 29, 38]], [15, [21, 22, 23]], [15, [25, 34, 35, 43]], [4, [26]], [11, "
        "[30, 39]], [3, [31, 40]], [8, [32, 33]], [14, [41, 50]], [9, [42]], [29, [44, 53, 62, 71, "
        "80]], [6, [45]], [17, [47, 48, 49, 56, 57]], [12, [51, 52, 61]], [10, [54, 55]], [13, [58,"
        " 59]], [7, [60]], [14, [63, 64]], [10, [65, 66]], [16, [67, 68, 69, 78]], [10, [70, 79]], "
        "[7, [72]], [7, [73, 74]], [16, [75, 76, 77]]]}"
    ),
    Technique.HIDDEN_QUAD: (
        "........5.65..82....9....861462....75.3..7....8.1...5....9.65.3....1..79.....31.."
    ),
    Technique.JELLYFISH: (
        ".7..8...2.6329....52871.39.89.5.27...578492...4..71985.8512.4...1.4.7.5..3495812."
    ),
    Technique.X_CHAIN: (
        ".7.56....5.19..76...9.7..45.176..4..9..4...7.453297681.2.3.98.779..26.34...7.5926"
    ),
    Technique.CELL_FORCING: (
        "..4.95.285......43..764.195.7...48.26..837.1....5...7......6...78.4..2...16...4.7"
    ),
    Technique.UNIT_FORCING: (
        "...7...6.4....39...2..6...32.8..7395....8.4.....2.5...6.....7....5..62.998.....1."
    ),
    Technique.DYNAMIC_FORCING: (
        "....76...3.....1...9..3162...13.7....8..1.7.......89.1..8729354.4.1638..739..5216"
    ),
}
"""Here the pattern can be seen, and is needed next once easier steps have struck candidates."""

SHOWN_ONLY: Final = {
    Technique.REMOTE_PAIR: (
        "7341.295.1.5.4.3.28.23.51.4658234719341......279..1543487..3.91513..84.7926417835"
    ),
    Technique.CONTINUOUS_LOOP: (
        "7341.295.1.5.4.3.28.23.51.4658234719341......279..1543487..3.91513..84.7926417835"
    ),
    Technique.DYNAMIC_FORCING_PLUS: (
        "86.452..954...9...39..68.5412698.4.5985...6..734615.9.2.9...5..4.8..69.76.3.9...."
    ),
}
"""Here the pattern can be seen, but other techniques lead on: of 18,080 new puzzles, none needed
these next."""

EXAMPLES: Final = {**NEEDED_NEXT, **NEEDED_LATER, **SHOWN_ONLY}
"""One of each technique."""


_MOST_OTHERS: Final = 2_000
"""Steps of other techniques that are passed over on a board before the example is shown."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A technique at work.

    Attributes:
        grid: (n, n) uint8, the digits that stand there.
        rules: of the puzzle; None for the usual ones of 9×9.
        symbols: what its print has for each digit from 1.
        told: what the step is, and what it marks.
        is_at_hand: whether that is the board that was asked about.
    """

    grid: Grid
    rules: Rules | None
    symbols: Sequence[str]
    told: Told
    is_at_hand: bool


def find_pattern(
    technique: Technique,
    progress: Progress | None,
    words: Words,
    check: Callable[[], None] = lambda: None,
) -> Pattern:
    """Return the technique at work on a board, or in its example.

    Args:
        technique: one of `app.help.technique_lessons.LESSONS`.
        progress: of the board at hand; None where there is none.
        words: of the language.
        check: is called now and then; what it raises ends the work.
    """
    found = None if progress is None else _find_at_hand(technique, progress, check)
    if found is not None and progress is not None:
        position, step = found
        told = draw_step(position, step, progress.fit(words))
        return Pattern(progress.grid, progress.rules, progress.symbols, told, is_at_hand=True)
    puzzle = parse_kind_puzzle(EXAMPLES[technique])
    rules = None if puzzle.rules.kind is Kind.CLASSIC else puzzle.rules
    position = Position.from_grid(puzzle.clues, rules)
    shown = find_technique(position, technique, check)
    assert shown is not None  # a test holds that for every example
    told = draw_step(position, shown, replace(words, rules=rules))
    return Pattern(puzzle.clues, rules, words.symbols, told, is_at_hand=False)


def _find_at_hand(
    technique: Technique, progress: Progress, check: Callable[[], None]
) -> tuple[Position, Step] | None:
    """Return a step on the board at hand, and the candidates before it; None where none is sure."""
    if progress.solution is None:
        return None
    position = progress.open_position()
    count = allow_searches(_MOST_OTHERS)

    def pass_over() -> None:
        check()
        count()

    try:
        step = find_technique(position, technique, pass_over)
    except GaveUpError:
        return None
    return (position, step) if step is not None and progress.agrees_with(step) else None


SEARCH_SECONDS: Final = 20.0
"""Before a stored position is taken: most techniques up to the X-wing are found in a second or two
(of 6,973 minimal puzzles, 1 in 21 needs a naked pair next at some point, 1 in 120 an X-wing)."""

_OPTIONS: Final = Options()
_BATCH: Final = 16
_NO_LIMIT: Final = 10**9
_KINDS: Final = {
    Technique.CAGE_COMBINATIONS: Kind.KILLER,
    Technique.INNIES_OUTIES: Kind.KILLER,
    Technique.CAGE_DIGIT: Kind.KILLER,
    Technique.HIDDEN_SINGLE: Kind.JIGSAW,
}
"""Where techniques are met that classic puzzles do not have."""

_MOST_TRIES: Final = 40
"""Rearrangements of a stored position; in some of them another step comes first."""


@dataclass(frozen=True, eq=False)
class Practice:
    """A position to practise on.

    Attributes:
        grid: (9, 9) uint8, with exactly one solution.
        is_new: whether it was found among new puzzles, not taken from the stored ones.
        is_next: whether nothing easier leads on.
        rules: of the puzzle; None for the usual ones.
        notes: for each cell the digits that easier steps left there, as a sum of 2**digit; none
            where these steps strike nothing that matters.
    """

    grid: Grid
    is_new: bool = True
    is_next: bool = True
    rules: Rules | None = None
    notes: tuple[int, ...] = ()


def find_practice(
    technique: Technique,
    seed: int,
    may_go_on: Callable[[], bool],
    seconds: float = SEARCH_SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> Practice | None:
    """Look for a position that needs a technique next.

    Args:
        technique: that is wanted.
        seed: not negative; another leads to another position.
        may_go_on: asked before each step; the search ends where it returns False.
        seconds: to look among new puzzles; then a stored position is rearranged.
        clock: tells the time in seconds.

    Returns:
        None where the search was ended.
    """
    end = clock() + (0.0 if technique in SHOWN_ONLY else seconds)

    def has_time() -> bool:
        return may_go_on() and clock() < end

    for puzzle in _make_puzzles(technique, seed, has_time):
        rules = None if puzzle.rules.kind is Kind.CLASSIC else puzzle.rules
        found = find_need(puzzle.clues, technique, has_time, rules)
        if found is not None:
            return found
    return _take_stored(technique, seed) if may_go_on() else None


def _make_puzzles(
    technique: Technique, seed: int, may_go_on: Callable[[], bool]
) -> Iterator[KindPuzzle]:
    """Make puzzles of the kind in which a technique is met."""
    if technique in _KINDS:
        yield from generate_kind(_NO_LIMIT, KindOptions(_KINDS[technique]), seed, may_go_on)
        return
    warm_up_generator(9)
    batch, rules = seed, box_rules(9)
    while may_go_on():
        for clues in generate_puzzles(_BATCH, seed=batch, may_go_on=may_go_on).puzzles:
            yield KindPuzzle(rules, clues)
        batch += 1


def next_technique(grid: Grid, rules: Rules | None = None) -> Technique | None:
    """Return what is needed next where just these digits stand; None where nothing is found."""
    position = Position.from_grid(grid, rules)
    step = None if position.is_solved else find_step(position, _OPTIONS)
    return None if step is None else step.technique


def find_need(
    puzzle: Grid, technique: Technique, may_go_on: Callable[[], bool], rules: Rules | None = None
) -> Practice | None:
    """Solve a puzzle as a person would until it needs a technique next.

    Args:
        puzzle: (9, 9) uint8, with exactly one solution.
        technique: that is wanted.
        may_go_on: asked before each step.
        rules: of the puzzle; None for the usual ones.

    Returns:
        What stands there then. What was struck before is noted where the technique is one that
        hardly ever comes next without; None where the puzzle never needs it.
    """
    position = Position.from_grid(puzzle, rules)
    while not position.is_solved and may_go_on():
        step = find_step(position, _OPTIONS)
        if step is None:
            return None
        if step.technique is technique:
            grid = position.to_grid()
            if technique not in NEEDED_NEXT:
                return Practice(grid, rules=rules, notes=_note(position))
            # Whoever goes on from the digits alone has not struck anything yet.
            if next_technique(grid, rules) is technique:
                return Practice(grid, rules=rules)
        position.apply(step)
    return None


def _take_stored(technique: Technique, seed: int) -> Practice:
    """Return a stored position, a classic one in another guise, which shows the same technique."""
    puzzle, random = parse_kind_puzzle(EXAMPLES[technique]), np.random.default_rng(seed)
    is_classic = puzzle.rules.kind is Kind.CLASSIC
    rules = None if is_classic else puzzle.rules
    for _ in range(_MOST_TRIES if is_classic and technique not in SHOWN_ONLY else 0):
        other = random_transformation(random).apply(puzzle.clues)
        found = find_need(other, technique, lambda: True)
        if found is not None:
            return replace(found, is_new=False)
    if technique in SHOWN_ONLY:
        grid = random_transformation(random).apply(puzzle.clues)
        notes = _note(Position.from_grid(grid))
        return Practice(grid, is_new=False, is_next=False, notes=notes)
    found = find_need(puzzle.clues, technique, lambda: True, rules)
    assert found is not None  # a test holds that for every example
    return replace(found, is_new=False)


def _note(position: Position) -> tuple[int, ...]:
    """Return the candidates of each cell, as a sum of 2**digit."""
    return tuple(2 * candidates for candidates in position.cells)
