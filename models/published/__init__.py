"""Networks that others published for solving grids, rebuilt from their descriptions."""
