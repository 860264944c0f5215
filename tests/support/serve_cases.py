"""Requests that Schemathesis makes up from the server's own description, and a command for many.

    python tests/support/serve_cases.py [--cases 2000] [--seed 0]

It prints a line for each operation and kind of case: how many were sent, what was answered, and how
many failed. It ends with 1 if any did. Positive cases fit the description, negative ones do not.
"""

import argparse
import contextlib
import itertools
import json
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import requests
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from requests.adapters import HTTPAdapter
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance
from serve_process import Served, serving

WITHOUT_INPUT: Final = ("GET /api/health", "GET /api/session")
WITH_INPUT: Final = (
    "POST /api/photos",
    "POST /api/pictures",
    "POST /api/puzzles",
    "POST /api/hints",
    "POST /api/ratings",
    "POST /api/exports",
    "POST /api/imports",
    "POST /api/creations",
    "POST /api/lessons",
    "POST /api/practices",
    "POST /api/live",
    "DELETE /api/live",
)
_ANY_BYTES: Final = "POST /api/pictures"
"""Takes nothing but bytes, so that nothing can be sent that the description does not allow."""

KINDS: Final = [(label, GenerationMode.POSITIVE) for label in WITHOUT_INPUT + WITH_INPUT] + [
    (label, GenerationMode.NEGATIVE) for label in WITH_INPUT if label != _ANY_BYTES
]

_MAY_BE_REFUSED: Final = {
    "POST /api/photos",
    "POST /api/pictures",
    "POST /api/ratings",
    "POST /api/creations",
    "POST /api/lessons",
    "POST /api/practices",
    "POST /api/live",
}
"""Though it fits the description: a file that is called a picture may be none, and of a puzzle that
does not have one solution there is no rating; not every kind has every side, nor every technique a
lesson.
"""

_OF_ONE_BOARD: Final = frozenset({"POST /api/puzzles", "POST /api/hints"})
"""Take clues and entries that must be of boards of one side."""

_CASES_OF_PROGRAM: Final = 8
"""Requests of one program, of which none is too fast."""


class _FromAddress(HTTPAdapter):
    """Sends from an address of the loopback."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **named: Any) -> None:
        super().init_poolmanager(*arguments, source_address=(self._address, 0), **named)


@dataclass
class Programs:
    """One program after the other, each at an address of its own, before a server."""

    served: Served
    token: str
    numbers: Iterator[int] = field(default_factory=itertools.count)
    session: requests.Session = field(default_factory=requests.Session)
    asked: int = 0

    def __post_init__(self) -> None:
        self.url = f"http://127.0.0.1:{self.served.port}"
        self.headers = {"Authorization": f"Bearer {self.token}"}
        told = self.served.ask("/api/openapi.json")
        self.description = schemathesis.openapi.from_dict(json.loads(told.body))
        # The right token is sent; that nothing else comes in, Schemathesis checks with each answer.
        self.description.config.generation.with_security_parameters = False

    def next(self) -> requests.Session:
        """Return the session of a program that may still ask."""
        if self.asked % _CASES_OF_PROGRAM == 0:
            number = next(self.numbers)
            self.session = requests.Session()
            self.session.mount("http://", _FromAddress(f"127.1.{number // 250}.{number % 250 + 1}"))
        self.asked += 1
        return self.session

    def send(self, case: "schemathesis.Case[Any]", mode: GenerationMode) -> int:
        """Send a case and check the answer; return its status."""
        if case.operation.label in _OF_ONE_BOARD and mode is GenerationMode.POSITIVE:
            _make_of_one_board(case.body)
        session = self.next()
        response = case.call(base_url=self.url, session=session, headers=self.headers)
        assert response.status_code not in (401, 429)
        # More phones than have a seat in the live view are told when to come back.
        assert response.status_code < 500 or "retry-after" in response.headers
        excluded: list[schemathesis.CheckFunction] = [not_a_server_error]
        if case.operation.label in _MAY_BE_REFUSED:
            excluded.append(positive_data_acceptance)
        case.validate_response(
            response,
            excluded_checks=excluded,
            headers=self.headers,
            transport_kwargs={"session": session},
        )
        return response.status_code


def _make_of_one_board(puzzle: Any) -> None:
    """Leave out what lies on another board than the clues, which no description can tell."""
    n_cells = len(puzzle["clues"])
    if puzzle.get("kind", "classic") == "classic":
        puzzle.pop("regions", None)
        puzzle.pop("cages", None)
    if len(puzzle.get("entries") or puzzle["clues"]) != n_cells:
        del puzzle["entries"]
    if len(puzzle.get("notes") or puzzle["clues"]) != n_cells:
        del puzzle["notes"]
    if "unsure" in puzzle:
        puzzle["unsure"] = [cell for cell in puzzle["unsure"] if cell < n_cells]
    if len(puzzle.get("symbols") or ()) ** 2 != n_cells:
        puzzle.pop("symbols", None)


@contextlib.contextmanager
def programs_before_a_server() -> Iterator[Programs]:
    """Run a server that lets programs in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "token"
        with serving("--token-file", path) as served:
            yield Programs(served, path.read_text().strip())


def send_cases(
    programs: Programs, label: str, mode: GenerationMode, most: int, number: int
) -> Counter[int]:
    """Send cases of one operation, and return how many had which status.

    Args:
        programs: who sends them.
        label: of the operation, such as `POST /api/photos`.
        mode: whether they fit the description.
        most: how many at most; there may be fewer.
        number: from which chance is derived, so that the same ones are sent again.

    Raises:
        AssertionError: if an answer is not as it must be, or a group of them.
    """
    method, _, path = label.partition(" ")
    operation = programs.description[path][method]
    statuses: Counter[int] = Counter()

    @seed(number)
    @given(operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=most, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    def send(case: "schemathesis.Case[Any]") -> None:
        statuses[programs.send(case, mode)] += 1

    send()
    return statuses


def main() -> int:
    """Send as many cases as are wanted, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=2000, help="in all, at least")
    parser.add_argument("--seed", type=int, default=0, help="from which chance is derived")
    options = parser.parse_args()
    # An operation without input has one case alone.
    each = math.ceil(options.cases / (len(KINDS) - len(WITHOUT_INPUT)))
    cases = failures = 0
    print("| operation | cases | sent | answered | failed |\n|---|---|---|---|---|")
    with programs_before_a_server() as programs:
        for label, mode in KINDS:
            before, failed = programs.asked, 0
            statuses: Counter[int] = Counter()
            try:
                statuses = send_cases(programs, label, mode, each, options.seed)
            except Exception as error:  # a border: the table tells of every operation
                failed = 1
                print(f"{label}: {error!r}", file=sys.stderr)
            sent = programs.asked - before
            answered = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
            print(f"| {label} | {mode.value} | {sent} | {answered} | {failed} |", flush=True)
            cases, failures = cases + sent, failures + failed
        is_up = programs.served.is_up()
    end = "the same process still answers" if is_up else "the server has ended"
    print(f"| all | | {cases} | {end} | {failures} |")
    return 0 if is_up and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
