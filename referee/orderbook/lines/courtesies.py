"""What people write around their orders out of politeness: greetings, closings with a name below, rulers, header lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.orderbook.language.language import Book
from referee.orderbook.lines.originals import heads

_NEAR = 3  # lines below a closing in which its writer's name stands
_NAME = 3  # words of it


def without_courtesies(unread: Iterable[tuple[int, str]], book: Book) -> Iterator[tuple[int, str]]:
    """Yield of the lines that were not read those of which their writer should be told."""
    closed = 0
    for number, text in unread:
        if book.closes(text):
            closed = number
        elif not (_is_empty(text) or book.greets(text) or (closed and _is_name(text, number - closed))):
            yield number, text


def _is_empty(text: str) -> bool:
    return heads(text) or not any(map(str.isalnum, text))


def _is_name(text: str, below: int) -> bool:
    return below <= _NEAR and len(text.split()) <= _NAME and not any(map(str.isdigit, text))
