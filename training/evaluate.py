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
    "photos": "training.evaluation.labelled_photos",
    "rendered": "training.evaluation.rendered_pages",
    "kinds": "training.evaluation.kind_boards",
    "written": "training.evaluation.written_boards",
    "ambiguous": "training.evaluation.hidden_clue_claims",
    "digits": "training.evaluation.digit_readers",
    "puzzles": "training.evaluation.puzzle_files",
    "grids": "training.evaluation.grid_networks",
    "human": "training.evaluation.human_techniques",
    "check": "training.evaluation.entry_checks",
    "live": "training.evaluation.live_overlays",
    "all": "training.evaluation.frozen_figures",
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
