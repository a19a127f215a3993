"""Letters' texts into order phrases: which part is orders, the order language, names, "did you mean". Pure."""

from .language import OrderLanguage
from .letter import fold, own_text, own_words, quote_alike, unannounced
from .quotations import prose_lines, without_courtesies, without_name
from .reading import (
    ABSENT,
    JOIN,
    NAME,
    PREFER,
    RAILWAY,
    UNWATCH,
    WATCH,
    PrivatePress,
    Question,
    Reading,
    Readings,
    Trial,
    label_of,
    on_line,
    read_text,
)
from .returned import Sent, lift_form, mark_returned, sent_lines
from .tokens import tables_of

__all__ = [
    "ABSENT",
    "JOIN",
    "NAME",
    "PREFER",
    "RAILWAY",
    "UNWATCH",
    "WATCH",
    "OrderLanguage",
    "PrivatePress",
    "Question",
    "Reading",
    "Readings",
    "Sent",
    "Trial",
    "fold",
    "label_of",
    "lift_form",
    "mark_returned",
    "on_line",
    "own_text",
    "own_words",
    "prose_lines",
    "quote_alike",
    "read_text",
    "sent_lines",
    "tables_of",
    "unannounced",
    "without_courtesies",
    "without_name",
]
