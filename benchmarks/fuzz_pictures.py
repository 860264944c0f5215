"""What mutations of valid pictures do to loading and solving: none may crash, stall or fill memory.

    python -m benchmarks.fuzz_pictures --files 5000 --minutes 10
    python -m benchmarks.fuzz_pictures --files 200 --keep broken

Small boards are written in every format, then damaged: bits, lengths and sizes in headers, pieces
cut out, doubled, repeated a thousand times or taken from another file. The same seed makes the same
files. Each is loaded as `solve` does it, one in ten is solved too, in processes that are replaced
when they die. It ends with 1 where a limit is broken; memory is that of the whole process, with the
networks loaded.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import random
import struct
import sys
import time
import traceback
import warnings
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from PIL import Image

from benchmarks.processes import memory_mb
from training.pages.flat_board import make_puzzle, render_board
from vision.media.images import ImageError, load_photo

_MOST_SECONDS: Final = 5.0
_MOST_MEGABYTES: Final = 600.0
_PATIENCE_SECONDS: Final = 60.0
_MOST_BYTES: Final = 25_000_000
_SOLVED: Final = 10
"""One of so many is solved."""

_NUMBERS: Final = (0, 1, 2, 7, 8, 63, 64, 127, 128, 255, 256, 4095, 9999, 32767, 65535)
_HEAD_BYTES: Final = 400


@dataclass(frozen=True)
class Reply:
    """What came of a file.

    Attributes:
        outcome: "read", "refused", or "broken" where something unforeseen was raised.
        text: the refusal, or the traceback.
        seconds: of the processor.
        megabytes: the most memory that the process had meanwhile.
    """

    outcome: str
    text: str
    seconds: float
    megabytes: float


@dataclass
class FuzzTally:
    """What came of a format's files."""

    files: int = 0
    refused: int = 0
    read: int = 0
    broken: int = 0
    slowest: float = 0.0
    largest: float = 0.0
    faults: list[str] = field(default_factory=list)

    def add(self, reply: Reply, index: int) -> bool:
        """Count a reply; return whether it keeps to the limits."""
        self.files += 1
        self.read += reply.outcome == "read"
        self.refused += reply.outcome == "refused"
        self.broken += reply.outcome == "broken"
        self.slowest = max(self.slowest, reply.seconds)
        self.largest = max(self.largest, reply.megabytes)
        fault = find_fault(reply)
        if fault:
            self.faults.append(f"file {index}: {fault}")
        return not fault


def find_fault(reply: Reply) -> str:
    """Return which limit a reply breaks, nothing where it breaks none."""
    if reply.outcome == "broken":
        return reply.text
    if reply.outcome == "refused" and ("; " not in reply.text or "object at 0x" in reply.text):
        return f"no message for people: {reply.text}"
    if reply.seconds > _MOST_SECONDS:
        return f"{reply.seconds:.1f} s: {reply.text}"
    if reply.megabytes > _MOST_MEGABYTES:
        return f"{reply.megabytes:.0f} MB: {reply.text}"
    return ""


