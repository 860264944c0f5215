"""What a run tells: summary, progress, report and gallery."""
