"""The phone page's server: it needs the extra `serve`."""
