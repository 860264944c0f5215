"""Colours, type, icons and small parts that all rooms use."""
