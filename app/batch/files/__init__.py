"""What a batch reads and writes, and what it must not touch."""
