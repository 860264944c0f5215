"""What of a batch cannot be done as it was asked for, and which files it writes of its own."""

import os
from collections.abc import Sequence
from pathlib import Path

from app.batch.inputs import holds_puzzles
from app.batch.output_files import check_template
from app.batch.run_journal import JOURNAL_NAME, JOURNAL_SUFFIX
from app.batch.run_report import check_gallery, check_report, page_of, rows_of
from app.batch.sources import PHOTO_SUFFIXES, is_address
from app.cli.photo_options import BatchOptions, check_weights
from app.terminal.console import UsageError
from app.terminal.named_files import STDIN, check_folder


def check_options(names: Sequence[str], options: BatchOptions) -> tuple[int, int]:
    """Refuse what cannot be done before anything is, and return the share to be done.

    Raises:
        UsageError: if options exclude each other, or an output can never be written.
        MissingError: if the weights that are named are not there.
    """
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
    written = own_files(options)
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


def own_files(options: BatchOptions) -> dict[str, Path]:
    """Return the files that a run writes beside overlays and solutions, by what they are.

    Raises:
        UsageError: if the journal has no place.
    """
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
