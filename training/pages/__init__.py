"""Pages of puzzles of every kind, drawn flat: what is printed, and the truth about it."""
