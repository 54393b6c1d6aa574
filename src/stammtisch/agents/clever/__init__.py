"""Ganz schön clever: its players."""
