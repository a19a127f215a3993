"""Games with umpires of their own, and games that an umpire begins by mail."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.core.errors import ConfigError, NotFound
from referee.service.audit.verify import verify_game
from referee.service.turns.opengames import open_game
from referee.service.turns.proposals import Proposal
from referee.service.umpire.colleagues import name_umpire, remove_umpire, umpires_named
from referee.store.games import acts
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, PostHouse, line_of

BEA, CARL = "bea@example.org", "carl@example.org"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A club whose letters carry codes, with a game that has just begun."""
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.game()
        yield made


def order(house: PostHouse, sender: str, text: str) -> EmailMessage:
    """Write a command without a code, and once more in an answer to what comes; return the last answer."""
    house.clock.advance(minutes=1)
    house.send(sender, text, "a command")
    assert "Once more, please" in str(house.last(sender)["Subject"])
    house.clock.advance(minutes=1)
    house.reply(house.last(sender), text)
    return house.last(sender)


def test_a_game_s_own_umpires_are_written_to_and_command_it_alone(house: PostHouse) -> None:
    name_umpire(house.club, "rr1", f"Bea <{BEA}>")
    name_umpire(house.club, "RR1", f"Carl <{CARL}>")
    house.tick()
    named = house.last(CARL)
    assert str(named["Subject"]).endswith("You are an umpire of RR1")
    assert "Beside you: Bea." in line_of(named)
    house.clock.advance(minutes=1)
    house.answer(house.last(BEA), "HOLD RR1\n\nBob is in hospital.")  # the letter that named her carries her code
    house.tick()
    assert str(house.last(BEA)["Subject"]).endswith("Done: HOLD RR1")
    number = house.rows("SELECT max(id) AS n FROM letters")[0]["n"]
    held = acts(house.club.db, "RR1")[-1]
    assert (held.kind, held.actor) == ("hold", f"Bea, umpire by mail, letter {number}")
    house.clock.advance(minutes=1)
    house.answer(house.last(BEA), "RESUME RR1", sender=CARL)  # with a code that is hers, not his
    house.tick()
    assert "Once more, please" in str(house.last(CARL)["Subject"])
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["umpire", "umpire", "hold"]
    assert order(house, UMPIRE, "RESUME RR1")["Subject"].endswith("Done: RESUME RR1")
    assert verify_game(house.club, "RR1").faults == ()


def test_players_notes_go_to_the_game_s_umpires_and_to_the_club_s_again(house: PostHouse) -> None:
    house.tick()
    name_umpire(house.club, "RR1", f"Bea <{BEA}>")
    name_umpire(house.club, "RR1", f"Carl <{CARL}>")
    house.reply(house.last(ANN), "NOTE: is the fee right?")
    assert "is the fee right?" in house.told(BEA)
    assert "is the fee right?" in house.told(CARL)
    assert house.post(UMPIRE) == []
    for address in (BEA, CARL):
        remove_umpire(house.club, "RR1", address)
    house.clock.advance(hours=1)
    house.answer(house.last(ANN), "NOTE: and the second one?")
    house.send(BEA, "HOLD RR1\nI am ill.", "x")
    assert "no more" in str(house.last(BEA)["Subject"])
    assert any("and the second one?" in line_of(letter) for letter in house.post(UMPIRE))
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["umpire"] * 4


def test_an_umpire_of_one_game_is_refused_another(house: PostHouse) -> None:
    other = house.game()
    name_umpire(house.club, "RR1", f"Bea <{BEA}>")
    house.send(BEA, f"HOLD {other}\nI am ill.", "x")
    assert f"You are no umpire of {other}, which is led by the club's umpire" in house.told(BEA)
    assert acts(house.club.db, other) == ()


def test_of_two_who_stop_a_game_at_once_one_is_refused(house: PostHouse) -> None:
    name_umpire(house.club, "RR1", f"Bea <{BEA}>")
    house.tick()
    house.clock.advance(minutes=1)
    house.send(UMPIRE, "LOG RR1", "x")
    for sender in (BEA, UMPIRE):
        house.answer(house.last(sender), "HOLD RR1\n\nBob is in hospital.")
    house.later(minutes=1)
    subjects = [str(house.last(sender)["Subject"]) for sender in (BEA, UMPIRE)]
    assert [act.kind for act in acts(house.club.db, "RR1")].count("hold") == 1
    assert sorted("Not done" in subject for subject in subjects) == [False, True]


@pytest.mark.parametrize(
    ("person", "said"),
    [
        ("Bea", 'write name and address as "Cecil <cecil@example.org>"'),
        ("Bea <bea>", "bea"),
        (f"Bea <{BEA}>", "has this name or address already"),
        (f"Ref <{REFEREE}>", "the referee itself"),
    ],
)
def test_who_cannot_be_an_umpire_is_a_sentence(house: PostHouse, person: str, said: str) -> None:
    name_umpire(house.club, "RR1", f"Bea <{BEA}>")
    with pytest.raises(ConfigError, match=said):
        name_umpire(house.club, "RR1", person)
    with pytest.raises(NotFound, match="there is Bea <bea@example"):
        remove_umpire(house.club, "RR1", CARL)
    assert [each.name for each in umpires_named(house.club, "RR1")] == ["Bea"]


def test_a_game_is_filled_and_begun_by_mail(house: PostHouse) -> None:
    game = open_game(house.club, Proposal(kind="tinyrace", board="line", rhythm={"days": 7}), 3).id
    assert "is invited" in line_of(order(house, UMPIRE, f"INVITE {game} Ann <{ANN}>, {BOB}\n\nA quick one."))
    for player in (ANN, BOB):
        assert "A quick one." in house.told(player, game)
        house.answer(house.last(player, game), "JOIN")
    house.later(minutes=1)
    house.send(UMPIRE, f"SIGNUPS {game}", "x")
    assert f"- Ann <{ANN}>, has a seat" in house.told(UMPIRE)
    assert f"{game} begins:" in line_of(order(house, UMPIRE, f"START {game}"))
    kinds = [each.kind for each in acts(house.club.db, game)]
    assert kinds == ["open", "invite", "start"]  # what came before the beginning is told of by its log, too
    assert verify_game(house.club, game).faults == ()
    act = acts(house.club.db, game)[-1]
    assert act.actor.startswith("umpire by mail, letter ")


def test_orders_are_filed_by_mail_below_the_words_to_their_player(house: PostHouse) -> None:
    house.tick()
    assert "It is written so: ORDERS RR7 MGW" in line_of(order(house, UMPIRE, "ORDERS RR1 ANN\n\nSTEP 2"))
    answer = order(house, UMPIRE, "ORDERS RR1 ANN\n\nYou wrote STEP Z.\n\nORDERS\nSTEP 2\nEND")
    assert "on file for ANN from now on" in line_of(answer)
    letter = house.told(ANN)
    assert "You wrote STEP Z." in letter
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["orders"]
