"""Data and training of the digit reader."""
