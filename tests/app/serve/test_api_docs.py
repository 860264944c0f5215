"""docs/api_http.md tells every address, field and error, and its examples work as they stand."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from serve_process import serving
from serve_rig import SETTINGS

from app.serve.api.application import GUARDED, make_application
from app.serve.api.problems import Problem
from app.serve.request_workers import make_request_pool
from app.serve.security.request_limits import BodyLimits, Rate, Rates

TEXT: Final = (Path(__file__).parents[3] / "docs" / "api_http.md").read_text(encoding="utf-8")
SECTIONS: Final[dict[str, str]] = dict(
    re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", TEXT, re.MULTILINE)
)
ROUTE: Final = re.compile(r"(GET|POST|DELETE) (/api/\w+)")
DESCRIPTION: Final = make_application(SETTINGS, make_request_pool(SETTINGS)).openapi()
SHELL: Final = "".join(re.findall(r"^\w+\(\) \{ .*\n", TEXT, re.MULTILINE))
"""What the examples call."""
OF_JSON: Final = (
    Problem.BAD_REQUEST,
    Problem.TOO_SLOW,
    Problem.TOO_LARGE,
    Problem.WRONG_TYPE,
    Problem.INVALID,
)
OPERATIONS: Final = {
    f"{method.upper()} {path}": operation
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
}


def fields_of(schema: dict[str, Any] | None) -> Iterator[str]:
    """Yield the names of all fields of a schema and of those that it refers to."""
    if schema is None:
        return
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from fields_of(DESCRIPTION["components"]["schemas"][name])
    fields = schema.get("properties", {})
    yield from fields
    for within in (*fields.values(), *schema.get("anyOf", ()), schema.get("items")):
        yield from fields_of(within)


def test_every_address_of_the_description_has_a_section_and_no_other_has() -> None:
    assert [title for title in SECTIONS if ROUTE.fullmatch(title)] == list(OPERATIONS)


@pytest.mark.parametrize("label", OPERATIONS)
def test_every_field_that_is_sent_or_answered_is_told(label: str) -> None:
    operation = OPERATIONS[label]
    sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    answered = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
    query = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}

    names = {*fields_of(sent.get("schema")), *fields_of(answered.get("schema")), *query}
    told = set(re.findall(r"`(\w+)`", SECTIONS[label]))

    assert names - told == set()


@pytest.mark.parametrize("label", OPERATIONS)
def test_every_error_is_told_where_it_may_come(label: str) -> None:
    codes = {
        code
        for status, response in OPERATIONS[label]["responses"].items()
        if int(status) >= 400
        for code in re.findall(r"`(\w+)`", response["description"])
    }
    listed = re.search(r"^Errors: (.+)$", SECTIONS[label], flags=re.MULTILINE)

    told = set(re.findall(r"`([a-z_]+)`", listed.group(1))) if listed else set()
    everywhere: tuple[Problem, ...] = GUARDED
    if "application/json" in OPERATIONS[label].get("requestBody", {}).get("content", {}):
        everywhere += OF_JSON
    assert told == codes - {problem.code for problem in everywhere}


def test_every_problem_is_listed_with_its_status() -> None:
    rows = re.findall(r"^- `(\w+)` \((\d+)\): ", TEXT, flags=re.MULTILINE)

    assert rows == [(problem.code, str(problem.status)) for problem in Problem]
    for problem in (*GUARDED, *OF_JSON):
        assert f"`{problem.code}`" in SECTIONS["Answers and errors"]


def test_the_figures_of_the_text_are_those_in_use() -> None:
    rates, bodies = Rates(), BodyLimits()
    shares = {
        "photos": rates.photo,
        "puzzles, hints, lessons and the like": rates.small,
        "frames of a camera": rates.frame,
        "everything": rates.anything,
    }

    rows = [f"| {what} | {_figures(rate)} |" for what, rate in shares.items()]

    assert all(row in TEXT for row in rows)
    assert f"{bodies.photo_bytes // 10**6} MB and {SETTINGS.max_pixels // 10**6} meg" in TEXT
    assert f"any other body {bodies.other_bytes // 1024} kB" in TEXT
    assert f"more than {bodies.photo_bytes // 10**6} MB, or" in TEXT
    assert f"more than {SETTINGS.max_pixels // 10**6} megapixels" in TEXT
    assert f"more than {SETTINGS.task_seconds:g} seconds" in TEXT
    assert f"a frame {bodies.frame_bytes // 10**6} MB" in TEXT


def _figures(rate: Rate) -> str:
    return f"{rate.burst} | {rate.per_second:g} | {rate.at_once}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a Unix shell")
def test_the_examples_work_as_they_stand(newspaper: Path, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    for name in ("page.jpg", "frame.jpg"):
        shutil.copy(newspaper, tmp_path / name)
    path = tmp_path / "token"
    with serving("--token-file", path) as served:
        address = {"server": f"http://127.0.0.1:{served.port}", "token": path.read_text().strip()}
        tried = 0
        for title, section in SECTIONS.items():
            if not ROUTE.fullmatch(title):
                continue
            blocks = re.findall(r"^```(sh|json)\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
            told = next((json.loads(text) for kind, text in blocks if kind == "json"), None)
            for number, command in enumerate(text for kind, text in blocks if kind == "sh"):
                done = subprocess.run(
                    ["sh", "-euc", SHELL + command],
                    cwd=tmp_path,
                    env={**os.environ, **address},
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.returncode == 0, f"{command}{done.stderr}"
                tried += 1
                if number == 0 and told is not None:
                    assert _shape(json.loads(done.stdout)) == _shape(told), title

    assert tried == len(OPERATIONS) + 1
    assert (tmp_path / "solved.jpg").read_bytes()[:2] == b"\xff\xd8"


def _shape(answer: Any) -> Any:
    """Return the names in an answer, of objects within objects as well, without their order."""
    if not isinstance(answer, dict):
        return None
    return {name: _shape(value) for name, value in answer.items() if not name.isdigit()}
