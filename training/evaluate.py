"""Measures each quality of the product by a command of its own, or all and keeps their tables.

    python -m training.evaluate photos ../shared/data/photos
    python -m training.evaluate rendered --level 3
    python -m training.evaluate human --kinds 50

`--help` after the name lists what each takes.

    python -m training.evaluate all build/figures/before
    python -m training.evaluate all build/figures/after --against build/figures/before

keeps today's figures of recognition in a folder, and lays two such folders side by side. Each
measure is a command of its own, run from the present folder. What it prints is kept as `NAME.md`; a
measure that is there already is not run again. All together take some hours; with `--only` a few.
"""

import argparse
import importlib
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple


def make_parser(name: str, description: str) -> argparse.ArgumentParser:
    """Return the parser of an evaluation's command line."""
    prog = f"python -m training.evaluate {name}"
    return argparse.ArgumentParser(prog=prog, description=description)


def make_table(heads: str, rows: Iterable[Iterable[object]]) -> str:
    """Return a table, its heads told as `one | other`."""
    return "\n".join([format_head(heads), *map(format_row, rows)])


def format_head(heads: str) -> str:
    """Return the two lines above the rows of a table; the first head may be empty."""
    return f"| {heads.lstrip()} |\n" + "|---" * (heads.count(" | ") + 1) + "|"


