"""From a reading to clues: the likeliest ones that the rules allow."""
