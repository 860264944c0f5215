"""Solvers that search without proof: local search, evolution, and random play in a tree."""
