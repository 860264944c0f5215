"""Follows a board from frame to frame."""
