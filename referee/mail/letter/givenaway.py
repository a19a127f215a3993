"""A letter that can be given away: whom and what it tells of is exchanged, how its program wrote it is kept."""

from __future__ import annotations

import email
import quopri
import random
import re
from base64 import encodebytes
from collections.abc import Callable, Iterable, Mapping
from email.header import Header

from referee.core import Words

from .headers import decode_words, from_base64, head_of
from .tokens import ANYWHERE

_ADDRESS = re.compile(r"([\w.!#$&'*/=?^{}~-]+)((?:\+[\w.+-]*)?)(@|%40|&#64;)([\w.-]*\w)")
_WORD = re.compile(r"[^\W_]+")
_FIELD = re.compile(r"(?m)^([^\s:]+:)(.*(?:\n[ \t].*)*)")
_ENCODED = re.compile(r"=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=")
_KEPT = re.compile(  # what a mail program writes, and what tells a robot; in all others servers speak of themselves
    r"(?:content-|mime-|user-agent|x-mailer|date|subject|from|to|cc|reply-to|references|in-reply-to|message-id"
    r"|return-path|auto-|precedence|list-|x-auto).*",
    re.IGNORECASE,
)
_CODINGS: Mapping[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    "base64": (from_base64, encodebytes),
    "quoted-printable": (quopri.decodestring, quopri.encodestring),
}
_VOWELS, _DIGITS, _OTHERS = "aeu", "23456789", "bcdfghjklmnpqrstvwxyz"  # a code has no others


class Exchange:
    """What stands for what, the same in all of a letter: *names* are spelt anew, *others* give what is told in their place."""

    def __init__(self, names: Iterable[str], others: Words, drawn: random.Random) -> None:
        self._drawn, self._others = drawn, {name.lower(): other for name, other in others.items()}
        known = sorted({*others, *names}, key=len, reverse=True)
        told = "|".join(re.escape(name) if name.isupper() else f"(?i:{re.escape(name)})" for name in known)
        self._known = re.compile(rf"(?<![^\W_])(?:{told or '(?!)'})(?![^\W_])")

    def letter(self, raw: bytes) -> bytes:
        """Return *raw*, its parts and fields where and written as they were; what is no text is left out."""
        head = head_of(raw)
        part, body = email.message_from_bytes(head), raw[len(head) :]
        coding = str(part["content-transfer-encoding"]).strip().lower()
        boundary = part.get_boundary()
        if boundary is not None:
            first, *parts = re.split(rb"(?m)(^--" + re.escape(boundary.encode()) + rb"(?:--)?[ \t]*\r?\n?)", body)
            body = first + b"".join(self.letter(each) if at % 2 else each for at, each in enumerate(parts))
        elif part.get_content_maintype() == "text":
            decode, encode = _CODINGS.get(coding, (bytes, bytes))
            old = decode(body)
            is_utf8 = old.decode("utf-8", "ignore").encode() == old
            codec = "utf-16" if b"\0" in old else "utf-8" if is_utf8 else "latin-1"  # in others ASCII alone is found
            new = self._disguise(old.decode(codec)).encode(codec)
            body = body if new == old else encode(new)
        else:
            body = b"\n"
        return (
            _FIELD.sub(self._field, head.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape") + body
        )

    def _field(self, found: re.Match[str]) -> str:
        told = _ENCODED.sub(self._word, self._disguise(found[2])) if _KEPT.fullmatch(found[1]) else " -"
        return found[1] + told

    def _word(self, found: re.Match[str]) -> str:
        old = decode_words(found[0])
        new = self._disguise(old)
        return found[0] if new == old else Header(new, "utf-8").encode()

    def _disguise(self, text: str) -> str:
        text = ANYWHERE.sub(lambda found: found[0][:-8] + self._other(found["token"]), text)
        return self._known.sub(self._pseudonym, _ADDRESS.sub(self._address, text))

    def _address(self, found: re.Match[str]) -> str:
        """Return an address in a domain that nobody can have; a code in it stays."""
        behind = found[2] if ANYWHERE.search(found[2]) else _WORD.sub(self._pseudonym, found[2])
        local, domain = (_WORD.sub(self._pseudonym, each) for each in (found[1], found[4].rpartition(".")[0]))
        return f"{local}{behind}{found[3]}{domain}.test"

    def _pseudonym(self, found: re.Match[str]) -> str:
        return self._other(found[0])

    def _other(self, old: str) -> str:
        """Return what stands for a name, or else letters and digits of the same kinds."""
        kinds = (_VOWELS if each in "aeiouy" else _DIGITS if each.isdigit() else _OTHERS for each in old.lower())
        drawn = "".join(
            self._drawn.choice(kind.replace(each, "")) for each, kind in zip(old.lower(), kinds, strict=False)
        )
        other = self._others.setdefault(old.lower(), drawn)
        return other.upper() if old.isupper() else other
