"""What a batch remembers: its SQLite file, and what is asked of it."""
