"""`sudoku-lens batch`: folders of photos, with a journal, so that nothing is lost or done twice.

Here too: what of a batch cannot be done as it was asked for.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.batch.batch_run import Run, RunOptions
from app.batch.inputs import InputFilter, InputNames, holds_puzzles
from app.batch.overlay_files import NamerOptions, OutputNamer, Outputs, check_template
from app.batch.photo_work import (
    Engine,
    Work,
    WorkOptions,
    describe_settings,
    load_alike,
    load_work,
    work_here,
)
from app.batch.run_journal import JOURNAL_NAME, JOURNAL_SUFFIX, Journal
from app.batch.run_progress import RunSummary, showing_batch
from app.batch.run_report import (
    check_gallery,
    check_report,
    files_of,
    page_of,
    reports_of,
    rows_of,
    write_gallery,
    write_report,
)
from app.batch.sources import (
    PHOTO_SUFFIXES,
    InputFile,
    absolute_path,
    is_address,
    real_folder,
)
from app.cli.command_options import BatchOptions
from app.recognition.outcome import Outcome
from app.terminal.console import printable
from app.terminal.exit_codes import (
    ExitCode,
    InputError,
    Stop,
    UsageError,
    stopping_on_signals,
)
from app.terminal.named_files import STDIN, check_folder, check_weights, make_folder
from app.workers.child_process import Talk, count_cores
from app.workers.worker_pool import PoolOptions
from vision.media.whole_files import remove_temporaries

_WATCH_REPORT_SECONDS: Final = 10.0
_ENDING: Final = "ending after the photos in hand; Ctrl-C once more ends at once"


def run_batch(
    names: Sequence[str],
    options: BatchOptions,
    load: Callable[[WorkOptions], Work] = load_work,
) -> ExitCode:
    """Work off photos and files of puzzles, and go on where an earlier run was ended.

    Without names, only the report of the journal's last run is written again.

    Args:
        names: files, folders, patterns, or `-` for a list on stdin.
        load: a function of a module, loads what does a photo's work in each process.

    Raises:
        UsageError: if options exclude each other, or the journal or an output cannot be written.
        InputError: if there is nothing to be worked on.
        MissingError: if the networks cannot be run, or the solver needs what is not installed.
    """
    share, shares = _check_options(names, options)
    path = journal_path(options)
    if not names:
        return _report_again(path, options)
    with stopping_on_signals(_ENDING) as stop:
        is_kept = path is not None and (not options.dry_run or path.exists())
        if path is not None and not options.dry_run:
            make_folder(path.parent)
        with closing(Journal.open(path if is_kept else None)) as journal:
            is_fresh = options.resume is False or (options.overwrite and not options.resume)
            journal.begin_run(describe_settings(_work_options(options)), is_fresh=is_fresh)
            batch = _Batch(names, options, journal, stop, (share, shares), load)
            if options.dry_run:
                return batch.preview()
            return batch.work_off()


def _work_options(options: BatchOptions) -> WorkOptions:
    return WorkOptions(options.solver, options.engine, options.weights)


class _Batch:
    def __init__(
        self,
        names: Sequence[str],
        options: BatchOptions,
        journal: Journal,
        stop: Stop,
        share: tuple[int, int],
        load: Callable[[WorkOptions], Work],
    ) -> None:
        self._options = options
        self._load = load
        self._journal = journal
        self._stop = stop
        folder = options.output_dir
        output_dir = None if folder is None else real_folder(absolute_path(folder))
        gallery = None
        if options.html is not None:
            gallery = real_folder(absolute_path(files_of(page_of(options.html))))
        self._intake = InputFilter(
            InputNames(tuple(names), options.recursive, options.ends_with_null),
            Outputs(journal, output_dir, gallery),
            is_watched=options.watch,
            is_overwriting=options.overwrite,
        )
        is_sharded = share[1] > 1
        own = _own_files(options).values()
        reserved = frozenset(os.path.realpath(path).casefold() for path in own)
        goal = NamerOptions(output_dir, options.name, is_sharded, reserved)
        chosen = RunOptions(
            overwrite=options.overwrite,
            skip_existing=options.skip_existing,
            fail_fast=options.fail_fast,
            timeout=options.timeout or None,
            share=share[0],
            shares=share[1],
            is_drawn=folder is not None,
            reads_contents=options.cluster is None,
        )
        self._run = Run(
            journal,
            OutputNamer(journal, goal, self._intake.may_include),
            chosen,
            stop,
            _print_report if options.as_json else None,
        )

    def preview(self) -> ExitCode:
        is_any = False
        for line in self._run.preview(self._intake.files(self._run.tally.complain)):
            sys.stdout.write(f"{printable(line)}\n")
            is_any = True
        if not is_any:
            self._say_nothing_found()
        return self._run.tally.worst

    def work_off(self) -> ExitCode:
        options, tally = self._options, self._run.tally
        start = time.perf_counter()
        if options.report is not None:
            remove_temporaries(options.report)
        counting: Future[int] = Future()
        quiet = options.quiet
        with showing_batch(tally, counting, quiet=quiet, prints=options.as_json) as show:
            if self._intake.can_be_counted and not (quiet or options.watch):
                # The first photos need not wait for that.
                count = self._intake.counter(self._run.is_in_share)
                threading.Thread(target=lambda: counting.set_result(count()), daemon=True).start()
            self._run.work_off(self._source(), self._engine(), show)
        self._run.solve_texts(quiet=quiet)
        self._journal.commit()
        if options.watch:
            tally.recount(report["outcome"] for report in reports_of(self._journal))
        if options.report is not None:
            write_report(self._journal, options.report)
        if options.html is not None:
            write_gallery(self._journal, options.html)
        if not (tally.photos or tally.texts or tally.skipped or self._stop()):
            self._say_nothing_found()
            return tally.worst
        self._print_summary(time.perf_counter() - start)
        return tally.worst if self._stop.code is None else self._stop.code

    def _say_nothing_found(self) -> None:
        tally = self._run.tally
        if tally.worst is ExitCode.SOLVED:
            tally.note(ExitCode.BAD_INPUT)
            tally.tell("there is no photo and no puzzle; check the names, or add --recursive")

    def _engine(self) -> Engine:
        options, work = self._options, _work_options(self._options)
        load = partial(self._load, work)
        pool = PoolOptions(
            workers=options.jobs or count_cores(),
            timeout=options.timeout or None,
            talk=Talk(options.verbose, options.quiet),
        )
        if options.cluster is None:
            return partial(work_here, load, pool)
        from app.batch.dask_cluster import work_on_cluster

        load_there = partial(load_alike, describe_settings(work), work, load)
        return partial(work_on_cluster, load_there, options.cluster, pool)

    def _source(self) -> Iterator[InputFile | None]:
        if not self._options.watch:
            return self._intake.files(self._run.tally.complain)
        return self._serving(self._intake.watched(self._stop))

    def _serving(self, watched: Iterator[InputFile | None]) -> Iterator[InputFile | None]:
        """Solve texts and write the report now and then, while nothing new is there."""
        written, at = 0, time.monotonic()
        for found in watched:
            yield found
            if found is not None:
                continue
            self._run.solve_texts(quiet=self._options.quiet)
            n, report = self._run.tally.photos, self._options.report
            if report and n != written and time.monotonic() - at >= _WATCH_REPORT_SECONDS:
                write_report(self._journal, report)
                written, at = n, time.monotonic()

    def _print_summary(self, seconds: float) -> None:
        options, lines = self._options, self._run.tally.summarize(seconds).split("\n")
        if options.output_dir is not None:
            outcomes = self._run.tally.outcomes
            solved = [("pictures", outcomes[Outcome.SOLVED]), ("texts", self._run.tally.texts)]
            lines += [f"Solved {name}: {options.output_dir}" for name, n in solved if n]
        if options.report is not None:
            lines.append(f"Report: {options.report}")
        if options.html is not None:
            lines.append(f"Gallery: {page_of(options.html)}")
        stream = sys.stderr if options.as_json else sys.stdout
        if stream is not None and not (options.as_json and options.quiet):
            stream.write("".join(f"{printable(line)}\n" for line in lines))


def _print_report(report: dict[str, Any]) -> None:
    sys.stdout.write(f"{json.dumps(report)}\n")
    sys.stdout.flush()


def _report_again(path: Path | None, options: BatchOptions) -> ExitCode:
    """Write what is wanted of a journal's last run, or only say so for a dry run."""
    is_wanted = options.report is not None or options.html is not None
    if options.journal is not None and not options.journal.exists():
        raise InputError(f"there is no journal {options.journal}; check the name")
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
        tally = RunSummary()
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


