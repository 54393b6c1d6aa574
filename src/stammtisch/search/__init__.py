"""Written once, for every game."""
