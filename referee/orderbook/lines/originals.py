"""Where the letter that is answered, or passed on, begins without a mark: below a rule or a block of its header lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice

from referee.orderbook.lines.quotations import any_of, words

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
    if line.startswith("--") and _ruled().match(line.lstrip("- ")):
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
def _kinds() -> Mapping[str, str]:
    return {word: kind for kind in ("from", "sent", "to", "subject") for word in words(kind)}


@cache
def _ruled() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('ruled')})(?!\w)", re.IGNORECASE)


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
