"""Play: the bar below the board, the strokes, the clock and the pause."""
