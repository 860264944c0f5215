"""New puzzles, each with exactly one solution, which is proved."""
