"""What can be typed after `sudoku-lens serve`; see `app.cli.command_line` for the rest."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from app.terminal.exits import ending_well

_EPILOG = (
    "Exit codes: 0 ended with Ctrl-C or by the system, 2 usage, a port that is taken, a folder "
    "that cannot be written, a file without a token or a certificate without its key, 4 something "
    "is missing."
)


def add_serve_command(cli: typer.Typer) -> None:
    """Give the command line the command of this module."""
    cli.command("serve", epilog=_EPILOG)(_serve)


def _serve(
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Listen on this address: that in the local network if left out; 127.0.0.1 for "
            "this computer alone, 0.0.0.0 for all that it has.",
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, metavar="N", help="Listen here; 0 for any."),
    ] = 8765,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="Another name that phones use for this computer, such as sudoku.home; the first "
            "one goes into the code. May be repeated.",
        ),
    ] = None,
    https: Annotated[
        bool,
        typer.Option(
            "--https",
            help="Encrypt, with a certificate made on the spot, as phones want it for the live "
            "camera.",
        ),
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Encrypt with this certificate (PEM), which phones trust already; with --key.",
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="The key of --certificate (PEM)."),
    ] = None,
    authority: Annotated[
        bool,
        typer.Option(
            "--authority",
            help="Encrypt with a certificate of an authority of your own, which phones install "
            "once and then warn no more.",
        ),
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            max=64,
            metavar="N",
            help="Processes that work photos off: as many as there are cores, 2 to 4, if left "
            "out. With 1, phones wait for each other.",
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            metavar="DIR",
            help="Keep every photo and its report in this folder. Without it nothing is kept.",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help="Let programs in that send the token in this file, which lasts from start to "
            "start; it is made if it is not there.",
        ),
    ] = None,
    remember: Annotated[
        bool,
        typer.Option(
            "--remember",
            help="Let phones that have scanned the code in after the next start, too.",
        ),
    ] = False,
    no_live: Annotated[
        bool, typer.Option("--no-live", help="Take photos only, not the camera's live picture.")
    ] = False,
    verbose: Annotated[
        int, typer.Option("-v", "--verbose", count=True, help="Tell more on stderr; -vv all.")
    ] = 0,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Tell errors only.")] = False,
) -> None:
    """Let a phone take the picture, and show the solution there.

    Prints an address, and on a terminal a QR code, that opens the page on a phone in the same
    Wi-Fi. Runs until Ctrl-C.
    """
    with ending_well():
        from app.cli.serve_command import ServeOptions, serve_page

        options = ServeOptions(
            host,
            port,
            tuple(name or ()),
            https,
            workers,
            keep,
            token_file,
            not no_live,
            verbose,
            quiet,
            remember,
            certificate,
            key,
            authority,
        )
        sys.exit(serve_page(options))
