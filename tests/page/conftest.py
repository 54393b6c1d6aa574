"""The page as Node finds it."""

from page.node import web

__all__ = ["web"]
