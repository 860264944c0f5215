"""The running server: its settings, its addresses and its worker processes."""
