"""Counting: what is in a database of logs, in numbers, tables and pictures."""
