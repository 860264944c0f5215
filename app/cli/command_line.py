"""The command `sudoku-lens`: what can be typed, and nothing that is slow to import.

Every command's work is in its own module, which is imported when the command runs.
"""

import os
import re
import sys
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from app.cli.lab_arguments import (
    BoxOption,
    FormatName,
    KindName,
    QuietOption,
    VerboseOption,
    add_commands,
)
from app.cli.run_arguments import add_run_commands
from app.terminal.console import UsageError, ending_well

_EPILOG = (
    "Exit codes: 0 all solved, 1 something was not solved, 2 usage or an output that cannot be "
    "written, 3 input cannot be read, 4 something is missing, 130 interrupted, "
    "143 terminated."
)


class _Commands(TyperGroup):
    """Speaks plain words, and takes photos without a command.

    Some versions of typer tell how they check values, or the type of a flag.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types_of_flags(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            # Without a context there is no option for help yet.
            _without_types_of_flags(command.params if ctx is None else command.get_params(ctx))
        return command

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Open files and folders that are named without a command, as `open` does."""
        # No command has a dot in its name; a file that is missing is told in the window. What is no
        # name of a file, as one that is too long, does not exist for this.
        is_file = bool(Path(args[0]).suffix) or os.path.exists(args[0])  # noqa: PTH110
        if is_file and self.get_command(ctx, args[0]) is None:
            args = ["open", *args]
        return super().resolve_command(ctx, args)


def _without_types_of_flags(params: list[Any]) -> list[Any]:
    """Let the help show `--json`, not `--json <bool>`; how often a flag was given is no value."""
    for param in params:
        is_counted = getattr(param, "count", False)
        if is_counted:
            param.show_default = False
        if is_counted or getattr(param, "is_flag", False):
            param.metavar = ""
    return params


_cli = typer.Typer(
    cls=_Commands,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_MEANT: Final = {"--hint": "--hint=step", "--count": "--count=2"}
"""What is meant where the value is left out."""

_VALUES: Final = {"--hint": r"where|technique|step", "--count": r"\d{1,15}"}
"""How the values of these options look, none of them like a puzzle."""


class _EngineName(StrEnum):
    """What runs the network; the names of `models.engine.EngineKind`, as typer wants them."""

    LITERT = "litert"
    KERAS = "keras"


class _ReaderName(StrEnum):
    """What reads the cells; the names of `models.digits.ReaderKind`, as typer wants them."""

    NETWORK = "network"
    TESSERACT = "tesseract"


class _FinderName(StrEnum):
    """What finds boards; the names of `pipeline_options.FinderKind`, as typer wants them."""

    CLASSIC = "classic"
    NETWORK = "network"


class _PrintedKind(StrEnum):
    """What a photo shows; jigsaws are told by their lines alone."""

    AUTO = "auto"
    CLASSIC = "classic"
    DIAGONAL = "diagonal"
    WINDOKU = "windoku"


class HintStrength(StrEnum):
    """How much a hint gives away."""

    WHERE = "where"
    TECHNIQUE = "technique"
    STEP = "step"


_SolverOption = Annotated[
    str | None,
    typer.Option("--solver", metavar="NAME", help="Which solver finds the solution."),
]
_JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON line for each.")]


def main() -> None:
    """Run the command line; the entry point of `sudoku-lens`."""
    _forget_script_folder()
    for stream in (sys.stdout, sys.stderr):
        # A file's name need not be text that the terminal can show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with ending_well():
        _cli(_fill_in_values(sys.argv[1:]), prog_name="sudoku-lens")


def command_line() -> Any:
    """Return what can be typed, as typer builds it; the man page is made of it."""
    return typer.main.get_command(_cli)


def _fill_in_values(arguments: list[str]) -> list[str]:
    """Give the options whose value may be left out the value that is meant then.

    Raises:
        UsageError: if a value seems to stand behind such an option without its `=`.
    """
    if arguments[:1] != ["puzzle"]:
        return arguments
    for option, word in pairwise(arguments):
        looks = _VALUES.get(option)
        if looks and re.fullmatch(looks, word) and not Path(word).exists():
            raise UsageError(f"write {option}={word} instead of {option} {word}")
    return [_MEANT.get(argument, argument) for argument in arguments]


def _forget_script_folder() -> None:
    """Drop the folder of the running script from where modules are looked for.

    Python puts it first, and other packages install scripts there: python-sat's `models.py`
    would be imported in place of our package of that name.
    """
    script_folder = Path(sys.argv[0]).resolve().parent
    if sys.path and sys.path[0] and Path(sys.path[0]).resolve() == script_folder:
        del sys.path[0]


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"sudoku-lens {version('sudoku-lens')}")
        raise typer.Exit


