"""Addresses that umpires and players type, with letters of any script: the same that senders are known by."""

from __future__ import annotations

import email
import email.policy
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.config import FILE, read_config
from referee.core.address import beyond_ascii, typed
from referee.mail.letter.message import read_letter
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, text_of

TYPED, SENT = "ann@bücher.example", "ann@xn--bcher-kva.example"
GAME = ("game", "new", "tinyrace", "--map", "line", "--deadline", "2099-07-03T20:00")
STRANGE = "jürgen@bahn.example"


@pytest.mark.parametrize("text", [TYPED, "ann@BÜCHER.example", "ann@bu\u0308cher.example", SENT, f" {TYPED} "])
def test_an_address_is_known_however_its_domain_is_typed(text: str) -> None:
    """With capitals, with the dots as a letter of their own, with the name that the name servers know."""
    assert typed(text) == SENT


@pytest.mark.parametrize("domain", ["straße.example", "例え.テスト", "почта.example", "ελλάς.example", "ÅNGSTRÖM.se"])
def test_what_is_typed_and_what_a_letter_says_are_the_same_address(domain: str) -> None:
    letter = read_letter(f"From: Ann <ann@{domain}>\n\nPASS\n".encode())
    assert letter.sender == typed(f"ann@{domain}")
    assert letter.answerable


@pytest.mark.parametrize(
    "text", ["ann", "ann@", "@b.example", "ann@b ü.example", "ann@ü_ü.example", "a@ｂ.example", "a@b@c.d"]
)
def test_what_is_no_address_is_none(text: str) -> None:
    assert (typed(text), beyond_ascii(text)) == ("", "")


def test_letters_before_the_at_that_no_server_takes_are_named_each_once() -> None:
    assert beyond_ascii("jürgen.müller-ø@bücher.example") == "üø"
    assert typed("jürgen@bücher.example") == ""


def test_the_clubs_own_addresses_may_be_typed_so(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[mail]\naddress = "Referee@BÜCHER.example"\numpire = "du@straße.example"\n', "utf-8")
    config = read_config(tmp_path, {})
    assert (config.address, config.umpire) == ("Referee@xn--bcher-kva.example", "du@xn--strae-oqa.example")


def new_game(folder: Path, address: str) -> tuple[int, str]:
    players = ("--player", f"ANN:red:Ann <{address}>", "--player", f"BOB:blue:Bob <{BOB}>")
    result = CliRunner().invoke(main, ["--club", str(folder), *GAME, *players])
    return result.exit_code, result.stderr


def test_a_player_whose_address_the_umpire_typed_plays(club: Clubs) -> None:
    """The letters go to the name that servers know; what comes from there, however it is written, is the player's."""
    house = club()
    assert new_game(house.folder, TYPED) == (0, "")
    house.tick()
    assert [str(each["To"]) for each in house.post(SENT)] == [f"Ann <{SENT}>"]
    house.send(TYPED, "STEP 3")
    assert "STEP 3" in text_of(house.post(SENT, "Orders for turn 1 received")[0])


@pytest.mark.parametrize(
    "said", ["player ANN: 'jürgen@bahn.example' has ü before the @", "SMTPUTF8", "plain letters (a to z)"]
)
def test_the_umpire_is_told_why_an_address_cannot_be_written_to(club: Clubs, said: str) -> None:
    house = club()
    code, told = new_game(house.folder, STRANGE)
    assert code == 78
    assert said in told
    assert house.rows("SELECT * FROM games") == []


def test_two_spellings_of_one_address_are_one_players(club: Clubs) -> None:
    house = club()
    players = ("--player", f"ANN:red:Ann <{TYPED}>", "--player", f"BOB:blue:Bob <{SENT}>")
    told = CliRunner().invoke(main, ["--club", str(house.folder), *GAME, *players])
    assert f"two players have the address {SENT}" in told.stderr


def test_a_player_moves_to_an_address_of_any_script(club: Clubs) -> None:
    house = club()
    house.game()
    house.send(ANN, f"ADDRESS {TYPED}")
    assert f"A letter was sent to {TYPED}." in house.text(ANN)
    (question,) = house.post(SENT)
    house.reply(question, "CONFIRM", sender="ann@BÜCHER.example")
    assert house.value("SELECT address FROM players WHERE code = 'ANN'") == SENT
    assert SENT in text_of(house.post(UMPIRE, "has a new address")[0])


def test_a_player_is_told_what_of_his_new_address_cannot_be_written_to(club: Clubs) -> None:
    house = club()
    house.game()
    told = house.says(ANN, f"ADDRESS {STRANGE}")
    assert f'Nothing changes: "{STRANGE}" has ü before the @' in told
    assert house.rows("SELECT * FROM address_changes") == []


def test_a_letter_to_such_an_address_is_plain_ascii_on_its_way(club: Clubs) -> None:
    house = club(mail__address="referee@bücher.example")
    assert new_game(house.folder, TYPED) == (0, "")
    house.tick()
    (file,) = (path for path in house.sent_files() if SENT.encode() in path.read_bytes())
    head = file.read_bytes().partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert email.message_from_bytes(head, policy=email.policy.default)["Message-ID"].endswith("@xn--bcher-kva.example>")
