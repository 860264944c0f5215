"""What can be typed after `solve`, `batch`, `live`, `serve`; typer makes options of the fields."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from typer import Option

from app.cli.puzzle_options import (
    JsonOption,
    QuietOption,
    SolverOption,
    VerboseOption,
    flag,
    option,
)
from app.terminal.exit_codes import MissingError, UsageError

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
    finder: Literal["classic", "network"] = option(
        "classic", "--finder", help="What finds the boards; network is on trial."
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
