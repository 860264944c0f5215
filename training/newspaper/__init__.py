"""Newspaper pages with a puzzle, drawn and photographed, with the exact truth."""
