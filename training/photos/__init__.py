"""Labelled photos of the data folder, and what can be done to them."""
