"""Letters' texts into order phrases: which part is orders, the order language, names, "did you mean". Pure."""

from referee.orderbook.language.language import Book
from referee.orderbook.lines.courtesies import without_courtesies
from referee.orderbook.lines.letter import own_text, own_words, quote_alike
from referee.orderbook.reading import UNWATCH, WATCH, PrivatePress, Question, Reading, Trial, read_text
from referee.orderbook.returned import mark_returned, sent_lines

__all__ = [
    "UNWATCH",
    "WATCH",
    "Book",
    "PrivatePress",
    "Question",
    "Reading",
    "Trial",
    "mark_returned",
    "own_text",
    "own_words",
    "quote_alike",
    "read_text",
    "sent_lines",
    "without_courtesies",
]
