"""Solving as people do: techniques, hints, whole paths and ratings."""
