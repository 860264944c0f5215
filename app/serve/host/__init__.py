"""The running server: its settings, its addresses, its workers and its cameras."""
