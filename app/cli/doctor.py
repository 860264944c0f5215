"""`sudoku-lens doctor`: is everything there, and does the whole line work?

Nothing here is imported before it is checked, so that a broken package is a finding, not a crash.
"""

import ctypes
import hashlib
import importlib
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from app.terminal.console import printable
from app.terminal.exit_codes import EXTRAS, ExitCode, MissingError

Load = Callable[[str], object]

_PACKAGES: Final = {
    "numpy": "numpy",
    "opencv-python-headless": "cv2",
    "pillow": "PIL.Image",
    "pillow-heif": "pillow_heif",
    "ai-edge-litert": "ai_edge_litert.interpreter",
    "typer": "typer",
    "rich": "rich",
}
"""Distribution and the module that proves it works."""

_EXTRA_USES: Final = {
    "train": "training networks, and the plots of compare",
    "baselines": "the solvers sat, cp-sat and py-sudoku, and the reader tesseract",
    "bulk": "the solver bulk and puzzle --bulk",
    "cluster": "batch --cluster, and photos at addresses such as s3://",
    "serve": "the page for phones",
}

QT_LIBRARIES: Final = (
    # on bare Debian 12; the last is what the camera needs
    "libgl1 libegl1 libglib2.0-0 libxkbcommon0 libdbus-1-3 libfontconfig1 libpulse0"
)

_WEIGHTS: Final = Path(__file__).parents[2] / "models" / "weights"
_SAMPLE: Final = Path(__file__).parents[1] / "gui" / "sample.jpg"
_NETWORKS: Final = {
    "digit network": "digits",
    "board digits network": "board_digits",
    "handwriting network": "hands",
    "pencil mark network": "candidates",
    "board network": "boards",
    "killer network": "cages",
    "symbol network": "symbols",
    "network of other scripts": "scripts",
    "network of other puzzles": "lookalikes",
}
"""Each with the name of its weights; the one that solves grids is judged by what it does."""

_ANEW: Final = "install sudoku-lens anew; the weights are part of it"

_FAILURES: Final = (ImportError, OSError, RuntimeError, ValueError)
"""What a network, or the pipeline, may fail with."""

_PUZZLE: Final = "2...8.3...6..7..84.3.5..2.9...1.54.8.........4.27.6...3.1..7.4.72..4..6...4.1...3"
"""Easy enough that a network which has learnt anything fills it in one pass."""


@dataclass(frozen=True)
class Finding:
    """What one check found, and what to do where it failed."""

    subject: str
    is_good: bool
    found: str
    advice: str = ""
    is_optional: bool = False
    """Not there, which is no fault: only some commands need it."""

    @property
    def state(self) -> str:
        """One word for a person."""
        if self.is_optional:
            return "without"
        return "ok" if self.is_good else "MISSING"


def check_installation(*, opens_window: bool = False) -> ExitCode:
    """Print a line for every check, and return MISSING where one failed."""
    is_good = is_complete = True
    for finding in examine(opens_window=opens_window):
        line = f"{finding.state:7} {finding.subject}: {finding.found}"
        sys.stdout.write(f"{printable(line)}\n")
        if finding.advice and (finding.is_optional or not finding.is_good):
            sys.stdout.write(f"        {finding.advice}\n")
        sys.stdout.flush()
        is_good &= finding.is_good
        is_complete &= not finding.is_optional
    if is_good:
        what = "Everything" if is_complete else "Everything that is needed"
        sys.stdout.write(f"{what} is there.\n")
    return ExitCode.SOLVED if is_good else ExitCode.MISSING


def examine(
    load: Load = importlib.import_module, *, opens_window: bool = False
) -> Iterator[Finding]:
    """Yield the finding of every check, the cheap ones first; `load` imports a module by name."""
    yield _check_python()
    for distribution, module in _PACKAGES.items():
        yield _check_module(load, distribution, module, distribution)
    for extra, distributions in EXTRAS.items():
        yield check_extra(extra, distributions)
    yield _check_tesseract()
    for subject, weights in _NETWORKS.items():
        yield _check_weights(subject, weights)
    yield _check_grid_network()
    yield _check_line()
    yield from _examine_window(load)
    if opens_window:
        yield _check_opening()


def _check_python() -> Finding:
    found = f"{platform.python_version()} on {platform.platform()}"
    is_good = (3, 11) <= sys.version_info < (3, 14)
    return Finding("Python", is_good, found, "install Python 3.11, 3.12 or 3.13")


def check_extra(extra: str, distributions: Sequence[str]) -> Finding:
    """Tell which packages of an extra are there; it is no fault if they are not."""
    versions = {distribution: _find_version(distribution) for distribution in distributions}
    there = [f"{distribution} {known}" for distribution, known in versions.items() if known]
    missing = [distribution for distribution, known in versions.items() if not known]
    subject, found = f"extra {extra}", ", ".join(there)
    if not missing:
        return Finding(subject, True, found)
    found = f"optional, for {_EXTRA_USES[extra]}; not installed: {', '.join(missing)}"
    if there:
        found += f"; installed: {', '.join(there)}"
    advice = f"to have it, run: pip install 'sudoku-lens[{extra}]'"
    return Finding(subject, True, found, advice, is_optional=True)


def _check_tesseract() -> Finding:
    """Tell whether the reader to compare with can be used; it is no fault if it cannot."""
    subject = "Tesseract, for --reader tesseract"
    try:
        from models.tesseract import TesseractReader

        return Finding(subject, True, f"version {TesseractReader.load().program_version()}")
    except (ImportError, OSError, RuntimeError) as error:
        return Finding(subject, True, f"optional, not installed: {error}", is_optional=True)


