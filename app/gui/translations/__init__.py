"""The languages of the window, with the texts of each."""
