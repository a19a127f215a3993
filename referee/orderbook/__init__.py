"""Letters' texts into order phrases: which part is orders, the order language, names, "did you mean". Pure."""

from .language import OrderLanguage
from .letter import announcements, fold, own_text, own_words, quote_alike
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