def make_seeds() -> dict[str, list[bytes]]:
    """Return valid files by format."""
    board, _ = render_board(make_puzzle(3, 30).clues, 360)
    colour = board if board.ndim == 3 else np.repeat(board[:, :, None], 3, axis=2)
    picture = Image.fromarray(np.ascontiguousarray(colour[:, :, ::-1]))
    other = picture.rotate(90)
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Camera"
    clear = picture.convert("RGBA")
    clear.putalpha(200)
    deep = Image.fromarray(np.asarray(picture.convert("L"), np.uint16) * 257)
    several: dict[str, Any] = {"save_all": True, "append_images": [other], "duration": 40}
    wanted: dict[str, list[tuple[Image.Image, dict[str, Any]]]] = {
        "JPEG": [
            (picture, {"exif": exif, "icc_profile": bytes(3000)}),
            (picture, {"progressive": True, "subsampling": 0}),
            (picture.convert("L"), {"restart_marker_rows": 1}),
            (picture.convert("CMYK"), {}),
        ],
        "PNG": [
            (picture, {"exif": exif}),
            (picture.quantize(16), {"transparency": 0}),
            (deep, {}),
            (clear, several),
        ],
        "GIF": [(picture, {"comment": b"x" * 600}), (picture, several)],
        "WEBP": [(picture, {"exif": exif}), (clear, {"lossless": True}), (picture, several)],
        "TIFF": [
            (picture, {}),
            (picture, {"compression": "tiff_lzw", "exif": exif}),
            (
                picture,
                {"compression": "tiff_adobe_deflate", "save_all": True, "append_images": [other]},
            ),
            (picture, {"compression": "jpeg"}),
            (picture.convert("1"), {"compression": "group4"}),
            (picture.convert("F"), {"compression": "packbits"}),
            (deep, {"big_tiff": True}),
        ],
        "BMP": [(picture, {}), (picture.quantize(16), {}), (picture.convert("1"), {})],
        "AVIF": [(picture, {"exif": exif}), (picture, several)],
        "HEIF": [(picture, {"exif": exif}), (clear, {}), (picture, {"tile_size": 128})],
    }
    return {kind: _encode_all(kind, pictures) for kind, pictures in wanted.items()}


def _encode_all(kind: str, pictures: list[tuple[Image.Image, dict[str, Any]]]) -> list[bytes]:
    if kind == "HEIF":
        import pillow_heif

        pillow_heif.register_heif_opener()
    encoded = []
    for picture, options in pictures:
        file = io.BytesIO()
        picture.save(file, kind, **options)
        encoded.append(file.getvalue())
    return encoded


def mutate(seeds: list[bytes], chance: random.Random) -> bytes:
    """Return a damaged file; one with PNG's chunks mostly gets checksums that fit."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        if len(data) < 16:
            break
        chance.choice(_MUTATIONS)(data, chance, seeds)
    if data[:4] == b"\x89PNG" and chance.random() < 0.9:
        _mend_checksums(data)
    return bytes(data[:_MOST_BYTES])


def _place(data: bytearray, chance: random.Random) -> int:
    """Return a place in the file, in every other case in its head."""
    most = len(data) - 9
    return chance.randrange(min(most, _HEAD_BYTES) if chance.random() < 0.5 else most)


def _flip(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    for _once in range(chance.choice((1, 4, 30))):
        data[_place(data, chance)] ^= 1 << chance.randrange(8)


def _set_number(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    place, width = _place(data, chance), chance.choice((1, 2, 4, 4, 8))
    number = chance.choice((*_NUMBERS, -1, 1 << 31, (1 << 31) - 1, chance.randrange(1 << 16)))
    orders: tuple[Literal["little", "big"], ...] = ("little", "big")
    order = chance.choice(orders)
    data[place : place + width] = (number & (1 << 8 * width) - 1).to_bytes(width, order)


def _cut(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    del data[_place(data, chance) :]


def _remove(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    place = _place(data, chance)
    del data[place : place + chance.choice((1, 2, 8, 100, 2000))]


def _repeat(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    place, length = _place(data, chance), chance.choice((1, 2, 4, 12, 64, 500))
    times = chance.choice((1, 2, 10, 1000, 20_000))
    data[place:place] = (data[place : place + length] * times)[:_MOST_BYTES]


def _insert(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    place = _place(data, chance)
    data[place:place] = chance.choice((bytes, chance.randbytes))(chance.choice((1, 8, 300)))


def _splice(data: bytearray, chance: random.Random, seeds: list[bytes]) -> None:
    other = chance.choice(seeds)
    place = _place(data, chance)
    length = chance.choice((4, 40, 1000, len(other)))
    data[place : place + length] = other[place : place + length]


def _swap(data: bytearray, chance: random.Random, _: list[bytes]) -> None:
    one, two = _place(data, chance), _place(data, chance)
    length = chance.choice((1, 4, 12, 100))
    data[one : one + length], data[two : two + length] = (
        data[two : two + length],
        data[one : one + length],
    )


_MUTATIONS: Final = (
    *(_flip, _flip, _set_number, _set_number, _cut, _remove, _repeat, _insert, _splice, _swap),
)


def _mend_checksums(data: bytearray) -> None:
    place = 8
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        end = place + 8 + length
        if end + 4 > len(data):
            return
        struct.pack_into(">I", data, end, zlib.crc32(memoryview(data)[place + 4 : end]))
        place = end + 4


def _reset_peak() -> None:
    # Where that fails, it is the peak of the process's whole life.
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _work(inbox: Connection) -> None:
    """Load, and solve where that is asked, what comes through the connection, until it ends."""
    from app.recognition.pipeline import Pipeline
    from app.recognition.pipeline_options import PipelineOptions
    from app.report.photo_report import format_report

    pipeline = Pipeline.load(PipelineOptions())
    warnings.simplefilter("error", RuntimeWarning)  # such as a mean of nothing
    while True:
        try:
            data, is_solved = inbox.recv()
        except EOFError:
            return
        _reset_peak()
        start = time.process_time()
        outcome, text = "read", ""
        try:
            photo = load_photo(data, name="the photo")
            text = f"{photo.pixels.shape[1]}×{photo.pixels.shape[0]}"
            if is_solved:
                text += " " + format_report("", pipeline.solve_photo(photo.pixels))[:60]
        except ImageError as error:
            outcome, text = "refused", str(error)
        except BaseException:
            outcome, text = "broken", traceback.format_exc()
        inbox.send(Reply(outcome, text, time.process_time() - start, memory_mb()[1]))


class FuzzWorker:
    """A process that loads pictures; another takes its place when it dies."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, data: bytes, *, is_solved: bool) -> Reply:
        """Return what comes of a file, also where the process dies of it."""
        self._pipe.send((data, is_solved))
        start = time.monotonic()
        try:
            if self._pipe.poll(_PATIENCE_SECONDS):
                reply: Reply = self._pipe.recv()
                return reply
            text = "no answer"
        except EOFError:
            text = "the process died"
        seconds = time.monotonic() - start
        self.close()
        code = self._process.exitcode
        self._start()
        return Reply("broken", f"{text} after {seconds:.1f} s, exit code {code}", seconds, 0.0)

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


