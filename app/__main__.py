"""`python -m app` is `sudoku-lens`, and `main` is where both begin."""

import sys


def main() -> None:
    """Run the command line, and end quietly where it is interrupted before it could begin."""
    try:
        from app.console import fill_closed_streams

        fill_closed_streams()

        from app.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
