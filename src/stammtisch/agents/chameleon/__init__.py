"""Chamäleon Schach: its players."""
