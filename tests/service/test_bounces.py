"""Letters of ours that come back: counted to their reader, told to the umpire once, ended by the reader's next letter."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.mail.letter.bounces import Failure
from referee.service.post.bounces import count_failure
from referee.service.umpire.overview import standing
from referee.store import outbox
from referee.store.database.database import transaction
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of

SAMPLES = Path(__file__).parent.parent / "mail" / "bounces"
THEIRS = b"<newsletter.rr1.1.ann.1.0123456789abcdef@club.example>"


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.begin()


def bounce(house: PostHouse, sample: str, message_id: str) -> None:
    """Let a sample arrive, as if it were about that letter of ours; each at another time, as no two servers write alike."""
    raw = (SAMPLES / f"{sample}.eml").read_bytes().replace(THEIRS, message_id.encode())
    house.drop(raw.replace(b"Subject: ", f"Subject: {house.clock.now:%H%M%S%f} ".encode(), 1))
    house.tick()
    house.clock.advance(minutes=1)


def ids(house: PostHouse, recipient: str) -> list[str]:
    return [row["message_id"] for row in house.rows("SELECT message_id FROM outbox WHERE recipient = ?", recipient)]


def unreachable(house: PostHouse) -> tuple[str, ...]:
    return standing(house.club, "RR1").unreachable


def second_letter(house: PostHouse, player: str = ANN) -> None:
    """Make another letter of ours to the player: the newsletter of turn 1."""
    house.later(days=8)
    assert len(ids(house, player)) == 2


@pytest.mark.parametrize("sample", ["postfix", "exim-old", "microsoft365", "gmail", "qmail", "domino-prose", "gmx"])
def test_two_letters_that_come_back_make_a_player_unreachable(house: PostHouse, sample: str) -> None:
    second_letter(house)
    first, second = ids(house, ANN)
    bounce(house, sample, first)
    assert not house.post(UMPIRE, "cannot be reached")
    assert unreachable(house) == ()
    bounce(house, sample, second)
    (told,) = house.post(UMPIRE, "cannot be reached")
    assert told["Subject"] == "[RR1] ANN cannot be reached"
    assert ANN in text_of(told)
    assert "Running games: RR1." in text_of(told)
    assert unreachable(house) == ("ANN",)
    bounce(house, sample, first)
    assert len(house.post(UMPIRE, "cannot be reached")) == 1


def test_the_umpire_sees_it_where_the_games_stand(house: PostHouse) -> None:
    second_letter(house)
    for message_id in ids(house, ANN):
        bounce(house, "postfix", message_id)
    assert "  ANN      missing, unreachable: letters to this player come back\n" in house.command("status").stdout
    assert json.loads(house.command("status", "--json").stdout)[0]["unreachable"] == ["ANN"]


def test_one_letter_counts_once_however_often_it_comes_back(house: PostHouse) -> None:
    (first,) = ids(house, ANN)
    for sample in ("postfix", "gmail", "qmail", "sendmail"):
        bounce(house, sample, first)
    assert unreachable(house) == ()
    assert len(house.rows("SELECT * FROM bounces")) == 4


def test_a_letter_that_is_late_for_five_days_makes_a_player_unreachable(house: PostHouse) -> None:
    (first,) = ids(house, ANN)
    for hours in (4, 4 * 24):
        house.clock.advance(hours=hours)
        bounce(house, "postfix-delayed", first)
        assert unreachable(house) == ()
    house.clock.advance(days=1)
    bounce(house, "exim-warning", first)
    assert unreachable(house) == ("ANN",)


def test_a_letter_given_up_after_five_days_of_trying_is_enough(house: PostHouse) -> None:
    house.clock.advance(days=5, minutes=1)
    bounce(house, "courier-expired", ids(house, ANN)[0])
    assert unreachable(house) == ("ANN",)


def test_single_delays_with_quiet_weeks_between_mean_nothing(house: PostHouse) -> None:
    house.clock.advance(hours=4)
    bounce(house, "postfix-delayed", ids(house, ANN)[0])
    second_letter(house)
    house.clock.advance(hours=4)
    bounce(house, "postfix-delayed", ids(house, ANN)[1])
    assert unreachable(house) == ()


def test_a_letter_from_the_player_ends_it_and_what_came_before_counts_no_more(house: PostHouse) -> None:
    second_letter(house)
    for message_id in ids(house, ANN):
        bounce(house, "postfix", message_id)
    assert unreachable(house) == ("ANN",)
    house.send(ANN, "STEP 3")
    assert unreachable(house) == ()
    bounce(house, "postfix", ids(house, ANN)[-1])
    assert unreachable(house) == ()
    what = [row["what"] for row in house.rows("SELECT what FROM log WHERE what IN ('unreachable', 'reachable')")]
    assert what == ["unreachable", "reachable"]


def test_a_machine_at_the_players_address_does_not_end_it(house: PostHouse) -> None:
    second_letter(house)
    for message_id in ids(house, ANN):
        bounce(house, "postfix", message_id)
    house.send(ANN, "I am away", Auto_Submitted="auto-replied")
    assert unreachable(house) == ("ANN",)


def test_a_bounce_is_believed_only_with_an_id_that_its_forger_cannot_know(house: PostHouse) -> None:
    """Bob knows his own letter's id, and how Ann's would begin."""
    ann, bob = ids(house, ANN)[0], ids(house, BOB)[0]
    forged = bob.replace("bob", "ann")
    assert forged != ann
    assert re.fullmatch(r"<newsletter\.rr1\.0\.ann\.1\.[0-9a-f]{16}@club\.example>", ann)
    for message_id in (forged, THEIRS.decode(), "<newsletter.rr1.0.ann.1@club.example>"):
        for sample in ("postfix", "gmail", "qmail"):
            bounce(house, sample, message_id)
    assert house.rows("SELECT * FROM bounces") == []
    assert {row["reason"] for row in house.rows("SELECT reason FROM letters")} == {"robot: bounce"}


def test_a_bounce_that_names_no_letter_of_ours_counts_for_nothing_but_the_umpire_hears_of_it(house: PostHouse) -> None:
    """Some servers return nothing of our letter; and anybody could write so."""
    short = (SAMPLES / "qmail.eml").read_bytes().partition(b"--- Below")[0]
    for text in (short, short + b"again\n", short.replace(ANN.encode(), b"eve@example.com")):
        house.drop(text)
    house.tick()
    (told,) = house.post(UMPIRE)
    assert told["Subject"] == "[RR1] Perhaps ANN cannot be reached"
    assert "referee letter 1" in text_of(told)
    assert house.rows("SELECT * FROM bounces") == []
    assert unreachable(house) == ()


def test_a_bounce_of_his_own_letter_counts_to_nobody_else(house: PostHouse) -> None:
    """Bob writes Ann's address into the report of a letter that he was sent himself."""
    second_letter(house, BOB)
    for message_id in ids(house, BOB):
        bounce(house, "postfix", message_id)  # it names Ann as the recipient
    assert unreachable(house) == ("BOB",)
    (told,) = house.post(UMPIRE, "cannot be reached")
    assert f"The address that failed is {ANN}" in text_of(told)