@_cli.callback(invoke_without_command=True, epilog=_EPILOG)
def _start(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Point it at a Sudoku and see the verified solution on the picture.

    Without a command the window opens.
    """
    if context.invoked_subcommand is None:
        _show_window([])


@_cli.command("open", epilog=_EPILOG)
def _open(
    photos: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PHOTO|FOLDER|VIDEO", help="Photos, folders of photos, or a video to open."
        ),
    ] = None,
) -> None:
    """Open the window, with photos in it if any are named.

    The name of the command may be left out before a photo, a folder or a video.
    """
    _show_window(photos or [])


def _show_window(photos: list[Path]) -> None:
    with ending_well():
        from app.gui.start import open_window

        sys.exit(open_window(photos))


@_cli.command("solve", epilog=_EPILOG)
def _solve(
    photos: Annotated[
        list[str],
        typer.Argument(metavar="PHOTO", help="Photos of Sudokus; - reads one from stdin."),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE|DIR|-",
            help="Write the photo with its solution here: a picture for one photo, a folder (a "
            "name without an ending, or with / at its end), or - for stdout, as PNG. Without it "
            "no picture is written.",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Judge what someone filled in, and keep the solution back."),
    ] = False,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="With --check: show the solution, too.")
    ] = False,
    as_json: _JsonOption = False,
    debug: Annotated[
        Path | None,
        typer.Option("--debug", metavar="DIR", help="Write a picture of every stage here."),
    ] = None,
    solver: _SolverOption = None,
    reader: Annotated[
        _ReaderName,
        typer.Option("--reader", help="What reads the digits; tesseract is there to compare."),
    ] = _ReaderName.NETWORK,
    finder: Annotated[
        _FinderName,
        typer.Option("--finder", help="What finds the boards; network is on trial."),
    ] = _FinderName.CLASSIC,
    kind: Annotated[
        _PrintedKind, typer.Option("--kind", help="Of the puzzles; auto: as the photo shows it.")
    ] = _PrintedKind.AUTO,
    engine: Annotated[
        _EngineName, typer.Option("--engine", help="What runs the network.")
    ] = _EngineName.LITERT,
    weights: Annotated[
        Path | None,
        typer.Option("--weights", metavar="FILE", help="Another digit network, .tflite or .keras."),
    ] = None,
    verbose: VerboseOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Solve the Sudokus on photos and draw the solutions into them."""
    with ending_well():
        from app.cli.solve_command import SolveOptions, solve_photos

        options = SolveOptions(
            output,
            as_json,
            debug,
            solver,
            engine.value,
            weights,
            verbose,
            quiet,
            reader.value,
            is_check=check,
            is_revealed=reveal,
            finder=finder.value,
            kind=kind.value,
        )
        sys.exit(solve_photos(photos, options))


@_cli.command("puzzle", epilog=_EPILOG)
def _puzzle(
    source: Annotated[
        str,
        typer.Argument(
            metavar="TEXT|FILE|-",
            help="81 cells with . or 0 for empty, a link, or a file in any format; "
            "- reads from stdin.",
        ),
    ],
    as_json: _JsonOption = False,
    solver: _SolverOption = None,
    hint: Annotated[
        HintStrength | None,
        typer.Option(
            "--hint",
            metavar="[=where|technique|step]",
            help="Give a hint instead: where to look, which technique, or the whole step.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain every step to the solution instead.")
    ] = False,
    rate: Annotated[bool, typer.Option("--rate", help="Rate the difficulty instead.")] = False,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            min=1,
            max=10**18,
            metavar="[=N]",
            help="Count solutions instead, up to N, which is 2 if left out; 2+ is 2 or more.",
        ),
    ] = None,
    form: Annotated[
        FormatName | None,
        typer.Option("--format", help="Write the puzzles in this format instead."),
    ] = None,
    bulk: Annotated[
        bool,
        typer.Option("--bulk", help="Solve by the batch engine, for millions; one puzzle a line."),
    ] = False,
    limit_seconds: Annotated[
        float | None,
        typer.Option(
            "--limit-seconds",
            min=0.0,
            metavar="S",
            help="When to give up solving or counting a puzzle: after 10 seconds if left out.",
        ),
    ] = None,
    kind: Annotated[
        KindName | None, typer.Option("--kind", help="Which rules there are beside the cells.")
    ] = None,
    regions: Annotated[
        str | None,
        typer.Option(
            "--regions", metavar="TEXT", help="A character for each cell that names its region."
        ),
    ] = None,
    cages: Annotated[
        str | None,
        typer.Option(
            "--cages", metavar="JSON", help="[[sum, [cell, ...]], ...] with cells from 0."
        ),
    ] = None,
    box: BoxOption = None,
    verbose: VerboseOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Solve puzzles written as text: one line for each on stdout.

    The line is the solution's digits, or no_solution, ambiguous, gave_up or bad_puzzle.
    """
    with ending_well():
        from app.cli.puzzle_command import PuzzleOptions, answer_puzzles
        from app.puzzles.puzzle_texts import KindWishes

        options = PuzzleOptions(
            as_json,
            solver,
            hint,
            explain,
            rate,
            count,
            form,
            bulk,
            limit_seconds,
            verbose,
            quiet,
            KindWishes(None if kind is None else kind.value, regions, cages, box),
        )
        sys.exit(answer_puzzles(source, options))


@_cli.command("doctor", epilog=_EPILOG)
def _doctor(
    window: Annotated[
        bool,
        typer.Option(
            "--window", help="Also open the window, solve the sample page in it, and close it."
        ),
    ] = False,
) -> None:
    """Check the installation and say what is missing."""
    with ending_well():
        from app.cli.doctor import check_installation

        sys.exit(check_installation(opens_window=window))


add_run_commands(_cli)
add_commands(_cli)
