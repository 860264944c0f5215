"""Loads what reads the cells of a board."""

from pathlib import Path

from models.digits import SMALL_PRINT, DigitReader
from models.engine import EngineKind, load_engine
from models.reader import Reader, ReaderKind


def load_readers(
    kind: ReaderKind, engine: EngineKind, weights: Path | None = None
) -> tuple[Reader, Reader | None]:
    """Return the reader of all boards, and what gives a second opinion on those in doubt, if any.

    Args:
        kind: the digit network, or a library to compare it with.
        engine: what runs the digit networks.
        weights: another first network than the one that ships, `.tflite` or `.keras`, whose
            suffix then names its engine.

    Raises:
        models.engine.EngineError: if weights or the engine's package are missing.
    """
    if kind == "tesseract":
        from models.tesseract import TesseractReader

        return TesseractReader.load(), None
    if weights is None:
        reader = DigitReader.load(engine)
    else:
        own: EngineKind = "keras" if weights.suffix == ".keras" else "litert"
        reader = DigitReader(load_engine(weights.stem, own, folder=weights.parent))
    return reader, DigitReader.load(engine, name=SMALL_PRINT)
