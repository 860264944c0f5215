"""Trains the network of other scripts on kept cells, with checkpoints from which it goes on.

    python -m training.symbols.script_cells build/scripts --faces FOLDER --shards 44
    python -m training.symbols.train_scripts --samples build/scripts --out build/scripts/net
    python -m training.symbols.train_scripts --samples build/scripts --out build/scripts/net \\
        --export

The last command puts the network in its place, models/weights, for both engines. The same command
again goes on from the last checkpoint.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import Final

from models.script_reader import CLASSES, EMPTY, FIRST_OF, NO_DIGIT, build_script_net
from training.shard_runs import run_command
from training.symbols.train_symbols import CellTask, SymbolRecipe, export, train

_EASTERN, _DEVANAGARI = FIRST_OF["arabic"] - 1, FIRST_OF["devanagari"] - 1

_HALF_TURNED: Final = {_EASTERN + 7: _EASTERN + 8, _EASTERN + 8: _EASTERN + 7}
"""Digits that a half turn makes others."""

_ALIKE_UPSIDE_DOWN: Final = frozenset(
    (_EASTERN + 1, _EASTERN + 5, _DEVANAGARI + 3, _DEVANAGARI + 6)
)
"""Digits that it leaves as they are, or nearly, or that it makes another one in some typefaces."""

_ALIKE_ASIDE: Final = frozenset((_EASTERN + 5,))
"""The same of a quarter turn."""


def tell_script_turned(told: int, turns: int) -> int | None:
    """Return the class of a cell after quarter turns; None if it may still be taken for itself."""
    if told in (EMPTY, NO_DIGIT):
        return told
    if turns == 2 and told in _HALF_TURNED:
        return _HALF_TURNED[told]
    alike = _ALIKE_UPSIDE_DOWN if turns == 2 else _ALIKE_ASIDE
    return None if told in alike else NO_DIGIT


_SCRIPTS: Final = CellTask(
    "scripts", CLASSES, build_script_net, tell_script_turned, astray_share=0.25, slant=0.2
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.symbols.train_scripts",
        description="Train the network of other scripts.",
    )
    learn, put = partial(train, _SCRIPTS), partial(export, _SCRIPTS)
    return run_command(parser, SymbolRecipe, learn, put, arguments)


if __name__ == "__main__":
    sys.exit(main())
