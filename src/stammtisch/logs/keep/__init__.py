"""Keeping: logs in a database."""
