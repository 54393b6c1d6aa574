"""Players made for Tichu."""
