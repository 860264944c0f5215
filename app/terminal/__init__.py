"""What every command shares: exit codes, messages, progress, inputs and outputs."""
