"""`sudoku-lens generate`: new puzzles, each proved to have exactly one solution."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.cli.command_options import WishOptions
from app.puzzles.new_puzzle import plan_classic
from app.terminal.console import Clock, say, showing_progress
from app.terminal.exit_codes import ExitCode, UsageError, stopping_on_signals
from app.terminal.named_files import STDOUT, check_folder, make_folder, naming_output
from solver.formats import KIND_FORMATS, Format, format_kind, write_any
from solver.formats_kinds import parse_boxes
from solver.generation.generate import (
    GenerateOptions,
    Symmetry,
    generate_puzzles,
    warm_up_generator,
)
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid, GridError
from solver.human.walk import Level
from solver.rules import Kind
from vision.media.whole_files import open_whole, remove_temporaries


def generate(wish: WishOptions, clock: Clock = time.monotonic) -> ExitCode:
    """Make puzzles and write them; fewer than wanted is said, and is no success.

    Where it is ended early, what is made by then is written.

    Raises:
        UsageError: if no puzzle can be as wanted, or the output cannot be written.
    """
    if wish.output == Path(STDOUT):
        wish = replace(wish, output=None)
    if wish.output is not None:
        if wish.output.is_dir():
            raise UsageError(f"{wish.output} cannot be written: it is a folder; name a file in it")
        check_folder(wish.output.parent)
    if wish.grids != WishOptions.grids and wish.kind != Kind.SAMURAI.value:
        raise UsageError("--grids is for samurais; leave it out, or add --kind samurai")
    if wish.gives_rules:
        return _generate_kinds(wish, clock)
    _format([np.zeros((wish.size, wish.size), np.uint8)], wish)  # refuses before the work

    def may_go_on() -> bool:
        advance(0)
        return clock() < end and not stop()

    options = _plan(wish, may_go_on)
    warm_up_generator(wish.size)
    end = clock() + wish.limit_seconds
    seed = int.from_bytes(os.urandom(4), "big") if wish.seed is None else wish.seed
    with stopping_on_signals() as stop:
        with showing_progress("puzzles", wish.count, quiet=wish.quiet, clock=clock) as advance:
            made = generate_puzzles(
                wish.count,
                options,
                seed,
                threads=os.cpu_count() or 1,
                may_go_on=may_go_on,
                advance=advance,
            )
        if len(made.puzzles) or stop.code is None:
            _write(_format(made.puzzles, wish), wish)
    return _report(len(made.puzzles), f"{made.attempts:,} attempts", wish, seed, stop.code)


def _generate_kinds(wish: WishOptions, clock: Clock) -> ExitCode:
    """Make puzzles whose rules must be told, one line for each: a JSON object or a link."""
    form = Format(wish.form)
    if wish.difficulty is not None:
        raise UsageError("--difficulty is for classic puzzles; leave it out")
    if form not in KIND_FORMATS or (wish.kind == Kind.SAMURAI.value and form is not Format.LINE):
        raise UsageError(f"{form.value} holds no {wish.kind} puzzles; leave --format out")
    try:
        options = KindOptions(
            Kind(wish.kind),
            wish.size,
            None if wish.box is None else parse_boxes(wish.box),
            wish.clues,
            Symmetry(wish.symmetry),
            wish.grids,
        )
    except ValueError as error:
        raise UsageError(f"there are no such puzzles: {error}") from error
    begin = clock()
    seed = int.from_bytes(os.urandom(4), "big") if wish.seed is None else wish.seed
    lines: list[str] = []
    with stopping_on_signals() as stop:
        with showing_progress("puzzles", wish.count, quiet=wish.quiet, clock=clock) as advance:

            def may_go_on() -> bool:
                advance(0)
                return clock() < begin + wish.limit_seconds and not stop()

            for puzzle in generate_kind(wish.count, options, seed, may_go_on):
                lines.append(f"{format_kind(puzzle, form)}\n")
                advance(1)
        if lines or stop.code is None:
            _write("".join(lines), wish)
    return _report(len(lines), f"{clock() - begin:.0f} seconds", wish, seed, stop.code)


def _plan(wish: WishOptions, may_go_on: Callable[[], bool]) -> GenerateOptions:
    if wish.difficulty is not None and wish.size != 9:
        raise UsageError(f"only 9×9 puzzles are rated, not {wish.size}×{wish.size}; leave one out")
    level, symmetry = wish.difficulty and Level(wish.difficulty), Symmetry(wish.symmetry)
    try:
        return plan_classic(level, may_go_on, side=wish.size, clues=wish.clues, symmetry=symmetry)
    except ValueError as error:
        raise UsageError(f"there are no such puzzles: {error}") from error


def _format(puzzles: Iterable[Grid], wish: WishOptions) -> str:
    try:
        return "".join(f"{line}\n" for line in write_any(puzzles, Format(wish.form)))
    except GridError as error:
        raise UsageError(str(error)) from error


def _write(text: str, wish: WishOptions) -> None:
    """Write the puzzles to stdout, or to a file that is whole or not there at all."""
    if wish.output is None:
        sys.stdout.write(text)
        return
    make_folder(wish.output.parent)
    remove_temporaries(wish.output)
    with naming_output(wish.output), open_whole(wish.output) as file:
        file.write(text.encode())


def _report(
    n_made: int, spent: str, wish: WishOptions, seed: int, stop_code: ExitCode | None
) -> ExitCode:
    if wish.seed is None and not wish.quiet and wish.verbose:
        say(f"the seed was {seed}")
    if stop_code is not None:
        say(f"ended early, with {n_made} of {wish.count} puzzles; run it again for all")
        return stop_code
    if n_made == wish.count:
        return ExitCode.SOLVED
    say(
        f"only {n_made} of {wish.count} puzzles were found in {spent}; "
        "wish for less, or allow more time with --limit-seconds"
    )
    return ExitCode.NOT_SOLVED
