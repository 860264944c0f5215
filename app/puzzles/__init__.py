"""Puzzles as text: typed, solved in bulk, made anew, handed on."""
