"""A word to all, now: the umpire's letter to players in his words, answerable to him, in the log, shown first if he likes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.umpire.colleagues import name_umpire
from referee.store.games import acts
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of

SAID = "The server moves on Friday."


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.begin()
        yield made


def words_to(house: PostHouse, address: str) -> list[str]:
    return [line_of(each) for each in house.post(address, SAID)]


@pytest.mark.parametrize(
    ("arguments", "to", "reason"),
    [(("RR1",), (ANN, BOB), SAID), (("RR1", "bob"), (BOB,), ""), (("--all-games",), (ANN, BOB), SAID)],
)
def test_words_are_mailed_at_once_and_stand_in_the_log(
    house: PostHouse, arguments: tuple[str, ...], to: tuple[str, ...], reason: str
) -> None:
    assert house.command("write", *arguments, SAID).returncode == 0
    house.tick()
    assert [address for address in (ANN, BOB) if words_to(house, address)] == [*to]
    letter = house.last(BOB, SAID)
    assert str(letter["Subject"]) == "[RR1] A word from the umpire"
    assert letter["Reply-To"].addresses[0].addr_spec == UMPIRE
    assert "Monday 14 December 2026, 20:00" in text_of(letter)
    (act,) = acts(house.club.db, "RR1")
    assert (act.kind, act.reason) == ("write", reason)
    assert SAID not in act.parameters


def test_words_come_from_a_file_and_are_shown_first(house: PostHouse, tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text(SAID)
    seen = house.command("write", "RR1", "BOB", "--file", str(file), "--preview")
    assert SAID in seen.stdout
    assert "A word" not in str(acts(house.club.db, "RR1"))
    house.tick()
    assert words_to(house, BOB) == []


def test_by_mail_they_are_signed_by_the_umpire_who_wrote_and_answers_go_to_him(house: PostHouse) -> None:
    bea = "bea@example.com"
    name_umpire(house.club, "RR1", f"Bea <{bea}>")
    house.tick()
    house.reply(house.last(bea), f"WRITE RR1\n\n{SAID}\nSee you.")
    assert "RR1: written to ANN, BOB" in house.told(bea)
    assert f"{SAID} See you. Bea, umpire" in house.told(ANN, SAID)
    assert house.last(ANN, SAID)["Reply-To"].addresses[0].addr_spec == bea
    assert "Bea, umpire by mail, letter" in acts(house.club.db, "RR1")[-1].actor


def test_who_watches_reads_them_if_the_umpire_likes(house: PostHouse) -> None:
    code = house.command("game", "watch", "RR1").stdout.split("\n")[0]
    house.send("eve@example.com", code)
    house.reply(house.last("eve@example.com"), "CONFIRM")
    house.command("write", "RR1", SAID)
    house.tick()
    assert words_to(house, "eve@example.com") == []
    house.command("write", "RR1", "--observers", SAID)
    house.tick()
    assert len(words_to(house, "eve@example.com")) == 1


def test_each_reads_them_in_a_letter_of_his_language(house: PostHouse) -> None:
    house.reply(house.last(ANN), "LANGUAGE de")
    house.command("write", "RR1", SAID)
    house.tick()
    assert "Ein Wort des Spielleiters" in str(house.last(ANN, SAID)["Subject"])


def test_what_both_have_written_stands_together(house: PostHouse) -> None:
    house.reply(house.last(BOB), "NOTE: May I build there?")
    house.clock.advance(hours=1)
    house.says(UMPIRE, f"WRITE RR1 BOB\n{SAID}")
    house.reply(house.last(UMPIRE), "CONFIRM")
    seen = house.command("letters", "--with", "bob").stdout
    assert [line for line in seen.split("\n") if line] == [
        "2026-12-07T12:00:00Z\tRR1\tBOB to you",
        "May I build there?",
        "2026-12-07T13:00:00Z\tRR1\tyou to BOB",
        SAID,
    ]
    told = house.says(UMPIRE, "LETTERS WITH BOB")
    assert (
        f"RR1: BOB to the umpire | May I build there? Monday 7 December 2026, 13:00 UTC, RR1: the umpire to BOB | {SAID}"
        in told
    )
    assert house.command("letters", "--with", "ann").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("write",), "the words are missing"),
        (("write", SAID), "name a game"),
        (("write", "RR1", "XYZ", SAID), "XYZ"),
        (("write", "RR9", SAID), "there is no game RR9"),
        (("write", "--all-games", "RR1", SAID), "RR1 cannot be named with it"),
        (("write", "RR1", " "), "say why"),
        (("letters", "--with", "XYZ"), "nobody has the code XYZ in a game"),
    ],
)
def test_what_is_wrong_is_named_and_nobody_is_written_to(
    house: PostHouse, arguments: tuple[str, ...], said: str
) -> None:
    result = house.command(*arguments)
    assert result.returncode
    assert said in result.stderr
    assert acts(house.club.db, "RR1") == ()
