"""The state of a board that a person works on, and what of it is kept."""
