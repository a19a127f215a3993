"""The words with which mail programs quote, in all their languages (``quotations.toml``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from itertools import islice

from referee.core import Numbered, Texts, Words, fold, nfkc

from .language import OrderLanguage


@cache
def words(key: str) -> Texts:
    """Return the words of a table, those of ``header`` by ``from``, ``sent``, ``to`` and ``subject``; the longest first."""
    told = _tables()[key].strip().splitlines()
    found = (word.strip() for line in told for word in nfkc(line.partition(":")[2]).casefold().split(";"))
    return tuple(sorted(dict.fromkeys(found), key=len, reverse=True))


@cache
def any_of(key: str) -> str:
    """Return an expression for any of these words."""
    return "|".join(map(re.escape, words(key)))


@cache
def _tables() -> Words:
    tables = tomllib.loads((resources.files(__package__) / "quotations.toml").read_text(encoding="utf-8"))
    return {**tables, **tables["header"]}


# Where the letter that is answered, or passed on, begins without a mark: below a rule or a block of its header lines.

LONGEST = 300  # characters of a line that is looked at
MOST_LINES = 10  # of a block of header lines, empty ones not counted
MOST_OTHERS = 3  # of these that are no header lines: long ones are wrapped

_RULE = re.compile(r"_{20,}")

_LONGEST_LABEL = 24
_DATED = re.compile(r"message du \d", re.IGNORECASE)  # Orange
# Notes puts a name, a date, and then each label on a line of its own.
_BARE = frozenset(("to", "an", "à", "cc", "kopie", "copie", "subject", "thema", "betreff", "objet"))
_DATE_ALONE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?\s+\d{1,2}[:.]\d{2}.{0,12}")


def begins_original(lines: list[str], at: int) -> bool:
    """Return whether the letter that is answered, or passed on, begins here without any mark of quotation."""
    line = lines[at].strip()[:LONGEST]
    if line.startswith("--") and re.match(rf"(?:{any_of('ruled')})(?!\w)", line.lstrip("- "), re.IGNORECASE):
        return True
    if (line.endswith(":") and line[:-1].rstrip().casefold() in words("forwarded")) or _RULE.fullmatch(line):
        return True
    if _kind(line):
        return _is_header(_following(lines, at))
    return "@" in line and _is_header_of_notes(_following(lines, at))


def heads(line: str) -> bool:
    """Return whether this is a header line: ``Subject: orders``."""
    return bool(_kind(line[:LONGEST]))


def _following(lines: list[str], at: int) -> Iterator[str]:
    """Yield the line there and the next ones, without empty ones."""
    near = (line.strip()[:LONGEST] for line in lines[at : at + 2 * MOST_LINES])
    return islice(filter(None, near), MOST_LINES)


def _kind(line: str) -> str:
    """Return what a header line names: from, sent, to, subject; "" for any other line."""
    label, colon, _ = line[: 2 * _LONGEST_LABEL].partition(":")
    kind = _kinds().get(label.strip("*_ \t").casefold(), "") if colon else ""
    return kind or ("sent" if _DATED.match(line) else "")


@cache
def _kinds() -> Words:
    return {word: kind for kind in ("from", "sent", "to", "subject") for word in words(kind)}


def _is_header(block: Iterator[str]) -> bool:
    """Return whether these lines begin with a header: who wrote, when, and to whom or about what, in any order, each once."""
    kinds: set[str] = set()
    others, undated = 0, False
    for line in block:
        kind = _kind(line)
        undated = (undated or kind == "sent") and not any(letter.isdecimal() for letter in line)
        others += not kind or kind in kinds
        if others > MOST_OTHERS:
            return False
        kinds.add(kind)
        if {"from", "sent"} <= kinds and kinds & {"to", "subject"} and not undated:
            return True
    return False


def _is_header_of_notes(block: Iterator[str]) -> bool:
    next(block, "")
    if not _DATE_ALONE.fullmatch(next(block, "")):
        return False
    return len(_BARE & {line.lower() for line in block}) >= 2


# What people write around their orders out of politeness: greetings, closings with a name below, rulers, header lines; what
# their programs and firms write there; and what is said to a person.

_NEAR = 3  # lines below a closing in which its writer's name stands
_NAME = 3  # words of it
_FOOTER = 15  # lines
_FEWEST = 3  # words that tell a person something; a question needs none
_WORD = re.compile(r"[^\W\d_]++")


def without_courtesies(
    unread: Iterable[Numbered], language: OrderLanguage, names: Iterable[str] = ()
) -> Iterator[Numbered]:
    """Yield of the lines that were not read those of which their writer should be told. *names*: of writer and company."""
    closed, banner = 0, -1
    own = frozenset(fold(word) for name in names for word in _WORD.findall(name))
    for number, text in unread:
        words = _WORD.findall(text)
        if language.prose.is_banner(text) or number == banner + 1:
            banner = number  # down to the next empty line
        elif language.closes(text) or (words and own.issuperset(map(fold, words))):
            closed = number
        elif not (
            heads(text)
            or not any(map(str.isalnum, text))
            or language.titles(text)
            or language.greets(text)
            or ("?" not in text and language.announces([word for word in words if fold(word) not in own]))
            or (closed and _is_name(text, number - closed))
        ):
            yield number, text


def without_footer(lines: list[str], language: OrderLanguage) -> list[str]:
    """Return the lines of a text that nothing ends, without what firms, scanners and programs write below each letter, a closing
    and the name below that.
    """
    breaks = (at for at in range(max(1, len(lines) - _FOOTER), len(lines)) if not lines[at - 1].strip("_-=*~ "))
    start = next((at for at in breaks if language.prose.is_banner(lines[at])), len(lines))
    kept = _strip_end(lines[:start])
    closing = next((at for at in range(len(kept) - 1, 0, -1) if language.closes(kept[at])), len(kept))
    named = [line for line in kept[closing + 1 :] if line.strip()]
    return _strip_end(kept[:closing]) if len(named) <= 2 and all(_is_name(each, 0) for each in named) else kept


def without_name(text: str, names: Iterable[str]) -> str:
    """Return a text without last lines that are nothing but its writer's *names*."""
    own = frozenset(fold(word) for name in names for word in _WORD.findall(name))
    lines = text.split("\n")
    while len(lines) > 1 and own.issuperset(map(fold, _WORD.findall(lines[-1]))):
        lines.pop()
    return "\n".join(lines)


def _strip_end(lines: list[str]) -> list[str]:
    """Return lines without the empty ones, and the rulers, at their end."""
    kept = [at for at, line in enumerate(lines) if set(line.strip()) - set("_-=*~")]
    return lines[: kept[-1] + 1] if kept else lines


def prose_lines(unread: Iterable[Numbered], language: OrderLanguage, names: Iterable[str] = ()) -> Iterator[Numbered]:
    """Yield of the lines that were not read those that ask or tell something: not what only says that orders follow."""
    for number, text in without_courtesies(unread, language, names):
        words = _WORD.findall(text)
        if words and ("?" in text or len(words) >= _FEWEST):
            yield number, text


def _is_name(text: str, below: int) -> bool:
    return below <= _NEAR and len(text.split()) <= _NAME and not any(map(str.isdigit, text))
