"""The server against its own OpenAPI description, with examples that nobody thought of."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("schemathesis", reason="the development group is not installed")

from schemathesis.core.result import Ok
from serve_cases import KINDS, WITH_INPUT, WITHOUT_INPUT, programs_before_a_server, send_cases

if TYPE_CHECKING:
    from schemathesis import GenerationMode
    from serve_cases import Programs

if not sys.platform.startswith("linux"):
    pytest.skip("clients come from many addresses of Linux's loopback", allow_module_level=True)

EXAMPLES = 6
"""Of each operation; `serve_cases` as a command sends thousands."""


@pytest.fixture(scope="module")
def programs() -> Iterator["Programs"]:
    with programs_before_a_server() as begun:
        yield begun


def test_every_operation_is_asked(programs: "Programs") -> None:
    found = programs.description.get_all_operations()

    told = {operation.ok().label for operation in found if isinstance(operation, Ok)}
    assert told == {*WITHOUT_INPUT, *WITH_INPUT}


@pytest.mark.parametrize(("label", "mode"), KINDS)
def test_nothing_that_is_asked_makes_a_fault(
    label: str, mode: "GenerationMode", programs: "Programs"
) -> None:
    assert send_cases(programs, label, mode, EXAMPLES, number=0)
