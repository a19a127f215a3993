"""A referee for railway games played by post."""

__version__ = "0.1.0"
