"""Who wrote a letter and to whom: addresses and message ids, read strictly where a player is recognised by them."""

from __future__ import annotations

import re

from referee.core.address import LONGEST, canonical
from referee.core.values import Value
from referee.mail.letter.headers import decoded_line

NAME_LIMIT = 80
MOST_IDS = 30

# As strangers write them: letters of any script too (RFC 6531). What is read by these is checked letter by letter.
_WIDE_LOCAL = r"[\w!#$%&'*+/=?^`{|}~-]{1,64}(?:\.[\w!#$%&'*+/=?^`{|}~-]{1,64}){0,20}"
_WIDE_DOMAIN = r"[^\W_](?:[^\W_]|-){0,62}(?:\.[^\W_](?:[^\W_]|-){0,62}){0,20}"
_WIDE_ADDRESS = re.compile(rf"{_WIDE_LOCAL}@{_WIDE_DOMAIN}")
_FREE_ADDRESS = re.compile(
    rf"(?<![\w!#$%&'*+/=?^`{{|}}~.-]){_WIDE_LOCAL}@{_WIDE_DOMAIN}"
)  # never the tail of a longer word
_ANGLED = re.compile(rf"([^<>,;:\\]{{0,1000}})<({_WIDE_LOCAL}@{_WIDE_DOMAIN})>")
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.:\[\]-]{1,200}@[A-Za-z0-9!#$%&'*+/=?^_`{|}~.:\[\]-]{1,200}>")
# What no standard allows and nobody reads in two ways: ``Smith, Ann :-) <ann@example.org>;``, ``<mailto:ann@example.org>``.
_SEEN = re.compile(
    rf"([^<>@\"\\]{{0,200}})<\s*(?:mailto:)?({_WIDE_LOCAL}@{_WIDE_DOMAIN})\s*>[^<>@\",:;\\]{{0,200}}[,;:]?[^<>@\",:;\\\w]{{0,20}}"
)
_BARE = re.compile(rf"(?:mailto:)?({_WIDE_LOCAL}@{_WIDE_DOMAIN})\s*[,;]?")
QUOTED = "\0"  # stands for a quoted string in an outline; a header value never holds one


class Mailbox(Value):
    """An address (its domain in lower case and in ASCII: xn--bcher-kva.example) and the name beside it, "" where none is.

    What stands before the @ may have letters of any script; then it is no address that we can write to (``core.address``).
    """

    address: str
    name: str = ""


def sole_mailbox(values: tuple[str, ...]) -> Mailbox | None:
    """Return the one mailbox of the one field in *values*; None for anything else, or a group.

    Stricter than the standard where two readers could read two addresses, laxer where a person sees one alone.
    """
    if len(values) != 1:
        return None
    text, quoted = outline(values[0]) or (values[0].replace('"', "\\"), [])
    text = text.strip()
    if bare := _BARE.fullmatch(text):
        return _mailbox(bare[1])
    angled = _ANGLED.fullmatch(text) or _SEEN.fullmatch(text)
    if angled is None or not _is_wide(angled[2]) or (":" in angled[1] and text.endswith(";")):
        return None
    phrase = angled[1].strip()
    if "@" in phrase and phrase.lower() != angled[2].lower():
        return None
    parts = phrase.split(QUOTED)
    name = "".join(part + string for part, string in zip(parts, [*quoted, ""], strict=False))
    return _mailbox(angled[2], decoded_line(name, NAME_LIMIT))


def addresses(values: tuple[str, ...], limit: int = 50) -> tuple[str, ...]:
    """Return the addresses in *values*, each once, without names and comments, at most *limit*."""
    found: dict[str, None] = {}
    for value in values:
        outlined = outline(value)
        for match in _FREE_ADDRESS.finditer(outlined[0] if outlined is not None else value):
            if address := canonical(match[0]):
                found.setdefault(address)
    return tuple(found)[:limit]


def is_message_id(text: str) -> bool:
    """Return whether *text* is a message id that may be written into a header."""
    return _MESSAGE_ID.fullmatch(text) is not None


def message_ids(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the message ids in *values*, each once, the last ``MOST_IDS`` of them."""
    found = dict.fromkeys(match[0] for value in values for match in _MESSAGE_ID.finditer(value))
    return tuple(found)[-MOST_IDS:]


def outline(value: str) -> tuple[str, list[str]] | None:
    """Return *value* without comments and with NUL for each quoted string, and those strings; None where one is not closed."""
    kept: list[str] = []
    quoted: list[str] = []
    depth, in_quotes, escaped = 0, False, False
    for letter in value:
        if escaped:
            escaped = False
            if in_quotes:
                quoted[-1] += letter
        elif letter == "\\" and (in_quotes or depth):
            escaped = True
        elif in_quotes:
            in_quotes = letter != '"'
            quoted[-1] += letter if in_quotes else ""
        elif letter in "()":
            depth += 1 if letter == "(" else -1
            if depth < 0:
                return None
        elif not depth and letter == '"':
            in_quotes = True
            quoted.append("")
            kept.append(QUOTED)
        elif not depth:
            kept.append(letter)
    return None if depth or in_quotes else ("".join(kept), quoted)


def _is_wide(text: str) -> bool:
    return len(text) <= LONGEST and _WIDE_ADDRESS.fullmatch(text) is not None


def _mailbox(address: str, name: str = "") -> Mailbox | None:
    known = canonical(address)
    return Mailbox(address=known, name=name) if known else None
