"""Pictures and videos in and out, and what decoding them costs."""
