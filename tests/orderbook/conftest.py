"""Ireland's names, those of a game of Volldampf, and the order languages that are shipped."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.core import Phrase, Term, Terms, Word, format_hex, label_to_numbered
from referee.games.volldampf.notation import lexicon
from referee.orderbook import OrderLanguage, Reading, read_text
from tests.games import lines
from tests.games.volldampf import desk

Read = Callable[[str], Reading]  # a letter's text
Reads = Mapping[str, Read]  # by the game it is for

MAP = Path(__file__).parents[2] / "referee/games/dampfross/maps/ireland.toml"


@pytest.fixture(scope="session")
def terms() -> Terms:
    """All hexes of the sheet, on the numbered grid too, all towns by both names, three companies."""
    ireland: dict[str, Any] = tomllib.loads(MAP.read_text(encoding="utf-8"))
    labels = [format_hex(column, row) for column in range(ireland["cols"]) for row in range(ireland["rows"])]
    names = [(label, label) for label in labels]
    names += [
        (label_to_numbered(label, 26, ireland["rows"]), label) for label in labels if len(label.strip("0123456789")) > 1
    ]
    for station in ireland["station"]:
        names += [(name, station["hex"]) for name in (station["name"], station.get("alt")) if name]
    companies = [Term(kind="COMPANY", name=code, value=code) for code in ("GSW", "MGW", "BNC")]
    return (*(Term(kind="PLACE", name=name, value=label) for name, label in names), *companies)


@pytest.fixture(scope="session")
def order_language(terms: Terms) -> OrderLanguage:
    return lines.order_language("dampfross").naming(terms)


@pytest.fixture(scope="session")
def read(order_language: OrderLanguage) -> Read:
    """Reads a letter's text."""
    return lambda text: read_text(text, order_language)


@pytest.fixture(scope="session")
def reads(read: Read) -> Reads:
    """Reads a letter's text, by the game it is for."""
    state = desk.at("trips")
    return {"dampfross": read, "volldampf": lambda text: desk.read(state, text)}


@pytest.fixture(scope="session")
def order_languages(terms: Terms) -> Mapping[str, OrderLanguage]:
    """The order languages by game."""
    names = {"dampfross": terms, "volldampf": lexicon(desk.at("trips"))}
    return {game: lines.order_language(game).naming(known) for game, known in names.items()}


@pytest.fixture(scope="session")
def spell() -> Callable[[Phrase], str]:
    """Writes a phrase as ``build(label(1 a) piece(start(AB18) Y17))``; a name nobody knows as ``?Dubln``."""

    def spelt(part: Phrase | Word) -> str:
        if isinstance(part, Word):
            return (part.value or f"?{part.text}").replace(" ", "_")
        return f"{part.rule}({' '.join(map(spelt, part.parts))})"

    return spelt
