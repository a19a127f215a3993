"""Whoever answers by machine, the exchange ends; and how reliably people play."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from referee.core import ConfigError, MailDown, NotFound
from referee.service.letters.limits import ASKING, FROM_SENDER, IN_VAIN, SHOWN
from referee.service.letters.reliability import Reliability, merge, part, persons, records
from referee.service.post.observers import watch_code
from referee.service.site.parts import ratings
from referee.service.tally import HEARTBEAT
from referee.service.turns.gamefile import Invited, Proposal, parse_player
from referee.service.turns.newgames import new_game
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of

# Whoever answers by machine, the exchange ends: letters are counted over simulated weeks.


WEEKS = 3
TELLING = re.compile(
    rb"^(?:X-Referee-Game|Auto-Submitted|X-Auto-Response-Suppress|Precedence|List-[A-Za-z]+):.*\r\n", re.MULTILINE
)


def opened(folder: Path, address: str, *players: tuple[str, str]) -> PostHouse:
    """Open a club of that address with a game between players (code, address)."""
    house = PostHouse(folder, mail__address=address, deadlines__downtime_hold=0)
    invited = tuple(
        Invited(code=code, colour=colour, name=code, address=written, company=code)
        for (code, written), colour in zip(players, ("red", "blue"), strict=True)
    )
    proposal = Proposal(kind="tinyrace", board="line", players=invited, rhythm={"days": 7})
    new_game(house.club, proposal, root="root of the chain")
    return house


def exchange(first: PostHouse, second: PostHouse, carried: Callable[[bytes], bytes]) -> int:
    """Carry letters between two clubs for some weeks, every four hours; return how many were answers."""
    known: set[Path] = set()
    for _ in range(WEEKS * 7 * 6):
        for here, there in ((first, second), (second, first)):
            here.tick()
            for file in [file for file in here.sent_files() if file not in known]:
                known.add(file)
                if (
                    there.club.config.address.encode()
                    in file.read_bytes().partition(b"\r\n\r\n")[0].split(b"To: ", 1)[1]
                ):
                    there.drop(carried(file.read_bytes()))
            here.clock.advance(hours=4)
    answers = [house.rows("SELECT count(*) AS n FROM outbox WHERE letter IS NOT NULL") for house in (first, second)]
    return sum(int(rows[0]["n"]) for rows in answers)


@pytest.mark.parametrize(
    ("carried", "most"),
    [
        pytest.param(lambda raw: raw, 0, id="as sent"),
        pytest.param(lambda raw: TELLING.sub(b"", raw), 2 * IN_VAIN * (WEEKS + 1), id="without any header that tells"),
    ],
)
def test_two_referees_set_on_each_other_fall_silent(
    tmp_path: Path, carried: Callable[[bytes], bytes], most: int
) -> None:
    with (
        opened(tmp_path / "a", "referee@a.example", ("ANN", "referee@b.example"), ("BOB", BOB)) as first,
        opened(tmp_path / "b", "referee@b.example", ("ANN", "referee@a.example"), ("BOB", BOB)) as second,
    ):
        assert exchange(first, second, carried) <= most
        turns = first.value("SELECT count(*) FROM turns")
        assert turns >= WEEKS, "the games went on meanwhile"
        days = {
            row["day"] for row in first.rows("SELECT substr(created, 1, 10) AS day FROM outbox WHERE letter NOT NULL")
        }
        assert len(days) <= 2 * turns, "each newsletter may wake them, and within a day all is silent again"
        assert len(first.rows("SELECT * FROM letters")) >= WEEKS, "and letters were exchanged"


def answers(house: PostHouse) -> int:
    return int(house.value("SELECT count(*) FROM outbox WHERE letter IS NOT NULL"))


def respond(house: PostHouse, text: str, after: int, passes: int) -> None:
    """Let Ann's autoresponder answer each letter to her *after* so many passes, without any header of its own; one pass every
    four hours.
    """
    due: list[int] = []
    seen = 0
    for number in range(passes):
        house.tick()
        letters = len(house.rows("SELECT id FROM outbox WHERE recipient = ?", ANN))
        due += [number + after] * (letters - seen)
        seen = letters
        for _ in range(due.count(number)):
            house.write(ANN, text, subject="Re: your letter")
        house.wait(hours=4)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        each if place % 4 == 0 else pytest.param(*each, marks=pytest.mark.testlong)  # each text and each delay once
        for place, each in enumerate(
            product(
                ["Thank you, we shall read your letter soon.", "PRESS: I am at sea.", "NOTE: I am at sea."], [0, 1, 7]
            )
        )
    ],
)
def test_an_autoresponder_without_any_header_falls_silent(race: PostHouse, text: str, after: int) -> None:
    """Even one so slow that it never writes many letters a day, whatever its text reads as."""
    respond(race, text, after, WEEKS * 7 * 6)
    assert answers(race) == IN_VAIN
    turns = race.value("SELECT count(*) FROM turns")
    assert turns >= WEEKS
    told = race.post(UMPIRE, "Too many letters to answer")
    assert 1 <= len(told) <= turns, "the umpire hears of it once a turn"


@pytest.mark.parametrize("after", [0, 7])
def test_an_autoresponder_that_sends_orders_back_falls_silent_for_the_turn(race: PostHouse, after: int) -> None:
    respond(race, "STEP 3", after, WEEKS * 7 * 6)
    turns = race.value("SELECT count(*) FROM turns")
    assert 0 < answers(race) <= (1 + IN_VAIN) * turns
    assert after or race.post(UMPIRE, "Too many letters to answer")


def test_what_a_person_writes_then_is_read_and_shown_to_the_umpire(race: PostHouse) -> None:
    for _ in range(IN_VAIN):
        race.write(ANN, "hello")
    race.tick()
    assert race.post(UMPIRE) == []
    for number in range(1, SHOWN + 2):
        race.write(ANN, f"Is nobody there? I write letter {number}.\nPRESS: {number}\n> RR1: turn 1\n")
    race.tick()
    told = race.post(UMPIRE)
    assert [str(each["Subject"]) for each in told] == ["[RR1] Too many letters to answer"] * SHOWN
    assert f"What the player writes: Is nobody there? I write letter {SHOWN}. PRESS: {SHOWN} Look at them" in line_of(
        told[-1]
    )
    assert {str(each["Reply-To"]) for each in told} == {ANN}
    assert race.column("SELECT text FROM press ORDER BY id") == ["1", "2", "3", "4"]
    assert "Your orders are in." in race.says(ANN, "STEP 3")


def test_who_only_asks_is_answered_longer(race: PostHouse) -> None:
    for number in range(ASKING + 1):
        race.write(ANN, ("STATUS", "HELP", "ORDERS?")[number % 3])
    race.tick()
    assert answers(race) == ASKING
    assert f"letter number {ASKING} in a row" in race.told(ANN)


def test_asking_has_answers_of_its_own_so_that_a_first_evening_uses_up_none_for_orders(race: PostHouse) -> None:
    for number in range(14):
        race.write(ANN, "HELP" if number % 2 else f"STEP {1 + number % 3}\nPRESS: {number}")
        race.later(minutes=1)
    assert answers(race) == 14
    for _ in range(7):
        race.write(ANN, "HELP")
        race.later(minutes=1)
    assert "last of 10 answers within 24 hours to letters that only ask" in race.told(ANN)
    assert answers(race) == 17
    race.send(ANN, "STEP 2")
    assert answers(race) == 18


def test_letters_in_one_game_are_answered_so_many_times_a_day(club: Clubs) -> None:
    house = club(mail__replies_per_day=1000)
    house.game()
    for number in range(FROM_SENDER):
        house.write(ANN, f"STEP {number % 2 + 1}\nPRESS: {number}")
    house.send(BOB, "STEP 4\nSTEP 1")
    assert answers(house) == house.club.config.replies_per_game == 50
    (told,) = house.post(UMPIRE)
    assert "50 letters about this game" in text_of(told)
    assert len(house.post(ANN, "This is the last of 50 answers within 24 hours to letters about this")) == 1
    assert len(house.rows("SELECT * FROM order_sets")) == FROM_SENDER + 1


EVE = "eve@example.com"


def test_who_watches_is_answered_no_more_than_a_game_has_answers_for(club: Clubs) -> None:
    """Whoever has the code of a game could else have us write more than anybody may."""
    house = club(mail__replies_per_game=2)
    house.game()
    code = watch_code(house.club, "RR1")
    for _ in range(2):
        house.send(EVE, f"WATCH {code}")
        house.reply(house.post(EVE)[0], "CONFIRM")
        house.send(EVE, "UNWATCH")
    told = [str(each["Subject"]).partition("] ")[2] for each in house.post(EVE)]
    assert told == ["Do you want to watch this game?", "Watching games"]
    assert house.value("SELECT count(*) FROM observers WHERE ended_at IS NOT NULL") == 2


# How reliably people play, reckoned from what the club keeps; and the file by which a monitor sees that all is well.


def play(house: PostHouse, *senders: str) -> None:
    """Play a turn of RR1 with letters of these players, after the reminders."""
    for sender in senders:
        house.write(sender, "STEP 1", subject="[RR1]")
    for _ in range(8):
        house.wait(days=1)
        if house.tick().turns:
            return
    raise AssertionError("the turn was not played")


def by_address(house: PostHouse) -> dict[str, Reliability]:
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
    house.act("UNDO RR1 2", "it does not count")
    assert by_address(house)[BOB].missed == 0


def test_who_takes_a_seat_over_is_not_blamed_for_what_was_before(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "missing": "play", "early_delay": -1, "reminders": "24"})
    play(house, ANN)
    house.act("REPLACE RR1 BOB Cecil <cecil@example.com>", "Bob is gone")
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
    with pytest.raises(MailDown):
        house.later(minutes=5)
    assert (house.folder / HEARTBEAT).read_text() == before


def play_out(house: PostHouse, winner: str) -> None:
    name = house.game(rhythm={"days": 7, "statements": 0})
    while house.row(name).status == "running":
        for player in (ANN, BOB):
            house.write(player, "STEP 3" if player == winner else "STEP 1", f"[{name}]")
        house.tick()


def test_a_rating_goes_by_the_places_of_all_games_that_are_over(race: PostHouse) -> None:
    assert ratings(race.club) == {}
    play_out(race, ANN)
    first = ratings(race.club)
    assert first[ANN] > 0 > first[BOB]
    play_out(race, ANN)
    assert ratings(race.club)[ANN] > first[ANN]
    assert f"\t{ratings(race.club)[ANN]}\n" in race.command("players").stdout
    assert "rating" in race.says(UMPIRE, "PLAYERS")


def test_two_addresses_are_merged_into_one_person_and_parted_again(race: PostHouse) -> None:
    other = "ann@elsewhere.example"
    players = (
        parse_player(f"ANN:red:Ann <{other}>"),
        parse_player(f"BOB:blue:Bob <{BOB}>"),
    )
    race.new("tinyrace", "line", *players, rhythm={"days": 7})
    merge(race.club, ANN, other)
    (ann,) = (each for each in records(race.club) if each.name == "Ann")
    assert (ann.address, ann.also, ann.games) == (ANN, (other,), ("RR1", "RR2"))
    whose = persons(race.club)
    assert whose(ANN) == whose(other.upper()) != whose(BOB)
    with pytest.raises(ConfigError, match="are one person already"):
        merge(race.club, other, ANN)
    with pytest.raises(
        NotFound, match=r"nobody has played or signed up from eve@example\.com: `referee players` names"
    ):
        merge(race.club, ANN, "eve@example.com")
    assert "is a person of its own again" in race.command("players", "--part", other).stdout
    assert len(records(race.club)) == 3
    with pytest.raises(NotFound, match=f"{BOB} was merged with no other address"):
        part(race.club, BOB)
    told = race.command("players", "--merge", ANN, BOB).stdout
    assert told == f"{ANN} and {BOB} are one person; `referee players --part {BOB}` takes that back\n"
