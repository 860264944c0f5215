"""Damaged pictures of every format are read or refused, and the fuzzer tells what is wrong."""

import random
import sys

import pytest

from benchmarks.fuzz_pictures import (
    FuzzTally,
    Reply,
    find_fault,
    format_table,
    main,
    make_seeds,
    mutate,
)
from vision.media.images import ImageError, load_photo

pytest.importorskip("pillow_heif", reason="HEIC is one of the formats")


@pytest.fixture(scope="module")
def seeds() -> dict[str, list[bytes]]:
    return make_seeds()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP", "AVIF", "HEIF"])
def test_damaged_pictures_are_read_or_refused_in_plain_words(
    kind: str, seeds: dict[str, list[bytes]]
) -> None:
    for index in range(60):
        data = mutate(seeds[kind], random.Random(f"test {index}"))
        try:
            assert load_photo(data, name="the photo").pixels.ndim == 3, index
        except ImageError as refused:
            reply = Reply("refused", str(refused), 0.0, 0.0)
            assert not find_fault(reply), index


def test_the_same_seed_makes_the_same_files(seeds: dict[str, list[bytes]]) -> None:
    files = [mutate(seeds["PNG"], random.Random("7")) for _ in range(2)]

    assert files[0] == files[1]
    assert files[0] not in seeds["PNG"]


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply("read", "100×100", 4.9, 599.0), ""),
        (Reply("refused", "the photo is empty; copy it again", 0.1, 100.0), ""),
        (Reply("broken", "Traceback: oh", 0.1, 100.0), "Traceback"),
        (Reply("read", "100×100", 5.1, 100.0), "5.1 s"),
        (Reply("read", "100×100", 0.1, 601.0), "601 MB"),
        (Reply("refused", "it fails", 0.1, 100.0), "no message for people"),
        (Reply("refused", "<_io.BytesIO object at 0x7f>; copy it", 0.1, 100.0), "no message"),
    ],
)
def test_a_broken_limit_is_named(reply: Reply, fault: str) -> None:
    tally = FuzzTally()

    is_kept = tally.add(reply, 3)

    assert is_kept == (not fault)
    assert fault in format_table({"PNG": tally})


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is what Linux tells")
def test_files_are_tried_in_a_process_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--files", "16", "--seed", "5"])

    table = capsys.readouterr().out
    assert code == 0, table
    assert table.count(" 2 |") >= 8
