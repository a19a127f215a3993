"""Whatever the terminal can do with a game the umpire can order by mail; docs/desk.md says it of each command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from referee.cli import main
from referee.service.umpire.commands import TABLE, parse_command
from referee.store.games import acts
from tests.posthouse import ANN, BOB, ROOT, UMPIRE, PostHouse, text_of

CYD = "cyd@example.com"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.begin()
        made.send(ANN, "STEP 2")  # without a code: it is held
        made.reply(made.post(BOB)[0], "HELP")
        yield made


def asked(house: PostHouse, text: str) -> str:
    """Return what a question of the umpire's is answered with, in one line."""
    return house.says(UMPIRE, text, "a question")


def ordered(house: PostHouse, text: str) -> str:
    """Return what a command is answered with that is confirmed by its code, in one line."""
    asked(house, text)
    last = house.last(UMPIRE)
    assert "Once more, please" in str(last["Subject"]), text_of(last)
    house.clock.advance(minutes=1)
    house.reply(last, "CONFIRM")
    return house.told(UMPIRE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("STATUS", "RR1 1 2026-12-14 20:00 ANN BOB ANN"),
        ("STATUS", "Letter 1 in the name of ANN, RR1"),
        ("STATUS RR1", "- ANN: orders are missing, a letter waits for the player's word - BOB: orders are missing"),
        ("LETTERS", "- 1: Monday 7 December 2026, 12:00 UTC, ann@example.org, RR1, ANN, held, no code"),
        ("LETTERS HELD", "- 1: "),
        ("LETTERS RR1", "- 1: "),
        ("LETTERS PARKED", "There are no such letters."),
        ("LETTER 1", "| STEP 2"),
        ("LETTER 2", "It was answered: | RR1: Tiny Race"),
        ("STANDBY", "Nobody stands by."),
        ("PLAYERS", "- Ann <ann@example.org>: games RR1; turns with orders 0 of 0"),
        ("NEWSLETTER RR1 0 BOB", "Hello Bob, the goal is 12."),
        ("CALENDAR RR1", "RR1 goes by this calendar: - days=7"),
        ("DICE RR1", "RR1, turn 1: throws still to be typed: 0"),
        ("FACES RR1", "RR1: letters are sent with format=html, attach=svg json"),
    ],
)
def test_a_question_is_answered_without_a_code_and_changes_nothing(house: PostHouse, text: str, said: str) -> None:
    assert said in asked(house, text)
    assert acts(house.club.db, "RR1") == ()


@pytest.mark.parametrize("subject", ["STATUS", "Status"])
def test_a_command_in_the_subject_of_an_empty_letter_is_answered(house: PostHouse, subject: str) -> None:
    house.send(UMPIRE, "", subject)
    assert "2026-12-14 20:00" in house.told(UMPIRE)


def test_a_letter_is_shown_without_its_code(house: PostHouse) -> None:
    house.reply(house.last(ANN, "Railway"), f"STEP 2\n{house.post(BOB)[0]['Subject']}")
    code = re.search(r"RR1-BOB-\w{8}", str(house.post(BOB)[0]["Subject"]))
    assert code is not None
    assert code[0] not in asked(house, "LETTER 3")
    assert "| STEP 2" in house.told(UMPIRE)


@pytest.mark.parametrize(
    ("text", "kinds", "said"),
    [
        ("RELEASE 1\nHe told me so.", ["accept"], "RR1: the letter of ANN counts. On file from it: STEP 2"),
        ("REPLACE RR1 BOB Cyd <cyd@example.com>\nBob left.", ["replace"], "RR1: Cyd plays BOB from now on"),
        ("REPLACE RR1 BOB cyd@example.com\nBob left.", ["replace"], "plays BOB from now on"),
        ("REMIND RR1", ["remind"], "RR1: reminded now: ANN, BOB."),
        ("REMIND RR1 bob", ["remind"], "RR1: reminded now: BOB."),
        (
            "CALENDAR RR1 every=1 month weekday=Friday\nMore time.",
            ["calendar"],
            "and all players are told: - every=1 month",
        ),
        ("DICE RR1 rolls/1/1=5", ["dice"], "- rolls/1/1=5: with today's orders nothing asks for it"),
        ("FACES RR1 format=text attach=png svg", ["faces"], "format=text, attach=png svg"),
        ("RULES RR1", [], "that of this program: nothing to do."),
        ("STANDBY Cyd <cyd@example.com>", [], "- Cyd <cyd@example.com>, since Monday 7 December"),
    ],
)
def test_what_changes_something_needs_a_code(house: PostHouse, text: str, kinds: list[str], said: str) -> None:
    asked(house, text)
    assert acts(house.club.db, "RR1") == ()
    assert said in ordered(house, text)
    assert [act.kind for act in acts(house.club.db, "RR1")] == kinds
    assert all(act.actor.startswith("umpire by mail") for act in acts(house.club.db, "RR1"))


