"""Boards of other kinds and sides than the classic ones."""
