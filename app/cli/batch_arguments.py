"""What can be typed after `sudoku-lens batch`; see `app.cli.command_line` for the rest."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.terminal.exits import ending_well

_EPILOG = (
    "Exit codes: 0 all solved, 1 something was not solved, 2 usage or an output that cannot be "
    "written, 3 input cannot be read, 4 something is missing, 130 interrupted, "
    "143 terminated. What is done is kept in a journal, and the same command goes on from there."
)


class _EngineName(StrEnum):
    """What runs the network; the names of `models.engine.EngineKind`."""

    LITERT = "litert"
    KERAS = "keras"


def add_batch_command(cli: typer.Typer) -> None:
    """Give the command line the command of this module."""
    cli.command("batch", epilog=_EPILOG)(_batch)


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
    verbose: Annotated[
        int, typer.Option("-v", "--verbose", count=True, help="Tell more on stderr; -vv tells all.")
    ] = 0,
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="Tell errors only on stderr.")
    ] = False,
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
