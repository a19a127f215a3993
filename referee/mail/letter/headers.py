"""The header lines of a letter, read with limits so that no stranger's header costs time, and RFC 2047 words."""

from __future__ import annotations

import binascii
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice

from referee.core import LONGEST, Pair, Texts, Value, canonical

from .text import clean_line, decode_text

FIELD_COUNT = 200
FIELD_BYTES = 16 * 1024
HEAD_BYTES = 128 * 1024
HEAD_LINES = 4000
RESULTS = "authentication-results"
CONTENT_FIELD_BYTES = 2048  # the standard parser reads parameters in quadratic time

_LINE = re.compile(rb"([^\r\n]*)(\r\n|\r|\n|\Z)")
_FIELD = re.compile(rb"([!-9;-~]{1,200})[ \t]*:(.*)", re.DOTALL)
_NAME = re.compile(rb"([!-9;-~]{1,200})[ \t]*:")
STRAYS = 3  # lines that are no field, above the sender's
_MBOX_LINE = re.compile(rb"From ([!-~]{1,320})[ \t]")
_WORD = re.compile(r"=\?([A-Za-z0-9_.:+-]{1,40})(?:\*[A-Za-z0-9-]{0,40})?\?([bBqQ])\?([^?]*)\?=")
_COMMENT = re.compile(r"\([^()]*\)")
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t]+(?==\?)")


class HeaderFields(Value):
    """Header fields in the order of the letter: (name in lower case, value unfolded, not yet decoded).

    ``envelope``: who sent it on its way, by the line with which an mbox begins a letter; "" where there is none.
    """

    fields: tuple[Pair, ...]
    overfull: bool = False  # more fields than a letter has: nothing in it is to be believed
    envelope: str = ""

    def all(self, name: str) -> Texts:
        """Return every value of the field *name* (lower case), the topmost first."""
        return tuple(value for field, value in self.fields if field == name)

    def first(self, name: str) -> str:
        """Return the topmost value of the field, "" where there is none."""
        return next((value for field, value in self.fields if field == name), "")


def read_head(raw: bytes) -> tuple[HeaderFields, bytes]:
    """Return the header of *raw*, and what the MIME parser is to see: the first of each Content- field and the body.

    Of a field over 16 kB the name alone is kept, of more than 200 fields the first.
    """
    fields: list[Pair] = []
    end = _head_end(raw)
    for index, (name, value) in enumerate(_fields(raw[:HEAD_BYTES])):
        if index >= FIELD_COUNT:
            return HeaderFields(fields=tuple(fields), overfull=True), b""
        text = decode_text(value.strip(), "utf-8")[0] if len(value) <= FIELD_BYTES else ""
        fields.append((name, text.replace("\0", "")))
    if end == HEAD_BYTES or raw.count(b"\n", 0, end) >= HEAD_LINES:
        return HeaderFields(fields=tuple(fields), overfull=True), b""
    head = HeaderFields(fields=tuple(fields), envelope=_envelope(raw))
    content = {name: value for name, value in reversed(fields) if name.startswith("content-")}
    lines = (f"{name}: {value}\n" for name, value in content.items() if len(value) <= CONTENT_FIELD_BYTES)
    return head, "".join(lines).encode("ascii", "replace") + b"\n" + raw[end:]


def _envelope(raw: bytes) -> str:
    line = _MBOX_LINE.match(raw)
    return line[1].decode("ascii", "replace") if line else ""


def head_of(raw: bytes) -> bytes:
    """Return the header of *raw*, with the line that ends it."""
    return raw[: _head_end(raw)]


def without_marks(raw: bytes, marks: re.Pattern[bytes]) -> bytes:
    """Return *raw* with another name for the fields of its header that *marks* finds by their names."""
    end = _head_end(raw)
    return marks.sub(b"X-Passed-Over", raw[:end]) + raw[end:]


def decode_words(value: str) -> str:
    """Return *value* with its RFC 2047 words decoded; a word that cannot be decoded stays as it is."""
    joined: list[tuple[str, bytes]] = []  # (character set, bytes): a character may be split between two words
    text, position, glued = "", 0, _BETWEEN_WORDS.sub(r"\1", value)
    for match in _WORD.finditer(glued):
        word = _word_bytes(match[2], match[3])
        if word is None:
            continue
        if match.start() > position or (joined and joined[-1][0] != match[1].lower()):
            text += _flush(joined) + glued[position : match.start()]
        joined.append((match[1].lower(), word))
        position = match.end()
    return text + _flush(joined) + glued[position:]


