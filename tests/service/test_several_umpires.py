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
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, PostHouse, text_of

BEA, CARL = "bea@example.org", "carl@example.org"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A club whose letters carry codes, with a game that has just begun."""
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.game()
        yield made


def flat(letter: EmailMessage) -> str:
    return " ".join(text_of(letter).split())


def order(house: PostHouse, sender: str, text: str) -> EmailMessage:
    """Write a command without a code, and once more in an answer to what comes; return the last answer."""
    house.clock.advance(minutes=1)
    house.write(sender, text, "a command")
    house.tick()
    assert "Once more, please" in str(house.post(sender)[-1]["Subject"])
    house.clock.advance(minutes=1)
    house.answer(house.post(sender)[-1], text)
    house.tick()
    return house.post(sender)[-1]


def test_a_game_s_own_umpires_are_written_to_and_command_it_alone(house: PostHouse) -> None:
    name_umpire(house.club, "rr1", f"Bea <{BEA}>")
    name_umpire(house.club, "RR1", f"Carl <{CARL}>")
    house.tick()
    named = house.post(CARL)[-1]
    assert str(named["Subject"]).endswith("You are an umpire of RR1")
    assert "Beside you: Bea." in flat(named)
    house.clock.advance(minutes=1)
    house.answer(house.post(BEA)[-1], "HOLD RR1\n\nBob is in hospital.")  # the letter that named her carries her code
    house.tick()
    assert str(house.post(BEA)[-1]["Subject"]).endswith("Done: HOLD RR1")
    number = house.rows("SELECT max(id) AS n FROM letters")[0]["n"]
    held = acts(house.club.db, "RR1")[-1]
    assert (held.kind, held.actor) == ("hold", f"Bea, umpire by mail, letter {number}")
    house.clock.advance(minutes=1)
    house.answer(house.post(BEA)[-1], "RESUME RR1", sender=CARL)  # with a code that is hers, not his
    house.tick()
    assert "Once more, please" in str(house.post(CARL)[-1]["Subject"])
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["umpire", "umpire", "hold"]
    assert order(house, UMPIRE, "RESUME RR1")["Subject"].endswith("Done: RESUME RR1")
    assert verify_game(house.club, "RR1").faults == ()


def test_players_notes_go_to_the_game_s_umpires_and_to_the_club_s_again(house: PostHouse) -> None:
    house.tick()
    name_umpire(house.club, "RR1", f"Bea <{BEA}>")
    name_umpire(house.club, "RR1", f"Carl <{CARL}>")
    house.answer(house.post(ANN)[-1], "NOTE: is the fee right?")
    house.tick()
    assert "is the fee right?" in flat(house.post(BEA)[-1])
    assert "is the fee right?" in flat(house.post(CARL)[-1])
    assert house.post(UMPIRE) == []
    for address in (BEA, CARL):
        remove_umpire(house.club, "RR1", address)
    house.clock.advance(hours=1)
    house.answer(house.post(ANN)[-1], "NOTE: and the second one?")
    house.write(BEA, "HOLD RR1\nI am ill.", "x")
    house.tick()
    assert "no more" in str(house.post(BEA)[-1]["Subject"])
    assert any("and the second one?" in flat(letter) for letter in house.post(UMPIRE))
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["umpire"] * 4


def test_an_umpire_of_one_game_is_refused_another(house: PostHouse) -> None:
    other = house.game()
    name_umpire(house.club, "RR1", f"Bea <{BEA}>")
    house.write(BEA, f"HOLD {other}\nI am ill.", "x")
    house.tick()
    assert f"You are no umpire of {other}, which is led by the club's umpire" in flat(house.post(BEA)[-1])
    assert acts(house.club.db, other) == ()


def test_of_two_who_stop_a_game_at_once_one_is_refused(house: PostHouse) -> None:
    name_umpire(house.club, "RR1", f"Bea <{BEA}>")
    house.tick()
    house.clock.advance(minutes=1)
    house.write(UMPIRE, "LOG RR1", "x")
    house.tick()
    for sender in (BEA, UMPIRE):
        house.answer(house.post(sender)[-1], "HOLD RR1\n\nBob is in hospital.")
    house.clock.advance(minutes=1)
    house.tick()
    subjects = [str(house.post(sender)[-1]["Subject"]) for sender in (BEA, UMPIRE)]
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
    assert "is invited" in flat(order(house, UMPIRE, f"INVITE {game} Ann <{ANN}>, {BOB}\n\nA quick one."))
    for player in (ANN, BOB):
        assert "A quick one." in flat(house.post(player, game)[-1])
        house.answer(house.post(player, game)[-1], "JOIN")
    house.clock.advance(minutes=1)
    house.tick()
    house.write(UMPIRE, f"SIGNUPS {game}", "x")
    house.tick()
    assert f"- Ann <{ANN}>, has a seat" in flat(house.post(UMPIRE)[-1])
    assert f"{game} begins:" in flat(order(house, UMPIRE, f"START {game}"))
    kinds = [each.kind for each in acts(house.club.db, game)]
    assert kinds == ["open", "invite", "start"]  # what came before the beginning is told of by its log, too
    assert verify_game(house.club, game).faults == ()
    act = acts(house.club.db, game)[-1]
    assert act.actor.startswith("umpire by mail, letter ")


def test_orders_are_filed_by_mail_below_the_words_to_their_player(house: PostHouse) -> None:
    house.tick()
    assert "It is written so: ORDERS RR7 MGW" in flat(order(house, UMPIRE, "ORDERS RR1 ANN\n\nSTEP 2"))
    answer = order(house, UMPIRE, "ORDERS RR1 ANN\n\nYou wrote STEP Z.\n\nORDERS\nSTEP 2\nEND")
    assert "on file for ANN from now on" in flat(answer)
    letter = flat(house.post(ANN)[-1])
    assert "You wrote STEP Z." in letter
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["orders"]