def test_somebody_who_is_unreachable_is_written_to_and_awaited_as_ever(house: PostHouse) -> None:
    second_letter(house)
    for message_id in ids(house, ANN):
        bounce(house, "postfix", message_id)
    deadline = house.rows("SELECT deadline FROM games")[0]["deadline"]
    assert house.send(BOB, "STEP 1").turns == ()
    assert house.rows("SELECT deadline FROM games")[0]["deadline"] == deadline
    assert house.later(days=7).turns == ("RR1/2",)
    assert "missing: ANN" in house.told(ANN)


def test_bounces_are_never_answered_and_those_to_the_umpire_tell_him_nothing(house: PostHouse) -> None:
    house.send(ANN, "STEP 3\nNOTE: one")
    sent = len(house.sent_files())
    (note,) = ids(house, UMPIRE)
    for sample in ("postfix", "gmail", "microsoft365"):
        bounce(house, sample, note)
    assert len(house.sent_files()) == sent


def test_what_our_own_server_refuses_counts_in_the_same_way(house: PostHouse) -> None:
    second_letter(house)
    for message_id in ids(house, ANN):
        ours = outbox.letter_of_ours(house.club.db, message_id)
        assert ours is not None
        with transaction(house.club.db):
            failure = Failure(recipient=ANN, action="failed", status="5.0.0")
            count_failure(house.club, ours, failure, house.clock.now)
    house.tick()
    (told,) = house.post(UMPIRE, "cannot be reached")
    assert "referee letter" not in text_of(told)
    assert unreachable(house) == ("ANN",)
