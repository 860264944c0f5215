"""The network that reads killers: cage walls and small sums, cell by cell."""
