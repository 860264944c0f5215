"""The command `sudoku-lens`: what can be typed, and nothing that is slow to import.

Every command's work is in its own module, which is imported when the command runs.
"""

import importlib
import inspect
import os
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from app.cli.command_options import (
    BatchOptions,
    CompareOptions,
    LiveRunOptions,
    PuzzleOptions,
    ServeOptions,
    SolveOptions,
    WishOptions,
    list_parameters,
)
from app.terminal.console import start_logging
from app.terminal.exit_codes import UsageError, ending_well

_EARLY_ENDS: Final = "130 interrupted, 143 terminated"
_EPILOG: Final = (
    "Exit codes: 0 all solved, 1 something was not solved, 2 usage or an output that cannot be "
    f"written, 3 input cannot be read, 4 something is missing, {_EARLY_ENDS}."
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
    """Give the options whose value may be left out the value that is meant then."""
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


def _add_command(
    name: str,
    options: type,
    work: str,
    typed: Any = None,
    *,
    about: str,
    epilog: str = _EPILOG,
    empty: Any = None,
) -> None:
    """Let a command be typed, whose options are the fields of a dataclass.

    Args:
        work: `module:function` of this folder, imported when the command runs. It takes what is
            typed before the options, if anything, and the options, and returns the exit code.
        options: among whose fields are `verbose` and `quiet`.
        typed: the annotation of what stands before the options; None where nothing does.
        empty: what stands for nothing there; None where something must be there.
    """
    parameters = list_parameters(options)
    if typed is not None:
        default = inspect.Parameter.empty if empty is None else None
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.insert(0, inspect.Parameter("typed", kind, default=default, annotation=typed))

    def run(**fields: Any) -> None:
        with ending_well():
            module, _, function = work.partition(":")
            act = getattr(importlib.import_module(f"app.cli.{module}"), function)
            given = [fields.pop("typed")] if typed is not None else []
            given = [empty if one is None else one for one in given]
            start_logging(fields["verbose"], fields["quiet"])
            sys.exit(act(*given, options(**fields)))

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    _cli.command(name, help=about, epilog=epilog)(run)


_add_command(
    "solve",
    SolveOptions,
    "solve_command:solve_photos",
    Annotated[
        list[str],
        typer.Argument(metavar="PHOTO", help="Photos of Sudokus; - reads one from stdin."),
    ],
    about="Solve the Sudokus on photos and draw the solutions into them.",
)
_add_command(
    "puzzle",
    PuzzleOptions,
    "puzzle_command:answer_puzzles",
    Annotated[
        str,
        typer.Argument(
            metavar="TEXT|FILE|-",
            help="81 cells with . or 0 for empty, a link, or a file in any format; - reads from "
            "stdin.",
        ),
    ],
    about="Solve puzzles written as text: one line for each on stdout.\n\n"
    "The line is the solution's digits, or no_solution, ambiguous, gave_up or bad_puzzle.",
)


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


_add_command(
    "batch",
    BatchOptions,
    "batch_command:run_batch",
    Annotated[
        list[str] | None,
        typer.Argument(
            metavar="INPUT",
            help="Photos, files of puzzles, folders or patterns; - reads a list from stdin. "
            "Without any, --report is written again from the journal.",
        ),
    ],
    about="Solve folders of photos, in several processes, and go on where a run was ended.",
    empty=(),
    epilog=f"{_EPILOG} What is done is kept in a journal, and the same command goes on from there.",
)
_add_command(
    "live",
    LiveRunOptions,
    "live_command:run_live_view",
    Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A video, a folder of frames, the number of a camera (0 is the first), or an "
            "address such as rtsp://… or http://…",
        ),
    ],
    about="Follow the board of a camera or a video, with the solution lying on it.",
    epilog="Exit codes: 0 a board was solved, 1 none was, 2 usage or an output that cannot be "
    "written, 3 the source cannot be read, 4 something is missing, "
    f"{_EARLY_ENDS}: the video can be played as far as it was written.",
)
_add_command(
    "serve",
    ServeOptions,
    "serve_command:serve_page",
    about="Let a phone take the picture, and show the solution there.\n\n"
    "Prints an address, and on a terminal a QR code, that opens the page on a phone in the same "
    "Wi-Fi. Runs until Ctrl-C.",
    epilog="Exit codes: 0 ended with Ctrl-C or by the system, 2 usage, a port that is taken, a "
    "folder that cannot be written, a file without a token or a certificate without its key, 4 "
    "something is missing.",
)
_add_command(
    "generate",
    WishOptions,
    "generate_command:generate",
    about="Make new puzzles, each proved to have exactly one solution: one line for each on "
    "stdout.",
    epilog="Exit codes: 0 done, 1 fewer puzzles were found than wanted, 2 usage or an output that "
    f"cannot be written, {_EARLY_ENDS}.",
)
_add_command(
    "compare",
    CompareOptions,
    "compare_command:compare_solvers",
    Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Puzzles in any format; a further column may hold a rating or the solution.",
        ),
    ],
    about="Compare solvers on files of puzzles: tables on stdout, by difficulty and clue count.",
    epilog="Exit codes: 0 done, 1 a solver claimed what is not so, 2 usage or an output that "
    f"cannot be written, 3 input cannot be read, 4 something is missing, {_EARLY_ENDS}.",
)
