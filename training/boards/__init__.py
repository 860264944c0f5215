"""Data, training and evaluation of the network that finds boards."""
