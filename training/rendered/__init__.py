"""Photos of puzzle pages of five levels of hardness, with the exact truth."""
