"""Training of the networks that read symbols of boards beyond side 9, and other scripts."""