def decoded_line(value: str, limit: int) -> str:
    """Return a header value decoded, as one line without controls, at most *limit* characters."""
    return clean_line(decode_words(value), limit)


def parse_date(stamp: str) -> datetime | None:
    """Return the time that a header line names, UTC; None where it names none."""
    try:
        read = parsedate_to_datetime(_COMMENT.sub(" ", stamp).strip()[:100])
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError, AttributeError):
        return None


def from_base64(raw: bytes) -> bytes:
    """Return what *raw* stands for, whatever else stands in it: all that follows the padding is a stranger's footer."""
    letters = re.sub(rb"[^A-Za-z0-9+/=]", b"", raw).partition(b"=")[0]
    whole = letters[: len(letters) - 1] if len(letters) % 4 == 1 else letters
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def _fields(block: bytes) -> list[tuple[str, bytes]]:
    """Return (name, value with its folds) for each field of the header, at most one more than are allowed."""
    found: list[tuple[str, list[bytes]]] = []
    before = b""
    for match in _LINE.finditer(block, 0, _head_end(block)):
        line, end, before = match[1], before, match[2]
        field = _FIELD.fullmatch(line)
        if line[:1] in (b" ", b"\t") and found:
            found[-1][1].append(line)
        elif field:
            name = field[1].decode("ascii").lower()
            is_plain = end != b"\r" and line[len(name) : len(name) + 1] == b":"
            # Where a server takes forged results out, it may not see those that are written otherwise.
            found.append((name if is_plain or name != RESULTS else f"odd-{name}", [field[2]]))
        if len(found) > FIELD_COUNT:
            break
    return [(name, b"".join(lines)) for name, lines in found]


def _head_end(raw: bytes) -> int:
    """Return where the body begins: after the empty line, or at the first line that is no header line. A few such lines are
    passed over where they hide the sender (mbox's ``>From``, a line that a program broke), empty ones on top.
    """
    end, is_signed = _scan(raw, 0)
    if is_signed:
        return end
    further, is_signed = _scan(raw, STRAYS)
    return further if is_signed else end


def _scan(raw: bytes, strays: int) -> tuple[int, bool]:
    """Return where the header ends, with so many lines passed over above the sender, and whether it names one."""
    begun, named, end = False, False, 0
    for match in islice(_LINE.finditer(raw, 0, HEAD_BYTES), HEAD_LINES):
        end = match.end()
        line, field = match[1], _NAME.match(match[1])
        if field:
            begun, named = True, named or field[1].lower() == b"from"
        elif line[:1] not in (b" ", b"\t") and not (match.start() == 0 and line.startswith(b"From ")):
            if named or not strays or (begun and not line):
                return (match.start() if line else match.end()), named
            strays -= 1
    return end, named


def _word_bytes(encoding: str, content: str) -> bytes | None:
    try:
        if encoding in "bB":
            return from_base64(content.encode("ascii"))
        return binascii.a2b_qp(content.replace(" ", "_").encode("ascii"), header=True)
    except ValueError:
        return None


def _flush(joined: list[tuple[str, bytes]]) -> str:
    """Return the text of words in one character set that follow each other, and forget them."""
    text = decode_text(b"".join(word for _, word in joined), joined[0][0])[0] if joined else ""
    joined.clear()
    return text


# Who wrote a letter and to whom: addresses and message ids, read strictly where a player is recognised by them.

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


def sole_mailbox(values: Texts) -> Mailbox | None:
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
    is_wide = angled and len(angled[2]) <= LONGEST and _WIDE_ADDRESS.fullmatch(angled[2])
    if not angled or not is_wide or (":" in angled[1] and text.endswith(";")):
        return None
    phrase = angled[1].strip()
    if "@" in phrase and phrase.lower() != angled[2].lower():
        return None
    parts = phrase.split(QUOTED)
    name = "".join(part + string for part, string in zip(parts, [*quoted, ""], strict=False))
    return _mailbox(angled[2], decoded_line(name, NAME_LIMIT))


def addresses(values: Texts, limit: int = 50) -> Texts:
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


def message_ids(values: Texts) -> Texts:
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


def _mailbox(address: str, name: str = "") -> Mailbox | None:
    known = canonical(address)
    return Mailbox(address=known, name=name) if known else None
