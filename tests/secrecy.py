"""A player's code stands in the address that answers go to and in the subject, and in no text: looked for in every letter."""

import email
import re
from collections.abc import Iterable, Iterator, Sequence
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from functools import lru_cache

from referee.core import Enclosed

_CODE = r"[A-HJ-NP-Z2-9]{8}"
# What nobody takes for a place on a map; anything of a letter's own game is looked for besides.
_LINK = rf"(?:\+|%2B)[A-Z0-9-]+-{_CODE}(?:@|%40)"
_ANYBODYS = re.compile(rf"[A-Z]{{1,6}}[0-9]{{1,6}}-(?:UMPIRE|UNWATCH|SIGNUP)-{_CODE}(?![A-Z0-9])|{_LINK}")
# A button of the umpire's: a link that is a letter of theirs, with a code for one command.
_BUTTON = re.compile(rb'href="mailto:[^"]*-umpire-[^"]*"', re.IGNORECASE)
_OPEN = ("Reply-To", "Subject", "List-Unsubscribe")
_CODED = re.compile(rf"[A-Z]{{1,6}}[0-9]{{1,6}}-[A-Z][A-Z0-9]{{0,7}}-({_CODE})(?![A-Z0-9])")


def codes_in_text(words: bytes, files: Iterable[Enclosed] = ()) -> list[str]:
    """Return the codes that stand in a letter of ours where none may: in its body those of its own header, whatever looks like
    one of its game, or an umpire's of any, however a line was broken; in its header all but its reader's own. The letter is
    whole, or its files lie apart as where it was composed.
    """
    # Headers as text are enough here: to make values of them takes most of the time of reading a letter.
    letter = email.message_from_bytes(words, policy=compat32)
    answered, subject, ended = ({*_CODED.findall(_decoded(letter, name).upper())} for name in _OPEN)
    given = answered | subject | ended
    game = _decoded(letter, "X-Referee-Game").upper()
    others = (_decoded(letter, name).upper() for name in {*letter} - {*_OPEN})
    found = [code for value in others for code in _CODED.findall(value)]
    found += subject - answered if answered else ()  # the reader's own is one
    for part, content in _contents(letter, [file.content for file in files]):
        if part.get_content_maintype() in ("text", "application"):
            if part.get_content_type() == "text/html":
                content = _BUTTON.sub(b"", content)
            text, whole = _searchable(content)
            found += [code for code in given if code in whole] + (_like_of(game).findall(text) if game else [])
            found += _ANYBODYS.findall(text)
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
