"""How reliably people play, reckoned from what the club keeps; and the file by which a monitor sees that all is well."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from referee.core.errors import ConfigError, MailDown, NotFound
from referee.service.club.tally import HEARTBEAT
from referee.service.letters.reliability import Record, merge, part, persons, records
from referee.service.seats import replace_player
from referee.service.site.parts import ratings
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from referee.service.umpire.rulings import undo
from referee.store import games
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse


def play(house: PostHouse, *senders: str) -> None:
    """Play a turn of RR1 with letters of these players, after the reminders."""
    for sender in senders:
        house.write(sender, "STEP 1", subject="[RR1]")
    for _ in range(8):
        house.clock.advance(days=1)
        if house.tick().turns:
            return
    raise AssertionError("the turn was not played")


def by_address(house: PostHouse) -> dict[str, Record]:
    return {each.address: each for each in records(house.club)}


def test_turns_missed_and_reminders_are_counted_over_all_games(house: PostHouse) -> None:
    calendar = {"days": 7, "missing": "play", "early_delay": -1, "reminders": "24"}
    house.game(rhythm=calendar)
    play(house, ANN, BOB)
    play(house, ANN)
    house.game(rhythm=calendar)
    ann, bob = by_address(house)[ANN], by_address(house)[BOB]
    assert (ann.games, ann.owed, ann.sent, ann.missed, ann.reminded) == (("RR1", "RR2"), 2, 2, 0, 0)
    assert (bob.owed, bob.sent, bob.missed, bob.reminded, bob.resigned) == (2, 1, 1, 1, 0)
    assert [each.address for each in records(house.club)] == [BOB, ANN]
    undo(house.club, "RR1", 2, "it does not count")
    assert by_address(house)[BOB].missed == 0


def test_who_takes_a_seat_over_is_not_blamed_for_what_was_before(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "missing": "play", "early_delay": -1, "reminders": "24"})
    play(house, ANN)
    replace_player(house.club, "RR1", "BOB", "Cecil <cecil@example.com>", "Bob is gone")
    cecil = by_address(house)["cecil@example.com"]
    assert (cecil.owed, cecil.missed, cecil.reminded) == (0, 0, 0)
    assert BOB not in by_address(house)
    assert "Cecil\tcecil@example.com\t1\t0" in house.command("players").stdout


def test_a_pass_in_which_all_went_well_leaves_its_time_for_monitors(house: PostHouse) -> None:
    file = house.folder / HEARTBEAT
    house.tick()
    first = file.read_text()
    assert datetime.fromisoformat(first.strip()).astimezone(UTC) == house.clock.now
    house.later(minutes=5)
    assert file.read_text() > first


def test_a_pass_that_cannot_read_the_inbox_leaves_no_time(house: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    house.tick()
    before = (house.folder / HEARTBEAT).read_text()

    def down(*_: Any) -> None:
        raise MailDown("the server is away")

    monkeypatch.setattr("referee.service.tick.collect", down)
    house.clock.advance(minutes=5)
    with pytest.raises(MailDown):
        house.tick()
    assert (house.folder / HEARTBEAT).read_text() == before


def play_out(house: PostHouse, winner: str) -> None:
    name = house.game(rhythm={"days": 7, "statements": 0})
    while games.game(house.club.db, name).status == "running":
        for player in (ANN, BOB):
            house.write(player, "STEP 3" if player == winner else "STEP 1", f"[{name}]")
        house.tick()


def test_a_rating_goes_by_the_places_of_all_games_that_are_over(house: PostHouse) -> None:
    house.game()
    assert ratings(house.club) == {}
    play_out(house, ANN)
    first = ratings(house.club)
    assert first[ANN] > 0 > first[BOB]
    play_out(house, ANN)
    assert ratings(house.club)[ANN] > first[ANN]
    assert f"\t{ratings(house.club)[ANN]}\n" in house.command("players").stdout
    assert "rating" in house.says(UMPIRE, "PLAYERS")


def test_two_addresses_are_merged_into_one_person_and_parted_again(house: PostHouse) -> None:
    house.game()
    other = "ann@elsewhere.example"
    players = (
        Invited(code="ANN", colour="red", name="Ann", address=other),
        Invited(code="BOB", colour="blue", name="Bob", address=BOB),
    )
    new_game(house.club, Proposal(kind="tinyrace", board="line", players=players, rhythm={"days": 7}))
    merge(house.club, ANN, other)
    (ann,) = (each for each in records(house.club) if each.name == "Ann")
    assert (ann.address, ann.also, ann.games) == (ANN, (other,), ("RR1", "RR2"))
    whose = persons(house.club.db)
    assert whose(ANN) == whose(other.upper()) != whose(BOB)
    with pytest.raises(ConfigError, match="are one person already"):
        merge(house.club, other, ANN)
    with pytest.raises(
        NotFound, match=r"nobody has played or signed up from eve@example\.com: `referee players` names"
    ):
        merge(house.club, ANN, "eve@example.com")
    assert "is a person of its own again" in house.command("players", "--part", other).stdout
    assert len(records(house.club)) == 3
    with pytest.raises(NotFound, match=f"{BOB} was merged with no other address"):
        part(house.club, BOB)
    told = house.command("players", "--merge", ANN, BOB).stdout
    assert told == f"{ANN} and {BOB} are one person; `referee players --part {BOB}` takes that back\n"
