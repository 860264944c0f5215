"""A board on the screen: how its cells are drawn, chosen, typed into and read aloud."""
