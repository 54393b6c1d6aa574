"""Writing: games as logs, and corpora by self-play."""
