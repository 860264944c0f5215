"""Who may import whom: checked over every file."""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import pytest
from command_rig import run_python

from solver.grid import parse_grid
from training.pages.flat_board import render_board

PROJECT: Final = Path(__file__).resolve().parent.parent
OURS: Final = ("app", "vision", "solver", "models", "training", "sudoku_lens")
BASELINES: Final = frozenset({"pysat", "ortools", "sudoku"})
NETWORKS: Final = frozenset({"keras", "tensorflow"})
CLUSTER: Final = frozenset({"dask", "distributed", "fsspec"})
SERVER: Final = frozenset(
    {"fastapi", "starlette", "uvicorn", "h11", "pydantic", "segno", "cryptography"}
)


class Allowed(NamedTuple):
    """What a package may import beside the standard library and itself."""

    ours: frozenset[str]
    outside: frozenset[str]


TABLE: Final = {
    "models": Allowed(frozenset(), frozenset({"numpy", "ai_edge_litert"})),
    "vision": Allowed(frozenset(), frozenset({"numpy", "cv2", "PIL", "pillow_heif"})),
    "solver": Allowed(frozenset(), frozenset({"numpy", "numba"})),
    "training": Allowed(
        frozenset({"models", "vision", "solver"}),
        frozenset({"numpy", "cv2", "PIL", "matplotlib", "numba", "scipy", "h5py"}) | NETWORKS,
    ),
    "sudoku_lens": Allowed(frozenset({"app", "models", "vision", "solver"}), frozenset({"numpy"})),
    "app": Allowed(
        frozenset({"models", "vision", "solver"}), frozenset({"numpy", "PIL", "typer", "rich"})
    ),
}


class Import(NamedTuple):
    """One imported module and the line where it is imported."""

    module: str
    line: int
    at_import_time: bool


