"""Bytes to text a referee can read: character sets, format=flowed, and one spelling for dashes, quotes and spaces."""

from __future__ import annotations

import codecs
import re
import tomllib
import unicodedata
from contextlib import suppress
from pathlib import Path

from referee.core import Fields, nfkc, without_marked

# What programs of all kinds call things: character sets, tags, parts, fields.
WORDS: Fields = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))

_REMEMBERED = 10_000
_LATIN = "cp1252"
# What a server writes that takes UTF-8 for western text and makes UTF-8 of it again: Ã© for é.
_OF_UTF8_TWICE = re.compile(
    "[\u00c2-\u00df][\u0080-\u009f\u00a1-\u00bf\u0152-\u2122]|\u00c3\u00a0|\u00e2[\u0080\u20ac]"
)
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
_FLOWED_QUOTE = re.compile(r"((?:> ?)*)")


def decode_text(raw: bytes, label: str) -> tuple[str, bool]:
    """Return *raw* as text, and whether it is surely what was written: False where the label was wrong or a guess was needed."""
    text, sure = _decode(raw, label)
    for codec in ("latin-1", _LATIN) if _OF_UTF8_TWICE.search(text) else ():
        with suppress(UnicodeError):
            return text.encode(codec).decode(), False
    return text, sure


def _decode(raw: bytes, label: str) -> tuple[str, bool]:
    known, name = WORDS["charsets"], label.strip().strip("\"'").lower().replace("_", "-")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace"), False
    if raw.isascii() and not name.startswith("iso-2022"):
        # These spell other characters in ASCII; nobody writes them, and what a screen shows may not be what a reader finds.
        return raw.decode("ascii"), name not in known["spelled-in-ascii"]
    codec = known["codecs"].get(name)
    if not codec or name in known["western"]:
        # Text in a western character set is hardly ever valid UTF-8 by accident; mislabelled UTF-8 is common.
        with suppress(UnicodeDecodeError):
            return raw.decode(), name in (*known["utf8"], *known["guess"])
    if codec:
        text = raw.decode(codec, "replace")
        return text, "\ufffd" not in text
    return (_mostly_utf8(raw) if name in known["utf8"] else None) or raw.decode(_LATIN, "replace"), False


