"""Judging: rounds played again on the kernel of Tichu, and what is wrong with them."""
