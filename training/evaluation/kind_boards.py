"""Counts photos of other boards than the usual ones that the product solves right.

    python -m training.evaluate kinds --photos ../shared/data/kinds
    python -m training.evaluate kinds --level 3 --count 100
    python -m training.evaluate kinds --side 6 --level 3 --count 100
    python -m training.evaluate kinds --kind killer --side 6 --level 3 --count 100
    python -m training.evaluate kinds --kind samurai --level 3 --count 100
    python -m training.evaluate kinds --mixed --level 3 --count 50
    python -m training.evaluate kinds --script persian --faces FOLDER --level 3 --count 100
    python -m training.evaluate kinds --cells --side 16 --level 3 --count 100 --seed 800
    python -m training.evaluate kinds --kind killer --faces FOLDER --level 3 --count 100

prints Markdown tables; a board is right when its kind, regions, cages and solution are. With
`--cells` the symbols of boards above side 9 are read alone: one look at each board, upright, cut by
its true lattice, without other turns and further looks. With `--faces` boards are set in a folder's
typefaces instead of those that rendered boards have.
"""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.script_reader import SCRIPTS
from models.symbol_reader import SymbolReader, choose_alphabet, tell_values
from solver.decoding.handwriting import decode_filled
from solver.formats_kinds import KindPuzzle, format_cells
from solver.grid import format_grid
from solver.rules import Cage, Kind, find_grids
from training.evaluate import format_head, format_row, make_parser, make_table
from training.evaluation.photo_verdicts import run_on_pictures, run_product
from training.rendered.kind_photos import (
    CLUES,
    KINDS,
    KindPhoto,
    Restyle,
    find_faces,
    find_script_faces,
    render_kind_photo,
    render_mixed_photo,
    render_samurai_photo,
    set_script,
    set_typefaces,
)
from vision.board import CLASSIC_SIDE, cut_cells, rectify
from vision.digit_size import cut_digits, find_digits
from vision.geometry import Image8

Draw = Callable[[int], KindPhoto]
"""Draws a photo by its seed."""

_LARGE_SIDES: Final = tuple(side for side in CLUES if side > 9)
"""Of boards with symbols besides digits."""


class Truth(NamedTuple):
    """What a photo shows.

    Attributes:
        name: of its row in the table: the kind, or the side of a classic board.
        kind: of the puzzle.
        regions: the cells of each.
        solution: as the report writes it.
        cages: sum and cells of each; none of other kinds than killers.
        parts: what is no wrong solution besides: that of a samurai's grid, or of another board.
    """

    name: str
    kind: str
    regions: frozenset[tuple[int, ...]]
    solution: str
    cages: tuple[Cage, ...] = ()
    parts: frozenset[str] = frozenset()


class KindScore(NamedTuple):
    """What became of a photo.

    Attributes:
        name: of its row in the table.
        is_right: kind, regions, cages and solution are.
        is_wrong: another solution is shown.
        is_told: the kind, the regions and the cages are right, whether it is solved or not.
    """

    name: str
    is_right: bool
    is_wrong: bool
    is_told: bool


def judge_report(truth: Truth, report: dict[str, Any]) -> KindScore:
    """Compare a report of the product with what its photo shows."""
    boards = report.get("boards", [])
    shown = [board for board in boards if board["solution"] is not None]
    known = {truth.solution, *truth.parts}
    is_wrong = any(board["solution"] not in known for board in shown)
    told = [board for board in boards if _is_told(truth, board)]
    is_right = any(board["solution"] == truth.solution for board in told)
    return KindScore(truth.name, is_right and not is_wrong, is_wrong, bool(told))


