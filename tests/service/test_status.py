"""`referee status`: what waits for whom, what is due when, what went wrong, in a table."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from referee.cli import main
from referee.service.deadlines import rescheduling
from tests.posthouse import ANN, BOB, PostHouse


def shown(house: PostHouse) -> list[str]:
    told = house.command("status")
    assert (told.returncode, told.stderr) == (0, "")
    return told.stdout.splitlines()


def test_several_games_are_a_table_with_what_needs_the_umpire_first(house: PostHouse) -> None:
    for year in (2076, 2046, 2066, 2056):  # the command reads the machine's clock
        rescheduling.set_deadline(house.club, house.game(), f"{year}-06-01 20:00", "x")
    house.write(ANN, "STEP 2", "[RR1]")
    house.write(BOB, "STEP 9", "[RR1]")
    house.send(ANN, "RESIGN FOR GOOD", "[RR2]")
    rescheduling.hold(house.club, "RR3", "x")
    house.club.db.execute("UPDATE games SET deadline = NULL, extended = 2 WHERE id = 'RR4'")
    assert shown(house) == [
        "game  turn  due (UTC)             in   missing  doubtful",
        "RR4   1     when all are in       0/2  ANN BOB  -         given more time",
        "RR2   1     Fri 2046-06-01 20:00  0/2  BOB      ANN",
        "RR1   1     Mon 2076-06-01 20:00  1/2  -        BOB",
        "RR3   1     stopped               0/2  ANN BOB  -",
    ]
    told = json.loads(house.command("status", "--json").stdout)
    assert [(each["missing"], each["doubtful"]) for each in told][:2] == [([], ["BOB"]), (["BOB"], ["ANN"])]


def test_what_is_overdue_and_what_lies_parked_and_held_is_said(house: PostHouse) -> None:
    house.game()
    house.game()
    house.club.db.execute("UPDATE games SET deadline = '2020-01-01T20:00:00.000000Z' WHERE id = 'RR2'")
    house.send(ANN, "STEP 2", "[RR1]")
    house.club.db.execute("UPDATE letters SET status = 'parked'")
    house.club.db.execute(
        "UPDATE games SET deadline = '2020-01-01T20:00:00.000000Z', status = 'running' WHERE id = 'RR2'"
    )
    house.club.db.execute("UPDATE outbox SET state = 'failed', failed_at = created WHERE id = 1")
    lines = shown(house)
    assert lines[1].endswith("overdue")
    assert lines[1].startswith("RR2 ")
    assert "1 letter is parked: see `referee letters --status parked`" in lines
    assert "1 letter of ours has failed: see `referee outbox`" in lines


def test_a_held_letter_of_a_turn_long_gone_is_no_more_told(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.game()
        house.write(ANN, "STEP 2", "[RR1]")
        for number in ("1 letter is held", "1 letter is held", ""):
            house.tick()
            assert number in "\n".join(shown(house))
            house.clock.advance(days=14)
        assert "held" not in "\n".join(shown(house))


def test_games_that_are_over_are_named_in_one_line(house: PostHouse) -> None:
    for _ in range(3):
        house.game()
    house.club.db.execute("UPDATE games SET status = 'finished', deadline = NULL WHERE id = 'RR2'")
    assert shown(house)[-1] == "over: RR2"
    house.club.db.execute("UPDATE games SET status = 'finished', deadline = NULL WHERE id = 'RR3'")
    assert "  ANN      missing" in shown(house)  # the only one that runs is shown in full


def test_a_club_without_games_says_what_makes_one(house: PostHouse) -> None:
    told = house.command("status")
    assert (told.returncode, told.stdout) == (0, "")
    assert "no game runs: `referee game open KIND`" in told.stderr
    assert house.command("status", "--json").stdout.strip() == "[]"


def test_what_needs_the_umpire_has_a_colour_on_a_terminal(house: PostHouse) -> None:
    house.begin()
    told = CliRunner().invoke(main, ["--club", str(house.folder), "status"], color=True).stdout
    assert "\x1b[31mmissing" in told
    assert "\x1b[" not in house.command("status").stdout
