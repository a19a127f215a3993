"""A player's code stands in the address that answers go to and in the subject, and in no text: looked for in every letter."""

from __future__ import annotations

import email
import re
from collections.abc import Iterable, Iterator, Sequence
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from functools import lru_cache

from referee.core.enclosed import Enclosed

_CODE = r"[A-HJ-NP-Z2-9]{8}"
_CODED = re.compile(rf"[A-Z]{{1,6}}[0-9]{{1,6}}-[A-Z][A-Z0-9]{{0,7}}-({_CODE})(?![A-Z0-9])")


def codes_in_text(words: bytes, files: Iterable[Enclosed] = ()) -> list[str]:
    """Return the codes that stand in the body of a letter of ours: those of its own header, and whatever looks like one of its
    game; however a line was broken. The letter is whole, or its files lie apart as where it was composed.
    """
    # Headers as text are enough here: to make values of them takes most of the time of reading a letter.
    letter = email.message_from_bytes(words, policy=compat32)
    header = (_decoded(letter, name) for name in ("Reply-To", "Subject", "List-Unsubscribe"))
    given = {code for value in header for code in _CODED.findall(value.upper())}
    game = _decoded(letter, "X-Referee-Game").upper()
    found: list[str] = []
    for part, content in _contents(letter, [file.content for file in files]):
        if part.get_content_maintype() in ("text", "application"):
            text, whole = _searchable(content)
            found += [code for code in given if code in whole] + (_like_of(game).findall(text) if game else [])
            found += [code for code in given if code in str(part.get_filename() or "").upper()]
    return found


def _decoded(letter: Message, name: str) -> str:
    return (
        str(make_header(decode_header(re.sub(r"\r?\n(?=[ \t])", "", letter.get(name, ""))))) if name in letter else ""
    )


def _contents(letter: Message, files: Sequence[bytes]) -> Iterator[tuple[Message, bytes]]:
    """Yield each part with what is in it; *files* are those of the parts that name one, if they lie apart."""
    apart = iter(files)
    for part in letter.walk():
        if not part.is_multipart():
            content = part.get_payload(decode=True)
            named = bool(files) and part.get_filename() is not None
            yield part, next(apart) if named else content if isinstance(content, bytes) else b""
    assert next(apart, None) is None, "a file stands in no part"


@lru_cache(maxsize=64)  # the newsletters of a turn have their files in common
def _searchable(content: bytes) -> tuple[str, str]:
    """Return capitals, and the same without what a mail program breaks lines with."""
    text = content.decode("utf-8", "replace").upper()
    return text, re.sub(r"[\s>|]+", "", text)


@lru_cache
def _like_of(game: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Z0-9]){re.escape(game)}-[A-Z][A-Z0-9]{{0,7}}-{_CODE}(?![A-Z0-9])")
