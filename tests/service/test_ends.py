"""How a game ends: closing statements with a deadline of their own, and the archive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.errors import ConfigError
from referee.service.audit.verify import verify_game
from referee.service.post.observers import watch_code
from referee.service.umpire.rulings import archive, undo
from referee.store import games
from tests.posthouse import ANN, BOB, PostHouse, line_of

EVE = "eve@example.com"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.begin(rhythm={"days": 7, "statements": 10})
        made.send(EVE, f"WATCH {watch_code(made.club, 'RR1')}")
        made.reply(made.post(EVE)[0], "CONFIRM")
        yield made


def play_out(house: PostHouse) -> None:
    """Play until the game is over."""
    while games.game(house.club.db, "RR1").status == "running":
        for player in (ANN, BOB):
            house.answer([each for each in house.post(player) if each["Reply-To"]][-1], "STEP 3")
        house.tick()


def flat(house: PostHouse, reader: str, words: str) -> list[str]:
    return [line_of(each) for each in house.post(reader, words)]


def test_last_words_are_asked_for_taken_and_told_to_all_after_their_deadline(house: PostHouse) -> None:
    play_out(house)
    (asked,) = flat(house, ANN, "What do you say of the game?")
    assert "Thursday 17 December 2026, 20:00" in asked
    assert not house.post(EVE, "What do you say of the game?")
    last = house.last(ANN)
    house.reply(last, "PRESS: Well played.")
    house.answer(last, "STATEMENT: Well played, Bob!\nThe wind was with you.")
    house.reply(house.last(BOB), "STEP 3")
    assert "It is kept, and is mailed to all" in flat(house, ANN, "Your closing statement")[-1]
    assert flat(house, BOB, "The game is over")
    house.later(days=9)
    assert not house.post(BOB, "Well played")
    house.clock.advance(days=2)
    for _ in range(2):
        house.tick()
    for reader in (ANN, BOB, EVE):
        (told,) = flat(house, reader, "What the players say of the game")
        assert "Ann, ANN" in told
        assert "| Well played, Bob! | The wind was with you." in told
        assert "Bob, BOB" not in told
    house.reply(last, "PRESS: One more word.")
    assert "The game is over" in flat(house, ANN, "Your letter was not taken")[-1]
    assert not verify_game(house.club, "RR1").faults


def test_where_nobody_writes_nothing_is_sent(house: PostHouse) -> None:
    play_out(house)
    before = len(house.sent_files())
    house.later(days=11)
    assert len(house.sent_files()) == before
    assert games.game(house.club.db, "RR1").statements_due is None


def test_a_statement_that_is_too_long_is_not_taken(house: PostHouse) -> None:
    play_out(house)
    house.reply(house.last(ANN), "PRESS: " + "word " * 3000)
    assert "10000 are possible: it was not taken" in flat(house, ANN, "Your closing statement")[-1]
    house.later(days=11)
    assert not house.post(BOB, "What the players say of the game")


def test_a_game_whose_last_turn_is_undone_awaits_no_statements_before_it_ends_again(house: PostHouse) -> None:
    play_out(house)
    house.reply(house.last(ANN), "PRESS: Well played.")
    undo(house.club, "RR1", games.last_turn(house.club.db, "RR1").turn, "My mistake.")
    assert games.game(house.club.db, "RR1").statements_due is None
    house.later(days=12)
    assert games.game(house.club.db, "RR1").status == "finished"
    assert not house.post(BOB, "What the players say of the game")
    house.later(days=11)
    assert flat(house, BOB, "Well played.")


def test_none_are_asked_for_where_the_calendar_wants_none(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token", deadlines__statements=0) as house:
        house.begin()
        play_out(house)
        assert not house.post(ANN, "What do you say of the game?")
        house.reply(house.last(ANN), "PRESS: Well played.")
        assert flat(house, ANN, "Your letter was not taken")


def test_a_game_in_the_archive_leaves_the_lists_and_nothing_else(house: PostHouse) -> None:
    with pytest.raises(ConfigError, match="RR1 is not over: turn 1 is awaited"):
        archive(house.club, "RR1")
    play_out(house)
    house.begin()
    assert house.command("game", "archive", "rr1").stdout == "RR1 is in the archive\n"
    archive(house.club, "RR1")
    assert [line.split("\t")[0] for line in house.command("game", "list").stdout.split("\n")] == ["RR2", ""]
    assert house.command("game", "list", "--all").stdout.startswith("RR1\ttinyrace\tfinished")
    assert "RR1" not in house.command("status").stdout
    assert "over after turn" in house.command("status", "RR1").stdout
    assert house.command("verify", "RR1").returncode == 0
    assert house.command("newsletter", "RR1").stdout
    kinds = [line.split("\t")[4] for line in house.command("log", "RR1").stdout.splitlines()]
    assert kinds == ["archive"]
    house.reply([each for each in house.post(ANN, "Turn") if "RR1" in each["Subject"]][-1], "STATUS")
    assert flat(house, ANN, "The game is over.")
    assert house.command("game", "archive", "RR1", "--back").stdout == "RR1 is taken out of the archive\n"
    assert house.command("game", "list").stdout.startswith("RR1\t")
