"""The commands of the laboratory: `generate` and `compare`; see `app.cli` for the rest."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from app.exits import ending_well

_EPILOG_COMPARE = (
    "Exit codes: 0 done, 1 a solver claimed what is not so, 2 usage or an output that cannot be "
    "written, 3 input cannot be read, 4 something is missing, 130 interrupted."
)

_VerboseOption = Annotated[
    int, typer.Option("-v", "--verbose", count=True, help="Tell more on stderr; -vv tells all.")
]
_QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="Tell errors only on stderr.")]


def add_commands(cli: typer.Typer) -> None:
    """Give the command line the commands of this module."""
    cli.command("compare", epilog=_EPILOG_COMPARE)(_compare)


def _compare(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Puzzles in any format; a further column may hold a rating or the solution.",
        ),
    ],
    solvers: Annotated[
        list[str] | None,
        typer.Option(
            "--solver", metavar="NAME", help="A solver to compare, once for each; or all of them."
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=1, metavar="N", help="Draw so many puzzles of each file."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the draw.")] = 0,
    limit_seconds: Annotated[
        float,
        typer.Option(
            "--limit-seconds", min=0.0, metavar="S", help="Seconds that a solve may take."
        ),
    ] = 10.0,
    limit_nodes: Annotated[
        int | None,
        typer.Option("--limit-nodes", min=0, metavar="N", help="Nodes that it may visit."),
    ] = None,
    limit_iterations: Annotated[
        int | None,
        typer.Option("--limit-iterations", min=0, metavar="N", help="Iterations that it may do."),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", min=1, max=os.cpu_count() or 1, metavar="N", help="Processes."),
    ] = 1,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Keep every solve here; a later run goes on from it."
        ),
    ] = None,
    plots: Annotated[
        Path | None, typer.Option("--plots", metavar="DIR", help="Draw plots into this folder.")
    ] = None,
    verbose: _VerboseOption = 0,
    quiet: _QuietOption = False,
) -> None:
    """Compare solvers on files of puzzles: tables on stdout, by difficulty and clue count."""
    with ending_well():
        from app.commands_compare import CompareOptions, compare_solvers
        from solver.base import Limits

        limits = Limits(limit_seconds, limit_nodes, limit_iterations)
        options = CompareOptions(
            tuple(solvers or ()), sample, seed, limits, jobs, csv, plots, verbose, quiet
        )
        sys.exit(compare_solvers(files, options))
