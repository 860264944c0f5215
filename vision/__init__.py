"""From a photo to the cells of a board, and back to an overlay."""