def format_row(cells: Iterable[object]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def read_table(text: str) -> dict[str, dict[str, str]]:
    """Return the first cell of every row of the Markdown tables in a text, and its cells by head.

    Of two rows of one name the first counts.
    """
    rows: dict[str, dict[str, str]] = {}
    heads: list[str] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("|"):
            heads = []
            continue
        cells = [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]
        if not heads:
            is_ruled = number + 1 < len(lines) and re.fullmatch(r"[|\-: ]+", lines[number + 1])
            heads = cells if is_ruled else []
        elif not set(line) <= set("|-: "):
            rows.setdefault(cells[0], dict(zip(heads[1:], cells[1:], strict=False)))
    return rows


SUBJECTS: Final = {
    "photos": "training.evaluation.photo_verdicts",
    "rendered": "training.evaluation.rendered_pages",
    "kinds": "training.evaluation.kind_boards",
    "written": "training.evaluation.written_boards",
    "candidates": "training.evaluation.written_boards:count_candidates",
    "ambiguous": "training.evaluation.hidden_clue_claims",
    "digits": "training.evaluation.digit_readers",
    "grids": "training.evaluation.grid_networks",
    "human": "training.evaluation.human_techniques",
    "check": "training.evaluation.changed_cells",
    "live": "training.evaluation.live_overlays",
}
_PHOTOS: Final = "../shared/data/photos"
PUZZLES: Final = Path(__file__).parents[2] / "shared" / "data" / "puzzles"


class Measure(NamedTuple):
    """A command, and what of its tables is compared.

    Attributes:
        name: of the file that keeps what it prints.
        command: module and arguments.
        columns: that are compared, by their heads.
        rows: what the compared rows begin with, without asterisks; all rows if none is named.
    """

    name: str
    command: str
    columns: tuple[str, ...]
    rows: tuple[str, ...] = ()


_OF_CLAIMS: Final = ("n", "solved right", "claims that are wrong", "digit in an empty cell")
_OF_LIVE: Final = ("right overlay", "wrong digits", "first overlay, s", "ms a frame, median / 95 %")
_OF_PAGES: Final = ("boards", "located", "solved right", "WRONG shown", "s")
_OF_PHOTOS: Final = ("located", "cells right", "right", "WRONG shown")
_OF_TURNS: Final = ("90°", "180°", "270°", "random, up to 45°")
_HIDDEN: Final = ("all clues", "a clue hidden")
_FOLDS: Final = f"{_PHOTOS} --folds build/digits"
_TURNED: Final = "--puzzles --turn 90 --turn 180 --turn 270 --turn random"
_LEVEL_5: Final = "rendered --level 5 --count 60 --seed"
_SEVERAL: Final = "rendered --several --count 24 --seed"

_EVALUATIONS: Final[tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("photos", f"photos {_FOLDS}", _OF_PHOTOS, ("all",)),
    ("turned", f"photos {_FOLDS} {_TURNED}", ("located", "right", "WRONG shown"), _OF_TURNS),
    ("check", f"check {_FOLDS}", ("n", "exactly that", "WRONG solution"), ()),
    ("ambiguous-photos", f"ambiguous {_FOLDS} --sample 120", _OF_CLAIMS, _HIDDEN),
    ("ambiguous-rendered", "ambiguous --rendered 1000 --seed 800000", _OF_CLAIMS, _HIDDEN),
    ("level-3-a", "rendered --level 3 --seed 310000", _OF_PAGES, ("level 3",)),
    ("level-3-b", "rendered --level 3 --seed 320000", _OF_PAGES, ("level 3",)),
    ("level-5-a", f"{_LEVEL_5} 510000", _OF_PAGES, ("level 5",)),
    ("level-5-b", f"{_LEVEL_5} 520000", _OF_PAGES, ("level 5",)),
    ("level-5-c", f"{_LEVEL_5} 530000", _OF_PAGES, ("level 5",)),
    ("several-3", f"{_SEVERAL} 330000", _OF_PAGES, ("level 3",)),
    ("several-5", f"{_SEVERAL} 540000 --level 5", _OF_PAGES, ("level 5",)),
    ("newspapers", "rendered --newspapers 100", _OF_PAGES, ("whole newspapers",)),
    ("decoys", "rendered --decoys 500", _OF_PAGES, ("all decoys",)),
    ("live", f"live {_PHOTOS}", _OF_LIVE, ("all",)),
)
MEASURES: Final = (
    *(Measure(name, f"training.evaluate {one}", *of) for name, one, *of in _EVALUATIONS),
    Measure("speed", f"benchmarks.line {_PHOTOS}", ("find", "read", "total")),
)


def measure(chosen: Sequence[Measure], folder: Path) -> int:
    """Run what is not kept in a folder yet; return how many commands failed.

    A command that finds a wrong solution ends with 1, and its figures are kept all the same.
    """
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for one in chosen:
        kept = folder / f"{one.name}.md"
        if kept.exists():
            continue
        print(f"{one.name}: python -m {one.command}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", *one.command.split()]
        ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if not read_table(ended.stdout):
            print(f"{one.name}: ended with {ended.returncode} and no table", file=sys.stderr)
            failed += 1
            continue
        unfinished = kept.with_suffix(".part")
        unfinished.write_text(ended.stdout, encoding="utf-8")
        unfinished.replace(kept)
    return failed


def format_figures(chosen: Sequence[Measure], folders: Sequence[Path]) -> str:
    """Return the figures of folders side by side, as a Markdown table; `–` for what is missing."""
    lines = []
    for one in chosen:
        files = [folder / f"{one.name}.md" for folder in folders]
        tables = [read_table(file.read_text("utf-8")) if file.exists() else {} for file in files]
        rows = one.rows or tuple(dict.fromkeys(name for table in tables for name in table))
        for row in rows:
            for column in one.columns:
                found = [table.get(row, {}).get(column, "–") for table in tables]
                if set(found) != {"–"}:
                    lines.append((f"{one.name}, {row}", column, *found))
    names = " | ".join(folder.name for folder in folders)
    return make_table(f"measure | figure | {names}", lines)


def keep_figures(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a command printed no table."""
    names = [one.name for one in MEASURES]
    parser = make_parser(
        "all", "Keep the figures of recognition, and lay them beside earlier ones."
    )
    parser.add_argument("folder", type=Path, help="where they are kept")
    parser.add_argument("--only", action="append", choices=names, help="of these measures")
    parser.add_argument("--against", type=Path, help="folder of earlier figures")
    options = parser.parse_args(arguments)
    if options.against is not None and not options.against.is_dir():
        print(f"there is no folder {options.against}; name one with figures", file=sys.stderr)
        return 3
    chosen = [one for one in MEASURES if options.only is None or one.name in options.only]
    failed = measure(chosen, options.folder)
    folders = [] if options.against is None else [options.against]
    print(format_figures(chosen, [*folders, options.folder]))
    return 1 if failed else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation that the command line names."""
    name, *rest = (sys.argv[1:] if arguments is None else arguments) or [""]
    if name in ("-h", "--help"):
        print(f"{__doc__}\nNames: {', '.join([*SUBJECTS, 'all'])}")
        return 0
    if name == "all":
        return keep_figures(rest)
    if name not in SUBJECTS:
        names = ",".join([*SUBJECTS, "all"])
        print(f"usage: python -m training.evaluate {{{names}}} …", file=sys.stderr)
        return 2
    # TensorFlow and OpenCV take seconds to import: only what is asked for is loaded.
    module, _, function = SUBJECTS[name].partition(":")
    subject = importlib.import_module(module)
    return int(getattr(subject, function or "main")(rest) or 0)


if __name__ == "__main__":
    sys.exit(main())
