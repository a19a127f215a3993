"""A result as lines for people: differences, and every event with its paragraph."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from referee.core.texts.wording import as_written
from referee.scenario.run import Heard, Result, complaint_line

WIDTH = 110
MOST_TABLES = 3  # of a list of tables, such as all that is still to do in a round


def verdict_lines(result: Result) -> Iterator[str]:
    """Yield one line for a scenario that came out as expected, else its differences key by key."""
    paragraphs = " ".join(result.scenario.paragraphs)
    variant = f" ({result.scenario.variant})" if result.scenario.variant else ""
    title = f"{result.scenario.file}: {result.scenario.title}{variant}" + (f" [{paragraphs}]" if paragraphs else "")
    if not result.differences:
        yield f"{title}: as expected"
        return
    count = len(result.differences)
    yield f"{title}: {count} difference{'s' * (count > 1)}"
    for each in result.differences:
        yield f"  {each.where}"
        yield from _shown("    expected ", each.expected)
        yield from _shown("    found    ", each.found)


def event_lines(result: Result) -> Iterator[str]:
    """Yield what the letters come to and every event in words, turn by turn: its kind, its fields, its paragraph in brackets."""
    if result.made_up:
        yield f"  Not given, and made up for this run: {', '.join(result.made_up)}"
    for turn in result.turns:
        yield f"  {turn.where}"
        for letter in turn.letters:
            yield from _letter_lines(letter)
        for event in turn.events:
            yield f"    {event_line(event)}"


def _letter_lines(letter: Heard) -> Iterator[str]:
    """Yield what is to say of a letter: that it was dropped, and what is wrong with it."""
    if letter.orders is None:
        yield f"    Letter of {letter.player}: dropped, there is nothing in it that can be ordered now"
    elif letter.complaints:
        yield f"    Letter of {letter.player}"
    yield from (f"      {complaint_line(each)}" for each in letter.complaints)


def event_line(event: Mapping[str, Any]) -> str:
    """Return an event in words: ``Fee paid: company MGW, to GSW, amount 1 … [D3.2]``."""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", event["kind"]).capitalize()
    fields = ", ".join(
        f"{name} {_word(value)}" for name, value in event.items() if name not in ("kind", "paragraph") and value != ""
    )
    paragraph = f" [{event['paragraph']}]" if event.get("paragraph") else ""
    return f"{kind}{': ' if fields else ''}{fields}{paragraph}"


def _word(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "code" in value:
        params = ", ".join(f"{name} {param}" for name, param in value.get("params", []))
        return " ".join(filter(None, (value["code"], value.get("text", ""), f"({params})" if params else "")))
    if isinstance(value, dict):
        fields = (f"{name} {_word(each)}" for name, each in value.items() if name != "kind" and each != "")
        return "(" + ", ".join(fields) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(_words(value)) + "]"
    return as_written(value)


def _words(value: list[Any]) -> list[str]:
    """Return the items of a list in words, of many tables the first ones."""
    if len(value) <= MOST_TABLES or not all(isinstance(each, dict) for each in value):
        return list(map(_word, value))
    return [*map(_word, value[:MOST_TABLES]), f"and {len(value) - MOST_TABLES} more"]


def _shown(head: str, value: Any) -> Iterator[str]:
    """Yield a value behind its heading; a list that is too long for a line is written item by item."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(head) + len(text) <= WIDTH or not isinstance(value, list):
        yield head + text
        return
    for place, item in enumerate(value):
        yield (head if not place else " " * len(head)) + json.dumps(item, ensure_ascii=False)
