"""What can be typed after `puzzle`, `generate` and `compare`; typer makes options of the fields."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

if TYPE_CHECKING:
    from app.puzzles.puzzle_texts import KindWishes
    from solver.base import Limits

FormatName = Literal[
    "line", "sdm", "sdk", "ss", "opensudoku", "fpuzzles", "sudokupad", "sudokuwiki"
]
"""What puzzles are written in; the values of `solver.formats.Format`."""

DifficultyName = Literal["easy", "medium", "hard", "expert", "extreme"]
"""How hard a puzzle is; the values of `solver.human.walk.Level`."""

SymmetryName = Literal["none", "point", "quarter-turn", "horizontal", "vertical", "diagonal"]
"""How clues lie; the values of `solver.generation.generate.Symmetry`."""

KindName = Literal["classic", "jigsaw", "diagonal", "windoku", "killer", "samurai"]
"""Which rules a puzzle has; the values of `solver.rules.Kind`."""

SizeName = Literal[4, 6, 8, 9, 10, 12, 16, 25]
"""How many digits a grid has; the sides of `solver.layout.USUAL_BOXES`."""

HintStrength = Literal["where", "technique", "step"]
"""How much a hint gives away."""

JsonOption = Annotated[bool, Option("--json", help="Print one JSON line for each.")]
SolverOption = Annotated[
    str | None, Option("--solver", metavar="NAME", help="Which solver finds the solution.")
]
VerboseOption = Annotated[
    int, Option("-v", "--verbose", count=True, help="Tell more on stderr; -vv tells all.")
]
QuietOption = Annotated[bool, Option("-q", "--quiet", help="Tell errors only on stderr.")]
_BoxOption = Annotated[
    str | None, Option("--box", metavar="RxC", help="Rows and columns of a box, such as 3x2.")
]


@dataclass(frozen=True)
class PuzzleOptions:
    """What the command line asks for beside the puzzles."""

    as_json: JsonOption = False
    solver: SolverOption = None
    hint: Annotated[
        HintStrength | None,
        Option(
            "--hint",
            metavar="[=where|technique|step]",
            help="Give a hint instead: where to look, which technique, or the whole step.",
        ),
    ] = None
    explain: Annotated[
        bool, Option("--explain", help="Explain every step to the solution instead.")
    ] = False
    rate: Annotated[bool, Option("--rate", help="Rate the difficulty instead.")] = False
    count: Annotated[
        int | None,
        Option(
            "--count",
            min=1,
            max=10**18,
            metavar="[=N]",
            help="Count solutions instead, up to N, which is 2 if left out; 2+ is 2 or more.",
        ),
    ] = None
    form: Annotated[
        FormatName | None, Option("--format", help="Write the puzzles in this format instead.")
    ] = None
    bulk: Annotated[
        bool, Option("--bulk", help="Solve by the batch engine, for millions; one puzzle a line.")
    ] = False
    limit_seconds: Annotated[
        float | None,
        Option(
            "--limit-seconds",
            min=0.0,
            metavar="S",
            help="When to give up solving or counting a puzzle: after 10 seconds if left out.",
        ),
    ] = None
    kind: Annotated[
        KindName | None, Option("--kind", help="Which rules there are beside the cells.")
    ] = None
    regions: Annotated[
        str | None,
        Option(
            "--regions", metavar="TEXT", help="A character for each cell that names its region."
        ),
    ] = None
    cages: Annotated[
        str | None,
        Option("--cages", metavar="JSON", help="[[sum, [cell, ...]], ...] with cells from 0."),
    ] = None
    box: _BoxOption = None
    verbose: VerboseOption = 0
    quiet: QuietOption = False

    @property
    def rules(self) -> "KindWishes":
        """What is told about the rules of the puzzles."""
        from app.puzzles.puzzle_texts import KindWishes

        return KindWishes(self.kind, self.regions, self.cages, self.box)


@dataclass(frozen=True)
class WishOptions:
    """What the command line asks for of new puzzles."""

    count: Annotated[int, Option("--count", min=1, metavar="N", help="How many puzzles.")] = 1
    clues: Annotated[
        int | None,
        Option("--clues", min=0, metavar="N", help="How many clues; else as few as can be."),
    ] = None
    difficulty: Annotated[
        DifficultyName | None, Option("--difficulty", help="How hard; else any.")
    ] = None
    symmetry: Annotated[SymmetryName, Option("--symmetry", help="How the clues lie.")] = "none"
    size: Annotated[SizeName, Option("--size", "--side", help="How many digits.")] = 9
    kind: Annotated[
        KindName, Option("--kind", help="Which rules; all but classic as JSON lines.")
    ] = "classic"
    box: _BoxOption = None
    grids: Annotated[
        int, Option("--grids", min=2, max=5, metavar="N", help="Grids of a samurai.")
    ] = 5
    seed: Annotated[
        int | None,
        Option("--seed", min=0, metavar="N", help="The same seed gives the same puzzles."),
    ] = None
    form: Annotated[FormatName, Option("--format", help="What to write.")] = "line"
    output: Annotated[
        Path | None,
        Option("-o", "--output", metavar="FILE", help="Write here instead of to stdout (-)."),
    ] = None
    limit_seconds: Annotated[
        float, Option("--limit-seconds", min=0.0, metavar="S", help="When to stop looking.")
    ] = 60.0
    verbose: VerboseOption = 0
    quiet: QuietOption = False

    @property
    def tells_rules(self) -> bool:
        """Whether there is more to the rules than the shape of a grid tells."""
        from solver.layout import LAYOUTS

        return self.kind != "classic" or self.size not in LAYOUTS or self.box is not None


@dataclass(frozen=True)
class CompareOptions:
    """What the command line asks for beside the files whose puzzles are tried."""

    solvers: Annotated[
        list[str] | None,
        Option(
            "--solver",
            metavar="NAME",
            help="A solver to compare; repeat the option for each. All that are installed if left "
            "out.",
        ),
    ] = None
    sample: Annotated[
        int | None,
        Option("--sample", min=1, metavar="N", help="Draw so many puzzles of each file."),
    ] = None
    seed: Annotated[int, Option("--seed", metavar="N", help="Seed of the draw.")] = 0
    limit_seconds: Annotated[
        float,
        Option("--limit-seconds", min=0.0, metavar="S", help="Seconds that a solve may take."),
    ] = 10.0
    limit_nodes: Annotated[
        int | None, Option("--limit-nodes", min=1, metavar="N", help="Nodes that it may visit.")
    ] = None
    limit_iterations: Annotated[
        int | None,
        Option("--limit-iterations", min=0, metavar="N", help="Iterations that it may do."),
    ] = None
    jobs: Annotated[
        int, Option("--jobs", min=1, max=os.cpu_count() or 1, metavar="N", help="Processes.")
    ] = 1
    csv: Annotated[
        Path | None,
        Option("--csv", metavar="FILE", help="Keep every solve here; a later run goes on from it."),
    ] = None
    plots: Annotated[
        Path | None, Option("--plots", metavar="DIR", help="Draw plots into this folder.")
    ] = None
    verbose: VerboseOption = 0
    quiet: QuietOption = False

    @property
    def limits(self) -> "Limits":
        """When a solve is given up."""
        from solver.base import Limits

        return Limits(self.limit_seconds, self.limit_nodes, self.limit_iterations)
