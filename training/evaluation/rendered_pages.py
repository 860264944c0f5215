"""Runs the product over rendered photos of a level of hardness, and over decoys.

    python -m training.evaluate rendered --level 3 --count 200
    python -m training.evaluate rendered --level 3 --count 50 --several
    python -m training.evaluate rendered --newspapers 100
    python -m training.evaluate rendered --decoys 500
    python -m training.evaluate rendered --decoys 80 --only kakuro suguru

prints Markdown tables. Seeds name photos: the same ones are rendered by every run.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.digits import DigitReader
from training.evaluation.failures.failure_gallery import GalleryEntry, write_gallery
from training.evaluation.failures.photo_failures import explainer
from training.evaluation.photo_verdicts import run_product
from training.evaluation.rendered_verdicts import (
    PhotoVerdict,
    format_names,
    format_table,
    group_by_factor,
    judge_photo,
)
from training.rendered.levels import LEVELS
from training.rendered.photographed_decoys import DECOYS, render_decoy
from training.rendered.rendered_photos import (
    MANY_BOARDS,
    RenderedPhoto,
    render_newspaper,
    render_photo,
)
from vision.media.images import save_image

_CHUNK: Final = 40
"""Photos that lie in the folder at a time, unless they are kept."""

Render = Callable[[], RenderedPhoto]

OnFailure = Callable[[Path, str, RenderedPhoto, dict[str, Any]], None]
"""Takes the folder, the photo's file in it, the truth, and the product's report."""


def evaluate(
    jobs: Sequence[tuple[str, Render]],
    folder: Path,
    *,
    is_kept: bool,
    on_failure: OnFailure | None = None,
    finder: str = "classic",
) -> Iterator[PhotoVerdict]:
    """Render photos, run the product over them and yield its verdicts.

    Args:
        jobs: a name and what renders it, for each photo.
        folder: where the photos are written, as PNG.
        is_kept: leave them there.
        on_failure: called for every photo that is not right, while it is there.
        finder: as `sudoku-lens solve --finder` takes it.
    """
    for start in range(0, len(jobs), _CHUNK):
        chunk, truths = jobs[start : start + _CHUNK], []
        for name, render in chunk:
            rendered = render()
            save_image(folder / f"{name}.png", rendered.photo)
            # The picture is on disk: only the truth is kept in memory.
            empty = np.zeros((0, 0, 3), np.uint8)
            truths.append(RenderedPhoto(empty, rendered.boards, rendered.circumstances))
        files = [f"{name}.png" for name, _ in chunk]
        reports = run_product(folder, files, ["--finder", finder])
        for (name, _), truth, report in zip(chunk, truths, reports, strict=True):
            verdict = judge_photo(name, truth, report)
            _tell_failure(verdict, report)
            if on_failure is not None and not verdict.is_right:
                on_failure(folder, f"{name}.png", truth, report)
            yield verdict
        if not is_kept:
            for name, _ in chunk:
                (folder / f"{name}.png").unlink()


def _tell_failure(verdict: PhotoVerdict, report: dict[str, Any]) -> None:
    if verdict.is_right:
        return
    stages = ", ".join(board.stage.value for board in verdict.boards)
    facts = verdict.circumstances
    print(
        f"{verdict.name}: {'WRONG shown, ' if verdict.is_wrong else ''}{stages} "
        f"({report['outcome']}); {facts.medium}, cell {facts.cell_px:.0f} px, tilt "
        f"{facts.tilt:.0f}, turn {facts.turn:.0f}, bend {facts.bend:.2f}, defocus "
        f"{facts.focus:.3f}, smear {facts.motion:.2f}, light {facts.brightness:.2f}, shadow "
        f"{facts.shadow:.2f}, noise {facts.noise:.1f}"
        f"{', written' if facts.has_writing else ''}"
        f"{', candidates' if facts.has_candidates else ''}{', dark' if facts.is_dark else ''}",
        file=sys.stderr,
    )


def _jobs(options: argparse.Namespace) -> list[tuple[str, Render]]:
    seeds = range(options.seed, options.seed + options.count)
    jobs: list[tuple[str, Render]] = []
    if options.decoys:
        kinds = options.only or list(DECOYS)
        for seed in range(options.seed, options.seed + options.decoys):
            kind = kinds[seed % len(kinds)]
            jobs.append((f"{kind}-{seed}", _decoy(kind, seed, options.level)))
        return jobs
    if options.newspapers:
        pages = range(options.seed, options.seed + options.newspapers)
        return [(f"newspaper-{seed}", _newspaper(seed)) for seed in pages]
    for seed in seeds:
        boards = list(MANY_BOARDS)[seed % len(MANY_BOARDS)] if options.several else 1
        turn = None
        if options.turned:
            turn = float(np.random.default_rng([seed, 1]).uniform(-180, 180))
        name = f"level{options.level}-{seed}{f'-{boards}boards' if boards > 1 else ''}"
        jobs.append((name, _page(options.level, seed, boards, turn)))
    return jobs


def _page(level: int, seed: int, boards: int, turn: float | None) -> Render:
    return lambda: render_photo(level, seed, boards, turn)


def _newspaper(seed: int) -> Render:
    return lambda: render_newspaper(seed)


def _decoy(kind: str, seed: int, level: int) -> Render:
    return lambda: render_decoy(kind, seed, level)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a wrong solution was shown."""
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluate rendered",
        description="Score the product on rendered photos of puzzle pages, or on decoys.",
    )
    parser.add_argument("--level", type=int, choices=list(LEVELS), default=3)
    parser.add_argument("--count", type=int, default=200, help="photos")
    parser.add_argument("--seed", type=int, default=0, help="of the first photo; the next follow")
    parser.add_argument("--several", action="store_true", help="pages of 2, 3, 4 and 6 boards")
    parser.add_argument(
        "--newspapers", type=int, default=0, help="so many whole pages in 12 megapixels instead"
    )
    parser.add_argument("--decoys", type=int, default=0, help="so many decoys instead of pages")
    parser.add_argument("--only", nargs="+", choices=list(DECOYS), help="decoys of these kinds")
    parser.add_argument("--finder", default="classic", choices=["classic", "network"])
    parser.add_argument("--turned", action="store_true", help="the camera turned any way")
    parser.add_argument("--keep", type=Path, help="folder where the photos are left")
    parser.add_argument("--gallery", type=Path, help="write a page of the failures here")
    options = parser.parse_args(arguments)
    jobs = _jobs(options)
    if not jobs:
        parser.error("--count must be 1 or more")
    place: AbstractContextManager[str | Path] = nullcontext(options.keep)
    if options.keep is None:
        place = tempfile.TemporaryDirectory(prefix="rendered-")
    else:
        options.keep.mkdir(parents=True, exist_ok=True)
    entries: list[GalleryEntry] = []
    explain = explainer(DigitReader.load)

    def collect(folder: Path, file: str, truth: RenderedPhoto, report: dict[str, Any]) -> None:
        entries.extend(explain(folder, file, truth, report))

    on_failure = None if options.gallery is None else collect
    with place as folder:
        is_kept = options.keep is not None
        found = evaluate(jobs, Path(folder), is_kept=is_kept, on_failure=on_failure,
                         finder=options.finder)  # fmt: skip
        verdicts = list(found)
    if options.decoys:
        kinds = [(kind, [v for v in verdicts if v.name.startswith(f"{kind}-")]) for kind in DECOYS]
        print(format_table([*kinds, ("**all decoys**", verdicts)]))
        print(f"\n{format_names(kinds)}")
    else:
        name = "whole newspapers" if options.newspapers else f"level {options.level}"
        print(format_table([(f"**{name}**", verdicts), *group_by_factor(verdicts)]))
    if options.gallery is not None:
        title = f"Failures on {len(verdicts)} rendered photos"
        print(f"\nFailures: {write_gallery(options.gallery, entries, title)}")
    return 1 if any(verdict.is_wrong for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
