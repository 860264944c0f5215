"""The cameras of phones: frames come in, what to draw on them goes out."""
