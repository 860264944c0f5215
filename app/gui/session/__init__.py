"""What is open: documents, the threads that work for them, and what outlives the window."""
