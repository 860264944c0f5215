"""Training of the network that reads killers."""
