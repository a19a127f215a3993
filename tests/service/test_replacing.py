"""A seat is given to another person: he has all that he needs, his predecessor can do nothing more with it, all are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.core.errors import ConfigError, NotFound
from referee.service.audit.replay import replay
from referee.service.audit.verify import verify_game
from referee.service.seats import replace_player
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from referee.store import games
from referee.store.games import acts
from tests.posthouse import ANN, BOB, PostHouse, text_of

CECIL = "cecil@example.com"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """Letters carry codes; one turn was played, and Bob is silent."""
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.begin()
        made.answer(made.last(ANN), "STEP 2")
        assert made.reply(made.last(BOB), "STEP 1").turns == ("RR1/1",)
        yield made


def replaced(house: PostHouse) -> EmailMessage:
    """Give Bob's seat to Cecil and return the briefing."""
    replace_player(house.club, "rr1", "bob", f"Cecil <{CECIL}>", "Bob has no time.\nThanks, Bob!")
    house.tick()
    (briefing,) = house.post(CECIL)
    return briefing


def test_a_newcomer_is_told_all_that_he_needs(house: PostHouse) -> None:
    briefing = replaced(house)
    assert "You play BOB from now on" in briefing["Subject"]
    text = text_of(briefing)
    assert "Welcome, Cecil. You play BOB from now on, in the place of Bob." in text
    assert "| Bob has no time.\n| Thanks, Bob!" in text
    assert "Turn 2 is awaited, and your orders for it." in text
    assert "Deadline: Monday 14 December 2026, 20:00 UTC" in text
    last = house.text(BOB, "Turn 1")
    assert last.strip("\n").splitlines()[-1] in text
    names = [str(part.get_filename()) for part in briefing.iter_attachments()]
    assert {"RR1-turn-1.svg", "RR1-turn-1.json", "RR1-turn-1.txt", "RR1-turn-0.txt", "RR1-rules.txt"} <= set(names)


def test_an_address_alone_will_do_as_for_an_invitation(house: PostHouse) -> None:
    assert replace_player(house.club, "RR1", "BOB", CECIL, "Bob has no time.").name == "Newcomer"
    assert replace_player(house.club, "RR1", "BOB", f"Cecil <{CECIL}>", "His name is Cecil.").address == CECIL


def test_a_seat_is_also_called_by_the_name_of_who_has_it(house: PostHouse) -> None:
    replaced(house)
    replace_player(house.club, "RR1", "cecil", "Dora <dora@example.org>", "Cecil has no time either.")
    house.tick()
    assert "You play BOB from now on, in the place of Cecil." in house.told("dora@example.org")


def test_the_newcomer_plays_and_whoever_had_the_seat_does_not(house: PostHouse) -> None:
    old = house.last(BOB)
    briefing = replaced(house)
    house.reply(old, "STEP 3")
    assert house.rows("SELECT * FROM order_sets WHERE turn = 2") == []
    house.answer(briefing, "STEP 2")
    assert house.reply(house.last(ANN), "STEP 2").turns == ("RR1/2",)
    assert house.post(CECIL, "Turn 2")
    assert house.post(BOB, "Turn 2") == []


def test_all_others_and_the_one_who_leaves_are_told(house: PostHouse) -> None:
    replaced(house)
    for reader in (ANN, BOB):
        (told,) = house.post(reader, "BOB has a new player")
        assert "Cecil plays BOB from now on, in the place of Bob." in text_of(told)
        assert CECIL not in text_of(told)
        assert ("That was your seat." in text_of(told)) == (reader == BOB)
    assert [(act.kind, json.loads(act.parameters)) for act in acts(house.club.db, "RR1")] == [
        ("replace", {"name": "Cecil", "player": "BOB"})
    ]


def test_orders_that_were_on_file_are_told_to_the_newcomer(house: PostHouse) -> None:
    house.reply(house.last(BOB), "STEP 3")
    text = text_of(replaced(house))
    assert "These orders were on file when you came" in text
    assert "They were received" in text
    assert "The orders you sent before" not in text
    assert "- STEP 3" in text


def test_a_game_with_a_replaced_player_is_as_sound_as_before(house: PostHouse) -> None:
    replaced(house)
    assert verify_game(house.club, "RR1").faults == ()
    assert [each.differs for each in replay(house.club, "RR1") if each.differs] == []


def test_boards_and_tables_name_the_newcomer(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        players = tuple(
            Invited(code=code, colour=colour, name=code.title(), address=f"{code.lower()}@example.org")
            for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
        )
        new_game(house.club, Proposal(kind="dampfross", board="ireland", players=players, rhythm={"days": 7}), "root")
        replace_player(house.club, "RR1", "MGW", f"Cecil <{CECIL}>", "x")
        assert house.later(days=7, hours=9).turns == ("RR1/1",)
        (newsletter,) = house.post(CECIL, "(MGW)") or house.post(CECIL, "round 1 of")
        assert "Cecil" in text_of(newsletter)
        assert "Mgw" not in text_of(newsletter)
        assert [each.differs for each in replay(house.club, "RR1") if each.differs] == []


@pytest.mark.parametrize(
    ("game", "player", "person", "because", "words"),
    [
        ("RR9", "BOB", f"Cecil <{CECIL}>", "x", "there is no game RR9"),
        ("RR1", "EVE", f"Cecil <{CECIL}>", "x", "there is no player EVE in RR1 .there is ANN: Ann, BOB: Bob"),
        ("RR1", "BOB", "Cecil", "x", 'write name and address as "Cecil <cecil@example.org>"'),
        ("RR1", "BOB", "Cecil <cecil>", "x", "player BOB: 'cecil' is no mail address"),
        ("RR1", "BOB", f"Cecil <{ANN}>", "x", f"{ANN} is the address of ANN in RR1"),
        ("RR1", "BOB", "Cecil <referee@club.example>", "x", "is the referee's own address"),
        ("RR1", "BOB", f"{'C' * 41} <{CECIL}>", "x", "must be 1 to 40 printable characters"),
        ("RR1", "BOB", f"Cecil <{CECIL}>", "", "say why: --because"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(
    house: PostHouse, game: str, player: str, person: str, because: str, words: str
) -> None:
    with pytest.raises((ConfigError, NotFound), match=words):
        replace_player(house.club, game, player, person, because)
    assert [each.name for each in games.players(house.club.db, "RR1")] == ["Ann", "Bob"]
    assert acts(house.club.db, "RR1") == ()
