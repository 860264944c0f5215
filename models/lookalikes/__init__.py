"""The network that names puzzles which are no Sudokus."""
