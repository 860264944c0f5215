"""Hints, walks and lessons, and their sentences in every language."""
