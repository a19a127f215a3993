"""Letters' texts into order phrases: which part is orders, the order language, names, "did you mean". Pure."""

from referee.orderbook.book import Book
from referee.orderbook.reading import Reading, read_text

__all__ = ["Book", "Reading", "read_text"]
