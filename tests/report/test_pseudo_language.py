"""Whole newsletters in a language in which every text is said in «»: outside stand names, codes and words of orders."""

import html
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from referee.games.dampfross import GAME
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.report.renderer import svg
from referee.report.templates import Rendered, Stationery
from referee.resources import order_texts, template_folders
from tests.catalogue import ROOT
from tests.pages import turns, values_of, volldampf_turns, volldampf_values
from tests.test_catalogue import LETTERS, Pseudo, unmarked

STATIONERY = Stationery(lambda game: template_folders(game, None), translations=lambda _: Pseudo(), strict=True)
GAMES = {"dampfross": GAME, "volldampf": VOLLDAMPF}
MAPS = {"dampfross": "ireland.toml", "volldampf": "deutschland-1925.toml"}
HASH = re.compile(r"\b[0-9a-f]{32,64}\b")
OF_VALUES = {"The", "Club", "UTC", "SHA", "RR"}  # that ``tests.pages`` makes up


@cache
def names_of(game: str) -> set[str]:
    """Return what stands in letters as it is: the game's title, words of orders, names of the board and of companies."""
    state = (turns() if game == "dampfross" else volldampf_turns())[0].outcome.state
    words = [GAMES[game].title, state.table.board.title]
    words += [word for text in order_texts(game).values() for word in re.findall(r"\b[A-Z]{2,}\b", text)]
    board = ROOT / "referee" / "games" / game / "maps" / MAPS[game]
    names = re.findall(r'"([^"]*)"', board.read_text(encoding="utf-8"))
    words += [*names, *map(str.upper, names)]  # homes are in capitals
    words += [f"{each.code} {each.name} {each.company}" for each in state.table.players]
    return {word for text in words for word in LETTERS.findall(text)} | OF_VALUES


def values(game: str, turn: int) -> dict[str, Any]:
    return values_of(turn) if game == "dampfross" else volldampf_values(turn)


def seen(page: str) -> str:
    """Return what a page says, and what its pictures and tables are called."""
    body = re.sub(r"(?s)<style.*?</style>", "", page[page.index("<body") :])
    called = re.findall(r'(?:alt|title|aria-label|summary)="([^"]*)"', body)
    return html.unescape(" ".join((re.sub(r"<[^>]*>", " ", body), *called)))


def outside(told: str, game: str) -> set[str]:
    return unmarked(HASH.sub("", told)) - names_of(game)


@pytest.mark.parametrize("game", GAMES)
def test_a_newsletter_says_nothing_outside_the_catalogue(game: str) -> None:
    for turn in range(1, len(turns() if game == "dampfross" else volldampf_turns()) + 1):
        told: Mapping[str, Any] = {**values(game, turn), "pictures": {"board": None, "chart": None}}  # theirs: below
        letter = STATIONERY.letter("newsletter", game, "xx", "UTC", told)
        assert outside(f"{letter.subject}\n{letter.text}", game) == set(), turn
        page = STATIONERY.page("newsletter", game, "xx", "UTC", told, Rendered(subject="", text=""))
        assert outside(seen(page), game) == set(), turn


@pytest.mark.parametrize("game", GAMES)
def test_a_board_says_nothing_outside_the_catalogue(game: str) -> None:
    for turn in (turns() if game == "dampfross" else volldampf_turns())[::3]:
        drawn = svg(GAMES[game].drawing(turn.outcome.state, STATIONERY.translate("xx")))
        texts = re.findall(r"<(?:text|title)[^>]*>([^<]*)<", drawn)
        assert len(texts) > 20
        assert outside(html.unescape("\n".join(texts)), game) == set()
