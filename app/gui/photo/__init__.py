"""The photo, large and in the list: zoom, corners placed by hand, the open photos."""
