"""Finds 9×9 boards by paper, ink and lines, without a network."""
