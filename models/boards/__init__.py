"""The network that finds boards in a photo, and how its input and output are laid out."""
