"""A page taken apart into what stands below each other: headings, paragraphs, lists, tables, for paper to be set from."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from referee.core.regex import regex

Block = dict[str, Any]

_BLOCKS = {
    "h1": "heading",
    "h2": "heading",
    "h3": "heading",
    "p": "text",
    "li": "item",
    "pre": "form",
    "blockquote": "quote",
}
_BOLD, _ITALIC = ("strong", "b"), ("em", "i")
_UNSEEN = ("style", "title", "head")
_SHADE = regex(r"(background-color|(?<!-)color):\s*(#[0-9a-f]{6})")


def blocks_of(page: str) -> list[Block]:
    """Return what a page of ours says, in order, each with its ``kind``: ``heading`` (``level``), ``text``, ``item``, ``quote``
    and ``form`` (lines that stay as they are) with ``runs``; ``table`` with ``rows`` of cells {runs, head, right}, the first
    row its heads; ``picture`` with the ``source`` and the words (``alt``) of an image.

    A run is {text} that may be ``bold`` or ``italic`` or have colours (``ink`` on ``ground``), or {end} of a line.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return [block for block in reader.blocks if block["kind"] in ("table", "picture") or block["runs"]]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._into: Block | None = None  # the block or cell that words go into
        self._open: list[tuple[str, dict[str, Any]]] = []  # tags that change how words look
        self._unseen = 0
        self._figures = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag == "img":
            self.blocks.append({"kind": "picture", "source": given.get("src", ""), "alt": given.get("alt", "")})
        elif tag == "br":
            self._add({"end": True})
        elif tag == "table":
            self._figures = given.get("role") != "presentation"
            if self._figures:
                self.blocks.append({"kind": "table", "rows": []})
        elif self._figures and tag == "tr":
            self.blocks[-1]["rows"].append([])
        elif self._figures and tag in ("td", "th"):
            self._into = {"runs": [], "head": tag == "th", "right": given.get("align") == "right"}
            self.blocks[-1]["rows"][-1].append(self._into)
        elif tag in _BLOCKS and not (tag == "p" and self._quotes):
            self._into = {"kind": _BLOCKS[tag], "runs": []}
            if tag.startswith("h"):
                self._into["level"] = int(tag[1])
            self.blocks.append(self._into)
        elif tag in (*_BOLD, *_ITALIC, "span") or "why" in given.get("class", ""):
            self._open.append((tag, _look(tag, given)))

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen -= 1
        elif tag == "table":
            self._figures = False
        elif tag in _BLOCKS or tag in ("td", "th"):
            self._into = None
        if self._open and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._unseen or self._into is None:
            return
        if self._into.get("kind") == "form":
            for n, line in enumerate(data.split("\n")):
                if n:
                    self._add({"end": True})
                self._add({"text": line})
            return
        told = re.sub(r"[ \t\n]+", " ", data)
        runs = self._into["runs"]
        if not runs or runs[-1].get("end") or runs[-1]["text"].endswith(" "):
            told = told.lstrip(" ")
        self._add({"text": told} | {name: value for _, look in self._open for name, value in look.items()})

    @property
    def _quotes(self) -> bool:
        return self._into is not None and self._into.get("kind") == "quote"

    def _add(self, run: dict[str, Any]) -> None:
        if self._into is not None and (run.get("end") or run["text"]):
            self._into["runs"].append(run)


def _look(tag: str, given: dict[str, str]) -> dict[str, Any]:
    shades = dict(_SHADE.findall(given.get("style", "")))
    if "background-color" in shades:
        return {"bold": True, "ground": shades["background-color"], "ink": shades.get("color", "#000000")}
    return {"bold": True} if tag in _BOLD else {"italic": True} if tag in _ITALIC or given.get("class") == "why" else {}
