"""What players are told is what is read: the guides' examples and those of the verbs, game by game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from referee.orderbook import OrderLanguage, Reading
from referee.orderbook.language.language import ASKED, COMMAND, ORDER, TEXT, TEXT_TO, TEXT_UNSIGNED, TRIAL, VALUE

ORDERS = Path(__file__).parents[2] / "orders"
GUIDES = {"dampfross": ORDERS / "README.md", "volldampf": ORDERS / "volldampf/README.md"}
EXAMPLES = [
    (game, example)
    for game, guide in GUIDES.items()
    for example in re.findall(r"^```orders\n(.*?)^```$", guide.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
]
Reads = Mapping[str, Callable[[str], Reading]]
OrderLanguages = Mapping[str, OrderLanguage]


@pytest.mark.parametrize(("game", "example"), EXAMPLES)
def test_every_example_of_a_guide_is_read_without_complaint(game: str, example: str, reads: Reads) -> None:
    reading = reads[game](example)
    remarks = (
        "invalid-amendment",
        "invalid-kept",
        "note-payment",
    )  # what waits for orders on file, and a sum noted for oneself
    assert [complaint for complaint in reading.complaints if complaint.code not in remarks] == []
    assert reading.phrases or reading.speaks


@pytest.mark.parametrize("game", GUIDES)
def test_the_guides_show_every_verb(game: str, order_languages: OrderLanguages) -> None:
    """What is the same in every game stands in the first guide."""
    own = "\n".join(example for each, example in EXAMPLES if each == game)
    first = "\n".join(example for each, example in EXAMPLES if each == "dampfross")
    common = {verb.name for verb in order_languages["volldampf"].verbs} & {
        verb.name for verb in order_languages["dampfross"].verbs
    } - {"BUILD"}
    shown = {verb.name: first if verb.name in common else own for verb in order_languages[game].verbs}
    assert [
        name for name, text in shown.items() if not re.search(rf"^{re.escape(name)}(?!\w)", text, re.MULTILINE)
    ] == []


@pytest.mark.parametrize("game", GUIDES)
def test_every_example_of_a_verb_is_read_as_that_verb(game: str, order_languages: OrderLanguages, reads: Reads) -> None:
    for verb in order_languages[game].verbs:
        reading = reads[game](verb.example)
        assert [complaint.code for complaint in reading.complaints if complaint.is_error] == [], verb.name
        assert len(reading.phrases) == (verb.kind == ORDER), verb.name
        assert reading.commands == ((verb.name,) if verb.kind == COMMAND else ()), verb.name
        assert bool(reading.press or reading.note) == (verb.kind == TEXT), verb.name
        assert bool(reading.salt) == (verb.kind == VALUE), verb.name
        assert [each.verb for each in reading.questions] == ([verb.name] if verb.kind in ASKED else []), verb.name
        assert bool(reading.private) == (verb.kind == TEXT_TO), verb.name
        assert bool(reading.unsigned) == (verb.kind == TEXT_UNSIGNED), verb.name
        assert bool(reading.trials) == (verb.kind == TRIAL), verb.name


@pytest.mark.parametrize("game", GUIDES)
def test_every_verb_has_its_help(game: str, order_languages: OrderLanguages) -> None:
    assert [verb.name for verb in order_languages[game].verbs if not (verb.takes and verb.help and verb.example)] == []


@pytest.mark.parametrize("game", GUIDES)
def test_every_alias_opens_as_its_verb(game: str, order_languages: OrderLanguages, reads: Reads) -> None:
    for verb in order_languages[game].of_kind(ORDER):
        for alias in verb.aliases:
            example = verb.example if verb.example.startswith(verb.name) else "BUILD 1: (Dublin) - Y17"
            reading = reads[game](example.replace(verb.name, alias.lower(), 1))
            assert (len(reading.phrases), reading.complaints) == (1, ()), alias
