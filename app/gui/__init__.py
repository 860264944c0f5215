"""The window. Qt is imported here only; what can be decided without it is decided in `app`."""
