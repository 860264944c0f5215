"""Report and gallery of a journal's last run, written again without doing anything else."""

import sys
from contextlib import closing
from pathlib import Path

from app.batch.batch_options import BatchOptions
from app.batch.journal.run_journal import Journal
from app.batch.report.run_gallery import page_of, write_gallery
from app.batch.report.run_report import reports_of, write_report
from app.batch.report.run_summary import Tally
from app.terminal.console import printable
from app.terminal.exits import ExitCode, InputError


def report_again(path: Path | None, options: BatchOptions) -> ExitCode:
    """Write what is wanted of a journal's last run, or only say so for a dry run.

    Args:
        path: of the journal, if it has one.
        options: what is wanted, and where.

    Raises:
        InputError: if there is no journal, or nothing is wanted.
        UsageError: if it cannot be written.
    """
    is_wanted = options.report is not None or options.html is not None
    if path is None or not is_wanted or not path.exists():
        raise InputError("there is nothing to be worked on; name photos or a folder")
    with closing(Journal.open(path)) as journal:
        journal.open_last_run()
        if options.dry_run:
            return _preview_report(journal, options)
        names: list[str] = []
        if options.report is not None:
            n = write_report(journal, options.report)
            names.append(str(options.report))
        if options.html is not None:
            n = write_gallery(journal, options.html)
            names.append(str(page_of(options.html)))
        tally = Tally()
        for report in reports_of(journal):
            tally.add(report["outcome"], is_known=True)
    told = printable(", ".join(names))
    sys.stdout.write(f"{n:,} in {told}: {tally.describe()}\n")
    return tally.worst


def _preview_report(journal: Journal, options: BatchOptions) -> ExitCode:
    n = sum(1 for _ in reports_of(journal))
    page = None if options.html is None else page_of(options.html)
    for path in (options.report, page):
        if path is not None:
            photos = "1 photo" if n == 1 else f"{n:,} photos"
            sys.stdout.write(f"{printable(str(path))}: written again, of {photos}\n")
    return ExitCode.SOLVED
