"""What frames the rest: the window, its menus, its commands and what it says."""
