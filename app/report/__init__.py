"""What is told about a photo: the report, the pictures, the advice."""
