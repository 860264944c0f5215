"""Training of the network that names puzzles which are no Sudokus."""
