"""Handing on: text, files, pictures and paper."""
