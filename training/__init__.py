"""Data, training runs and evaluation; nothing of it is needed to use the product."""
