"""Words of every language are read in every letter, and none of them means two things."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from referee.core.orders import Phrase
from referee.orderbook import Book, Reading
from referee.orderbook.language.names import fold
from referee.resources import order_texts
from tests import catalogue

GAMES = ("dampfross", "volldampf")
LANGUAGES = ("de", "fr", "nl")
MAPS = {"dampfross": ("maps", "station", ("name", "alt")), "volldampf": ("maps", "city", ("name", "aliases"))}
LETTER = {
    "de": "AUFTRÄGE RR7 3\n{orders}\nENDE\n",
    "fr": "ORDRES RR7 3\n{orders}\nFIN\n",
    "nl": "OPDRACHTEN RR7 3\n{orders}\nEINDE\n",
}


def verbs(game: str) -> dict[str, dict[str, Any]]:
    """Return the tables of all verbs of a game, as they are shipped."""
    texts = order_texts(game)
    return {**tomllib.loads(texts["common"])["verb"], **tomllib.loads(texts["verbs"])["verb"]}


def spoken(entry: Mapping[str, Any]) -> list[str]:
    return [name for language in LANGUAGES for name in entry.get("in", {}).get(language, ())]


def places(game: str) -> dict[str, str]:
    """Return the towns of all shipped maps of a game, with their other names, as they are compared."""
    folder, table, keys = MAPS[game]
    found = {}
    for file in sorted((catalogue.ROOT / "referee" / "games" / game / folder).glob("*.toml")):
        towns = tomllib.loads(file.read_text(encoding="utf-8"))[table]
        for town in towns.values() if isinstance(towns, dict) else towns:
            told = [town.get(key, ()) for key in keys]
            for name in (name for each in told for name in ([each] if isinstance(each, str) else each)):
                found[fold(name)] = f"{name} ({file.stem})"
    return found


@pytest.mark.parametrize("game", GAMES)
def test_no_name_of_an_order_means_two_things_in_two_languages(game: str) -> None:
    meant: dict[str, str] = {}
    twice = []
    foreign = {name for entry in verbs(game).values() for name in spoken(entry)}
    for verb, entry in verbs(game).items():
        for name in (verb, *entry["aliases"], *spoken(entry)):
            other = meant.setdefault(f"{fold(name)}{'?' * name.endswith('?')}", verb)
            if other != verb and name in foreign:
                twice.append(f"{name}: {other} and {verb}")
    assert twice == []


@pytest.mark.parametrize("game", GAMES)
def test_no_name_of_an_order_is_a_town_of_a_map(game: str) -> None:
    towns = places(game)
    assert len(towns) > 30
    assert {
        name: towns[fold(name)] for entry in verbs(game).values() for name in spoken(entry) if fold(name) in towns
    } == {}


@pytest.mark.parametrize("game", GAMES)
def test_an_example_means_the_same_with_every_name_of_its_verb(
    game: str, reads: Mapping[str, Callable[[str], Reading]], spell: Callable[[Phrase], str], books: Mapping[str, Book]
) -> None:
    def heard(order: str, language: str) -> tuple[object, ...]:
        reading = reads[game](LETTER[language].format(orders=order))
        assert (reading.game, reading.turn, reading.marked) == ("RR7", 3, True), language
        questions = [(each.verb, each.value) for each in reading.questions]
        phrases = [spell(phrase) for phrase in reading.phrases]
        return phrases, questions, reading.commands, reading.press, reading.note, [c.code for c in reading.complaints]

    tried, wrong = 0, []
    for verb, entry in verbs(game).items():
        if entry["kind"] in ("begin", "end", "desk") or not entry["example"].startswith(verb):
            continue
        for language, names in entry.get("in", {}).items():
            for name in names:
                tried += 1
                order = name + entry["example"].removeprefix(verb)
                if heard(order, language) != heard(entry["example"], language):
                    wrong.append(order)
    assert wrong == []
    assert tried > 40


@pytest.mark.parametrize(
    "line", ["1a) J19 J15\nRest wie gehabt", "1a) J19 J15\nle reste comme avant", "1a) J19 J15\nde rest zoals eerst"]
)
def test_the_rest_as_before_in_four_languages(line: str, read: Callable[[str], Reading]) -> None:
    english = read("ORDERS RR7 3\n1a) J19 J15\nrest as before\nEND\n")
    other = read(f"ORDERS RR7 3\n{line}\nEND\n")
    assert english.amends
    assert (len(other.amends), other.complaints, other.unread) == (
        len(english.amends),
        english.complaints,
        english.unread,
    )


@pytest.mark.parametrize("line", ["Ich passe, bitte", "Je passe, merci", "Ik pas, dank je"])
def test_courtesies_stand_around_a_command_in_every_language(line: str, read: Callable[[str], Reading]) -> None:
    assert read(f"ORDERS RR7 3\n{line}\nEND\n").commands == ("PASS",)
