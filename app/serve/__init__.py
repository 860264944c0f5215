"""The phone page's server, which needs the extra `serve`: it, its workers and its cameras."""
