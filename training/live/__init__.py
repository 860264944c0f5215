"""Films of pages, made from nothing, and the verdict on what was drawn on them."""
