"""What can be typed after `sudoku-lens live`; see `app.cli.command_line` for the rest."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from app.terminal.exits import ending_well

_EPILOG = (
    "Exit codes: 0 a board was solved, 1 none was, 2 usage or an output that cannot be written, "
    "3 the source cannot be read, 4 something is missing, 130 interrupted, "
    "143 terminated: the video can be played as far as it was written."
)


def add_live_command(cli: typer.Typer) -> None:
    """Give the command line the command of this module."""
    cli.command("live", epilog=_EPILOG)(_live)


def _live(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A video, a folder of frames, the number of a camera (0 is the first), or an "
            "address such as rtsp://… or http://…",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write the live view as a video."),
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(
            "--report", metavar="FILE", help="Write a JSON line for each frame; - is stdout."
        ),
    ] = None,
    duration: Annotated[
        float | None,
        typer.Option("--duration", min=0.0, metavar="S", help="End after so many seconds."),
    ] = None,
    delay: Annotated[
        float,
        typer.Option(
            "--delay",
            min=0.0,
            metavar="S",
            help="Hold back what is recognised in a video's frame for so many seconds, or for as "
            "long as that takes if it is more, as if frames came from a camera.",
        ),
    ] = 0.0,
    verbose: Annotated[
        int, typer.Option("-v", "--verbose", count=True, help="Tell more on stderr; -vv all.")
    ] = 0,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Tell errors only.")] = False,
) -> None:
    """Follow the board of a camera or a video, with the solution lying on it."""
    with ending_well():
        from app.cli.live_command import LiveRunOptions, run_live_view

        options = LiveRunOptions(output, report, duration, delay, verbose, quiet)
        sys.exit(run_live_view(source, options))
