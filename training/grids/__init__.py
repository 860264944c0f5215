"""Training of the networks that solve grids."""
