"""Reads a board: which way up it lies, and the most likely clues that the rules allow."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from app.recognition.augmentation import (
    AugmentedReading,
    decode_seen,
    is_doubtful_claim,
    is_illegible,
    is_worth_another_look,
    read_augmented,
)
from app.recognition.board_cuts import (
    BoardCut,
    BoardCutter,
    TurnedLook,
    bound_likelihood,
    count_values,
)
from app.recognition.kinds.killer_board import KillerLook, KillerReader, decode_killer
from app.recognition.kinds.puzzle_kind import PLAIN, BoardTraits, TellRules, tell_rules
from app.recognition.readers import (
    CellReaders,
    RareReaders,
    ReadScripts,
    ReadSymbols,
    SecondReaders,
)
from app.recognition.timing import StageClock
from models.digits import Reader
from solver.decoding.decode import (
    DecodeLimits,
    Decoding,
    expect_misreadings,
    rank_decodings,
    withdraw_claim,
)
from solver.decoding.handwriting import Basis, FilledDecoding
from solver.decoding.inks import decode_by_ink
from solver.decoding.print_and_hand import (
    distinguishes_hands,
    lacks_print,
    merge_print_and_handwriting,
)
from solver.grid import Grid
from vision.board import CLASSIC_SIDE, cut_cells, rectify, turn_lattice
from vision.geometry import Float32, Image8, Points
from vision.ink_colours import tell_inks
from vision.kinds.drawn_lines import erase_diagonals
from vision.ruled_paper import UnruledBoard, erase_ruling

Fuse = Callable[[Float32], Float32]
"""Joins the probabilities of one look at a board, (n², 19) or (n², n + 1), with those of earlier
ones."""

_CLEAR_LEAD: Final = 0.12
"""Lead of the best turn, in mean log likelihood a cell, from which a sure decoding is taken."""

_SURE: Final = 0.9
"""Confidence of a decoding from which the other turns are not read."""

_SURE_UNRULED: Final = 0.8
"""Confidence below which nothing is claimed where lines were erased, as strokes
along them may be missing: right claims on 40 such boards had 0.91 at least, a wrong one 0.51."""

_FIRST_LOOK: Final = 150
"""Nodes of a search where another look may follow, which needs fewer: on 60 photos of level 5
searches with success took up to 491 nodes by one look, and up to 120 by another."""

_FAR_BEHIND: Final = 12.0
"""Nats by which a turn's likelihood may lag behind the likeliest turn's and still be decoded.

