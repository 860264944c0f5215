"""Guards before the application, certificates, and who may come in."""
