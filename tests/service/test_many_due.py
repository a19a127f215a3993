"""Many turns that are due at once: players who write meanwhile are answered, and whoever looks on is told how far it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from referee.cli.tick import _print_progress
from referee.core.errors import MailDown
from referee.service import tick as passes
from referee.service.club.club import Club
from referee.service.post.collect import Collected, collect
from referee.service.tick import PAUSE, Progress, tick
from referee.service.turns import due
from referee.service.turns.adjudicate import adjudicate
from referee.store.database.rows import GameRow
from tests.posthouse import ANN, BOB, PostHouse

GAMES = 12
A_TURN = timedelta(seconds=3)  # that one takes
LOOKS = int(GAMES * A_TURN / PAUSE * 3 / 4)  # at the least: a look begins with the turn that ends after a pause


@pytest.fixture
def late(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostHouse]:
    """As many games whose turns are due, each of which takes its time; the parameter says what becomes of late orders."""
    with PostHouse(tmp_path / "club", deadlines__late=getattr(request, "param", "refuse")) as house:
        for _ in range(GAMES):
            house.game()
        house.tick()
        house.clock.advance(days=8)
        played = adjudicate

        def slowly(club: Club, row: GameRow) -> bool:
            house.clock.now += A_TURN
            return played(club, row)

        monkeypatch.setattr(due, "adjudicate", slowly)
        yield house


def answered_at(house: PostHouse, address: str) -> datetime:
    (sent,) = house.rows("SELECT sent_at FROM outbox WHERE kind = 'acknowledgement' AND recipient = ?", address)
    return datetime.fromisoformat(sent["sent_at"])


def test_a_letter_that_comes_meanwhile_is_answered_between_two_turns(
    late: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, played = list[datetime](), due.__dict__["adjudicate"]

    def disturbed(club: Club, row: GameRow) -> bool:
        if row.id == "RR2":
            written.append(late.clock.now)
            late.write(ANN, "STEP 3", "Re: [RR1] turn 2")
            late.write(BOB, "STEP 1", f"Re: [RR{GAMES}] turn 1")
        return bool(played(club, row))

    monkeypatch.setattr(due, "adjudicate", disturbed)
    seen: list[Progress] = []
    done = tick(late.club, seen.append)
    assert len(done.turns) == GAMES
    assert answered_at(late, ANN) - written[0] <= PAUSE + A_TURN
    assert done.letters == 2
    assert done.sent == len(late.sent_files()) - 2 * GAMES == 2 * GAMES + 2
    assert len(seen) >= LOOKS
    assert [each.turns + each.games for each in seen] == [GAMES] * len(seen)
    assert sorted(seen, key=lambda each: each.turns) == seen
    assert seen[-1].sent <= done.sent


@pytest.mark.parametrize(("late", "stands"), [("refuse", 0), ("until-adjudication", 4)], indirect=["late"])
def test_late_orders_that_come_meanwhile_are_judged_as_ever(
    late: PostHouse, stands: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, last = due.__dict__["adjudicate"], "RR9"  # in the order of their names

    def disturbed(club: Club, row: GameRow) -> bool:
        if row.id == "RR1":
            late.write(BOB, "STEP 3", f"Re: [{last}] turn 1")
        return bool(played(club, row))

    monkeypatch.setattr(due, "adjudicate", disturbed)
    late.tick()
    assert f"BOB stands on {stands}\n" in late.text(BOB, f"[{last}]")


def test_few_turns_are_played_without_a_look_between(house: PostHouse) -> None:
    for _ in range(3):
        house.game()
    house.clock.advance(days=8)
    seen: list[Progress] = []
    assert len(tick(house.club, seen.append).turns) == 3
    assert seen == []


def test_an_inbox_that_goes_down_meanwhile_keeps_no_turn_back(late: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[datetime] = []

    def once(club: Club) -> Collected:
        looks.append(late.clock.now)
        if len(looks) > 1:
            raise MailDown("the inbox is away")
        return collect(club)

    monkeypatch.setattr(passes, "collect", once)
    assert len(late.tick().turns) == GAMES
    assert len(looks) > LOOKS
    assert len(late.sent_files()) == 4 * GAMES


def test_how_far_it_is_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    _print_progress(Progress(turns=12, games=88, letters=3, sent=75))
    line = "turns played so far: 12, games still to be looked at: 88, letters handled: 3, letters sent: 75\n"
    assert capsys.readouterr().out == line
