"""What the umpire does about deadlines: told to everybody with his reason, kept in the log, and nothing twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

import pytest

from referee.core.errors import ConfigError, NotFound
from referee.service.club.duetimes import Rhythm
from referee.service.deadlines import rescheduling, rhythms
from referee.store import games
from referee.store.database.rows import GameRow
from referee.store.games import acts
from tests.posthouse import ANN, BOB, PostHouse, text_of


def due(house: PostHouse, game: str = "RR1") -> str:
    deadline = row_of(house, game).deadline
    return f"{deadline:%a %F %H:%M}" if deadline else "none"


def row_of(house: PostHouse, game: str = "RR1") -> GameRow:
    return games.game(house.club.db, game)


def log_of(house: PostHouse) -> list[tuple[str, dict[str, object], str]]:
    return [(act.kind, json.loads(act.parameters), act.reason) for act in acts(house.club.db, "RR1")]


def test_a_new_deadline_is_told_to_everybody_with_the_reason_and_stands_in_the_log(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "zone": "Europe/Dublin", "hour": "20:00"})
    rescheduling.set_deadline(house.club, "rr1", "2026-12-20 21:30", "Ann sits an exam.\n\nGood luck to her!")
    house.tick()
    for player in (ANN, BOB):
        (told,) = house.post(player, "Turn 1: a new deadline")
        assert "It was: Monday 14 December 2026, 20:00" in text_of(told)
        assert "Deadline: Sunday 20 December 2026, 21:30" in text_of(told)
        assert "The umpire writes:\n| Ann sits an exam.\n|\n| Good luck to her!\n" in text_of(told)
    times = {"before": "2026-12-14T20:00:00.000000Z", "after": "2026-12-20T21:30:00.000000Z"}
    assert log_of(house) == [("deadline", times, "Ann sits an exam.\n\nGood luck to her!")]
    assert house.later(days=13, hours=9, minutes=30).turns == ()
    assert house.later(minutes=11).turns == ("RR1/1",)
    assert due(house) == "Mon 2026-12-28 20:00"


def test_a_deadline_may_come_nearer_and_a_date_alone_has_the_games_hour(house: PostHouse) -> None:
    house.game()
    rescheduling.set_deadline(house.club, "RR1", "2026-12-09", "All agree")
    assert due(house) == "Wed 2026-12-09 20:00"
    assert house.later(days=2, hours=8, minutes=11).turns == ("RR1/1",)


def test_a_stopped_game_takes_letters_and_plays_nothing(house: PostHouse) -> None:
    house.begin()
    rescheduling.hold(house.club, "RR1", "Bob is in hospital")
    house.write(ANN, "STEP 2")
    assert house.send(BOB, "STEP 3\nSTATUS").turns == ()
    (told,) = house.post(BOB, "The game is stopped for now")
    assert "| Bob is in hospital" in text_of(told)
    (answer,) = house.post(ANN, "Orders for turn 1 received")
    assert "The umpire has stopped the game for now: no turn is played" in text_of(answer)
    (answer,) = house.post(BOB, "How RR1 stands")
    assert "There is no deadline" not in text_of(answer)
    assert house.later(days=100).turns == ()


def test_a_game_that_goes_on_leaves_the_time_that_was_left(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "closed": "12-24..12-26", "early_delay": -1})
    house.clock.advance(days=3)
    rescheduling.hold(house.club, "RR1", "a ruling is awaited")
    house.clock.advance(days=9, hours=9)
    rescheduling.resume(house.club, "RR1", because="it has come")
    assert due(house) == "Mon 2026-12-28 20:00"
    house.tick()
    (told,) = house.post(ANN, "The game goes on")
    assert "The deadline was: Monday 14 December 2026, 20:00" in text_of(told)
    assert "| it has come" in text_of(told)
    assert "Deadline: Monday 28 December 2026, 20:00" in text_of(told)
    assert [kind for kind, _, _ in log_of(house)] == ["hold", "resume"]
    assert house.later(days=9).turns == ("RR1/1",)


@pytest.mark.parametrize(
    ("on", "stop", "due_then"),
    [
        (0, {"seconds": 6}, "Mon 2026-12-14 20:00"),
        (0, {"minutes": 90}, "Mon 2026-12-14 20:00"),
        (0, {"days": 3}, "Mon 2026-12-14 20:00"),
        (0, {"days": 4}, "Mon 2026-12-21 20:00"),
        (6, {"minutes": 90}, "Mon 2026-12-14 20:00"),
        (6, {"hours": 20}, "Mon 2026-12-21 20:00"),
        (6, {"days": 14}, "Mon 2026-12-28 20:00"),
    ],
)
def test_a_stop_moves_a_deadline_only_where_it_took_half_of_the_time_that_was_left(
    house: PostHouse, on: int, stop: dict[str, int], due_then: str
) -> None:
    house.game(rhythm={"days": 7, "early_delay": -1})
    house.clock.advance(days=on)
    rescheduling.hold(house.club, "RR1", "the wrong game")
    house.clock.advance(**stop)
    rescheduling.resume(house.club, "RR1")
    assert due(house) == due_then
    told = text_of(house.post(ANN, "The game goes on")[0]) if house.tick() else ""
    assert ("The deadline was" in told) == (due_then != "Mon 2026-12-14 20:00")


def test_a_short_stop_over_the_deadline_gives_a_new_one(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "early_delay": -1})
    row = games.game(house.club.db, "RR1")
    assert row.deadline is not None
    house.clock.advance(seconds=int((row.deadline - house.club.clock()).total_seconds()) - 5)
    rescheduling.hold(house.club, "RR1", "wait")
    house.clock.advance(seconds=10)
    rescheduling.resume(house.club, "RR1")
    later = games.game(house.club.db, "RR1").deadline
    assert later is not None
    assert later > house.club.clock()


def test_a_game_goes_on_with_the_deadline_that_the_umpire_names(house: PostHouse) -> None:
    house.game()
    rescheduling.hold(house.club, "RR1", "wait")
    rescheduling.resume(house.club, "RR1", "2026-12-30 12:00")
    assert due(house) == "Wed 2026-12-30 12:00"


def test_a_turn_is_played_at_once_and_once(house: PostHouse) -> None:
    """Who gives the command twice, or after the turn was played anyway, plays no turn too many."""
    house.game(rhythm={"days": 7, "early_delay": -1})
    house.write(ANN, "STEP 2")
    rescheduling.order_play(house.club, "RR1", 1, "everybody waits for it")
    rescheduling.order_play(house.club, "RR1", 1)
    assert house.tick().turns == ("RR1/1",)
    (told,) = house.post(ANN, "Turn 1")[-1:]
    assert "2" in text_of(told)
    assert house.tick().turns == ()
    with pytest.raises(ConfigError, match="RR1: turn 1 was played; turn 2 is awaited: `referee play RR1 2`"):
        rescheduling.order_play(house.club, "RR1", 1)
    assert log_of(house) == [("play", {}, "everybody waits for it")]
    assert due(house) == "Mon 2026-12-14 20:00"


def test_a_calendar_changes_from_the_next_turn_on(house: PostHouse) -> None:
    house.game()
    told = {"every": "1 month", "weekday": "Friday", "closed": "12-24..01-06"}
    rescheduling.change_rhythm(house.club, "RR1", told, "Everybody asked for more time")
    assert due(house) == "Mon 2026-12-14 20:00"
    house.tick()
    (letter,) = house.post(BOB, "Deadlines from the next turn on")
    text = text_of(letter)
    assert "  - There is a deadline every month.\n  - Deadlines fall on a Friday at 20:00 (UTC).\n" in text
    assert "- Letters are in time until 10 minutes after the deadline." in text
    assert "- No deadline falls on these days: 12-24..01-06." in text
    assert "Deadline: Monday 14 December 2026, 20:00" in text
    assert house.later(days=7, hours=9).turns == ("RR1/1",)
    assert due(house) == "Fri 2027-01-15 20:00"
    rescheduling.change_rhythm(house.club, "RR1", {"days": 3, "weekday": ""}, "Faster!")
    assert log_of(house)[1] == ("calendar", {"days": 3, "weekday": ""}, "Faster!")
    rescheduling.order_play(house.club, "RR1", 2)
    house.tick()
    assert due(house) == "Wed 2026-12-16 20:00"


REFUSED = {
    "no such game": (lambda club: rescheduling.hold(club, "RR9", "x"), "there is no game RR9"),
    "no time": (lambda club: rescheduling.set_deadline(club, "RR1", "next week", "x"), "'next week': write it as"),
    "the time it has": (
        lambda club: rescheduling.set_deadline(club, "RR1", "2026-12-14 20:00", "x"),
        "turn 1 of RR1 is due then already: nobody was told anything",
    ),
    "a past time": (lambda club: rescheduling.set_deadline(club, "RR1", "2026-12-07 11:59", "x"), "is past"),
    "a far time": (
        lambda club: rescheduling.set_deadline(club, "RR1", "2326-12-07", "x"),
        "is more than a hundred years ahead",
    ),
    "no reason": (lambda club: rescheduling.set_deadline(club, "RR1", "2026-12-20", " "), "say why: --because"),
    "no reason to stop": (lambda club: rescheduling.hold(club, "RR1", ""), "say why: --because"),
    "not stopped": (
        lambda club: rescheduling.resume(club, "RR1"),
        "RR1 is not stopped: turn 1 is due 2026-12-14 20:00 UTC",
    ),
    "a later turn": (lambda club: rescheduling.order_play(club, "RR1", 3), "turn 3 has not come; turn 1 is awaited"),
    "no such setting": (lambda club: rescheduling.change_rhythm(club, "RR1", {"day": 3}, "x"), "did you mean days"),
    "a wrong setting": (
        lambda club: rescheduling.change_rhythm(club, "RR1", {"hour": "8"}, "x"),
        "'8' is no time of day",
    ),
}


@pytest.mark.parametrize(("act", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_changes_nothing(house: PostHouse, act: Callable[..., object], words: str) -> None:
    house.game()
    before = row_of(house)
    with pytest.raises((ConfigError, NotFound), match=words):
        act(house.club)
    assert row_of(house) == before
    assert log_of(house) == []
    assert house.ours("kind = 'deadline'") == []


@pytest.mark.parametrize("act", ["deadline", "hold", "play"])
def test_a_stopped_game_must_go_on_first(house: PostHouse, act: str) -> None:
    house.game()
    rescheduling.hold(house.club, "RR1", "wait")
    acts = {
        "deadline": lambda: rescheduling.set_deadline(house.club, "RR1", "2026-12-20", "x"),
        "hold": lambda: rescheduling.hold(house.club, "RR1", "x"),
        "play": lambda: rescheduling.order_play(house.club, "RR1", 1),
    }
    with pytest.raises(ConfigError, match="RR1 is stopped: first let it go on with `referee resume RR1`"):
        acts[act]()


def test_a_game_that_is_over_has_no_deadlines(house: PostHouse) -> None:
    house.game()
    house.club.db.execute("UPDATE games SET status = 'finished', deadline = NULL")
    with pytest.raises(ConfigError, match="RR1 is over"):
        rescheduling.hold(house.club, "RR1", "x")


def test_what_the_umpire_decided_on_a_game_that_moved_meanwhile_is_not_done(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two umpires at once: the second one is told, and sees what the first one did before he goes on."""
    house.game()
    parse = rhythms.parse_deadline

    def other_first(told: str, rhythm: Rhythm, now: datetime) -> datetime:
        monkeypatch.setattr(rescheduling, "parse_deadline", parse)
        rescheduling.set_deadline(house.club, "RR1", "2026-12-21", "the other one's")
        return parse(told, rhythm, now)

    monkeypatch.setattr(rescheduling, "parse_deadline", other_first)
    with pytest.raises(ConfigError, match="RR1 was changed meanwhile, nothing was done: see `referee status RR1`"):
        rescheduling.set_deadline(house.club, "RR1", "2026-12-20", "mine")
    assert due(house) == "Mon 2026-12-21 20:00"


def test_a_moment_is_told_as_the_commands_say_it() -> None:
    assert (
        rescheduling.due_words(datetime.fromisoformat("2026-12-20T20:00Z"), "Europe/Berlin")
        == "due Sun 2026-12-20 21:00 Europe/Berlin"
    )
    assert rescheduling.due_words(None, "UTC") == "due when all orders are in"
