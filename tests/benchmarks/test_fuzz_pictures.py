"""Damaged pictures of every format are read or refused, and the fuzzer tells what is wrong."""

import random
import sys

import pytest

from benchmarks.fuzz_pictures import SEEDS, Reply, count_replies, judge, main, make_seeds, mutate


def test_the_same_seed_makes_the_same_files() -> None:
    seeds = make_seeds("PNG")

    files = [mutate(seeds, random.Random("7")) for _ in range(2)]

    assert files[0] == files[1]
    assert files[0] not in seeds


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply(seconds=4.9, megabytes=599.0), ""),
        (Reply("the photo is empty; copy it again"), ""),
        (Reply(fault="Traceback: oh"), "Traceback"),
        (Reply(seconds=5.1), "5.1 s"),
        (Reply(megabytes=601.0), "601 MB"),
        (Reply("it fails"), "no message for people"),
        (Reply("<_io.BytesIO object at 0x7f>; copy it"), "no message"),
    ],
)
def test_a_broken_limit_is_named(reply: Reply, fault: str) -> None:
    judged = judge(reply)

    assert bool(judged.fault) == bool(fault)
    assert fault in judged.fault
    assert count_replies("PNG", [judged]).endswith(f"| {int(bool(fault))} |")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is what Linux tells")
def test_damaged_pictures_of_all_formats_are_read_or_refused_in_plain_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main(["--files", "320", "--seed", "5"])

    table = capsys.readouterr().out
    assert code == 0, table
    assert table.count(" | 40 | ") == len(SEEDS)
