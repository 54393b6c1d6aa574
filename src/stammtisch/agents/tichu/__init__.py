"""Tichu: its players, by rules of thumb and by what they have learned."""
