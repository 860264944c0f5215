"""Exact solvers: they decide every puzzle, given time."""