def source_files(package: str) -> list[Path]:
    return sorted((PROJECT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[Import]:
    """Yield every import of a file, wherever it stands, with relative ones made absolute."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside_functions = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    package = path.relative_to(PROJECT).parent.parts
    for node in ast.walk(tree):
        at_import_time = id(node) not in inside_functions
        if isinstance(node, ast.Import):
            for name in node.names:
                yield Import(name.name, node.lineno, at_import_time)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*start, *([node.module] if node.module else [])])
            yield Import(module, node.lineno, at_import_time)


def is_allowed(path: Path, found: Import) -> bool:
    """Tell whether the table lets this file import this module."""
    package, *inner = path.relative_to(PROJECT).parts
    root = found.module.partition(".")[0]
    allowed = TABLE[package]
    if root in sys.stdlib_module_names or root == package or root in allowed.ours:
        return True
    if root in allowed.outside:
        return True
    if package == "models" and root in NETWORKS:
        builds_networks = path.stem.endswith("_net") or path.stem == "export"
        return builds_networks or not found.at_import_time
    if package == "models" and root == "pytesseract":
        return path.stem == "tesseract" and not found.at_import_time
    if package == "solver" and root == "models":
        return inner[0] == "neural"
    if package == "solver" and root in BASELINES:
        return inner[0] == "exact" and not found.at_import_time
    if package == "app" and root in CLUSTER:
        return inner[0] == "batch" and not found.at_import_time
    if package == "app" and root in SERVER:
        return inner[0] == "serve"
    if package == "app" and inner[0] == "serve" and found.module == "PySide6.QtCore":
        return not found.at_import_time  # the translators' texts, which no display is needed for
    if package == "app" and root == "matplotlib":
        return not found.at_import_time
    return package == "app" and root == "PySide6" and inner[0] == "gui"


@pytest.mark.slow
@pytest.mark.parametrize("package", OURS)
def test_a_package_imports_only_what_the_table_allows(package: str) -> None:
    files = source_files(package)

    broken = [
        f"{path.relative_to(PROJECT)}:{found.line} imports {found.module}"
        for path in files
        for found in imports(path)
        if not is_allowed(path, found)
    ]

    assert files
    assert broken == []


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("vision/finder/lines.py", "solver.grid"),
        ("vision/finder/lines.py", "keras"),
        ("solver/grid.py", "cv2"),
        ("solver/exact/bitmask.py", "models.digits"),
        ("solver/exact/packaged_solvers.py", "pysat.solvers"),
        ("models/digits.py", "tensorflow"),
        ("models/tesseract.py", "pytesseract"),
        ("app/cli/command_line.py", "training.evaluate"),
        ("app/cli/command_line.py", "PySide6.QtWidgets"),
        ("app/compare/comparison_table.py", "matplotlib"),
        ("app/batch/dask_cluster.py", "distributed"),
        ("app/cli/command_line.py", "fastapi"),
        ("app/cli/serve_command.py", "uvicorn"),
        ("app/serve/api/puzzle_tasks.py", "PySide6.QtWidgets"),
        ("training/evaluate.py", "app.recognition.pipeline"),
    ],
)
def test_the_table_refuses_imports_across_the_layers(path: str, module: str) -> None:
    assert not is_allowed(PROJECT / path, Import(module, 1, at_import_time=True))


def test_no_package_folder_inside_tests_shadows_ours() -> None:
    assert list((PROJECT / "tests").rglob("__init__.py")) == []


MOST_MODULES: Final = 16
"""In one folder, beside `__init__` and `__main__`: what a reader takes in at a glance."""


STAIRS: Final = (
    {"cli"},
    {"gui"},
    {"serve", "batch", "compare"},
    {"live", "board", "help", "puzzles"},
    {"report"},
    {"recognition"},
    {"workers"},
    {"terminal"},
)
"""The rooms of `app`, the uppermost first: a room imports only from those further down."""


def test_a_room_of_the_app_imports_only_from_rooms_below() -> None:
    floor = {f"app.{room}": number for number, rooms in enumerate(STAIRS) for room in rooms}
    upward = [
        f"{path.relative_to(PROJECT)}:{found.line} imports {found.module}"
        for room, own in floor.items()
        for path in source_files(room.replace(".", "/"))
        for found in imports(path)
        for other in [".".join(found.module.split(".")[:2])]
        if other.startswith("app.") and other != room and floor.get(other, -1) <= own
    ]

    assert {f"app.{path.name}" for path in (PROJECT / "app").iterdir() if has_code(path)} == set(
        floor
    )
    assert upward == []


def has_code(folder: Path) -> bool:
    return (folder / "__init__.py").exists()


@pytest.mark.parametrize("package", [*OURS, "benchmarks"])
def test_no_room_is_crowded_or_repeats_a_name(package: str) -> None:
    rooms = Counter(path.parent for path in source_files(package) if path.stem[0] != "_")
    names = Counter(path.stem for ours in (*OURS, "benchmarks") for path in source_files(ours))

    crowded = {str(room.relative_to(PROJECT)): n for room, n in rooms.items() if n > MOST_MODULES}
    repeated = {path.stem for path in source_files(package) if names[path.stem] > 1}

    assert source_files(package)
    assert crowded == {}
    assert repeated <= {"__init__", "__main__"}


def loaded_modules(code: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter holds after running the code."""
    report = "import sys; print('\\n'.join(sorted({m.partition('.')[0] for m in sys.modules})))"
    return set(run_python("-c", f"{code}\n{report}", check=True).stdout.split())


def test_importing_the_command_line_loads_no_heavy_package() -> None:
    loaded = loaded_modules("import app.cli.command_line")

    assert "app" in loaded
    assert loaded.isdisjoint({"tensorflow", "keras", "PySide6", "cv2", "numpy", "PIL"})


def test_solving_a_photo_loads_neither_tensorflow_nor_qt(tmp_path: Path) -> None:
    image, _ = render_board(parse_grid("." * 81))
    cv2.imwrite(str(tmp_path / "blank.png"), image)
    photo = str(tmp_path / "blank.png")

    loaded = loaded_modules(
        "from app.cli.solve_command import SolveOptions, solve_photos\n"
        f"solve_photos([{photo!r}], SolveOptions(as_json=True, quiet=True))"
    )

    assert {"cv2", "ai_edge_litert"} <= loaded
    assert loaded.isdisjoint({"tensorflow", "keras", "PySide6"})
