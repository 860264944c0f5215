"""The commands of the laboratory: `generate` and `compare`; see `cli.command_line` for the rest."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.terminal.exits import ending_well
from app.terminal.named_files import STDOUT

_EPILOG_COMPARE = (
    "Exit codes: 0 done, 1 a solver claimed what is not so, 2 usage or an output that cannot be "
    "written, 3 input cannot be read, 4 something is missing, 130 interrupted, "
    "143 terminated."
)

_EPILOG_GENERATE = (
    "Exit codes: 0 done, 1 fewer puzzles were found than wanted, 2 usage or an output that cannot "
    "be written, 130 interrupted, 143 terminated."
)


class FormatName(StrEnum):
    """What puzzles are written in; the names of `solver.formats.Format`."""

    LINE = "line"
    SDM = "sdm"
    SDK = "sdk"
    SS = "ss"
    OPENSUDOKU = "opensudoku"
    F_PUZZLES = "fpuzzles"
    SUDOKU_PAD = "sudokupad"
    SUDOKU_WIKI = "sudokuwiki"


class DifficultyName(StrEnum):
    """How hard a puzzle is; the names of `solver.human.walk.Level`."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"


class SymmetryName(StrEnum):
    """How clues lie; the names of `solver.generation.generate.Symmetry`."""

    NONE = "none"
    POINT = "point"
    QUARTER_TURN = "quarter-turn"
    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"
    DIAGONAL = "diagonal"


class KindName(StrEnum):
    """Which rules a puzzle has; the names of `solver.rules.Kind`."""

    CLASSIC = "classic"
    JIGSAW = "jigsaw"
    DIAGONAL = "diagonal"
    WINDOKU = "windoku"
    KILLER = "killer"
    SAMURAI = "samurai"


class SizeName(StrEnum):
    """How many digits a grid has; the sides of `solver.layout.USUAL_BOXES`."""

    FOUR = "4"
    SIX = "6"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    TWELVE = "12"
    SIXTEEN = "16"
    TWENTY_FIVE = "25"


BoxOption = Annotated[
    str | None,
    typer.Option("--box", metavar="RxC", help="Rows and columns of a box, such as 3x2."),
]
VerboseOption = Annotated[
    int, typer.Option("-v", "--verbose", count=True, help="Tell more on stderr; -vv tells all.")
]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="Tell errors only on stderr.")]


def add_commands(cli: typer.Typer) -> None:
    """Give the command line the commands of this module."""
    cli.command("generate", epilog=_EPILOG_GENERATE)(_generate)
    cli.command("compare", epilog=_EPILOG_COMPARE)(_compare)


def _generate(
    count: Annotated[
        int, typer.Option("--count", min=1, metavar="N", help="How many puzzles.")
    ] = 1,
    clues: Annotated[
        int | None,
        typer.Option("--clues", min=0, metavar="N", help="How many clues; else as few as can be."),
    ] = None,
    difficulty: Annotated[
        DifficultyName | None, typer.Option("--difficulty", help="How hard; else any.")
    ] = None,
    symmetry: Annotated[
        SymmetryName, typer.Option("--symmetry", help="How the clues lie.")
    ] = SymmetryName.NONE,
    size: Annotated[
        SizeName, typer.Option("--size", "--side", help="How many digits.")
    ] = SizeName.NINE,
    kind: Annotated[
        KindName, typer.Option("--kind", help="Which rules; all but classic as JSON lines.")
    ] = KindName.CLASSIC,
    box: BoxOption = None,
    grids: Annotated[
        int, typer.Option("--grids", min=2, max=5, metavar="N", help="Grids of a samurai.")
    ] = 5,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, metavar="N", help="The same seed gives the same puzzles."),
    ] = None,
    form: Annotated[FormatName, typer.Option("--format", help="What to write.")] = FormatName.LINE,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write here instead of to stdout (-)."),
    ] = None,
    limit_seconds: Annotated[
        float,
        typer.Option("--limit-seconds", min=0.0, metavar="S", help="When to stop looking."),
    ] = 60.0,
    verbose: VerboseOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Make new puzzles, each proved to have exactly one solution: one line for each on stdout."""
    with ending_well():
        from app.cli.generate_command import WishOptions, generate

        wish = WishOptions(
            count,
            clues,
            None if difficulty is None else difficulty.value,
            symmetry.value,
            int(size.value),
            seed,
            form.value,
            None if output == Path(STDOUT) else output,
            limit_seconds,
            verbose,
            quiet,
            kind.value,
            box,
            grids,
        )
        sys.exit(generate(wish))


def _compare(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Puzzles in any format; a further column may hold a rating or the solution.",
        ),
    ],
    solvers: Annotated[
        list[str] | None,
        typer.Option(
            "--solver",
            metavar="NAME",
            help="A solver to compare; repeat the option for each. All that are installed if left "
            "out.",
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=1, metavar="N", help="Draw so many puzzles of each file."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the draw.")] = 0,
    limit_seconds: Annotated[
        float,
        typer.Option(
            "--limit-seconds", min=0.0, metavar="S", help="Seconds that a solve may take."
        ),
    ] = 10.0,
    limit_nodes: Annotated[
        int | None,
        typer.Option("--limit-nodes", min=1, metavar="N", help="Nodes that it may visit."),
    ] = None,
    limit_iterations: Annotated[
        int | None,
        typer.Option("--limit-iterations", min=0, metavar="N", help="Iterations that it may do."),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", min=1, max=os.cpu_count() or 1, metavar="N", help="Processes."),
    ] = 1,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Keep every solve here; a later run goes on from it."
        ),
    ] = None,
    plots: Annotated[
        Path | None, typer.Option("--plots", metavar="DIR", help="Draw plots into this folder.")
    ] = None,
    verbose: VerboseOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Compare solvers on files of puzzles: tables on stdout, by difficulty and clue count."""
    with ending_well():
        from app.cli.compare_command import CompareOptions, compare_solvers
        from solver.base import Limits

        limits = Limits(limit_seconds, limit_nodes, limit_iterations)
        options = CompareOptions(
            tuple(solvers or ()), sample, seed, limits, jobs, csv, plots, verbose, quiet
        )
        sys.exit(compare_solvers(files, options))
