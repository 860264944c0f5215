"""`sudoku-lens solve`: from photos to verified solutions, on the terminal and as pictures."""

import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.cli.command_options import SolveOptions
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.results import PhotoResult
from app.recognition.solver_choice import choose_solver, needing_parts
from app.recognition.timing import StageClock
from app.report.photo_report import CheckStyle, check_entries, format_report, format_summary
from app.report.report_pictures import draw_solutions, draw_stages
from app.terminal.console import printable, say, show_aside
from app.terminal.exit_codes import ExitCode, InputError, MissingError, UsageError
from app.terminal.named_files import (
    STDIN,
    STDOUT,
    check_folder,
    check_weights,
    distinct_stems,
    make_folder,
    name_of,
    open_stdin,
    plan_outputs,
)
from models.engine import EngineError
from solver.base import MissingPackageError
from solver.formats import parse_any_kind
from solver.grid import GridError
from vision.geometry import Image8
from vision.media.images import ImageError, encode_image, load_photo, save_image

logger = logging.getLogger(__name__)

_CODES = {Outcome.SOLVED: ExitCode.SOLVED, Outcome.BAD_IMAGE: ExitCode.BAD_INPUT}
"""Every other outcome is NOT_SOLVED."""

_STDOUT_FORMAT = ".png"


@dataclass(frozen=True)
class _Job:
    """One photo: what it is called, where its overlay goes, and how its stages begin."""

    name: str
    output: Path | None
    stem: str


def solve_photos(names: Sequence[str], options: SolveOptions) -> ExitCode:
    """Solve the boards of every photo, print what came of each and write its overlay.

    Args:
        names: files, or `-` for stdin.

    Raises:
        MissingError: if the networks cannot be run, or the solver needs what is not installed.
        UsageError: if an output cannot be written, or there is no such solver.
    """
    if options.is_revealed and not options.is_check:
        raise UsageError("--reveal goes with --check; without it the solution is shown anyway")
    if options.output == STDOUT and options.as_json:
        raise UsageError("--json and -o - both write to stdout; name a file after -o")
    if options.output == STDOUT and sys.stdout.isatty():
        raise UsageError("-o - would fill the terminal with a picture; send stdout to a file")
    if "" in names:
        raise UsageError("the name of a photo is empty; name a file, or - for stdin")
    outputs = plan_outputs(names, options.output)
    if options.debug is not None:
        check_folder(options.debug)
    jobs = [_Job(*job) for job in zip(names, outputs, distinct_stems(names), strict=True)]
    solver = None if options.solver is None else choose_solver(options.solver)
    if options.reader != "network" and (options.weights is not None or options.engine != "litert"):
        raise UsageError(
            f"--weights and --engine are for the network; leave them out with --reader "
            f"{options.reader}"
        )
    check_weights(options.weights, options.engine)
    chosen = PipelineOptions(solver, options.reader, options.engine, options.weights, options.kind)
    pipeline = _load_pipeline(chosen)
    with needing_parts(f"the solver {solver}"):
        return max(_solve_one(job, pipeline, options) for job in jobs)


def _advise(name: str) -> str:
    """Return which command is meant where the name is no photo's."""
    if os.path.isdir(name):  # noqa: PTH112 - which takes what is too long for a name
        return "; `sudoku-lens batch` solves folders"
    try:
        parse_any_kind(name)
    except GridError:
        return "; `sudoku-lens batch` takes addresses" if "://" in name else ""
    return "; `sudoku-lens puzzle` solves text"


def _load_pipeline(options: PipelineOptions) -> Pipeline:
    try:
        return Pipeline.load(options)
    except MissingPackageError as error:
        raise MissingError(f"the solver {options.solver} cannot be used: {error}") from error
    except EngineError as error:  # of the digit network, or of a solver that loads its own at once
        raise MissingError(str(error)) from error


def _solve_one(job: _Job, pipeline: Pipeline, options: SolveOptions) -> ExitCode:
    clock = StageClock()
    try:
        with clock.stage("load"):
            source = open_stdin() if job.name == STDIN else job.name
            photo = load_photo(source, name="stdin")
    except (ImageError, InputError) as error:
        say(f"{error}{_advise(job.name)}")
        _print(job, PhotoResult(Outcome.BAD_IMAGE, (), (), clock.seconds()), options)
        return ExitCode.BAD_INPUT
    image = photo.pixels
    name = name_of(job.name)
    for warning in () if options.quiet else photo.warnings:
        say(f"{name}: {warning}")
    result = replace(pipeline.solve_photo(image, clock), warnings=photo.warnings)
    stages = ", ".join(f"{stage} {1000 * spent:.1f} ms" for stage, spent in result.seconds.items())
    logger.info("%s: %s; %s", name, result.outcome.value, stages)
    _print(job, result, options)
    code = _CODES.get(result.outcome, ExitCode.NOT_SOLVED)
    if _check_style(options) is not None:
        code = max(code, _judge_entries(result))
    try:
        _write_pictures(job, image, result, options)
    except UsageError as error:  # the next photo may have a name that can be written
        say(str(error))
        code = max(code, error.code)
    return code


def _check_style(options: SolveOptions) -> CheckStyle | None:
    """Return how entries are judged, or None where the boards are solved for their own sake."""
    return CheckStyle(options.is_revealed) if options.is_check else None


def _write_pictures(job: _Job, image: Image8, result: PhotoResult, options: SolveOptions) -> None:
    """Write the picture with the solutions, and those of the stages, as far as they are wanted."""
    is_wanted = job.output is not None or options.output == STDOUT
    if not is_wanted and options.debug is None:
        return
    overlay = draw_solutions(image, result, _check_style(options))
    if options.debug is not None:
        make_folder(options.debug)
        for stage, picture in draw_stages(image, result, overlay):
            _save(options.debug / f"{job.stem}-{stage}.png", picture)
    if is_wanted:
        _write_overlay(job, overlay, options)


def _judge_entries(result: PhotoResult) -> ExitCode:
    """Return NOT_SOLVED unless every entry of every solved board is right."""
    checked = [check_entries(board) for board in result.boards]
    is_faultless = all(one.is_faultless for one in checked if one is not None)
    return ExitCode.SOLVED if is_faultless else ExitCode.NOT_SOLVED


def _write_overlay(job: _Job, overlay: Image8 | None, options: SolveOptions) -> None:
    if overlay is None:
        if not options.quiet:
            told = f"{job.output} is not" if job.output is not None else "no picture is"
            say(f"{name_of(job.name)}: nothing solved, so {told} written")
        return
    if job.output is None:
        # Where Python is told not to buffer, stdout itself may write a part only.
        with open(sys.stdout.fileno(), "wb", closefd=False) as whole:
            whole.write(encode_image(overlay, _STDOUT_FORMAT))
        return
    make_folder(job.output.parent)
    _save(job.output, overlay)
    if not options.as_json:
        what = "Solved" if _check_style(options) is None else "Checked"
        sys.stdout.write(f"{what} picture: {printable(str(job.output))}\n")


def _save(path: Path, picture: Image8) -> None:
    try:
        save_image(path, picture)
    except ImageError as error:
        raise UsageError(str(error)) from error


def _print(job: _Job, result: PhotoResult, options: SolveOptions) -> None:
    name = name_of(job.name)
    if options.as_json:
        line = format_report(name, result, _check_style(options))
    else:
        is_terminal = sys.stdout.isatty()
        name = printable(name)
        line = format_summary(name, result, is_terminal=is_terminal, check=_check_style(options))
    if options.output != STDOUT:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    elif not options.quiet:
        show_aside(line)
