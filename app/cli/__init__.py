"""The command line: what can be typed, and what each command does."""