def _check_options(names: Sequence[str], options: BatchOptions) -> tuple[int, int]:
    """Refuse what cannot be done before anything is, and return the share to be done."""
    if "" in names:
        raise UsageError("the name of an input is empty; name a file or a folder")
    exclusive = {
        "--skip-existing and --overwrite": options.skip_existing and options.overwrite,
        "--watch and --dry-run": options.watch and options.dry_run,
        "--watch and -": options.watch and STDIN in names,
        "--watch and addresses": options.watch and any(map(is_address, names)),
    }
    for wishes, are_both in exclusive.items():
        if are_both:
            raise UsageError(f"{wishes} exclude each other; choose one")
    check_template(options.name)
    if options.output_dir is not None:
        check_folder(options.output_dir)
    elif options.name != BatchOptions.name:
        raise UsageError("--name names pictures, and none are written; add --output-dir")
    if options.report is not None:
        check_report(options.report)
        check_folder(options.report.parent)
    _check_apart(names, options)
    if options.journal is not None:
        check_folder(options.journal.parent)
        if options.journal.suffix.lower() in PHOTO_SUFFIXES:
            raise UsageError(f"--journal {options.journal} is named like a photo; choose another")
    if options.html is not None:
        check_gallery(options.html, overwrite=options.overwrite)
    if options.cluster is not None:
        from app.batch.dask_cluster import check_packages

        check_packages()
    if options.solver is not None:
        from app.recognition.solver_choice import choose_solver

        choose_solver(options.solver)
    check_weights(options.weights, options.engine)
    return parse_shard(options.shard)


