"""The table in the browser: its server, and in `web/` its page."""
