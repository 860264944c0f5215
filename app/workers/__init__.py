"""Processes that work for this one, and what bounds them."""
