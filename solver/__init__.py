"""Grids, solvers behind one contract, and the decoding of readings with the rules."""
