"""Draws solutions and marks on photos."""
