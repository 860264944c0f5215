"""Processes that work for this one: what they are told, when they end, and who replaces them."""
