"""What players are told is what is read: the guide's examples and those of the verbs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.orderbook import Book, Reading
from referee.orderbook.book import COMMAND, ORDER, TEXT, VALUE

GUIDE = (Path(__file__).parents[2] / "orders/README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```orders\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_the_guide_is_read_without_complaint(example: str, read: Callable[[str], Reading]) -> None:
    reading = read(example)
    assert reading.complaints == ()
    assert reading.phrases or reading.commands or reading.press or reading.salt


def test_the_guide_shows_every_verb(book: Book) -> None:
    shown = "\n".join(EXAMPLES)
    assert [verb.name for verb in book.verbs if not re.search(rf"^{verb.name}\b", shown, re.MULTILINE)] == []


def test_every_example_of_a_verb_is_read_as_that_verb(book: Book, read: Callable[[str], Reading]) -> None:
    for verb in book.verbs:
        reading = read(verb.example)
        assert [complaint.code for complaint in reading.complaints if complaint.is_error] == [], verb.name
        assert len(reading.phrases) == (verb.kind == ORDER), verb.name
        assert reading.commands == ((verb.name,) if verb.kind == COMMAND else ()), verb.name
        assert bool(reading.press or reading.note) == (verb.kind == TEXT), verb.name
        assert bool(reading.salt) == (verb.kind == VALUE), verb.name


def test_every_verb_has_its_help(book: Book) -> None:
    assert [verb.name for verb in book.verbs if not (verb.takes and verb.help and verb.example)] == []


def test_every_alias_opens_as_its_verb(book: Book, read: Callable[[str], Reading]) -> None:
    for verb in book.of_kind(ORDER):
        for alias in verb.aliases:
            example = verb.example if verb.example.startswith(verb.name) else "BUILD 1: (Dublin) - Y17"
            reading = read(example.replace(verb.name, alias.lower(), 1))
            assert (len(reading.phrases), reading.complaints) == (1, ()), alias