def _check_weights(subject: str, name: str) -> Finding:
    path = _WEIGHTS / f"{name}.tflite"
    try:
        data = path.read_bytes()
    except OSError as error:
        return Finding(subject, False, f"{path}: {error.strerror}", _ANEW)
    digest = hashlib.sha256(data).hexdigest()[:12]
    return Finding(subject, True, f"{len(data) / 1e6:.2f} MB, sha256 {digest}...")


def _check_grid_network() -> Finding:
    """Open the network that solves grids, and let it judge one."""
    weights = _check_weights("grid network", "grid")
    if not weights.is_good:
        return weights
    try:
        from models.grids import are_filled, legal_candidates, load_grid_network
        from solver.grid import parse_grid

        network = load_grid_network()
        grids = parse_grid(_PUZZLE).reshape(1, 81)
        start = time.perf_counter()
        judged = network.judge(grids, legal_candidates(grids))
        is_filled = bool(are_filled(judged)[0])
        seconds = time.perf_counter() - start
    except _FAILURES as error:
        return replace(weights, is_good=False, found=str(error), advice=_ANEW)
    told = "fills" if is_filled else "does not fill"
    found = f"{weights.found}, {told} an easy grid in one pass of {1000 * seconds:.1f} ms"
    return replace(weights, is_good=is_filled, found=found, advice=_ANEW)


def _check_line() -> Finding:
    """Let the whole line find, read and solve the sample page."""
    subject = "find, read and solve a board"
    try:
        from app.recognition.pipeline import Pipeline
        from vision.media.images import load_image

        pipeline = Pipeline.load()
        photo = load_image(_SAMPLE)
        start = time.perf_counter()
        outcome = pipeline.solve_photo(photo).outcome.value
        seconds = time.perf_counter() - start
    except _FAILURES as error:
        return Finding(subject, False, str(error), "see the lines above; then install anew")
    advice = "install sudoku-lens anew; if that does not help, report it with these lines"
    return Finding(subject, outcome == "solved", f"{outcome} in {seconds:.2f} s", advice)


_X11_LIBRARIES: Final = (
    # on bare Debian 12, beside those of `QT_LIBRARIES`
    "libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0 libxcb-render-util0 libxcb-shape0 "
    "libxcb-xkb1 libxkbcommon-x11-0"
)
_INSTALL: Final = "on Debian and Ubuntu run: sudo apt-get install -y --no-install-recommends"


def _examine_window(load: Load) -> Iterator[Finding]:
    # Qt tells on stderr about every library for videos that is not there.
    os.environ.setdefault("QT_LOGGING_RULES", "qt.multimedia.*=false")
    qt = _check_module(
        load, "Qt, for the window", "PySide6.QtWidgets", "pyside6-essentials", QT_LIBRARIES
    )
    yield qt
    if not qt.is_good or qt.is_optional:
        return
    if sys.platform.startswith("linux"):
        yield check_screen(load)
    yield _check_module(
        load, "Qt, for the camera", "PySide6.QtMultimedia", "pyside6-addons", "libpulse0"
    )


def _check_module(
    load: Load, subject: str, module: str, distribution: str, libraries: str = ""
) -> Finding:
    """Load a part of a package; one with `libraries` is of Qt, whose package lacks only these."""
    try:
        load(module)
        return Finding(subject, True, _find_version(distribution) or "of unknown version")
    except (ImportError, OSError) as error:
        is_missing = isinstance(error, ModuleNotFoundError)
        if libraries and is_missing and _find_version(distribution) is None:
            found = "optional, not installed; every command but the window works without it"
            advice = f"to have it, run: pip install {distribution}"
            return Finding(subject, True, found, advice, is_optional=True)
        needs_system = libraries and not is_missing
        advice = f"{_INSTALL} {libraries}" if needs_system else f"run: pip install {distribution}"
        return Finding(subject, False, str(error), advice)


def _find_version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def check_screen(load: Load, open_library: Callable[[str], object] = ctypes.CDLL) -> Finding:
    """Tell whether Qt can draw on an X11 screen; a fault only where there is such a screen."""
    subject = "Qt, for X11 screens"
    has_x11 = bool(os.environ.get("DISPLAY"))
    told = f"DISPLAY is {os.environ['DISPLAY']}" if has_x11 else "no such screen here"
    package = getattr(load("PySide6"), "__file__", None)
    if package is None:
        return Finding(subject, True, told)
    for folder in ("Qt/plugins", "plugins"):
        plugin = Path(package).parent / folder / "platforms" / "libqxcb.so"
        if plugin.exists():
            try:
                open_library(str(plugin))
            except OSError as error:
                advice = f"{_INSTALL} {_X11_LIBRARIES}"
                if has_x11:
                    return Finding(subject, False, f"{error}; {told}", advice)
                found = f"optional, as there is {told}; not installed: {error}"
                return Finding(subject, True, found, advice, is_optional=True)
    return Finding(subject, True, told)


def _check_opening() -> Finding:
    """Open the window, solve the sample page in it, and close it again."""
    subject = "open the window and solve the sample page in it"
    try:
        from app.gui.start import solve_in_window

        checked = solve_in_window()
    except (ImportError, MissingError) as error:
        return Finding(subject, False, str(error), "see the lines above")
    found = (
        f"{checked.outcome}; the window came after {checked.shown_seconds:.2f} s, "
        f"the solution after {checked.solved_seconds:.2f} s; "
        f"cameras: {', '.join(checked.cameras) or 'none'}"
    )
    if not checked.plays_videos:
        found += "; Qt finds no part of it that plays videos"
    is_good = checked.outcome == "solved" and checked.plays_videos
    return Finding(subject, is_good, found, "report it with these lines")
