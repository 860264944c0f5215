"""The product: pipeline, command line and, later, the window."""