def format_scores(scores: Sequence[KindScore]) -> str:
    """Return a Markdown table, a row a kind."""
    rows = []
    for name in dict.fromkeys(score.name for score in scores):
        own = [score for score in scores if score.name == name]
        flags = ([one.is_right, one.is_wrong, one.is_told] for one in own)
        rows.append((name, len(own), *map(sum, zip(*flags, strict=True))))
    return make_table("kind | photos | right | WRONG | kind told", rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = make_parser("kinds", "Count photos of other kinds than classic that are solved right.")
    add = parser.add_argument
    add("--photos", type=Path, help="folder with kinds.csv; rendered ones if none")
    add("--kind", action="append", choices=[*map(str, KINDS), str(Kind.SAMURAI)])
    other, text = sorted(set(CLUES) - {9}), "of classic boards; of the kinds, where these are named"
    add("--side", action="append", type=int, choices=other, help=text)
    add("--mixed", action="store_true", help="pages of several kinds; a board is a row's photo")
    add("--cells", action="store_true", help="read large boards' cells, cut by their true lattices")
    add("--script", action="append", choices=sorted(SCRIPTS))
    add("--faces", type=Path, help="folder of typefaces in which boards are set")
    add("--level", type=int, default=3, choices=range(1, 6))
    add("--count", type=int, default=100, help="photos of each kind")
    add("--seed", type=int, default=0, help="of the first photo")
    options = parser.parse_args(arguments)
    seeds = range(options.seed, options.seed + options.count)
    if options.faces is not None:
        if str(Kind.SAMURAI) in (options.kind or ()):
            parser.error("--faces is not for samurais; leave one of the two out")
        if options.mixed or options.photos:
            what = "mixed pages or a folder's photos"
            parser.error(f"--faces is not for {what}; leave one of the two out")
    for name, side in product(options.kind or (), options.side or ()):
        if name in (Kind.WINDOKU, Kind.SAMURAI) or (name == Kind.KILLER and side > CLASSIC_SIDE):
            parser.error(f"no {name} of side {side} is drawn; leave --side out")
    if options.script and (options.kind or options.side):
        parser.error("--script is of classic boards; leave --kind and --side out")
    if options.script and options.faces is None:
        parser.error("--script needs a folder of typefaces; name it with --faces")
    restyle: Restyle | None = None
    try:
        if options.faces is not None and not options.script:
            restyle = partial(set_typefaces, faces=find_faces(options.faces))
        for script in options.script or ():
            find_script_faces(options.faces, script)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 3
    if options.cells:
        sides = options.side or _LARGE_SIDES
        if small := [side for side in sides if side not in _LARGE_SIDES]:
            parser.error(f"--cells takes sides of {_LARGE_SIDES}, got {small[0]}")
        _score_symbols(sides, options.level, seeds, restyle)
        return 0
    if options.photos is not None:
        if not (options.photos / "kinds.csv").is_file():
            print(f"there is no kinds.csv in {options.photos}; name its folder", file=sys.stderr)
            return 3
        scores = list(_judge_photos(options.photos))
    elif options.mixed:
        scores = list(_judge_drawn("", partial(render_mixed_photo, options.level), seeds))
    else:
        default = [str(Kind.CLASSIC)] if options.side else [str(kind) for kind in KINDS]
        names = options.kind or ([] if options.script else default)
        wanted: list[tuple[str, Draw]] = []
        for name, side in product(names, options.side or [9]):
            row = name if side == 9 else f"{side}×{side}"
            row = f"{name} {row}" if options.kind and options.side else row
            wanted.append((row, partial(_render, Kind(name), options.level, side, restyle)))
        for script in options.script or ():
            scripted = partial(set_script, script=script, faces=options.faces)
            wanted.append((script, partial(_render, Kind.CLASSIC, options.level, 9, scripted)))
        scores = [score for name, draw in wanted for score in _judge_drawn(name, draw, seeds)]
    print(format_scores(scores))
    return 0


def _judge_photos(folder: Path) -> Iterator[KindScore]:
    with (folder / "kinds.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    reports = run_product(folder, [row["file"] for row in rows])
    for row, report in zip(rows, reports, strict=True):
        truth = Truth(row["kind"], row["kind"], _group(row["regions"]), row["solution"])
        yield _tell(row["file"], judge_report(truth, report), report)


def _judge_drawn(row: str, draw: Draw, seeds: range) -> Iterator[KindScore]:
    """Judge each board of rendered photos; without a row's name, boards go to those of theirs."""

    def make() -> Iterator[tuple[str, Image8, list[Truth]]]:
        for seed in seeds:
            shown = draw(seed)
            truths = map(_truth_of, shown.puzzles)
            named = [truth._replace(name=row or truth.name) for truth in truths]
            yield f"{row or 'mixed'}-{seed}", shown.photo, named

    for file, truths, report in run_on_pictures(make()):
        solutions = frozenset(truth.solution for truth in truths)
        for truth in truths:
            score = judge_report(truth._replace(parts=truth.parts | solutions), report)
            yield _tell(file.name if row else f"{file.name}, {truth.name}", score, report)


def _render(kind: Kind, level: int, side: int, restyle: Restyle | None, seed: int) -> KindPhoto:
    if kind is Kind.SAMURAI:
        return render_samurai_photo(level, seed)
    return render_kind_photo(kind, level, seed, side, restyle)


def _truth_of(puzzle: KindPuzzle) -> Truth:
    assert puzzle.solution is not None  # the generator knows it
    rules = puzzle.rules
    name = rules.kind.value if rules.side == 9 else f"{rules.side}×{rules.side}"
    solution = format_cells(rules, puzzle.solution)
    parts = frozenset(
        format_grid(puzzle.solution[row : row + 9, column : column + 9])
        for row, column in (find_grids(rules) if rules.kind is Kind.SAMURAI else ())
    )
    return Truth(name, rules.kind.value, frozenset(rules.regions), solution, rules.cages, parts)


def _tell(file: str, score: KindScore, report: dict[str, Any]) -> KindScore:
    """Say on stderr which photo failed, and how."""
    if not score.is_right:
        seen = ", ".join(f"{board['kind']} {board['outcome']}" for board in report["boards"])
        print(f"{file}: {'WRONG, ' if score.is_wrong else ''}{seen or 'none'}", file=sys.stderr)
    return score


def _is_told(truth: Truth, board: dict[str, Any]) -> bool:
    if board["kind"] != truth.kind or len(board["clues"]) != len(truth.solution):
        return False
    cages = [Cage(total, tuple(cells)) for total, cells in board["cages"] or ()]
    if tuple(cages) != truth.cages:
        return False
    return board["regions"] is None or _group(board["regions"]) == truth.regions


def _group(names: str) -> frozenset[tuple[int, ...]]:
    """Return the cells of each region."""
    members: dict[str, list[int]] = {}
    for cell, name in enumerate(names):
        members.setdefault(name, []).append(cell)
    return frozenset(map(tuple, members.values()))


class _SymbolScore(NamedTuple):
    """What became of a board.

    Attributes:
        is_read: every cell is read as it is printed, in an alphabet that is told for sure.
        is_right: so is the solution, decoded by the true rules.
        is_wrong: another solution is claimed.
        misread: cells whose likeliest value is another.
    """

    is_read: bool
    is_right: bool
    is_wrong: bool
    misread: int


def score_board(
    reader: SymbolReader, cells: npt.NDArray[np.uint8], puzzle: KindPuzzle
) -> _SymbolScore:
    """Read the cells of a board, (n², 32, 32) uint8, and compare them with its puzzle."""
    assert puzzle.solution is not None  # the generator knows it
    seen = reader.read(cells)
    alphabet, is_clear = choose_alphabet(seen, puzzle.rules.side)
    values = tell_values(seen, alphabet)
    misread = int((values.argmax(axis=1) != puzzle.clues.ravel()).sum())
    decoding = decode_filled(values, rules=puzzle.rules).decoding
    claimed = decoding.solution if is_clear else None
    is_same = claimed is not None and np.array_equal(claimed, puzzle.solution)
    is_wrong = claimed is not None and not is_same
    return _SymbolScore(is_clear and misread == 0, is_same, is_wrong, misread)


def format_symbol_scores(name: str, scores: Sequence[_SymbolScore]) -> str:
    """Return the row of a Markdown table."""
    figures = ([one.is_read, one.is_right, one.is_wrong, one.misread] for one in scores)
    return format_row((name, len(scores), *map(sum, zip(*figures, strict=True))))


def _score_symbols(sides: Sequence[int], level: int, seeds: range, restyle: Restyle | None) -> None:
    """Print a row for each side, and on stderr which board failed."""
    reader = SymbolReader.load()
    print(format_head("board | n | all cells read | right | WRONG | cells misread"))
    for side in sides:
        scores = []
        for seed in seeds:
            shown = render_kind_photo(Kind.CLASSIC, level, seed, side, restyle)
            cells = cut_cells(rectify(shown.photo, shown.lattice))
            placed = find_digits(cells)
            if not placed.is_usual:
                cells = cut_digits(shown.photo, shown.lattice, placed)
            scores.append(score_board(reader, cells, shown.puzzle))
            if not scores[-1].is_right:
                print(f"side {side}, seed {seed}: {scores[-1]}", file=sys.stderr)
        print(format_symbol_scores(f"{side}×{side}, level {level}", scores), flush=True)
