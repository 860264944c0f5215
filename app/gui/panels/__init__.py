"""What stands at the right: hints, techniques, steps and history."""
