"""Tichu: its player by rules of thumb."""
