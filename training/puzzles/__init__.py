"""Puzzles for training and measuring: files, and hard ones bred."""
