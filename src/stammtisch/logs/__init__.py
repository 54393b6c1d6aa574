"""Tichu logs of BrettspielWelt: read, replayed, judged, counted, made into training data, written."""
