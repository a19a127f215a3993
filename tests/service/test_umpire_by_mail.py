"""What the umpire orders and says by mail: with the code it is carried out and answered; without one nothing is changed."""

import tomllib
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.core import fold
from referee.mail.compose import read_own
from referee.resources import word_texts
from referee.service.post.collect import collect
from referee.service.receive import handle_waiting
from referee.service.umpire.commands import CONFIRM, TABLE, as_written, misspelt_command, parse_command
from referee.service.umpires import Command
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, text_of

PLAYERS = ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>")

# The umpire's commands by mail: with the code they are carried out and answered; without one nothing is changed.


@pytest.fixture
def begun(club: Clubs) -> PostHouse:
    """A game of which a turn was played; letters carry codes."""
    house = club(identity__policy="token")
    house.begin()
    turn(house)
    return house


def turn(house: PostHouse) -> None:
    for player in (ANN, BOB):
        house.answer(house.last(player, "turn") if len(house.post(player)) > 1 else house.last(player), "STEP 1")
    assert len(house.later(hours=1).turns) == 1


def order(house: PostHouse, text: str) -> EmailMessage:
    """Write a command as the umpire, without a code, and once more as the answer asks; return the last answer."""
    house.wait(minutes=1)
    house.send(UMPIRE, text, "a command")
    assert "Once more, please" in house.last(UMPIRE)["Subject"]
    return answered(house, text)


def answered(house: PostHouse, text: str) -> EmailMessage:
    """Answer the last letter to the umpire, and return the answer to that."""
    house.wait(minutes=1)
    house.reply(UMPIRE, text)
    return house.last(UMPIRE)


@pytest.mark.parametrize(
    "changes",
    ["track.GSW+=Dublin - AB17 money.GSW+=1", '"track.GSW+=Dublin - AB17" money.GSW+=1', 'track.GSW+="Dublin - AB17"'],
)
def test_a_change_of_track_is_written_with_its_blanks(club: Clubs, changes: str) -> None:
    house = club(identity__policy="token")
    house.new("dampfross", "ireland", *PLAYERS)
    house.tick()
    assert "Ruling U1 is made" in text_of(order(house, f"ADJUST RR1 home.GSW=Dublin {changes}\nForgotten."))
    state = house.position().state
    assert [*state.track.values()] == [("GSW",)]
    assert state.balance["GSW"] == (21 if "money" in changes else 20)


def test_orders_that_the_umpire_was_shown_may_stand_in_those_that_are_filed(club: Clubs) -> None:
    house = club(identity__policy="token")
    house.new("dampfross", "ireland", *PLAYERS)
    house.tick()
    orders = "ORDERS RR1 GSW\nYou meant it so.\n\nORDERS RR1 1\nHOME Belfast\n1a) (Belfast) - {}\nEND"
    for end in ("AD6", "AE7"):
        house.send(UMPIRE, orders.format(end), "a command")
        told = text_of(answered(house, CONFIRM))
    assert "on file for GSW from now on" in told
    assert "HOME Belfast\n1a) (Belfast) - AE7" in told


def test_a_late_letter_is_accepted_and_a_ruling_taken_back_by_mail(begun: PostHouse) -> None:
    begun.wait(days=9)
    begun.answer(begun.last(ANN, "turn 1"), "ORDERS RR1 2\nSTEP 3\nEND")
    collect(begun.club)
    handle_waiting(begun.club)
    number = begun.value("SELECT max(id) FROM letters WHERE reason = 'late'")
    begun.write(UMPIRE, f"ACCEPT {number}", "x")
    for text in (f"ACCEPT {number}", "ADJUST RR1 money.ANN+=1\nMine.", "CONFIRM", "WITHDRAW RR1 U2\nNot mine.", ""):
        collect(begun.club)
        handle_waiting(begun.club)
        begun.answer(read_own(begun.ours("kind = 'command'")[-1].raw), text)
    assert begun.did() == ["accept", "adjust", "withdraw"]
    begun.tick()
    assert "your late letter counts" in " ".join(str(letter["Subject"]) for letter in begun.post(ANN))


def test_what_a_letter_cannot_order_is_named_as_it_is_typed() -> None:
    assert as_written("see `referee adjust RR1 money.CODE+=5 --because ...`") == "see ADJUST RR1 money.CODE+=5"
    assert as_written("`referee resume RR1 --here`") == "RESUME RR1 HERE"
    assert as_written("`referee letters` lists them") == "LETTERS lists them"
    assert as_written("`referee doctor` helps") == "`referee doctor` helps"


BEHIND = (
    "AHEAD",
    "ALL",
    "OBSERVERS",
    "WITH",
    "LATER",
    "HERE",
    "BUILT-IN",
    "FORGET",
    "BACK",
    "HELD",
    "PARKED",
)
COMMANDS = tomllib.loads(word_texts("")[0])["commands"]


@pytest.mark.parametrize("language", COMMANDS)
def test_a_command_has_a_name_of_its_own_in_each_language(language: str) -> None:
    names = COMMANDS[language]
    assert {*TABLE, CONFIRM, *BEHIND} == {*names}
    for name in (*TABLE, CONFIRM):
        words = "RR7 MGW" if name == "ORDERS" else "RR7 3"
        for said in (names[name], names[name].lower()):
            line = f"{said} {words}"
            assert parse_command(line) == Command(line=line, name=name, words=tuple(words.split()), reason="")
    meant = [(fold(said), name) for table in COMMANDS.values() for name, said in table.items()]
    assert len({said for said, _ in meant}) == len({*meant}), "a name means two commands"
    assert not {said for said, _ in meant} & (
        {fold(name) for name in (*TABLE, CONFIRM)} - {fold(name) for name, _ in meant}
    )


def test_a_letter_that_comes_twice_is_carried_out_once(begun: PostHouse) -> None:
    order(begun, "ADJUST RR1 money.ANN+=3\nMine.")
    raw = begun.value("SELECT raw FROM letters ORDER BY id DESC LIMIT 1")
    begun.wait(minutes=1)
    begun.drop(b"Received: by another.example; Mon, 7 Dec 2026 13:30:00 +0000\r\n" + bytes(raw))
    begun.tick()
    assert len(begun.acts()) == 1


def test_what_an_umpire_writes_as_a_player_or_observer_is_no_command() -> None:
    """Orders for a turn of a game that the umpire plays in, and words to one that the umpire watches, are read where everybody's
    are.
    """
    for text in ("ORDERS RR1 2\nSTEP 1\nEND", "orders RR1 2", "UNWATCH RR9", "WATCH RR9"):
        assert (parse_command(text), misspelt_command(text)) == (None, None)


# A word to all, now: the umpire's letter to players in the umpire's words, answerable there, in the log, shown first if wanted.


def test_words_come_from_a_file_and_are_shown_first(coded: PostHouse, tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("The server moves on Friday.")
    seen = coded.command("write", "RR1", "BOB", "--file", str(file), "--preview")
    assert "The server moves on Friday." in seen.stdout
    assert "A word" not in str(coded.acts())
    coded.tick()
    assert coded.post(BOB, "The server moves") == []
