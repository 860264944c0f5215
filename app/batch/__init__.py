"""Folders of photos: what is to be done, who does it, and the journal of what was done."""
