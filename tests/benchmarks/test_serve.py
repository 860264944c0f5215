"""The attackers of the phone page's benchmark send what they are said to send."""

import json
import sys

import pytest

if sys.platform != "linux":
    pytest.skip("only Linux has so many addresses of its own", allow_module_level=True)

from benchmarks.serve import make_attacks, make_many_scans

_START_OF_SCAN = b"\xff\xda"


def test_a_picture_has_so_many_scans_more_and_ends_as_it_should() -> None:
    plain, many = make_many_scans(1), make_many_scans(51)

    assert many.count(_START_OF_SCAN) == plain.count(_START_OF_SCAN) + 50
    assert len(many) < 100_000
    assert many.startswith(b"\xff\xd8")
    assert many.endswith(b"\xff\xd9")


def test_attackers_take_turns_in_what_they_ask_for() -> None:
    attacks = make_attacks(3)

    assert [attack.path for attack in attacks] == ["/api/ratings", "/api/photos", "/api/ratings"]
    assert len(json.loads(attacks[0].body)["clues"]) == 81