def split_lines(text: str) -> list[str]:
    """Return the lines of *text*, ended by CR LF, a lone CR or LF and by nothing else."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def unflow(text: str, delete_spaces: bool) -> str:
    """Return format=flowed *text* with its soft line breaks undone (RFC 3676); quotes keep a ``>`` for each level."""
    lines: list[str] = []
    flowing, last_depth = False, 0
    for raw_line in split_lines(text):
        marks = _FLOWED_QUOTE.match(raw_line)
        prefix = marks[0].rstrip(" ") if marks else ""
        depth, line = prefix.count(">"), raw_line[len(prefix) :].removeprefix(" ")
        if flowing and depth == last_depth and line != "-- ":
            lines[-1] += line
        else:
            lines.append((">" * depth + " " if depth else "") + line)
        flowing, last_depth = line.endswith(" ") and line != "-- ", depth
        if flowing and delete_spaces:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


def normalise(text: str) -> str:
    """Return *text* in one spelling: NFKC, ``-`` for every dash, straight quotes, plain spaces, nothing invisible.

    Lines keep their number; they are ended by LF.
    """
    return "\n".join(_normalise_line(line) for line in split_lines(text))


def clean_line(text: str, limit: int) -> str:
    """Return *text* as one line without controls, invisible or bidi characters, of at most *limit* characters."""
    spaced = "".join(_plain_character(letter) for letter in text[: 4 * limit])
    return " ".join(spaced.split())[:limit].rstrip()


def has_letter(text: str) -> bool:
    """Return whether there is anything to read in *text*, and to be seen."""
    return any(letter.isalnum() for letter in without_marked(text))


def _mostly_utf8(raw: bytes) -> str | None:
    """Return *raw* as UTF-8 where it is that but for a few bytes (a letter cut in the middle of a character)."""
    text = raw.decode("utf-8", "replace")
    faults = text.count("\ufffd")
    good = sum(not letter.isascii() for letter in text) - faults
    return text if good > faults else None


def _normalise_line(line: str) -> str:
    if line.isascii() and line.isprintable():
        return line
    # Spelled before NFKC, which takes some quotes apart, and after it, for it makes dashes out of other dashes.
    return _spell(nfkc(_spell(line)))


def _spell(line: str) -> str:
    return line.translate(_SPELLING)


def _plain_character(letter: str) -> str:
    if letter in "\t\n\v\f\r\x85":
        return " "
    category = unicodedata.category(letter)
    if category[0] == "Z":
        return " "
    return "" if category[0] == "C" or letter in _INVISIBLE else letter


class _Spelling(dict[int, str]):
    """What stands for each character: asked about a new one it looks it up, and remembers a few thousand."""

    def __missing__(self, code: int) -> str:
        plain = _plain_character(chr(code))
        if len(self) < _REMEMBERED:
            self[code] = plain
        return plain


_SPELLING = _Spelling(
    str.maketrans(
        {
            **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－⸺⸻", "-"),
            **dict.fromkeys("‘’‚‛′ʹʼ´ˊ‹›", "'"),
            **dict.fromkeys("“”„‟″«»", '"'),
        }
    )
)


# What a signature after S/MIME encloses (RFC 8551, 3.5.2), out of its DER or BER; the signature itself is not checked.

_SIGNED = bytes.fromhex("2a864886f70d010702")
_SEQUENCE, _OCTETS, _NAME, _TAGGED = 0x30, 0x04, 0x06, 0xA0
_CONSTRUCTED = 0x20
_DEEPEST = 10


def signed_content(raw: bytes) -> bytes | None:
    """Return the content that *raw* signs and encloses, None where it is sealed, or no such thing."""
    try:
        kind, body = _inside(_sequence(raw))[:2]
        if kind != (_NAME, _SIGNED):
            return None
        content = next(value for tag, value in _inside(_sequence(body[1])) if tag == _SEQUENCE)
        return _join(*_inside(next(value for tag, value in _inside(content) if tag == _TAGGED))[0], 0)
    except (IndexError, ValueError, StopIteration):
        return None


def _sequence(raw: bytes) -> bytes:
    found, value, _ = _element(raw, 0, 0)
    if found != _SEQUENCE:
        raise ValueError
    return value


def _inside(raw: bytes) -> list[tuple[int, bytes]]:
    """Return the elements that stand one after the other: (tag, value)."""
    found, at = [], 0
    while at < len(raw) and raw[at : at + 2] != b"\0\0":
        tag, value, at = _element(raw, at, 0)
        found.append((tag, value))
    return found


def _element(raw: bytes, at: int, depth: int) -> tuple[int, bytes, int]:
    """Return the tag and the value of the element that begins at *at*, and where it ends.

    Raises:
        IndexError: it is cut off.
        ValueError: it is none, or too deep.
    """
    tag, length, start = raw[at], raw[at + 1], at + 2
    if length == 0x80:  # of no length that is said: two zeros end it
        if depth == _DEEPEST:
            raise ValueError
        at = start
        while raw[at] or raw[at + 1]:
            at = _element(raw, at, depth + 1)[2]
        return tag, raw[start:at], at + 2
    if length > 0x80:
        size = length & 0x7F
        length, start = int.from_bytes(raw[start : start + size], "big"), start + size
    if start + length > len(raw):
        raise IndexError
    return tag, raw[start : start + length], start + length


def _join(tag: int, value: bytes, depth: int) -> bytes:
    """Return an octet string, which may be joined from pieces."""
    if tag == _OCTETS:
        return value
    if tag != _OCTETS | _CONSTRUCTED or depth == _DEEPEST:
        raise ValueError
    return b"".join(_join(*piece, depth + 1) for piece in _inside(value))
