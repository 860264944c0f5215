"""Millions of puzzles at a time, in compiled kernels."""
