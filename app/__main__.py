"""`python -m app` is `sudoku-lens`, and `main` is where both begin."""

import os
import sys


def main() -> None:
    """Run the command line, and end quietly where it is interrupted before it could begin."""
    # Read when NumPy and OpenCV are loaded. Each brings an OpenBLAS whose threads spin between
    # products as small as ours: on hard photos they took as much processor time as all the work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from app.terminal.console import fill_closed_streams

        fill_closed_streams()

        from app.terminal.exit_codes import end_on_signals

        end_on_signals()

        from app.cli.command_line import main as run

        run()
    except KeyboardInterrupt as error:
        sys.exit(getattr(error, "code", 130))


if __name__ == "__main__":
    main()
