"""The newsletter that would go out, and what is doubtful about it; nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.errors import ConfigError, NotFound
from referee.service.deadlines.rescheduling import hold
from referee.service.post.collect import collect
from referee.service.receive import handle_waiting
from referee.service.umpire.explain import dry_run
from referee.service.umpire.letters import commanded
from referee.service.umpire.rulings import adjust, note, undo
from referee.store import games
from tests.posthouse import ANN, BOB, PostHouse


def everything(house: PostHouse) -> list[list[tuple[object, ...]]]:
    tables = ("games", "turns", "outbox", "order_sets", "acts", "letters", "typed_throws")
    return [list(map(tuple, house.rows(f"SELECT * FROM {name}"))) for name in tables]  # noqa: S608


def test_it_is_the_newsletter_that_goes_out_and_nothing_is_written(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 2")
    adjust(house.club, "RR1", ["money.BOB+=1"], "BOB's start was mine to delay.")
    note(house.club, "RR1", "A word from me.")
    house.clock.advance(days=8)
    before = everything(house)
    seen = dry_run(house.club, "rr1", "bob", real=True)
    assert everything(house) == before
    house.tick()
    assert seen.newsletter.rstrip("\n") == house.text(BOB).rstrip("\n")
    assert "A word from me." in seen.newsletter
    assert "U1:" in seen.newsletter


def test_stand_in_dice_tell_no_seed(house: PostHouse) -> None:
    house.game()
    seen = dry_run(house.club, "RR1")
    assert not seen.real
    house.later(days=8)
    assert games.last_turn(house.club.db, "RR1").seed not in seen.newsletter
    undo(house.club, "RR1", 1, "again")
    seen = dry_run(house.club, "RR1")
    assert seen.real
    assert games.replaced(house.club.db, "RR1", 1).seed in seen.newsletter  # type: ignore[union-attr]
    assert seen.newsletter.index("THIS IS A CORRECTION") < 200


def test_doubtful_points_come_with_the_command_that_helps(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 9")
    house.clock.advance(days=7, hours=9)
    house.write(BOB, "STEP 1")
    collect(house.club)
    handle_waiting(house.club, commanded)
    hold(house.club, "RR1", "I must look at this")
    told = "\n".join(dry_run(house.club, "RR1").doubtful)
    assert "RR1 is stopped: no turn is played before `referee resume RR1`" in told
    assert "ANN: faulty: line 1: " in told
    assert "`referee orders RR1 ANN FILE --because ...`" in told
    assert "BOB: nothing is on file" in told
    assert "BOB: letter 2 came too late; `referee accept 2` takes it after all" in told


def test_what_is_to_be_typed_is_said_in_the_clubs_language(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", club__language="de") as house:
        house.game(options=(("wind", "typed"),))
        assert "wind/1=ZAHL" in " ".join(dry_run(house.club, "RR1").doubtful)


def test_a_ruling_that_fits_no_more_and_throws_that_lack_are_told(house: PostHouse) -> None:
    house.game(options=(("wind", "typed"),))
    seen = dry_run(house.club, "RR1")
    assert seen.newsletter == ""
    assert any("`referee dice RR1 wind/1=NUMBER`" in point for point in seen.doubtful)


def test_a_wrong_game_or_player_is_one_sentence(house: PostHouse) -> None:
    house.game()
    with pytest.raises(NotFound, match="there is no player CYD in RR1"):
        dry_run(house.club, "RR1", "CYD")
    with pytest.raises(NotFound):
        dry_run(house.club, "RR9")
    while games.game(house.club.db, "RR1").status == "running":
        house.clock.advance(hours=1)
        house.write(ANN, "STEP 3")
        house.send(BOB, "STEP 3")
    with pytest.raises(ConfigError, match="RR1 is over: `referee newsletter RR1`"):
        dry_run(house.club, "RR1")


def test_the_command_prints_points_first(house: PostHouse) -> None:
    house.game()
    lines = house.command("preview", "RR1").stdout.splitlines()
    gives = "; `referee deadline RR1 TIME --because ...` gives more time"
    assert lines[:2] == [f"- ANN: nothing is on file{gives}", f"- BOB: nothing is on file{gives}"]
    assert lines[3] == "=== RR1, turn 1, as it would go out now, with stand-in dice ==="
