"""Tries a bundle where nothing else is: no Python, few variables, another folder.

    python packaging/try_bundle.py dist/sudoku-lens

It opens its window, solves a photo, a puzzle and a folder of photos in processes of its own, serves
the page for phones, and tells its size. A bundle for macOS is tried as
`dist/Sudoku Lens.app/Contents/MacOS`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.request import HTTPCookieProcessor, Request, build_opener

SAMPLE: Final = Path(__file__).parents[1] / "samples" / "newspaper.jpg"
PUZZLE: Final = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SERVE: Final = ("serve", "--host", "127.0.0.1", "--port", "0", "--workers", "1")
KEPT: Final = ("PATH", "DISPLAY", "SYSTEMROOT", "TEMP")
"""Variables that a program may count on; Windows gives the last two to all."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    (name,) = arguments if arguments is not None else sys.argv[1:]
    folder = Path(name).resolve()
    program = folder / ("sudoku-lens.exe" if sys.platform == "win32" else "sudoku-lens")
    with tempfile.TemporaryDirectory() as home:
        shutil.copy(SAMPLE, home)
        tries = (
            (("--version",), "sudoku-lens "),
            (("solve", SAMPLE.name, "-o", "solved.jpg"), "solved; checked, and the only solution"),
            (("puzzle", PUZZLE), "534678912672195348198342567"),
            (("batch", ".", "--output-dir", "out"), ""),
            (("doctor", "--window"), "open the window and solve the sample page in it: solved"),
        )
        failed = [words for words, expected in tries if not _does(program, words, expected, home)]
        if not _serves(program, home):
            failed.append(SERVE)
    size = sum(path.stat().st_size for path in folder.rglob("*") if not path.is_symlink())
    print(f"{folder.name}: {size / 1e6:.0f} MB, {len(failed)} of {len(tries) + 1} tries failed")
    return 1 if failed else 0


def _serves(program: Path, home: str) -> bool:
    """Tell whether the page for phones opens, and a photo sent to it is solved."""
    with subprocess.Popen(
        [program, *SERVE], cwd=home, env=_variables(home), stdout=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stdout is not None
        url = serving.stdout.readline().strip()
        browser = build_opener(HTTPCookieProcessor())
        try:
            with browser.open(url, timeout=60) as page:
                is_good = b"<!doctype html>" in page.read()
            place = url.partition("?")[0]
            kind = {"Content-Type": "image/jpeg"}
            photo = Request(f"{place}api/photos", SAMPLE.read_bytes(), kind)
            with browser.open(photo, timeout=60) as answer:
                is_good &= json.load(answer)["outcome"] == "solved"
        except (OSError, ValueError) as error:
            is_good = False
            print(error)
        serving.terminate()
    print(f"{'ok    ' if is_good else 'FAILED'} sudoku-lens {' '.join(SERVE)}", flush=True)
    return is_good


def _variables(home: str) -> dict[str, str]:
    variables = {name: os.environ[name] for name in KEPT if name in os.environ}
    variables["HOME"] = home
    if "DISPLAY" not in variables and sys.platform.startswith("linux"):
        variables["QT_QPA_PLATFORM"] = "offscreen"
    return variables


def _does(program: Path, words: tuple[str, ...], expected: str, home: str) -> bool:
    done = subprocess.run(
        [program, *words],
        cwd=home,
        env=_variables(home),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    is_good = done.returncode == 0 and expected in done.stdout
    print(f"{'ok    ' if is_good else 'FAILED'} sudoku-lens {' '.join(words)}", flush=True)
    if not is_good:
        print(done.stdout + done.stderr)
    return is_good


if __name__ == "__main__":
    sys.exit(main())