def run(n_files: int, minutes: float, seed: int, keep: Path | None) -> dict[str, FuzzTally]:
    """Try so many files, or as many as the time allows, the formats in turn."""
    seeds = make_seeds()
    tallies = {kind: FuzzTally() for kind in seeds}
    worker = FuzzWorker()
    worker.ask(seeds["PNG"][0], is_solved=True)  # loading the networks is not the file's doing
    end = time.monotonic() + 60 * minutes
    try:
        for index in range(n_files):
            if time.monotonic() > end:
                break
            kind = list(seeds)[index % len(seeds)]
            data = mutate(seeds[kind], random.Random(f"{seed} {index}"))
            reply = worker.ask(data, is_solved=index // len(seeds) % _SOLVED == 0)
            if not tallies[kind].add(reply, index) and keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{seed}-{index}.{kind.lower()}").write_bytes(data)
    finally:
        worker.close()
    return tallies


def format_table(tallies: dict[str, FuzzTally]) -> str:
    """Return the table of all formats, and then each fault."""
    lines = [
        "| format | files | read | refused | slowest | most memory | broken |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for kind, one in tallies.items():
        lines.append(
            f"| {kind} | {one.files} | {one.read} | {one.refused} | {one.slowest:.2f} s"
            f" | {one.largest:.0f} MB | {one.broken} |"
        )
    lines += [f"{kind} {fault}" for kind, one in tallies.items() for fault in one.faults]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 when a limit was broken."""
    parser = argparse.ArgumentParser(description="Load and solve damaged pictures.")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after these")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for files that break a limit")
    options = parser.parse_args(arguments)
    tallies = run(options.files, options.minutes, options.seed, options.keep)
    n = sum(one.files for one in tallies.values())
    sys.stdout.write(f"{format_table(tallies)}\n")
    if n < options.files:
        sys.stdout.write(f"{n} of {options.files} files in {options.minutes:g} minutes\n")
    return int(any(one.faults for one in tallies.values()))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
