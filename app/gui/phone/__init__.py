"""Phones as cameras: the dialog with the code, and the server behind it."""