def test_a_seat_goes_to_the_stand_by_who_was_put_on_the_list_by_mail(house: PostHouse) -> None:
    assert "nobody stands by for this game (STANDBY lists them)" in ordered(house, "REPLACE RR1 BOB STANDBY\nGone.")
    ordered(house, "STANDBY Cyd <cyd@example.com>")
    assert "RR1: Cyd plays BOB" in ordered(house, "REPLACE RR1 BOB STANDBY\nBob has vanished.")
    assert "Bob has vanished." in house.text(CYD)
    ordered(house, "STANDBY Dan <dan@example.com>")
    assert "Nobody stands by." in ordered(house, "STANDBY WITHDRAW dan@example.com")


def test_who_is_reminded_reads_the_reminder_in_the_same_pass(house: PostHouse) -> None:
    ordered(house, "REMIND RR1 BOB")
    assert "your orders are missing" in str(house.last(BOB)["Subject"])
    assert "your orders are missing" not in str(house.last(ANN)["Subject"])
    assert "there is no player" in ordered(house, "REMIND RR1 XYZ").lower() or "XYZ" in house.told(UMPIRE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("REPLACE RR1 BOB\nGone.", "Nobody is named. It is written so: REPLACE RR7 MGW Cecil"),
        ("REPLACE RR1 BOB Cyd <cyd@example.com>", "Say why, in lines below the command"),
        ("FACES RR1 format=pink", "format=html or format=text, and attach= with files are expected."),
        ("LETTER x", "x is no number of a letter"),
        ("STATTUS", "STATTUS is no command (did you mean STATUS?)"),
        ("CALENDAR RR1 every=never\nWhy.", "every"),
        ("ARCHIVE RR1", "RR1 is not over: turn 1 is awaited"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_changes(house: PostHouse, text: str, said: str) -> None:
    answer = asked(house, text)
    if "Once more, please" in str(house.last(UMPIRE)["Subject"]):
        house.reply(house.last(UMPIRE), "CONFIRM")
        answer = house.told(UMPIRE)
    assert said in answer
    assert acts(house.club.db, "RR1") == ()


def test_an_umpire_of_one_game_sees_its_letters_alone(house: PostHouse) -> None:
    house.game()
    house.command("game", "umpire", "RR2", f"Cyd <{CYD}>")
    house.tick()
    assert "There are no such letters." in house.says(CYD, "LETTERS", "x")
    assert "RR1" not in house.says(CYD, "STATUS", "x")
    assert "The club's umpire alone can order this." in house.says(CYD, "PLAYERS", "x")
    assert "You are no umpire of RR1" in house.says(CYD, "LETTER 1", "x")


# docs/desk.md: a row for each command of the terminal.

ROW = re.compile(r"^\| `([a-z -]+)` \| (.+) \|$", re.M)


def typed(group: click.Command, path: str = "") -> Iterator[str]:
    for name, each in getattr(group, "commands", {}).items():
        below = [*typed(each, f"{path}{name} ")]
        if not below or getattr(each, "invoke_without_command", False):
            yield f"{path}{name}"
        yield from below


def test_each_command_of_the_terminal_has_its_word_by_mail_or_a_reason_why_not() -> None:
    page = (ROOT / "docs" / "desk.md").read_text()
    _, _, told = page.partition("### What the terminal does, by mail")
    rows = dict(ROW.findall(told.partition("\n## ")[0]))
    assert {name if name in rows else name.partition(" ")[0] for name in typed(main)} == {*rows}
    words = [each for said in rows.values() for each in re.findall(r"`([^`]+)`", said)]
    assert not [said for said in rows.values() if "`" not in said and not said[0].islower()]
    named = [name_of(each) for each in words]
    assert {*named} | {"COMMANDS", "REMIND", "WITHDRAW"} == {*TABLE}


def name_of(text: str) -> str:
    command = parse_command(text)
    assert command is not None, text
    return command.name


def test_a_form_that_is_shown_is_one_that_is_read() -> None:
    for name, row in TABLE.items():
        for form in row.forms:
            assert name_of(form) == name
