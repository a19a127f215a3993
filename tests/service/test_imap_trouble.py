"""What an IMAP server does wrong stops no post, and no turn is played without a letter that it did not give out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.errors import ConfigError, MailDown
from referee.store.club import last_poll
from tests.posthouse import ANN, BEGIN, BOB, UMPIRE, PostHouse, line_of
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.service.test_post_by_imap import imap_house, letter


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[tuple[Mailbox, PostHouse]]:
    mailbox = Mailbox()
    with fake_imap(mailbox) as port, imap_house(tmp_path / "club", port, "referee") as house:
        house.clock.now = BEGIN  # when its letters came
        house.game()
        yield mailbox, house


def turn(house: PostHouse) -> int:
    return int(house.rows("SELECT turn FROM games")[0]["turn"])


def statuses(house: PostHouse) -> list[str]:
    return [row["status"] for row in house.rows("SELECT status FROM letters ORDER BY id")]


@pytest.mark.parametrize("anew", [False, True], ids=["one process", "a process for each pass"])
def test_a_letter_at_whose_move_the_server_hangs_up_stops_nothing(
    faulty: tuple[Mailbox, PostHouse], anew: bool
) -> None:
    mailbox, house = faulty
    make_pass = house.tick_again if anew else house.tick
    mailbox.letters |= {1: letter(ANN, "STEP 1"), 2: letter(ANN, "STEP 2", 2)}
    mailbox.snared.add(1)
    make_pass()
    assert statuses(house) == ["done", "done"]
    mailbox.letters[3] = letter(BOB, "STEP 3", 3)
    make_pass()
    assert statuses(house) == ["done", "done", "done"]
    assert last_poll(house.club.db) == house.clock.now
    assert set(mailbox.letters) == {1}, "the one that cannot be moved keeps none of the others"
    assert len(house.post(ANN, "received")) == 2


def test_when_the_server_is_gone_at_the_last_move_all_that_was_stored_is_handled(
    faulty: tuple[Mailbox, PostHouse], caplog: pytest.LogCaptureFixture
) -> None:
    mailbox, house = faulty

    class Closing(list[str]):
        def append(self, name: str) -> None:
            super().append(name)
            if name == "MOVE":
                mailbox.refused.add("LOGIN")

    mailbox.letters |= {1: letter(ANN, "STEP 1")}
    mailbox.snared.add(1)
    mailbox.heard = Closing()
    house.tick()
    assert statuses(house) == ["done"]
    assert "letters that are stored stay in the inbox" in caplog.text


@pytest.mark.parametrize("fault", ["blank", "renumbered"])
def test_a_turn_waits_for_a_letter_that_is_there_and_was_not_given_out(
    faulty: tuple[Mailbox, PostHouse], fault: str
) -> None:
    mailbox, house = faulty
    house.tick()
    mailbox.letters |= {1: letter(ANN, "STEP 3")}
    house.clock.advance(days=8)
    if fault == "blank":
        mailbox.blank.add(1)
        house.tick()
        assert len(house.rows("SELECT 1 FROM arrivals WHERE attempts = 1")) == 1
    else:
        polled = last_poll(house.club.db)

        class Renumbering(list[str]):
            def append(self, name: str) -> None:
                super().append(name)
                if name == "SELECT":  # on a new line: the old one was cut at the letter
                    mailbox.validity = 8
                    mailbox.poison.clear()

        mailbox.poison.add(1)
        mailbox.heard = Renumbering()
        with pytest.raises(MailDown):
            house.tick()
        assert last_poll(house.club.db) == polled
    assert turn(house) == 1
    mailbox.blank.clear()
    mailbox.heard = []
    house.tick()
    assert statuses(house) == ["done"]
    assert turn(house) == 2


def test_a_letter_that_is_never_given_out_is_given_up_after_three_passes_and_the_umpire_told(
    faulty: tuple[Mailbox, PostHouse],
) -> None:
    mailbox, house = faulty
    mailbox.letters |= {1: letter(ANN, "STEP 3"), 2: letter(BOB, "STEP 3")}
    mailbox.blank.add(1)
    for _ in range(4):
        house.tick()
    assert statuses(house) == ["done", "parked"]
    (told,) = house.post(UMPIRE)
    assert "the server does not give it out" in line_of(told)
    assert mailbox.letters == {}


def test_settings_of_the_inbox_that_are_wrong_keep_no_letter_of_ours_from_leaving(
    faulty: tuple[Mailbox, PostHouse],
) -> None:
    mailbox, house = faulty
    (house.folder / "secret").unlink()
    with pytest.raises(ConfigError, match="secret cannot be read"):
        house.tick()
    assert len(house.sent_files()) == 2
    assert mailbox.heard == []
