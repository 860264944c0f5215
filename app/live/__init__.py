"""The live view without a window: frames go in, what to draw comes out."""
