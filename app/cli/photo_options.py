"""What can be typed after `solve`, `batch`, `live`, `serve`; typer makes options of the fields."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from typer import Option

from app.cli.puzzle_options import JsonOption, QuietOption, SolverOption, VerboseOption
from app.terminal.console import MissingError, UsageError

_EngineOption = Annotated[
    Literal["litert", "keras"], Option("--engine", help="What runs the network.")
]
"""The names are those of `models.engine.EngineKind`, which is slow to import."""

_WeightsOption = Annotated[
    Path | None,
    Option("--weights", metavar="FILE", help="Another digit network, .tflite or .keras."),
]


@dataclass(frozen=True)
class SolveOptions:
    """What the command line asks for beside the photos that are solved."""

    output: Annotated[
        str | None,
        Option(
            "-o",
            "--output",
            metavar="FILE|DIR|-",
            help="Write the photo with its solution here: a picture for one photo, a folder (a "
            "name without an ending, or with / at its end), or - for stdout, as PNG. Without it "
            "no picture is written.",
        ),
    ] = None
    is_check: Annotated[
        bool, Option("--check", help="Judge what someone filled in, and keep the solution back.")
    ] = False
    is_revealed: Annotated[
        bool, Option("--reveal", help="With --check: show the solution, too.")
    ] = False
    as_json: JsonOption = False
    debug: Annotated[
        Path | None, Option("--debug", metavar="DIR", help="Write a picture of every stage here.")
    ] = None
    solver: SolverOption = None
    reader: Annotated[
        Literal["network", "tesseract"],
        Option("--reader", help="What reads the digits; tesseract is there to compare."),
    ] = "network"
    finder: Annotated[
        Literal["classic", "network"],
        Option("--finder", help="What finds the boards; network is on trial."),
    ] = "classic"
    kind: Annotated[
        Literal["auto", "classic", "diagonal", "windoku"],
        Option("--kind", help="Of the puzzles; auto: as the photo shows it."),
    ] = "auto"
    engine: _EngineOption = "litert"
    weights: _WeightsOption = None
    verbose: VerboseOption = 0
    quiet: QuietOption = False


@dataclass(frozen=True)
class BatchOptions:
    """What the command line asks for beside the inputs of a batch."""

    recursive: Annotated[
        bool, Option("-r", "--recursive", help="Enter folders to their depth; outputs keep them.")
    ] = False
    output_dir: Annotated[
        Path | None,
        Option(
            "-o",
            "--output-dir",
            metavar="DIR",
            help="Write the photos with their solutions here. Without it no picture is written.",
        ),
    ] = None
    name: Annotated[
        str,
        Option("--name", metavar="TEMPLATE", help="Their names, of {stem}, {suffix} and {folder}."),
    ] = "{stem}-solved{suffix}"
    report: Annotated[
        Path | None,
        Option("--report", metavar="FILE", help="Write a JSON line for each photo, or .csv a row."),
    ] = None
    journal: Annotated[
        Path | None,
        Option(
            "--journal", metavar="FILE", help="Keep the journal here instead of beside the outputs."
        ),
    ] = None
    jobs: Annotated[
        int | None, Option("-j", "--jobs", min=1, metavar="N", help="Processes; else one a core.")
    ] = None
    dry_run: Annotated[
        bool, Option("--dry-run", help="Say what would be done, and do nothing.")
    ] = False
    skip_existing: Annotated[
        bool, Option("--skip-existing", help="Leave out inputs whose outputs are there.")
    ] = False
    resume: Annotated[
        bool | None,
        Option(
            "--resume/--no-resume",
            help="Use what the journal knows, as is done if neither is given; or do all again.",
        ),
    ] = None
    overwrite: Annotated[
        bool,
        Option(
            "--overwrite", help="Do all again, and replace files in the way, whoever wrote them."
        ),
    ] = False
    watch: Annotated[bool, Option("--watch", help="Wait for new files, until Ctrl-C.")] = False
    fail_fast: Annotated[
        bool, Option("--fail-fast", help="Begin nothing more after a photo not solved.")
    ] = False
    timeout: Annotated[
        float,
        Option(
            "--timeout", min=0.0, metavar="S", help="Seconds that a photo may take; 0 for no end."
        ),
    ] = 60.0
    shard: Annotated[
        str | None,
        Option("--shard", metavar="I/N", help="Do share I of N, for runs on several machines."),
    ] = None
    cluster: Annotated[
        str | None,
        Option(
            "--cluster",
            metavar="ADDRESS",
            help="Work on the cluster of this Dask scheduler, or on one of --jobs workers made "
            "here: local.",
        ),
    ] = None
    html: Annotated[
        Path | None,
        Option("--html", metavar="FILE|DIR", help="Write a gallery of all photos for a browser."),
    ] = None
    solver: SolverOption = None
    engine: _EngineOption = "litert"
    weights: _WeightsOption = None
    as_json: Annotated[bool, Option("--json", help="Print the report's lines as they come.")] = (
        False
    )
    ends_with_null: Annotated[
        bool, Option("-0", "--null", help="Names on stdin end with a null byte.")
    ] = False
    verbose: VerboseOption = 0
    quiet: QuietOption = False


@dataclass(frozen=True)
class LiveRunOptions:
    """What the command line asks for beside the source that is followed."""

    output: Annotated[
        Path | None,
        Option("-o", "--output", metavar="FILE", help="Write the live view as a video."),
    ] = None
    report: Annotated[
        str | None,
        Option("--report", metavar="FILE", help="Write a JSON line for each frame; - is stdout."),
    ] = None
    duration: Annotated[
        float | None, Option("--duration", min=0.0, metavar="S", help="End after so many seconds.")
    ] = None
    delay: Annotated[
        float,
        Option(
            "--delay",
            min=0.0,
            metavar="S",
            help="Hold back what is recognised in a video's frame for so many seconds, or for as "
            "long as that takes if it is more, as if frames came from a camera.",
        ),
    ] = 0.0
    verbose: VerboseOption = 0
    quiet: QuietOption = False


@dataclass(frozen=True)
class ServeOptions:
    """What the command line asks for of the page for phones."""

    host: Annotated[
        str | None,
        Option(
            "--host",
            metavar="ADDRESS",
            help="Listen on this address: that in the local network if left out; 127.0.0.1 for "
            "this computer alone, 0.0.0.0 for all that it has.",
        ),
    ] = None
    port: Annotated[
        int, Option("--port", min=0, max=65535, metavar="N", help="Listen here; 0 for any.")
    ] = 8765
    names: Annotated[
        list[str] | None,
        Option(
            "--name",
            metavar="NAME",
            help="Another name that phones use for this computer, such as sudoku.home; the first "
            "one goes into the code. May be repeated.",
        ),
    ] = None
    is_https: Annotated[
        bool,
        Option(
            "--https",
            help="Encrypt, with a certificate made on the spot, as phones want it for the live "
            "camera.",
        ),
    ] = False
    certificate: Annotated[
        Path | None,
        Option(
            "--certificate",
            metavar="FILE",
            help="Encrypt with this certificate (PEM), which phones trust already; with --key.",
        ),
    ] = None
    key: Annotated[
        Path | None, Option("--key", metavar="FILE", help="The key of --certificate (PEM).")
    ] = None
    has_authority: Annotated[
        bool,
        Option(
            "--authority",
            help="Encrypt with a certificate of an authority of your own, which phones install "
            "once and then warn no more.",
        ),
    ] = False
    workers: Annotated[
        int | None,
        Option(
            "--workers",
            min=1,
            max=64,
            metavar="N",
            help="Processes that work photos off: as many as there are cores, 2 to 4, if left "
            "out. With 1, phones wait for each other.",
        ),
    ] = None
    keep: Annotated[
        Path | None,
        Option(
            "--keep",
            metavar="DIR",
            help="Keep every photo and its report in this folder. Without it nothing is kept.",
        ),
    ] = None
    token_file: Annotated[
        Path | None,
        Option(
            "--token-file",
            metavar="FILE",
            help="Let programs in that send the token in this file, which lasts from start to "
            "start; it is made if it is not there.",
        ),
    ] = None
    remembers: Annotated[
        bool,
        Option(
            "--remember", help="Let phones that have scanned the code in after the next start, too."
        ),
    ] = False
    no_live: Annotated[
        bool, Option("--no-live", help="Take photos only, not the camera's live picture.")
    ] = False
    verbose: VerboseOption = 0
    quiet: QuietOption = False


def check_weights(path: Path | None, engine: str) -> None:
    """Refuse weights that are not there, or that the chosen engine cannot run.

    Raises:
        UsageError: if they are no network, or none for this engine.
        MissingError: if they are not there.
    """
    if path is None:
        return
    if path.suffix not in (".tflite", ".keras"):
        raise UsageError(f"--weights {path} is no network; give a .tflite or .keras file")
    if engine == "keras" and path.suffix != ".keras":
        raise UsageError(
            f"--engine keras cannot run {path}; give a .keras file, or leave --engine out"
        )
    if not path.is_file():
        raise MissingError(
            f"{path} {'is a folder' if path.is_dir() else 'does not exist'}; check the name"
        )
