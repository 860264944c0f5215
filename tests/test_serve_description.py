"""The server against its own OpenAPI description, with examples that nobody thought of."""

import itertools
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

pytest.importorskip("schemathesis", reason="the development group is not installed")

import requests
import schemathesis
from requests.adapters import HTTPAdapter
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance
from serve_process import Served, serving

if not sys.platform.startswith("linux"):
    pytest.skip("clients come from many addresses of Linux's loopback", allow_module_level=True)

EXAMPLES = 30
WITHOUT_INPUT = ("GET /api/health", "GET /api/session")
WITH_INPUT = (
    "POST /api/photos",
    "POST /api/puzzles",
    "POST /api/hints",
    "POST /api/ratings",
    "POST /api/exports",
    "POST /api/live",
    "DELETE /api/live",
)
CASES = [(label, GenerationMode.POSITIVE) for label in WITHOUT_INPUT + WITH_INPUT] + [
    (label, GenerationMode.NEGATIVE) for label in WITH_INPUT
]
EXCLUDED: list[schemathesis.CheckFunction] = [positive_data_acceptance, not_a_server_error]
CASES_OF_PHONE = 8
"""Requests of one phone, of which none is too fast."""


class _FromAddress(HTTPAdapter):
    """Sends from an address of the loopback."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **named: Any) -> None:
        super().init_poolmanager(*arguments, source_address=(self._address, 0), **named)


@dataclass
class Phones:
    """Sessions of one phone after the other, each from an address of its own."""

    served: Served
    numbers: Iterator[int] = field(default_factory=itertools.count)
    session: requests.Session = field(default_factory=requests.Session)
    asked: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.served.port}"

    def next(self) -> requests.Session:
        """Return the session of a phone that may still ask."""
        if self.asked % CASES_OF_PHONE == 0:
            number = next(self.numbers)
            self.session = requests.Session()
            self.session.mount("http://", _FromAddress(f"127.1.{number // 250}.{number % 250 + 1}"))
            self.session.get(f"{self.url}/?token={self.served.token}", allow_redirects=False)
        self.asked += 1
        return self.session


@pytest.fixture(scope="module")
def phones() -> Iterator[Phones]:
    with serving() as served:
        yield Phones(served)


@pytest.fixture(scope="module")
def description(phones: Phones) -> schemathesis.BaseSchema:
    told = phones.served.ask("/api/openapi.json")
    return schemathesis.openapi.from_dict(json.loads(told.body))


def test_every_operation_is_asked(description: schemathesis.BaseSchema) -> None:
    found = description.get_all_operations()

    told = {operation.ok().label for operation in found if isinstance(operation, Ok)}
    assert told == {*WITHOUT_INPUT, *WITH_INPUT}


@pytest.mark.slow
@pytest.mark.parametrize(("label", "mode"), CASES)
def test_nothing_that_is_asked_makes_a_fault(
    label: str,
    mode: GenerationMode,
    phones: Phones,
    description: schemathesis.BaseSchema,
) -> None:
    method, _, path = label.partition(" ")
    operation = description[path][method]

    @given(operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: "schemathesis.Case[Any]") -> None:
        response = case.call(base_url=phones.url, session=phones.next())

        assert response.status_code not in (401, 429)
        # More phones than have a seat in the live view are told when to come back.
        assert response.status_code < 500 or "retry-after" in response.headers
        # A file that is called a picture may be none: what fits the description may be refused.
        case.validate_response(response, excluded_checks=EXCLUDED)

    ask()
