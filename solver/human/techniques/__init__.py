"""The techniques, each a finder of steps."""
