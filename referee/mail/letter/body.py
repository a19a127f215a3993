"""What a letter says: the part of a MIME message that its sender sees as text, found within limits."""

from __future__ import annotations

import email
import quopri
import re
import unicodedata
from email.errors import CloseBoundaryNotFoundDefect
from email.message import Message
from email.policy import compat32
from functools import reduce
from typing import Any

from msgspec import field

from referee.core import STRUCK, Mutable, Pair, Texts, Value, restore_marks

from .headers import CONTENT_FIELD_BYTES, decoded_line, from_base64
from .htmltext import html_text
from .text import WORDS, clean_line, decode_text, has_letter, normalise, signed_content, unflow

PART_LIMIT = 50
DEPTH_LIMIT = 20
LINE_LIMIT = 40_000  # a base64 attachment of 2 MB has 28,000
TEXT_LIMIT = 512 * 1024  # bytes of text in a letter
NAME_LIMIT = 100
VERSIONS = 4  # of the whole text, that are kept
ENCLOSED = 3  # text attachments that are kept

_PARTS = WORDS["parts"]
_CONTENT_TYPE = re.compile(rb"(?:^|[\r\n])content-type:", re.IGNORECASE)
_CONTAINER = re.compile(rb"(?:multipart|message)/", re.IGNORECASE)
_CONTENT_FIELD = re.compile(
    rb"(?:^|(?<=[\r\n]))content-[a-z-]{1,40}:[^\r\n]*+(?:(?:\r\n|\r|\n)[ \t][^\r\n]*+)*+", re.IGNORECASE
)
_LINE_END = re.compile(rb"\r\n|\r|\n")
_QUOTED_PICTURE = re.compile(r"[A-Za-z0-9-]{1,40}-turn-\d{1,4}[a-z0-9-]{0,40}\.png|image\d{3}\.png")
_PGP = re.compile(r"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)
_CALENDAR_METHOD = re.compile(rb"(?im)^METHOD:([A-Z]{1,20})\s")
_REACTION = 8  # characters
_CALENDAR_HEAD = 2000  # bytes of it in which that is said
# Parts that a machine writes, whatever they stand in but an enclosed letter, and what that says of it (``robots.MACHINES``).


class Body(Value):
    """What ``read_letter`` tells of a body: a ``Letter`` has it, and says what each of it is."""

    text: str = ""
    alternatives: Texts = ()
    pieces: Texts = ()
    enclosed: Texts = ()
    problems: Texts = ()
    attachments: Texts = ()
    unopened: tuple[Pair, ...] = ()
    robot: str = ""


def read_body(content: bytes) -> Body:
    """Return the body of a message of which *content* holds the Content- fields, an empty line and the rest."""
    problem = refusal(content)
    if problem:
        return Body(problems=(problem,))
    whole, cut = trim(content)
    root = email.message_from_bytes(whole, policy=compat32)
    parts = list(root.walk())
    if len(parts) > PART_LIMIT:
        return Body(problems=("too-many-parts",))
    reading = _Reading()
    versions = reading.read(root)
    if cut or any(isinstance(defect, CloseBoundaryNotFoundDefect) for part in parts for defect in part.defects):
        reading.note("cut-off")
    return reading.body(versions)


def refusal(content: bytes) -> str:
    """Return the problem that forbids parsing, "" for none.

    Every level of nesting needs a declared container, so counting declarations bounds the parser's recursion; lines that
    begin with ``--`` are no measure, a quoted newsletter is full of them.
    """
    if len(_CONTENT_TYPE.findall(content)) > PART_LIMIT:
        return "too-many-parts"
    declared = sum(len(_CONTAINER.findall(match[0])) for match in _CONTENT_FIELD.finditer(content))
    return "too-deep" if declared > DEPTH_LIMIT else ""


def trim(content: bytes) -> tuple[bytes, bool]:
    """Return *content* without what takes long to read (endless fields, lines beyond the limit), and whether lines were cut."""
    whole = _CONTENT_FIELD.sub(
        lambda match: match[0] if len(match[0]) <= CONTENT_FIELD_BYTES else b"x-dropped: ", content
    )
    for count, match in enumerate(_LINE_END.finditer(whole), start=1):
        if count >= LINE_LIMIT:
            return whole[: match.end()], match.end() < len(whole)
    return whole, False


class _Text(Value, kw_only=False):
    """What a part says. ``versions``: the whole of it as one reader or another sees it, the one to be read first, none where
    it has no text; ``pieces``: the texts that the first version is joined from.
    """

    versions: Texts = ()
    pieces: Texts = ()


class _Reading(Mutable, kw_only=False):
    """A walk over the parts of one letter. At most ``DEPTH_LIMIT`` levels are ever entered."""

    problems: dict[str, None] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    files: list[Message] = field(default_factory=list)  # text attachments, and documents
    unopened: list[Pair] = field(default_factory=list)
    room: int = TEXT_LIMIT
    robot: str = ""
    is_unsealed: bool = False  # one signature that encloses what it signs was opened

    def note(self, problem: str) -> None:
        """Remember a problem, once."""
        self.problems[problem] = None

    def read(self, part: Message) -> _Text:
        """Return the text of *part* and all in it."""
        kind, children = part.get_content_type(), _children(part)
        if kind in _PARTS["sealed"]:
            inner = None if self.is_unsealed or kind.startswith("multipart/") else signed_content(_content(part))
            self.is_unsealed = True
            if inner and not refusal(inner):
                return self.read(email.message_from_bytes(trim(inner)[0], policy=compat32))
            self.note("encrypted")
            return _Text()
        if kind == "multipart/alternative" and children:
            return self._choice(children)
        if kind in _PARTS["first-only"] and children:
            robots = (_PARTS["machines"].get(child.get_content_type(), "") for child in children)
            self.robot = self.robot or next(filter(None, robots), "bounce" if kind == "multipart/report" else "")
            self.names += [
                _name(child)
                for child in children[1:]
                if not (child.get_content_type().endswith(("-signature", "/pgp-signature")) or _is_quoted(child))
            ]
            return self.read(children[0])
        if kind.startswith("multipart/") and children:
            texts = [self.read(child) for child in children]
            chosen = [text for text in texts if text.versions]
            count = max((len(text.versions) for text in chosen), default=0)
            versions = (
                "\n".join(text.versions[min(at, len(text.versions) - 1)] for text in chosen) for at in range(count)
            )
            return _Text(tuple(versions), tuple(piece for text in chosen for piece in text.pieces))
        if kind in _PARTS["texts"] or kind.startswith("multipart/"):
            return self._leaf(part)
        if _document_kind(part) or (
            kind == "application/octet-stream" and _file_name(part).lower().endswith((".txt", ".text"))
        ):
            self.files.append(part)
            return _Text()
        self._pass_over(part, kind)
        return _Text()

    def body(self, read: _Text) -> Body:
        """Return the whole result."""
        pieces, files = read.pieces, self._files()
        text, *others = read.versions or ("",)
        if not has_letter(text) and files and has_letter(files[0][1]):
            self.note("from-attachment")
            text, pieces, files = files[0][1], (), files[1:]
        self.names += [name for name, _ in files]
        enclosed = [text for _, text in files if text]
        if _PGP.search(text):
            self.note("encrypted")
            text, others, pieces, enclosed = "", [], (), []
        if not self.names and _is_reaction(text):
            self.robot = self.robot or "reaction"
        if not has_letter(text) and not {"encrypted", "winmail"} & set(self.problems):
            self.note("no-text")
        return Body(
            text=text,
            alternatives=tuple(dict.fromkeys(other for other in others if other != text)),
            pieces=pieces if len(pieces) > 1 else (),
            enclosed=tuple(enclosed),
            problems=tuple(self.problems),
            attachments=tuple(self.names),
            unopened=tuple(self.unopened),
            robot=self.robot,
        )

    def _pass_over(self, part: Message, kind: str) -> None:
        """Note a part that is not text. A report, or a calendar's answer to an invitation, is written by a program."""
        self.robot = self.robot or _PARTS["machines"].get(kind, "")
        if kind == "text/calendar" and _method(part) in _PARTS["calendar-answers"]:
            self.robot = "calendar"
        if kind in _PARTS["winmail"]:
            self.note("winmail")
        if _is_quoted(part):
            return
        self.names.append(_name(part))

    def _leaf(self, part: Message) -> _Text:
        is_page = part.get_content_type() == "text/html"  # some programs give the letter's own page a name
        if part.get_content_disposition() == "attachment" or (_file_name(part) and not is_page):
            self.files.append(part)
            return _Text()
        text = self._text(part)
        return _Text((text,), (text,) if has_letter(text) else ())

    def _choice(self, children: list[Message]) -> _Text:
        """The first plain text with anything in it is to be read first; what it replaces is kept beside it, no attachment."""
        read = []
        for child in children:
            known = len(self.names)
            read.append((child.get_content_type() not in _PARTS["plain"], self.read(child)))
            if child.get_content_maintype() == "text":
                del self.names[known:]
        ranked = [text for _, text in sorted(read, key=lambda each: each[0]) if text.versions]
        chosen = [text for text in ranked if has_letter(text.versions[0]) or STRUCK in text.versions[0]] or ranked[:1]
        versions = tuple(dict.fromkeys(version for text in chosen for version in text.versions))[:VERSIONS]
        marked = [text for text in versions if STRUCK in text]  # what plain text cannot say
        pieces = chosen[0].pieces if chosen else ()
        versions, pieces = (tuple(reduce(restore_marks, marked, text) for text in each) for each in (versions, pieces))
        return _Text(versions, pieces)

    def _files(self) -> list[Pair]:
        """Return (name, text) of each text attachment and document, those with a text first; of the first few it is read."""
        read = [(_name(part), self._file_text(part)) for part in self.files[:ENCLOSED]]
        chosen = [(name, text) for name, text in read if has_letter(text)]
        others = [(name, "") for name, text in read if not has_letter(text)]
        return chosen + others + [(_name(part), "") for part in self.files[ENCLOSED:]]

    def _file_text(self, part: Message) -> str:
        kind = _document_kind(part)
        if not kind:
            return self._text(part)
        # Here, because hardly a letter brings one, and what unpacks and reads it takes long to import.
        from .documents import BadDocument, document_text

        try:
            text = normalise(document_text(_content(part), kind))
        except BadDocument as error:
            self.unopened.append((_name(part), error.why))
            return ""
        cut = text[: self.room]
        self.room -= len(cut)
        return cut

    def _text(self, part: Message) -> str:
        raw = _content(part)
        if len(raw) > self.room:
            self.note("too-large")
        raw = raw[: self.room]
        self.room -= len(raw)
        text, sure = decode_text(raw, _parameter(part, "charset"))
        if not sure:
            self.note("bad-charset")
        if part.get_content_type() == "text/html":
            return normalise(html_text(text))[:TEXT_LIMIT]
        if _parameter(part, "format").lower() == "flowed":
            text = unflow(text, _parameter(part, "delsp").lower() == "yes")
        return normalise(text)[:TEXT_LIMIT]


def _is_reaction(text: str) -> bool:
    """Return whether a text is a sign or two, with nothing said: 👍, ❤, and no hyphen or bar."""
    signs = text.strip()
    return 0 < len(signs) <= _REACTION and all(unicodedata.category(sign) in ("So", "Sk") for sign in signs)


def _method(part: Message) -> str:
    """Return what a calendar's file asks for, as its header says, else its first lines: not every program says it twice."""
    told = _parameter(part, "method").lower()
    said = None if told else _CALENDAR_METHOD.search(_content(part)[:_CALENDAR_HEAD])
    return said[1].decode("ascii").lower() if said else told


def _document_kind(part: Message) -> str:
    """Return ``.docx`` or ``.odt`` where a part is said to be such a document, by its type or else by its name, "" else."""
    name = _file_name(part).lower()
    named = next((kind for kind in _PARTS["documents"].values() if name.endswith(kind)), "")
    return _PARTS["documents"].get(part.get_content_type(), "") or named


def _is_quoted(part: Message) -> bool:
    """Return whether a part is a picture of a letter of ours, sent back with what is quoted of that: it has the name that we gave
    it, or that Outlook gives every picture.
    """
    return bool(part.get("content-id")) and _QUOTED_PICTURE.fullmatch(_file_name(part)) is not None


def _children(part: Message) -> list[Message]:
    """Return the parts of a multipart; an enclosed message has none that are read."""
    payload: Any = part.get_payload() if part.is_multipart() else []
    return (
        [] if part.get_content_maintype() == "message" else [child for child in payload if isinstance(child, Message)]
    )


def _content(part: Message) -> bytes:
    """Return the bytes of a part that has no parts, its transfer encoding undone."""
    encoding = (str(part.get("content-transfer-encoding", "")).split() or [""])[0].lower()
    # Without the field the standard library hands out the bytes as they came, and asks no foreign codec.
    del part["content-transfer-encoding"]
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    if encoding == "quoted-printable":
        return quopri.decodestring(raw)
    return from_base64(raw) if encoding == "base64" else raw


def _parameter(part: Message, name: str) -> str:
    """Return a parameter of Content-Type, "" where it is missing or cannot be read."""
    try:
        value = part.get_param(name)
    except (ValueError, LookupError, TypeError):
        return ""
    return value if isinstance(value, str) else ""


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename()
    except (ValueError, LookupError, TypeError):
        return "?"
    return decoded_line(str(name).encode("utf-8", "replace").decode(), NAME_LIMIT) if name else ""


def _name(part: Message) -> str:
    """Return what an unread part is called: its file name, else its type."""
    return _file_name(part) or clean_line(part.get_content_type(), NAME_LIMIT)
