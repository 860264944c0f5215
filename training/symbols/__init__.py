"""Training of the network that reads the symbols of boards with more than nine values."""
