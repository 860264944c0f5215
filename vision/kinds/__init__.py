"""What a rectified board shows of its kind: thick lines, diagonals, windows."""
