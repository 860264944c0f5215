"""From a photo, a frame or corners by hand to verified solutions."""
