"""A referee for railway games played by post."""

__version__ = "1.0.0"
