"""Explains what failed, on one page with pictures."""
