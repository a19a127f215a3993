"""What all readers of a newsletter are told alike is made once, and every letter is what it would be by itself."""

from __future__ import annotations

from datetime import datetime

import pytest

from referee.report.ics import Calendar
from referee.service.club.club import Club
from referee.service.turns import newsletters as told
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from referee.service.turns.turnnews import TurnNews
from referee.store.database.database import change, transaction
from referee.store.database.rows import OutboxRow, PlayerRow
from tests.posthouse import PostHouse

PEOPLE = {"GSW": ("red", "ann"), "MGW": ("blue", "bob"), "BNC": ("green", "cyd"), "DSE": ("black", "dan")}
ZONES = {"MGW": "Europe/Dublin", "DSE": "Asia/Tokyo"}  # the others have the club's


@pytest.fixture
def begun(house: PostHouse) -> PostHouse:
    """A game of four players in three zones."""
    seats = tuple(
        parse_player(f"{code}:{colour}:{name} <{name}@example.org>") for code, (colour, name) in PEOPLE.items()
    )
    new_game(house.club, Proposal(kind="dampfross", board="ireland", players=seats, rhythm={"days": 7}))
    with transaction(house.club.db):
        for code, zone in ZONES.items():
            change(house.club.db, "UPDATE players SET zone = ? WHERE code = ?", zone, code)
    house.tick()
    house.send("ann@example.org", "1a) (Dublin) - Y17\nPRESS: All aboard!")
    house.clock.advance(days=8)
    return house


def test_each_letter_is_what_it_would_be_by_itself(begun: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def told_both_ways(club: Club, turn: TurnNews) -> tuple[OutboxRow, ...]:
        made, enclosed = told.newsletters(club, turn), told._Telling.to

        def by_itself(self: told._Telling, reader: PlayerRow, code: str | None) -> dict[str, object]:
            return {name: value for name, value in enclosed(self, reader, code).items() if name != "once"}

        with monkeypatch.context() as patch:
            patch.setattr(told._Telling, "to", by_itself)
            assert told.newsletters(club, turn) == made
        compared.append(len(made))
        return made

    monkeypatch.setattr("referee.service.turns.adjudicate.newsletters", told_both_ways)
    assert begun.tick().turns == ("RR1/1",)
    assert compared == [len(PEOPLE)]
    texts = [begun.text(f"{name}@example.org") for _, name in PEOPLE.values()]
    assert all("All aboard!" in text for text in texts)
    assert ["(Asia/Tokyo)" in text for text in texts] == [code == "DSE" for code in PEOPLE]
    assert len(set(texts)) == len(texts), "each has a form of his own"


def test_what_is_told_alike_is_made_once_for_a_zone(begun: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Calendar] = []
    plain = Calendar.deadline

    def counted(self: Calendar, value: datetime) -> str:
        asked.append(self)
        return plain(self, value)

    monkeypatch.setattr(Calendar, "deadline", counted)
    assert begun.tick_again().turns == ("RR1/1",)
    zones = {*ZONES.values(), begun.club.config.zone}
    assert len(asked) <= 3 * len(zones) + 1  # in words, on the page and beside its subject
