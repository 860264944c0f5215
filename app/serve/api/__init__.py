"""What the server answers: routes, their tasks and their schemas."""
