"""The text of attached documents, ``.docx`` and ``.odt``: archives with a text of marks in them.

Of an archive one file is unpacked, and of that as much as a long text has: what is larger is no letter to a referee. Nothing that
it refers to is looked at, and a text that declares words of its own is refused.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any
from xml.sax import SAXException
from xml.sax.handler import ContentHandler, feature_namespaces

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from referee.core import HIDDEN, STRUCK, Pair, render_marks

MOST_BYTES = 8 * 1024 * 1024  # of the unpacked text with its marks
MOST_ELEMENTS = 100_000
MOST_CHARACTERS = 512 * 1024  # of what is read in it

NO_DOCUMENT, TOO_LARGE = "no-document", "large-document"  # words of ``Letter.problems``

_CHUNK = 64 * 1024
_TEXTS = {".docx": "word/document.xml", ".odt": "content.xml"}  # where the text stands in the archive
_WORD = {
    "lines": {"p", "br", "cr"}, "spaces": {"tab": " ", "noBreakHyphen": "-"}, "text": {"t"},
    "unseen": {"Fallback", "moveFrom", "del"}, "spans": {"r"},
    "marks": {"vanish": HIDDEN, "strike": STRUCK, "dstrike": STRUCK},
}  # fmt: skip
_OFFICE = {
    "lines": {"p", "h", "line-break"}, "spaces": {"tab": " ", "s": " "}, "text": {"p", "h"},
    "unseen": {"annotation", "tracked-changes", "note", "forms"}, "spans": {"p", "h", "span"}, "marks": {},
}  # fmt: skip


class BadDocument(Exception):
    """A document of which there is no text; ``why`` is ``NO_DOCUMENT`` or ``TOO_LARGE``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def document_text(raw: bytes, kind: str) -> str:
    """Return the text of a document, a paragraph a line, as its writer saw it, without what is noted or was
    taken out; what is struck out or hidden is marked.

    Raises:
        BadDocument: it is none, or too large.
    """
    reader = DefusedExpatParser(forbid_dtd=True)
    text = _Text(_WORD if kind == ".docx" else _OFFICE)
    reader.setFeature(feature_namespaces, True)
    reader.setContentHandler(text)
    try:
        for chunk in _unpack(raw, _TEXTS[kind]):
            reader.feed(chunk)
        reader.close()
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError, OSError) as error:
        raise BadDocument(NO_DOCUMENT) from error
    except (SAXException, DefusedXmlException) as error:
        raise BadDocument(NO_DOCUMENT) from error
    return text.marked_text()


def _unpack(raw: bytes, name: str) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        member = archive.getinfo(name)
        if member.flag_bits & 1 or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadDocument(NO_DOCUMENT)  # under a password, or packed as no program for texts does
        left = MOST_BYTES
        with archive.open(member) as file:
            while chunk := file.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise BadDocument(TOO_LARGE)
                yield chunk


class _Text(ContentHandler):
    """Gathers what is written between the marks."""

    def __init__(self, marks: dict[str, Any]) -> None:
        super().__init__()
        self._marks = marks
        self._pieces: list[Pair] = []  # (mark, text)
        self._spans: list[str] = []  # the mark of each that is open
        self._style, self._styles = "", dict[str, str]()  # the style that is described, the marks of those that were
        self._elements = self._characters = 0
        self._within = self._unseen = 0  # how many elements deep in text, and in what nobody sees

    def marked_text(self) -> str:
        return render_marks(self._pieces)

    def startElementNS(self, name: tuple[str | None, str], qname: str | None, attrs: Any) -> None:  # noqa: N802
        """Begin an element."""
        self._elements += 1
        if self._elements > MOST_ELEMENTS:
            raise BadDocument(TOO_LARGE)
        tag, marks = name[1], self._marks
        said = {key[1]: str(attrs.getValue(key)) for key in attrs.getNames()}
        mark = marks["marks"].get(tag, HIDDEN if tag == "color" and said.get("val", "").upper() == "FFFFFF" else "")
        if tag in marks["spans"]:
            self._spans.append(self._styles.get(said.get("style-name", ""), "") or (self._spans or [""])[-1])
        elif mark and self._spans and said.get("val") not in ("0", "false", "off"):
            self._spans[-1] = mark
        elif tag == "style":
            self._style = said.get("name", "")
        elif tag == "text-properties":
            struck = said.get("text-line-through-style", "none") != "none"
            is_unseen = said.get("display") == "none" or said.get("color", "").lower() == "#ffffff"
            self._styles[self._style] = HIDDEN if is_unseen else STRUCK if struck else ""
        self._unseen += tag in marks["unseen"]
        self._within += tag in marks["text"]
        if tag in marks["spaces"]:
            self._add(marks["spaces"][tag])

    def endElementNS(self, name: tuple[str | None, str], qname: str | None) -> None:  # noqa: N802
        """End an element."""
        tag, marks = name[1], self._marks
        self._within -= tag in marks["text"]
        self._unseen -= tag in marks["unseen"]
        if tag in marks["spans"]:
            self._spans.pop()
        if tag in marks["lines"]:
            self._add("\n")

    def characters(self, content: str) -> None:
        """Take some text."""
        if self._within:
            self._add(content)

    def _add(self, piece: str) -> None:
        self._characters += len(piece)
        if self._characters > MOST_CHARACTERS:
            raise BadDocument(TOO_LARGE)
        if not self._unseen:
            self._pieces.append(((self._spans or [""])[-1], piece))
