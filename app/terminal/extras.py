"""What can be installed beside the core."""

from typing import Final

EXTRAS: Final = {
    "train": ("tensorflow", "keras", "numba", "matplotlib"),
    "baselines": ("python-sat", "ortools", "py-sudoku", "pytesseract"),
    "bulk": ("numba",),
    "cluster": ("dask", "distributed", "fsspec"),
    "serve": ("fastapi", "uvicorn", "websockets", "segno", "cryptography"),
}
"""Packages that some commands can do without, as pyproject.toml groups them."""
