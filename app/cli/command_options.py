"""What can be typed after each command; typer makes options of the fields."""

import os
from dataclasses import dataclass, field, fields
from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

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

_METAVARS: Final = {int: "N", float: "S", Path: "FILE"}
"""What the help shows for the value of an option that names nothing else."""


def option(default: Any, *names: str, **told: Any) -> Any:
    """Return a field that can be typed by these names; `told` is what `typer.Option` takes."""
    return field(default=default, metadata={"typed": Option(*names, **told)})


flag = partial(option, False)


def list_parameters(options: type) -> list[Parameter]:
    """Return the fields of a dataclass as typer takes the parameters of a command."""
    parameters = []
    for one in fields(options):
        annotation: Any = one.type
        if (typed := one.metadata.get("typed")) is not None:
            kind, *_ = *get_args(one.type), one.type
            typed.metavar = typed.metavar or _METAVARS.get(kind)
            annotation = Annotated[annotation, typed]
        keyword = Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(Parameter(one.name, keyword, default=one.default, annotation=annotation))
    return parameters


JsonOption = Annotated[bool, Option("--json", help="Print one JSON line for each.")]
SolverOption = Annotated[
    str | None,
    Option(
        "--solver",
        metavar="NAME",
        help="Which solver finds the solution; docs/solvers.md names them all.",
    ),
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
    hint: HintStrength | None = option(
        None,
        "--hint",
        help="Give a hint instead: where to look, which technique, or the whole step.",
        metavar="[=where|technique|step]",
    )
    explain: bool = flag("--explain", help="Explain every step to the solution instead.")
    rate: bool = flag("--rate", help="Rate the difficulty instead.")
    count: int | None = option(
        None,
        "--count",
        help="Count solutions instead, up to N, which is 2 if left out; 2+ is 2 or more.",
        min=1,
        max=10**18,
        metavar="[=N]",
    )
    form: FormatName | None = option(
        None, "--format", help="Write the puzzles in this format instead."
    )
    bulk: bool = flag("--bulk", help="Solve by the batch engine, for millions; one puzzle a line.")
    limit_seconds: float | None = option(
        None,
        "--limit-seconds",
        help="When to give up solving or counting a puzzle: after 10 seconds if left out.",
        min=0.0,
    )
    kind: KindName | None = option(None, "--kind", help="Which rules there are beside the cells.")
    regions: str | None = option(
        None, "--regions", help="A character for each cell that names its region.", metavar="TEXT"
    )
    cages: str | None = option(
        None, "--cages", help="[[SUM, [CELL, ...]], ...] with cells from 0.", metavar="JSON"
    )
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

    count: int = option(1, "--count", help="How many puzzles.", min=1)
    clues: int | None = option(
        None, "--clues", help="How many clues; else as few as can be.", min=0
    )
    difficulty: DifficultyName | None = option(None, "--difficulty", help="How hard; else any.")
    symmetry: SymmetryName = option("none", "--symmetry", help="How the clues lie.")
    size: SizeName = option(9, "--size", "--side", help="How many digits.")
    kind: KindName = option("classic", "--kind", help="Which rules; all but classic as JSON lines.")
    box: _BoxOption = None
    grids: int = option(5, "--grids", help="Grids of a samurai.", min=2, max=5)
    seed: int | None = option(None, "--seed", help="The same seed gives the same puzzles.", min=0)
    form: FormatName = option("line", "--format", help="What to write.")
    output: Path | None = option(
        None, "-o", "--output", help="Write here instead of to stdout (-)."
    )
    limit_seconds: float = option(60.0, "--limit-seconds", help="When to stop looking.", min=0.0)
    verbose: VerboseOption = 0
    quiet: QuietOption = False

    @property
    def gives_rules(self) -> bool:
        """Whether there is more to the rules than the shape of a grid tells."""
        from solver.layout import LAYOUTS

        return self.kind != "classic" or self.size not in LAYOUTS or self.box is not None


@dataclass(frozen=True)
class CompareOptions:
    """What the command line asks for beside the files whose puzzles are tried."""

    solvers: list[str] | None = option(
        None,
        "--solver",
        help="A solver to compare, as docs/solvers.md names them; repeat the option for each. All "
        "that are installed if left out.",
        metavar="NAME",
    )
    sample: int | None = option(None, "--sample", help="Draw so many puzzles of each file.", min=1)
    seed: int = option(0, "--seed", help="Seed of the draw.")
    limit_seconds: float = option(
        10.0, "--limit-seconds", help="Seconds that a solve may take.", min=0.0
    )
    limit_nodes: int | None = option(None, "--limit-nodes", help="Nodes that it may visit.", min=1)
    limit_iterations: int | None = option(
        None, "--limit-iterations", help="Iterations that it may do.", min=0
    )
    jobs: int = option(1, "--jobs", help="Processes.", min=1, max=os.cpu_count() or 1)
    csv: Path | None = option(
        None, "--csv", help="Keep every solve here; a later run goes on from it."
    )
    plots: Path | None = option(None, "--plots", help="Draw plots into this folder.", metavar="DIR")
    verbose: VerboseOption = 0
    quiet: QuietOption = False

    @property
    def limits(self) -> "Limits":
        """When a solve is given up."""
        from solver.base import Limits

        return Limits(self.limit_seconds, self.limit_nodes, self.limit_iterations)


_EngineOption = Annotated[
    Literal["litert", "keras"], Option("--engine", help="What runs the network.")
]
"""The names are those of `models.engine.EngineKind`, which is slow to import."""

_WeightsOption = Annotated[
    Path | None,
    Option(
        "--weights",
        metavar="FILE",
        help="Another digit network, .tflite or .keras; NAME-boards beside it reads boards.",
    ),
]


@dataclass(frozen=True)
class SolveOptions:
    """What the command line asks for beside the photos that are solved."""

    output: str | None = option(
        None,
        "-o",
        "--output",
        help="Write the photo with its solution here: a picture for one photo, a folder (a "
        "name without an ending, or with / at its end), or - for stdout, as PNG. Without it "
        "no picture is written.",
        metavar="FILE|DIR|-",
    )
    is_check: bool = flag(
        "--check", help="Judge what someone filled in, and keep the solution back."
    )
    is_revealed: bool = flag("--reveal", help="With --check: show the solution, too.")
    as_json: JsonOption = False
    debug: Path | None = option(
        None, "--debug", help="Write a picture of every stage here.", metavar="DIR"
    )
    solver: SolverOption = None
    reader: Literal["network", "tesseract"] = option(
        "network", "--reader", help="What reads the digits; tesseract is there to compare."
    )
    kind: Literal["auto", "classic", "diagonal", "windoku"] = option(
        "auto", "--kind", help="Of the puzzles; auto: as the photo shows it."
    )
    engine: _EngineOption = "litert"
    weights: _WeightsOption = None
    verbose: VerboseOption = 0
    quiet: QuietOption = False


@dataclass(frozen=True)
class BatchOptions:
    """What the command line asks for beside the inputs of a batch."""

    recursive: bool = flag(
        "-r", "--recursive", help="Enter folders to their depth; outputs keep them."
    )
    output_dir: Path | None = option(
        None,
        "-o",
        "--output-dir",
        help="Write the photos with their solutions here. Without it no picture is written.",
        metavar="DIR",
    )
    name: str = option(
        "{stem}-solved{suffix}",
        "--name",
        help="Their names, of {stem}, {suffix} and {folder}.",
        metavar="TEMPLATE",
    )
    report: Path | None = option(
        None, "--report", help="Write a JSON line for each photo, or .csv a row."
    )
    journal: Path | None = option(
        None, "--journal", help="Keep the journal here instead of beside the outputs."
    )
    jobs: int | None = option(None, "-j", "--jobs", help="Processes; else one a core.", min=1)
    dry_run: bool = flag("--dry-run", help="Say what would be done, and do nothing.")
    skip_existing: bool = flag("--skip-existing", help="Leave out inputs whose outputs are there.")
    resume: bool | None = option(
        None,
        "--resume/--no-resume",
        help="Use what the journal knows, as is done if neither is given; or do all again.",
    )
    overwrite: bool = flag(
        "--overwrite", help="Do all again, and replace files in the way, whoever wrote them."
    )
    watch: bool = flag("--watch", help="Wait for new files, until Ctrl-C.")
    fail_fast: bool = flag("--fail-fast", help="Begin nothing more after a photo not solved.")
    timeout: float = option(
        60.0, "--timeout", help="Seconds that a photo may take; 0 for no end.", min=0.0
    )
    shard: str | None = option(
        None, "--shard", help="Do share I of N, for runs on several machines.", metavar="I/N"
    )
    cluster: str | None = option(
        None,
        "--cluster",
        help="Work on the cluster of this Dask scheduler, or on one of --jobs workers made "
        "here: local.",
        metavar="ADDRESS",
    )
    html: Path | None = option(
        None, "--html", help="Write a gallery of all photos for a browser.", metavar="FILE|DIR"
    )
    solver: SolverOption = None
    engine: _EngineOption = "litert"
    weights: _WeightsOption = None
    as_json: bool = flag("--json", help="Print the report's lines as they come.")
    ends_with_null: bool = flag("-0", "--null", help="Names on stdin end with a null byte.")
    verbose: VerboseOption = 0
    quiet: QuietOption = False


@dataclass(frozen=True)
class LiveRunOptions:
    """What the command line asks for beside the source that is followed."""

    output: Path | None = option(None, "-o", "--output", help="Write the live view as a video.")
    report: str | None = option(
        None, "--report", help="Write a JSON line for each frame; - is stdout.", metavar="FILE"
    )
    duration: float | None = option(None, "--duration", help="End after so many seconds.", min=0.0)
    delay: float = option(
        0.0,
        "--delay",
        help="Hold back what is recognised in a video's frame for so many seconds, or for as "
        "long as that takes if it is more, as if frames came from a camera.",
        min=0.0,
    )
    verbose: VerboseOption = 0
    quiet: QuietOption = False


@dataclass(frozen=True)
class ServeOptions:
    """What the command line asks for of the page for phones."""

    host: str | None = option(
        None,
        "--host",
        help="Listen on this address: that in the local network if left out; 127.0.0.1 for "
        "this computer alone, 0.0.0.0 for all that it has.",
        metavar="ADDRESS",
    )
    port: int = option(8765, "--port", help="Listen here; 0 for any.", min=0, max=65535)
    names: list[str] | None = option(
        None,
        "--name",
        help="Another name that phones use for this computer, such as sudoku.home; the first "
        "one goes into the code. May be repeated.",
        metavar="NAME",
    )
    is_https: bool = flag(
        "--https",
        help="Encrypt, with a certificate made on the spot, as phones want it for the live camera.",
    )
    certificate: Path | None = option(
        None,
        "--certificate",
        help="Encrypt with this certificate (PEM), which phones trust already; with --key.",
    )
    key: Path | None = option(None, "--key", help="The key of --certificate (PEM).")
    has_authority: bool = flag(
        "--authority",
        help="Encrypt with a certificate of an authority of your own, which phones install "
        "once and then warn no more.",
    )
    workers: int | None = option(
        None,
        "--workers",
        help="Processes that work photos off: as many as there are cores, 2 to 4, if left "
        "out. With 1, phones wait for each other.",
        min=1,
        max=64,
    )
    keep: Path | None = option(
        None,
        "--keep",
        help="Keep every photo and its report in this folder. Without it nothing is kept.",
        metavar="DIR",
    )
    token_file: Path | None = option(
        None,
        "--token-file",
        help="Let programs in that send the token in this file, which lasts from start to "
        "start; it is made if it is not there.",
    )
    remembers: bool = flag(
        "--remember", help="Let phones that have scanned the code in after the next start, too."
    )
    no_live: bool = flag("--no-live", help="Take photos only, not the camera's live picture.")
    verbose: VerboseOption = 0
    quiet: QuietOption = False
