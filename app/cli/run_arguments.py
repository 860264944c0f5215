"""What can be typed after `batch`, `live` and `serve`; see `app.cli.command_line` for the rest."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.cli.lab_arguments import QuietOption, VerboseOption
from app.terminal.console import ending_well

_EPILOG_BATCH = (
    "Exit codes: 0 all solved, 1 something was not solved, 2 usage or an output that cannot be "
    "written, 3 input cannot be read, 4 something is missing, 130 interrupted, "
    "143 terminated. What is done is kept in a journal, and the same command goes on from there."
)


class _EngineName(StrEnum):
    """What runs the network; the names of `models.engine.EngineKind`."""

    LITERT = "litert"
    KERAS = "keras"


def add_run_commands(cli: typer.Typer) -> None:
    """Give the command line the commands of this module."""
    cli.command("batch", epilog=_EPILOG_BATCH)(_batch)
    cli.command("live", epilog=_EPILOG_LIVE)(_live)
    cli.command("serve", epilog=_EPILOG_SERVE)(_serve)


def _batch(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="INPUT",
            help="Photos, files of puzzles, folders or patterns; - reads a list from stdin. "
            "Without any, --report is written again from the journal.",
        ),
    ] = None,
    recursive: Annotated[
        bool,
        typer.Option("-r", "--recursive", help="Enter folders to their depth; outputs keep them."),
    ] = False,
    output_dir: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output-dir",
            metavar="DIR",
            help="Write the photos with their solutions here. Without it no picture is written.",
        ),
    ] = None,
    name: Annotated[
        str,
        typer.Option(
            "--name", metavar="TEMPLATE", help="Their names, of {stem}, {suffix} and {folder}."
        ),
    ] = "{stem}-solved{suffix}",
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE", help="Write a JSON line for each photo, or .csv a row."
        ),
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            "--journal",
            metavar="FILE",
            help="Keep the journal here instead of beside the outputs.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", min=1, metavar="N", help="Processes; else one a core."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")
    ] = False,
    skip_existing: Annotated[
        bool, typer.Option("--skip-existing", help="Leave out inputs whose outputs are there.")
    ] = False,
    resume: Annotated[
        bool | None,
        typer.Option(
            "--resume/--no-resume",
            help="Use what the journal knows, as is done if neither is given; or do all again.",
        ),
    ] = None,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite", help="Do all again, and replace files in the way, whoever wrote them."
        ),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Wait for new files, until Ctrl-C.")
    ] = False,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Begin nothing more after a photo not solved.")
    ] = False,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout", min=0.0, metavar="S", help="Seconds that a photo may take; 0 for no end."
        ),
    ] = 60.0,
    shard: Annotated[
        str | None,
        typer.Option(
            "--shard", metavar="I/N", help="Do share I of N, for runs on several machines."
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Work on the cluster of this Dask scheduler, or on one of --jobs workers made "
            "here: local.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE|DIR", help="Write a gallery of all photos for a browser."
        ),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option("--solver", metavar="NAME", help="Which solver finds the solution."),
    ] = None,
    engine: Annotated[
        _EngineName, typer.Option("--engine", help="What runs the network.")
    ] = _EngineName.LITERT,
    weights: Annotated[
        Path | None,
        typer.Option("--weights", metavar="FILE", help="Another digit network, .tflite or .keras."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report's lines as they come.")
    ] = False,
    ends_with_null: Annotated[
        bool, typer.Option("-0", "--null", help="Names on stdin end with a null byte.")
    ] = False,
    verbose: VerboseOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Solve folders of photos, in several processes, and go on where a run was ended."""
    with ending_well():
        from app.batch.batch_options import BatchOptions
        from app.cli.batch_command import run_batch

        options = BatchOptions(
            recursive=recursive,
            ends_with_null=ends_with_null,
            output_dir=output_dir,
            name=name,
            report=report,
            journal=journal,
            jobs=jobs,
            dry_run=dry_run,
            skip_existing=skip_existing,
            resume=resume,
            overwrite=overwrite,
            watch=watch,
            fail_fast=fail_fast,
            timeout=timeout,
            shard=shard,
            cluster=cluster,
            html=html,
            solver=solver,
            engine=engine.value,
            weights=weights,
            as_json=as_json,
            verbose=verbose,
            quiet=quiet,
        )
        sys.exit(run_batch(inputs or [], options))


_EPILOG_SERVE = (
    "Exit codes: 0 ended with Ctrl-C or by the system, 2 usage, a port that is taken, a folder "
    "that cannot be written, a file without a token or a certificate without its key, 4 something "
    "is missing."
)


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
    verbose: VerboseOption = 0,
    quiet: QuietOption = False,
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


_EPILOG_LIVE = (
    "Exit codes: 0 a board was solved, 1 none was, 2 usage or an output that cannot be written, "
    "3 the source cannot be read, 4 something is missing, 130 interrupted, "
    "143 terminated: the video can be played as far as it was written."
)


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
    verbose: VerboseOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Follow the board of a camera or a video, with the solution lying on it."""
    with ending_well():
        from app.cli.live_command import LiveRunOptions, run_live_view

        options = LiveRunOptions(output, report, duration, delay, verbose, quiet)
        sys.exit(run_live_view(source, options))
