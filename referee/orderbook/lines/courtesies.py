"""What people write around their orders out of politeness: greetings, closings with a name below, rulers, header lines; what
their programs and firms write there; and what is said to a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from referee.orderbook.language.language import OrderLanguage
from referee.orderbook.language.names import fold
from referee.orderbook.lines.originals import heads

_NEAR = 3  # lines below a closing in which its writer's name stands
_NAME = 3  # words of it
_FOOTER = 15  # lines
_FEWEST = 3  # words that tell a person something; a question needs none
_WORD = re.compile(r"[^\W\d_]++")


def without_courtesies(
    unread: Iterable[tuple[int, str]], language: OrderLanguage, names: Iterable[str] = ()
) -> Iterator[tuple[int, str]]:
    """Yield of the lines that were not read those of which their writer should be told. *names*: his own, and his company's."""
    closed, banner = 0, -1
    own = frozenset(fold(word) for name in names for word in _WORD.findall(name))
    for number, text in unread:
        words = _WORD.findall(text)
        if language.prose.is_banner(text) or number == banner + 1:
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


def without_footer(lines: list[str], language: OrderLanguage) -> list[str]:
    """Return the lines of a text that nothing ends, without what firms, scanners and programs write below each letter, a closing
    and the name below that.
    """
    breaks = (at for at in range(max(1, len(lines) - _FOOTER), len(lines)) if not lines[at - 1].strip("_-=*~ "))
    start = next((at for at in breaks if language.prose.is_banner(lines[at])), len(lines))
    kept = _strip_end(lines[:start])
    closing = next((at for at in range(len(kept) - 1, 0, -1) if language.closes(kept[at])), len(kept))
    named = [line for line in kept[closing + 1 :] if line.strip()]
    return _strip_end(kept[:closing]) if len(named) <= 2 and all(_is_name(each, 0) for each in named) else kept


def without_name(text: str, names: Iterable[str]) -> str:
    """Return a text without last lines that are nothing but its writer's *names*."""
    own = frozenset(fold(word) for name in names for word in _WORD.findall(name))
    lines = text.split("\n")
    while len(lines) > 1 and own.issuperset(map(fold, _WORD.findall(lines[-1]))):
        lines.pop()
    return "\n".join(lines)


def _strip_end(lines: list[str]) -> list[str]:
    """Return lines without the empty ones, and the rulers, at their end."""
    kept = [at for at, line in enumerate(lines) if set(line.strip()) - set("_-=*~")]
    return lines[: kept[-1] + 1] if kept else lines


def prose_lines(
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
