"""The product: command line, window, page for phones, batches and live view."""
