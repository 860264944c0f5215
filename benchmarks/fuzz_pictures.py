"""What damage does to loading pictures: none may crash, stall or fill memory.

    python -m benchmarks.fuzz_pictures --files 4000 --seed 1

A small board is written in every format; bytes are changed, cut off, removed or repeated. The same
seed makes the same files. It ends with 1 where a limit is broken.
"""

import argparse
import io
import math
import random
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pillow_heif
from PIL import Image

from app.workers.child_process import Tell, Work
from app.workers.worker_pool import LostTaskError, PoolOptions, WorkerPool
from benchmarks.processes import memory_mb
from training.evaluate import format_head, format_row
from training.pages.flat_board import make_puzzle, render_board
from vision.media.images import ImageError, load_photo

_SLOW_SECONDS: Final = 1.0
_MOST_SECONDS: Final = 5.0
_MOST_MEGABYTES: Final = 600.0
_PATIENCE_SECONDS: Final = 60.0
_HEADS: Final = f"format | files | refused | over {_SLOW_SECONDS:g} s | slowest | memory | faults"

SEEDS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "JPEG": ({}, {"progressive": True}, {"restart_marker_rows": 1}),
    "PNG": ({}, {"save_all": True}),
    "GIF": ({"comment": b"x" * 600}, {"save_all": True}),
    "WEBP": ({}, {"lossless": True}, {"save_all": True}),
    "TIFF": ({"save_all": True}, {"compression": "tiff_lzw"}, {"compression": "jpeg"}),
    "BMP": ({},),
    "AVIF": ({}, {"save_all": True}),
    "HEIF": ({}, {"tile_size": 128}),
}
"""By format how Pillow writes the files that are damaged."""


@dataclass(frozen=True)
class Reply:
    """What came of a file: the refusal for people, the limit that it broke, processor time, and
    the most memory of the process so far.
    """

    refusal: str = ""
    fault: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0


def judge(reply: Reply) -> Reply:
    """Return a reply with the limit that it breaks, if it breaks one."""
    if reply.refusal and ("; " not in reply.refusal or "object at 0x" in reply.refusal):
        return replace(reply, fault=f"no message for people: {reply.refusal}")
    if reply.seconds > _MOST_SECONDS or reply.megabytes > _MOST_MEGABYTES:
        return replace(reply, fault=f"{reply.seconds:.1f} s, {reply.megabytes:.0f} MB")
    return reply


def count_replies(kind: str, replies: Sequence[Reply]) -> str:
    """Return a format's row of the table."""
    refused = sum(bool(one.refusal) for one in replies)
    slow = sum(one.seconds > _SLOW_SECONDS for one in replies) / len(replies)
    slowest = max(one.seconds for one in replies)
    largest = max(one.megabytes for one in replies)
    faults = sum(bool(one.fault) for one in replies)
    spent = f"{slow:.1%}", f"{slowest:.2f} s", f"{largest:.0f} MB"
    return format_row((kind, len(replies), refused, *spent, faults))


def make_seeds(kind: str) -> list[bytes]:
    """Return valid files of a format."""
    pillow_heif.register_heif_opener()
    picture = Image.fromarray(render_board(make_puzzle(3, 30).clues, 360)[0]).convert("RGB")
    files = [io.BytesIO() for _ in SEEDS[kind]]
    for file, options in zip(files, SEEDS[kind], strict=True):
        picture.save(file, kind, append_images=[picture.rotate(90)], **options)
    return [file.getvalue() for file in files]


def mutate(seeds: list[bytes], chance: random.Random) -> bytes:
    """Return a damaged file: every other change is in its first 400 bytes."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        place = chance.randrange(min(len(data), chance.choice((400, len(data)))))
        length = chance.choice((1, 2, 4, 12, 100, 2000))
        change = chance.choice(("set", "set", "set", "set", "cut", "remove", "repeat"))
        if change == "set":
            data[place : place + min(length, 4)] = chance.randbytes(min(length, 4))
        elif change == "repeat":
            data[place:place] = data[place : place + length] * chance.choice((1, 10, 1000))
        else:
            del data[max(place, 16) : len(data) if change == "cut" else place + length]
    return bytes(data)


def _load_work() -> Work:
    return _load


def _load(data: bytes, _: Tell) -> Reply:
    start, refusal, fault = time.process_time(), "", ""
    try:
        load_photo(data, name="the photo")
    except ImageError as error:
        refusal = str(error)
    except BaseException:
        fault = traceback.format_exc()
    return Reply(refusal, fault, time.process_time() - start, memory_mb()[1])


def run(kind: str, n_files: int, seed: int) -> list[Reply]:
    """Load so many damaged files of a format, in a process that is replaced when it dies."""
    seeds, replies = make_seeds(kind), []
    files = (mutate(seeds, random.Random(f"{seed} {kind} {index}")) for index in range(n_files))
    options = PoolOptions(timeout=_PATIENCE_SECONDS, tries=1, max_resident_bytes=math.inf)
    for _, asked in WorkerPool(_load_work, options).map(files, lambda: False):
        try:
            reply = asked.result()
        except LostTaskError as error:
            reply = Reply(fault=str(error))
        replies.append(judge(reply))
    return replies


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a limit was broken."""
    parser = argparse.ArgumentParser(description="Load damaged pictures.")
    parser.add_argument("--files", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print(format_head(_HEADS))
    faults = []
    for kind in SEEDS:
        replies = run(kind, -(-options.files // len(SEEDS)), options.seed)
        print(count_replies(kind, replies))
        faults += [f"{kind} {n}: {one.fault}\n" for n, one in enumerate(replies) if one.fault]
    sys.stdout.writelines(faults)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
