"""What kind of game it is."""
