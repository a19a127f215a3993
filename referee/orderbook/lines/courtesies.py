"""What people write around their orders out of politeness: greetings, closings with a name below, rulers, header lines; what
their programs and firms write there; and what is said to a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.regex import regex
from referee.orderbook.language.language import OrderLanguage
from referee.orderbook.language.names import fold
from referee.orderbook.lines.originals import heads

_NEAR = 3  # lines below a closing in which its writer's name stands
_NAME = 3  # words of it
_FEWEST = 3  # words that tell a person something; a question needs none
_WORD = regex(r"[^\W\d_]++")


def without_courtesies(
    unread: Iterable[tuple[int, str]], language: OrderLanguage, names: Iterable[str] = ()
) -> Iterator[tuple[int, str]]:
    """Yield of the lines that were not read those of which their writer should be told. *names*: his own, and his company's."""
    closed, banner = 0, -1
    own = frozenset(fold(word) for name in names for word in _WORD.findall(name))
    for number, text in unread:
        words = _WORD.findall(text)
        if language.is_banner(text) or number == banner + 1:
            banner = number  # down to the next empty line
        elif language.closes(text) or (words and own.issuperset(map(fold, words))):
            closed = number
        elif not (
            _is_empty(text)
            or language.titles(text)
            or language.greets(text)
            or ("?" not in text and language.announces([word for word in words if fold(word) not in own]))
            or (closed and _is_name(text, number - closed))
        ):
            yield number, text


def said_to_a_person(
    unread: Iterable[tuple[int, str]], language: OrderLanguage, names: Iterable[str] = ()
) -> Iterator[tuple[int, str]]:
    """Yield of the lines that were not read those that ask or tell something: not what only says that orders follow."""
    for number, text in without_courtesies(unread, language, names):
        words = _WORD.findall(text)
        if words and ("?" in text or len(words) >= _FEWEST):
            yield number, text


def _is_empty(text: str) -> bool:
    return heads(text) or not any(map(str.isalnum, text))


def _is_name(text: str, below: int) -> bool:
    return below <= _NEAR and len(text.split()) <= _NAME and not any(map(str.isdigit, text))
