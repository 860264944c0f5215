"""Measures each quality of the product by a command of its own that prints its table.

    python -m training.evaluate photos ../shared/data/photos
    python -m training.evaluate rendered --level 3
    python -m training.evaluate puzzles ../shared/data/puzzles/clues17.txt

`--help` after the name lists what each takes.
"""

import importlib
import sys
from typing import Final

SUBJECTS: Final = {
    "photos": "training.evaluate_photos",
    "rendered": "training.evaluate_rendered",
    "ambiguous": "training.evaluate_ambiguous",
    "digits": "training.evaluate_digits",
    "puzzles": "training.evaluate_puzzles",
    "grids": "training.evaluate_grids",
    "human": "training.evaluate_human",
    "check": "training.evaluate_check",
    "live": "training.evaluate_live",
    "all": "training.evaluate_all",
}


def main() -> int:
    """Run the evaluation that the command line names."""
    if len(sys.argv) < 2 or sys.argv[1] not in SUBJECTS:
        print(f"usage: python -m training.evaluate {{{','.join(SUBJECTS)}}} …", file=sys.stderr)
        return 2
    # TensorFlow and OpenCV take seconds to import: only what is asked for is loaded.
    subject = importlib.import_module(SUBJECTS[sys.argv[1]])
    return int(subject.main(sys.argv[2:]) or 0)


if __name__ == "__main__":
    sys.exit(main())