def _check_apart(names: Sequence[str], options: BatchOptions) -> None:
    """Refuse a report, a journal and a gallery that would replace an input or each other."""
    written = _own_files(options)
    places: dict[str, str] = {}
    for what, path in written.items():
        place = os.path.normcase(os.path.realpath(path))
        if place in places:
            raise UsageError(f"{places[place]} and {what} are the same file, {path}; name two")
        places[place] = what
    for name in names:
        place = "" if is_address(name) else os.path.normcase(os.path.realpath(name))
        if place in places:
            what = places[place]
            raise UsageError(f"{what}, {written[what]}, is one of the inputs; name another file")
    for what, path in written.items():
        if holds_puzzles(os.fspath(path)):  # it may be one of a folder
            raise UsageError(f"{what}, {path}, is there already and holds puzzles; name another")


def _own_files(options: BatchOptions) -> dict[str, Path]:
    """Return the files that a run writes beside overlays and solutions, by what they are."""
    page = None if options.html is None else page_of(options.html)
    written = {
        "the report": options.report,
        "the journal": journal_path(options),
        "the gallery": page,
        "the gallery's list": None if page is None else rows_of(page),
    }
    return {what: path for what, path in written.items() if path is not None}


def parse_shard(text: str | None) -> tuple[int, int]:
    """Return which share of how many `I/N` means, the first being 0 of N.

    Raises:
        UsageError: if it means none.
    """
    if text is None:
        return 0, 1
    first, slash, second = text.partition("/")
    if not (slash and first.isdecimal() and second.isdecimal() and 1 <= int(first) <= int(second)):
        raise UsageError(f"--shard {text} must be I/N with I from 1 to N, such as 1/4")
    return int(first) - 1, int(second)


def journal_path(options: BatchOptions) -> Path | None:
    """Return where the journal is, or None where nothing is kept but in memory.

    Raises:
        UsageError: if there can be none beside what is written.
    """
    if options.journal is not None:
        return options.journal
    if options.output_dir is not None:
        # Shards have one each: a journal serves one run at a time.
        share = "" if options.shard is None else f"-{options.shard.replace('/', '-of-')}"
        return options.output_dir / f"{JOURNAL_NAME}{share}{JOURNAL_SUFFIX}"
    for path in (options.report, options.html):
        if path is not None:
            place = path.absolute()  # a folder may be typed as a dot
            if not place.name:
                raise UsageError(f"{path} cannot have a journal beside it; name it with --journal")
            return place.with_name(f"{place.name}.journal")
    return None
