"""What players wrote, on its way into a letter: always text, never a mark that a mail program or the order book reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable

from referee.core import Fields

_Words = tuple[str, ...]

_FULL_STOP = re.compile(r"(?:%\((\w+)\)s|\{(\w+)\})\.(?!\.)")  # behind what is filled in
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")

# A reply quotes our letters, and some programs quote without marks. What a player wrote must not look like the border
# of a signature, like a quotation, like the envelope line of a mailbox file or like the frame of an order form.
_MISREAD = re.compile(r"\s*(?:--|>|\||From\b|(?:ORDERS|END|PRESS|NOTE)\b)", re.IGNORECASE)


def quoted_text(text: str) -> str:
    """Return *text* line by line as it may stand in a letter: no controls, no marks of direction or of borders."""
    lines = _LINE_ENDS.sub("\n", text).split("\n")
    printable = (_printable(line).rstrip() for line in lines)
    return "\n".join(f" {line}" if _MISREAD.match(line) else line for line in printable).strip("\n")


def bar_lines(text: str) -> str:
    """Return *text* with a bar before each line: nothing below it can be taken for ours, or for orders in a reply."""
    return "\n".join(f"| {line}".rstrip() for line in text.split("\n"))


def one_line(text: str) -> str:
    """Return *text* as one line without controls: for subjects, names and words within a sentence."""
    return " ".join(_printable(_LINE_ENDS.sub(" ", text).replace("\n", " ")).split())


def stop_once(sentence: str, values: Fields) -> Fields:
    """Return *values* for a sentence, without the full stop of one (``Bernd S.``) behind which the sentence has its own."""
    ended = [key for key, value in values.items() if isinstance(value, str) and value.endswith(".")]
    if not ended:
        return values
    last = {name for match in _FULL_STOP.finditer(sentence) for name in match.groups()}
    return {**values, **{key: values[key][:-1] for key in ended if key in last}}


def fill_form(form: str, lines: Iterable[str]) -> str:
    """Return a blank order *form* with *lines* that somebody has ordered already, each where the form asks for it.

    A line that the form does not ask for stands at the top of its company (``FOR MGW``), or of all.
    """
    blanks, ordered = form.split("\n"), [one_line(line) for line in lines]
    headings = {_words(line): line for line in blanks if _words(line) in {_words(each) for each in ordered}}
    asked, told = _by_heading(blanks, headings), _by_heading(ordered, headings)
    return "\n".join(
        line
        for heading in dict.fromkeys(((), *asked))
        for line in (*filter(None, [headings.get(heading)]), *_section(asked.get(heading, []), told.get(heading, [])))
    )


def _by_heading(lines: Iterable[str], headings: Container[_Words]) -> dict[_Words, list[str]]:
    """Return lines by the heading that they stand below; those before the first by ()."""
    parts: dict[_Words, list[str]] = {}
    heading: _Words = ()
    for line in lines:
        if (words := _words(line)) in headings:
            heading = words
        else:
            parts.setdefault(heading, []).append(line)
    return parts


def _section(blanks: list[str], lines: list[str]) -> list[str]:
    """Return lines of orders and what is left blank, in the order of the form; above it what that does not ask for."""
    rows, left = [], list(lines)
    for blank in blanks:
        asked = [line for line in left if _begins(line, blank)]
        left = [line for line in left if line not in asked]
        rows += asked or [blank]
    return [*left, *rows]


def _begins(line: str, blank: str) -> bool:
    """Return whether a line of orders is what a line of a form asks for."""
    words = _words(blank)
    return bool(words) and _words(line)[: len(words)] == words


def _words(line: str) -> _Words:
    return tuple(re.findall(r"\w+", line.casefold()))


def _printable(line: str) -> str:
    """Return a line without control characters and without those that hide or turn the text around them."""
    return "".join(
        char for char in line.replace("\t", " ") if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co")
    )
