"""HTML letters as plain text: what the sender saw, quotes marked ``> ``, what is struck out or hidden marked as in ``marks``.

The tags are found by a scanner of our own: the one in the standard library takes minutes for some 60 kB letters
(CVE-2025-6069), and others follow nesting by recursion.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator

from referee.core import HIDDEN, STRUCK, Mutable, Pair, Value, Words, render_marks

from .text import WORDS, split_lines

HTML_LIMIT = 512 * 1024  # characters
DEEPEST_QUOTE = 10

_TAG = re.compile(r"""<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})((?:[^<>"']|"[^"]*+"|'[^']*+')*+)>""")
_LOOSE_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})([^<>]*+)>")  # a stray quote: title=don't
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]{1,40})(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?""")
_ENDLESS_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?")
_SPACES = re.compile(r"[ \t\r\n\f]+")

_HTML = WORDS["html"]
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        """address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form
        h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody tfoot thead tr ul""",
    )
)

_HIDES = (
    r"display:none|visibility:(?:hidden|collapse)|mso-hide:all|font-size:0(?:\.0+)?(?:px|pt|em|rem|%)?(?:;|!|$)"
    r"|opacity:0(?:\.0+)?(?:;|!|$)|(?:max-height|max-width):0(?:px|pt|em|rem|%)?(?:;|!|$)"
    r"|(?<![a-z-])(?:text-indent|left|top):-\d{3,}|(?<![a-z-])color:transparent|clip:rect\(0|scale\(0"
)
_STRIKES = r"text-decoration(?:-line)?:[a-z-]*line-through"
_HIDING, _STRIKING = re.compile(_HIDES), re.compile(_STRIKES)
_TELLING = re.compile(rf"{_HIDES}|{_STRIKES}|(?<![a-z-])color:|background")  # what a rule of a style sheet may say
_INK, _PAPER = re.compile(r"(?<![a-z-])color:([^;!]+)"), re.compile(r"background(?:-color)?:([^;!]+)")
_WHITE = re.compile(r"white|#f{3}|#(?:f[a-f]){3}|rgba?\((?:25[0-5],){2}25[0-5](?:,1)?\)")
# Remarks; what is for printers and small screens.
_ELSEWHERE = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|@[^{};@]{1,300}\{(?:[^{}]*\{[^{}]*\})*+[^{}]*\}?")
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_THINGS = re.compile(r"[.#][\w-]+")
_MOST_CLASSES = 20
_MOST_RULES = 200  # selectors of a letter that are looked for

_ABOVE = 10  # lines above a frame that may say whose words stand in it
_SIDE_LINE = re.compile(r"border(?:-left|-right)?(?:-width|-style)?:(?!none|0|medium)")
_ALPHA = re.compile(r"list-style(?:-type)?:(lower|upper)-(?:alpha|latin)")
_WHO_WROTE = re.compile(r"(?:@|\d[:.h]\d\d|(?:19|20)\d\d|wrote|schrieb|écri|schreef).*[:：]\s*$", re.IGNORECASE)
_OUTLOOK_RULE = re.compile(r"border:none;border-top:solid#(?:e1e1e1|b5c4df)")
_FROM = re.compile(r"\s*(?:From|Von|De|Van|Da|Från|Fra|Od|От|Lähettäjä|Feladó)\s*:")


def html_text(source: str) -> str:
    """Return the visible text of *source* (its first 512 k characters), blocks on lines of their own."""
    walker = _Walker()
    for token in _tokens(source[:HTML_LIMIT]):
        if isinstance(token, str):
            walker.text(token)
        elif token.closing:
            walker.end(token.name)
        else:
            walker.start(token.name, token.attributes)
    return walker.finish()


def _plain_style(style: str) -> str:
    return _SPACES.sub("", style.lower())


class _Tag(Value, kw_only=False):
    name: str
    closing: bool
    attributes: Words


class _Open(Mutable, kw_only=False):
    """An element that is open, and what it adds to the state of the walk."""

    name: str
    skipped: bool = False
    hidden: bool = False
    struck: bool = False
    quoted: bool = False
    until_blockquote: bool = False  # Gmail's frame: what is written between its blockquotes is the sender's own
    verbatim: bool = False
    number: int = 0  # of the next item of an ordered list
    lettered: str = ""
    ink: str = ""
    paper: str = "white"


class _Walker:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[Pair] = []  # (mark, text)
        self._space = False
        self._open: list[_Open] = []
        self._names: Counter[str] = Counter()
        self._skipped = self._hidden = self._struck = self._quotes = self._verbatim = 0
        self._frames: list[_Open] = []
        self._lists: list[_Open] = []
        self._after_rule = False
        self._label = ""  # of a list's item, until its text begins
        self._rules: dict[
            str, list[tuple[set[str], str]]
        ] = {}  # (all that an element must have, style) by one thing of that

    def start(self, name: str, attributes: Words) -> None:
        """An element begins."""
        if name == "body":
            self._close_to("head")
        if name in _BLOCKS and self._open and self._open[-1].name == "p":
            self._pop()
        if name in _HTML["ends-before"] and self._open and self._open[-1].name in (name, _HTML["ends-before"][name]):
            self._pop()
        if name in _BLOCKS:
            self._break()
        if name == "br":
            self._flush()
        elif name in ("td", "th"):
            self._space = bool(self._line)
        elif name == "hr":
            self._after_rule = True
        if name not in _HTML["void"]:
            self._push(name, attributes)

    def end(self, name: str) -> None:
        """An element ends; an end without a beginning is passed over."""
        if name == "br":
            self._flush()
        self._close_to(name)

    def text(self, source: str) -> None:
        """Text between two tags."""
        if self._skipped:
            if self._open[-1].name == "style":
                self._heed(source)
            return
        text = html.unescape(_ENDLESS_NUMBER.sub("\ufffd", source)) if "&" in source else source
        if self._after_rule and text.strip():
            self._after_rule = False
            self._quotes += 1 if _FROM.match(text) else 0
        if self._verbatim:
            first, *rest = split_lines(text)
            self._write(first)
            for line in rest:
                self._flush()
                self._write(line)
            return
        words = _SPACES.split(text)
        self._space = self._space or not words[0]
        inner = " ".join(word for word in words if word)
        if inner:
            self._write(" " * (self._space and bool(self._line)) + inner)
            self._space = not words[-1]

    def finish(self) -> str:
        """Return all lines."""
        self._break()
        return "\n".join(self._lines)

    def _heed(self, sheet: str) -> None:
        """Keep what a style sheet hides, strikes out or colours; of a selector the last element alone is looked at."""
        for rule in _ELSEWHERE.sub("", sheet).split("}"):
            selectors, _, said = rule.rpartition("{")
            style = _plain_style(said)
            for selector in selectors.lower().split(",") if _TELLING.search(style) else ():
                last = _SELECTOR.fullmatch((selector.split() or [""])[-1])
                wanted = [*filter(None, (last[1], *_THINGS.findall(last[2])))] if last else []
                if wanted and len(self._rules) < _MOST_RULES:
                    self._rules.setdefault(wanted[-1], []).append((set(wanted), style))

    def _write(self, text: str) -> None:
        last = self._open[-1] if self._open else None
        is_hidden = self._hidden or (last and last.ink and last.ink == last.paper)
        mark = HIDDEN if is_hidden else STRUCK if self._struck else ""
        if text:
            label, self._label = ("", self._label) if mark == HIDDEN else (self._label, "")
            self._line.append((mark, label + text))

    def _break(self) -> None:
        """End the line if anything stands on it."""
        if self._line:
            self._flush()
        self._space = False

    def _flush(self) -> None:
        if not (self._skipped or self._hidden) or self._line:
            self._lines.append("> " * min(self._quotes, DEEPEST_QUOTE) + render_marks(self._line))
        self._line.clear()
        self._space = False

    def _push(self, name: str, attributes: Words) -> None:
        style = _plain_style(attributes.get("style", ""))
        if self._rules:
            style = ";".join((style, *self._styles_of(name, attributes)))
        ink, paper = _INK.search(style), _PAPER.search(style)
        around = self._open[-1] if self._open else _Open("")
        classes = set(attributes.get("class", "").lower().split())
        identity = attributes.get("id", "").lower()
        if identity in _HTML["dividers"] or _OUTLOOK_RULE.search(style):
            self._break()
            self._quotes += 1  # of no element: it stays to the end
        is_quotation = name == "blockquote" and not self._is_set_in(style, classes, attributes)
        element = _Open(
            name,
            skipped=name in _HTML["unseen"],
            hidden="hidden" in attributes or _HIDING.search(style) is not None,
            struck=name in _HTML["struck"] or _STRIKING.search(style) is not None,
            ink=_colour(ink[1] if ink else attributes.get("color", "") or attributes.get("text", "")) or around.ink,
            paper=_colour(paper[1] if paper else attributes.get("bgcolor", "")) or around.paper,
            quoted=is_quotation or bool(classes.intersection(_HTML["quoting"])) or identity in _HTML["quoting-ids"],
            until_blockquote=name != "blockquote" and "gmail_quote" in classes,
            verbatim=name == "pre" or "white-space:pre" in style,
            lettered=_item_letter(attributes.get("type", ""), style),
            number=_item_number(attributes.get("start", "")) or 1,
        )
        if is_quotation:
            for frame in self._frames:
                self._quotes -= 1
                frame.until_blockquote = False
            self._frames.clear()
        self._open.append(element)
        self._names[name] += 1
        self._count(element, 1)
        if name in ("ol", "ul"):
            self._lists.append(element)
        if element.until_blockquote:
            self._break()
            self._frames.append(element)
        if name == "li" and not (self._skipped or self._hidden):
            self._write_item(_item_number(attributes.get("value", "")))

    def _is_set_in(self, style: str, classes: set[str], attributes: Words) -> bool:
        """Return whether an editor's button set text in: nothing says that somebody is cited, no line stands at its side, and
        none above says who wrote it.
        """
        if self._quotes and "border:none" not in style:
            return False
        if {"cite", "type"} & {*attributes} or classes.difference(_HTML["setting-in"]) or _SIDE_LINE.search(style):
            return False
        above = next((line for line in reversed(self._lines[-_ABOVE:]) if line.strip(" >")), "")
        return "border:none" in style or _WHO_WROTE.search(above) is None

    def _styles_of(self, name: str, attributes: Words) -> Iterator[str]:
        """Yield what the letter's style sheets say of an element."""
        has = {name, *(f".{each}" for each in attributes.get("class", "").lower().split()[:_MOST_CLASSES])}
        has.add("#" + attributes.get("id", "").lower())
        yield from (style for each in has for wanted, style in self._rules.get(each, ()) if wanted <= has)

    def _write_item(self, value: int) -> None:
        """An ordered list numbers its items itself: mail programs make one of lines typed as ``1. …``."""
        if not self._lists or self._lists[-1].name != "ol":
            return
        numbered = self._lists[-1]
        numbered.number = value or numbered.number
        label = str(numbered.number)
        if numbered.lettered and numbered.number <= 26:
            label = chr(ord(numbered.lettered) + numbered.number - 1)
        self._label = f"{label}. "
        numbered.number += 1

    def _count(self, element: _Open, sign: int) -> None:
        self._skipped += sign * element.skipped
        self._hidden += sign * element.hidden
        self._struck += sign * element.struck
        self._quotes += sign * (element.quoted + element.until_blockquote)
        self._verbatim += sign * element.verbatim

    def _close_to(self, name: str) -> None:
        if not self._names[name]:
            return
        while self._pop() != name:
            pass

    def _pop(self) -> str:
        element = self._open.pop()
        if element.name in _BLOCKS or element.quoted or element.until_blockquote:
            self._break()
        self._names[element.name] -= 1
        self._count(element, -1)
        if element.until_blockquote:
            self._frames.pop()
        if self._lists and self._lists[-1] is element:
            self._lists.pop()
        return element.name


def _item_number(text: str) -> int:
    """Return the number that an item or a list is given, 0 for none."""
    return int(text) if len(text) < 5 and text.isdecimal() else 0


def _item_letter(kind: str, style: str) -> str:
    """Return the letter that the items of a list begin with, as its type or its style says (Word's ``lower-alpha``)."""
    found = _ALPHA.search(style)
    return kind if kind in ("a", "A") else ("a" if found[1] == "lower" else "A") if found else ""


def _colour(name: str) -> str:
    """Return one name for each way of writing white, "" for none."""
    name = name.lower()
    return "white" if _WHITE.fullmatch(name) else "" if name in _HTML["as-around"] else name


def _tokens(source: str) -> Iterator[str | _Tag]:
    """Yield text and tags in order. Linear in the length of *source*, whatever it is."""
    position = 0
    while position < len(source):
        start = source.find("<", position)
        if start < 0:
            yield source[position:]
            return
        if start > position:
            yield source[position:start]
        position = _after_aside(source, start)
        if position > start:
            continue
        match = _TAG.match(source, start) or _LOOSE_TAG.match(source, start)
        if not match:
            yield "<"
            position = start + 1
            continue
        attributes: dict[str, str] = {}
        for attribute in _ATTRIBUTE.finditer(match[3]):
            value = (attribute[2] or "").strip("\"'")
            attributes.setdefault(attribute[1].lower(), value[:1000])
        tag = _Tag(match[2].lower(), bool(match[1]), attributes)
        yield tag
        position = match.end()
        if tag.name in _HTML["raw"] and not tag.closing:
            end = re.compile(f"</{tag.name}", re.IGNORECASE).search(source, position)
            position = end.start() if end else len(source)
            if tag.name == "style":
                yield source[match.end() : position]


def _after_aside(source: str, start: int) -> int:
    """Return the end of the comment, declaration or instruction at *start*; *start* itself where none stands there."""
    if source.startswith("<!--", start):
        end = source.find("-->", start + 4)
        return end + 3 if end >= 0 else len(source)
    if source.startswith(("<!", "<?"), start):
        end = source.find(">", start)
        return end + 1 if end >= 0 else len(source)
    return start