Of 231 real boards the right turn led by 9.6 at least and 20 in the median, so a turn that lags so
far behind is no reading of the board, and must not be shown even if the rules could solve it.
"""


@dataclass(frozen=True, eq=False)
class BoardReading:
    """What the network saw on a board, and what the rules made of it.

    Attributes:
        lattice: (n + 1, n + 1, 2) float32, turned so that [0, 0] is the puzzle's own top left.
        board: (S, S) uint8 grey, the rectified board, upright.
        cells: (n², 32, 32) uint8, as the reader saw them; of a killer, with cages and
            sums.
        probabilities: (n², 19) float32, as `DigitReader.read` returns them; of a side beyond 9
            (n², n + 1), empty and the board's values.
        decoding: the most likely clues that the rules allow.
        entries: (n, n) uint8, digits by hand, or in another ink, that were left out of the clues.
        basis: whether the clues are the print alone.
        is_final: whether all looks were taken that there are.
        traits: what it shows besides its digits.
        unruled: the board without the lines of its paper, where it was read so.
    """

    lattice: Points
    board: Image8
    cells: Image8
    probabilities: Float32
    decoding: Decoding
    entries: Grid
    basis: Basis
    is_final: bool = False
    traits: BoardTraits = PLAIN
    unruled: UnruledBoard | None = None

    @property
    def is_told(self) -> bool:
        """Whether it is known what puzzle it is."""
        return self.traits.rules is not None or len(self.lattice) - 1 == CLASSIC_SIDE


class BoardReader:
    """Reads boards with networks that are loaded once.

    An `image` is (H, W, 3) BGR uint8; a `lattice` is (n + 1, n + 1, 2) float32 in its pixels, of a
    board that is turned any way; to a `clock` the seconds of the stages are added.
    """

    def __init__(
        self,
        reader: Reader,
        limits: DecodeLimits,
        *,
        augments: bool = True,
        retry_unfinished: bool = True,
        seconds: SecondReaders | None = None,
        tell_rules: TellRules = tell_rules,
        killers: KillerReader | None = None,
        symbols: ReadSymbols | None = None,
        scripts: ReadScripts | None = None,
    ) -> None:
        """Take a reader into use.

        Args:
            reader: of the cells.
            limits: of the decoder.
            augments: read a board that is not solved once more, with the lattice moved.
            retry_unfinished: do so even where the first search was not brought to its end.
            seconds: read the digits, too.
            tell_rules: says by which rules a board is printed.
            killers: reads these; without it none is told.
            symbols: reads boards beyond side 9; the network, when one is met, if None.
            scripts: reads digits of other scripts; the same.
        """
        self._limits = limits
        self._first_limits = replace(limits, nodes=min(limits.nodes, _FIRST_LOOK))
        self._augments = augments
        self._retry_unfinished = retry_unfinished
        rare = RareReaders()
        self._readers = CellReaders(
            reader,
            seconds or SecondReaders(),
            symbols or rare.read_symbols,
            scripts or rare.read_scripts,
        )
        self._cutter = BoardCutter(self._readers, tell_rules, killers)

    def read(self, image: Image8, lattice: Points, clock: StageClock) -> BoardReading:
        """Read a board, whichever way it is turned, and look again where that may help."""
        return self.look_closer(image, self.glance(image, lattice, clock), clock)

    def glance(self, image: Image8, lattice: Points, clock: StageClock) -> BoardReading:
        """Read a board as it shows at first sight, whichever way it is turned.

        One that is not solved so is read without the lines of its paper, if it has such.
        """
        reading = self._glance(image, lattice, clock)
        if reading.decoding.solution is not None or reading.traits.cages is not None:
            return reading
        return self._glance_unruled(image, reading, clock) or reading

    def _glance_unruled(
        self, image: Image8, reading: BoardReading, clock: StageClock
    ) -> BoardReading | None:
        """Return what a board shows without the lines of its paper, or None if it has none."""
        with clock.stage("read"):
            unruled = erase_ruling(image, reading.lattice)
        if unruled is None:
            return None
        found = self._glance(*unruled, clock)
        found = replace(found, decoding=_withdraw_half_sure(found.decoding))
        turned = (turn_lattice(unruled.lattice, turn) for turn in range(4))
        turn = next(n for n, one in enumerate(turned) if np.array_equal(one, found.lattice))
        lattice = turn_lattice(reading.lattice, turn)
        return replace(found, lattice=lattice, unruled=unruled._replace(lattice=found.lattice))

    def _glance(self, image: Image8, lattice: Points, clock: StageClock) -> BoardReading:
        """Return what a board shows at first sight; more looks bear out what it may claim.

        Reading all four turns would cost four times as much, so a sample of cells votes first,
        and the other turns are read only where the winner is not sure.
        """
        limits = self._first_limits if self._augments else self._limits
        finish = partial(self._finish, image, lattice, clock=clock, limits=limits)
        with clock.stage("read"):
            cut = self._cutter.cut(image, lattice)
            if cut.killer is not None:
                return self._finish_killer(lattice, cut, cut.killer, clock)
            turns, lead = self._cutter.order_turns(cut)
            first = self._cutter.look(cut, turns[0])
        readings = [finish(first)]
        if readings[0].decoding.confidence < _SURE or lead < _CLEAR_LEAD:
            with clock.stage("read"):
                looks = [self._cutter.look(cut, turn) for turn in turns[1:]]
            least = max(map(bound_likelihood, (first, *looks))) - _FAR_BEHIND
            if readings[0].decoding.solution is not None:
                # What is less likely cannot win; lines that were erased since do not count.
                reached = readings[0].decoding.log_likelihood
                least = max(least, min(reached, bound_likelihood(first)))
            readings += [finish(look) for look in looks if bound_likelihood(look) >= least]
        best = readings[rank_decodings([reading.decoding for reading in readings])[0]]
        if not self._augments or not is_doubtful_claim(best.probabilities, best.decoding):
            return best
        return self._confirm(image, best, clock)

    def look_closer(self, image: Image8, reading: BoardReading, clock: StageClock) -> BoardReading:
        """Return what more looks make of a board, or the same reading where they are of no use.

        Args:
            reading: what `glance` made of it.
        """
        is_spent = reading.decoding.nodes >= self._first_limits.nodes
        if (
            not self._augments
            or reading.is_final
            or not reading.is_told
            or (is_spent and not self._retry_unfinished)
        ):
            return reading
        second = None
        if is_worth_another_look(reading.probabilities, reading.decoding):
            second = self._read_augmented(image, reading, clock)
            if second.is_solved:
                return _replace_look(reading, second)
        return self._part_inks(image, reading, second, clock)

    def _part_inks(
        self,
        image: Image8,
        reading: BoardReading,
        second: AugmentedReading | None,
        clock: StageClock,
    ) -> BoardReading:
        """Return what the digits in one ink make of a board, if those in others are entries.

        Args:
            second: what more looks show; None where they were not taken.
        """
        is_solved = reading.decoding.solution is not None
        if is_solved or not distinguishes_hands(reading.probabilities):
            return reading
        with clock.stage("read"):
            is_filled = merge_print_and_handwriting(reading.probabilities).argmax(axis=1) > 0
            inks = tell_inks(image, reading.lattice, is_filled)
        if inks is None:
            return reading
        seen = (second or self._read_augmented(image, reading, clock)).seen
        if not seen.is_told:
            return reading
        with clock.stage("decode"):
            filled = decode_by_ink(seen.probabilities, inks, self._limits, reading.traits.rules)
        return reading if filled is None else _replace_look(reading, AugmentedReading(seen, filled))

    def _confirm(self, image: Image8, reading: BoardReading, clock: StageClock) -> BoardReading:
        """Return what more looks make of a claim: they must bear it out."""
        second = self._read_augmented(image, reading, clock)
        if not second.bears_out(reading.decoding):
            return replace(reading, decoding=withdraw_claim(reading.decoding), is_final=True)
        return _replace_look(reading, second) if second.is_solved else reading

    def may_refit(self, reading: BoardReading) -> bool:
        """Tell whether another lattice may make a board readable; cages read their own way.

        It may not where looks contradicted a claim.
        """
        is_open = not reading.is_final and reading.unruled is None and reading.traits.cages is None
        return self._augments and is_open and not is_illegible(reading.probabilities)

    def expect_errors(self, image: Image8, upright: Points, clock: StageClock) -> float:
        """Return how many digits of an upright board one look misreads, as its doubts let expect.

        Usual digits, in their usual size, are looked for.
        """
        with clock.stage("read"):
            cells = cut_cells(rectify(image, upright))
            seen = self._readers.see_usual(cells)
            return expect_misreadings(merge_print_and_handwriting(seen.probabilities))

    def read_upright(
        self, image: Image8, lattice: Points, fuse: Fuse, clock: StageClock
    ) -> BoardReading:
        """Read a board that is known to lie upright, together with what was seen of it before.

        Args:
            lattice: (n + 1, n + 1, 2) float32 in pixels of `image`, [0, 0] the puzzle's own top
                left.
            fuse: takes what is seen now, (n², 19) float32, and returns what is to be decoded.
        """
        with clock.stage("read"):
            cut = self._cutter.cut(image, lattice)
            if cut.killer is not None:
                return self._finish_killer(lattice, cut, cut.killer, clock)
            look = self._cutter.look(cut, 0)
            is_unsure = _is_unsure(look.probabilities)
            unruled = erase_ruling(image, lattice) if is_unsure else None
            if unruled is not None:
                cut = self._cutter.cut(*unruled)
                if cut.killer is not None:
                    return self._finish_killer(lattice, cut, cut.killer, clock)
                look = self._cutter.look(cut, 0)
        shown = unruled or (image, lattice)
        reading = self._finish(*shown, look, clock=clock, limits=self._limits, fuse=fuse)
        if unruled is not None:
            decoding = _withdraw_half_sure(reading.decoding)
            reading = replace(reading, lattice=lattice, decoding=decoding, unruled=unruled)
        is_by_hand = lacks_print(reading.probabilities)
        is_doubtful = is_by_hand and is_doubtful_claim(reading.probabilities, reading.decoding)
        if not self._augments or not is_doubtful:
            return reading
        return self._confirm(image, reading, clock)

    def _read_augmented(
        self, image: Image8, reading: BoardReading, clock: StageClock
    ) -> AugmentedReading:
        shown = reading.unruled or (image, reading.lattice)
        second = read_augmented(self._readers, *shown, self._limits, clock, reading.traits)
        if reading.unruled is None:
            return second
        decoding = _withdraw_half_sure(second.filled.decoding)
        return second._replace(filled=replace(second.filled, decoding=decoding))

    def _finish_killer(
        self, lattice: Points, cut: BoardCut, killer: KillerLook, clock: StageClock
    ) -> BoardReading:
        look = self._cutter.look_at_killer(cut, killer)
        with clock.stage("decode"):
            filled, killer = decode_killer(killer, look.probabilities, self._limits)
        traits = BoardTraits(killer.rules, cages=killer.cages)
        return _as_reading(turn_lattice(lattice, killer.turn), look, filled, traits, is_final=True)

    def _finish(
        self,
        image: Image8,
        lattice: Points,
        look: TurnedLook,
        *,
        clock: StageClock,
        limits: DecodeLimits,
        fuse: Fuse | None = None,
    ) -> BoardReading:
        upright = turn_lattice(lattice, look.turn)
        with clock.stage("read"):
            traits = self._cutter.tell_traits(image, upright, look)
            if traits.is_crossed:
                cells = erase_diagonals(look.cells, is_dark=traits.is_dark)
                seen = self._readers.see(cells, count_values(lattice, traits.rules))
                look = look._replace(cells=cells, seen=seen)
            if fuse is not None:
                fused = fuse(look.probabilities)
                look = look._replace(seen=look.seen._replace(probabilities=fused))
        with clock.stage("decode"):
            filled = decode_seen(look.seen, limits, traits.rules)
        traits = traits._replace(alphabet=look.seen.alphabet)
        return _as_reading(upright, look, filled, traits)


def _withdraw_half_sure(decoding: Decoding) -> Decoding:
    """Return what a board was decoded to without its paper's lines, but a half sure claim."""
    is_sure = decoding.solution is None or decoding.confidence >= _SURE_UNRULED
    return decoding if is_sure else withdraw_claim(decoding)


def _is_unsure(probabilities: Float32) -> bool:
    """Tell whether a look leaves more cells unsure than the decoder takes for a sure reading."""
    certainty = merge_print_and_handwriting(probabilities).max(axis=1)
    return int((certainty < DecodeLimits.sure).sum()) > DecodeLimits.max_unsure_cells


def _as_reading(
    upright: Points,
    look: TurnedLook,
    filled: FilledDecoding,
    traits: BoardTraits,
    *,
    is_final: bool = False,
) -> BoardReading:
    return BoardReading(
        lattice=upright,
        board=look.board,
        cells=look.cells,
        probabilities=look.probabilities,
        decoding=filled.decoding,
        entries=filled.entries,
        basis=filled.basis,
        is_final=is_final,
        traits=traits,
    )


def _replace_look(reading: BoardReading, second: AugmentedReading) -> BoardReading:
    return replace(
        reading,
        probabilities=second.seen.probabilities,
        decoding=second.filled.decoding,
        entries=second.filled.entries,
        basis=second.filled.basis,
        is_final=True,
        traits=reading.traits._replace(alphabet=second.seen.alphabet),
    )
