"""When a turn is played, when not, in which order, and what a pass costs."""

import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from referee.cli.tick import _print_progress
from referee.core import ConfigError, MailDown
from referee.mail.letter.tokens import Tag
from referee.service import club
from referee.service import tick as passes
from referee.service.club import Club
from referee.service.post import codes
from referee.service.post.collect import collect
from referee.service.post.observers import watch_code
from referee.service.post.writing import message_id
from referee.service.receive import handle_waiting
from referee.service.tick import PAUSE, Progress, tick
from referee.service.turns import due
from referee.service.turns.adjudicate import adjudicate
from referee.service.turns.gamefile import Proposal, parse_player
from referee.service.turns.newgames import new_game
from referee.service.umpire.overview import standing
from referee.store import GameRow, games
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, text_of

# When a turn is played, when it is not, and what happens to two processes at once.


def test_a_fault_of_the_rules_leaves_the_turn_as_it_was_and_tells_the_umpire_once(race: PostHouse) -> None:
    race.club.execute("UPDATE games SET kind = 'nosuch'")
    race.wait(days=8)
    for _ in range(2):
        assert race.tick().failed == ("RR1",)
    assert len(race.post(UMPIRE, "could not be played")) == 1
    race.club.execute("UPDATE games SET kind = 'tinyrace'")
    assert race.tick().turns == ("RR1/1",)


def test_a_turn_played_meanwhile_is_not_played_again(race: PostHouse) -> None:
    row = race.row()
    assert adjudicate(race.club, row)
    assert not adjudicate(race.club, row)


def test_without_a_maildir_nothing_is_played(race: PostHouse) -> None:
    """No deadline passes before the inbox was read."""
    race.wait(days=8)
    inbox = race.folder / "mail" / "in" / "new"
    inbox.rename(inbox.with_name("away"))
    with pytest.raises(ConfigError):
        race.tick()
    assert race.value("SELECT turn FROM games") == 1


def in_children(count: int, act: Callable[[], object]) -> list[int]:
    """Run *act* in processes of their own at the same moment; return how each ended."""
    go, ready = os.pipe()
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            os.close(ready)
            os.read(go, 1)  # until the parent closes its end
            try:
                act()
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
    os.close(go)
    os.close(ready)
    return [os.waitpid(child, 0)[1] for child in children]


def test_two_processes_at_the_same_moment_do_the_work_once(house: PostHouse) -> None:
    house.clock.today()
    house.game()
    house.write(ANN, "STEP 3")
    house.write(BOB, "STEP 3")
    assert in_children(4, house.tick_again) == [0, 0, 0, 0]
    house.tick_again()
    assert len(house.rows("SELECT * FROM turns WHERE turn = 1")) == 1
    assert len(house.sent_files()) == 6
    assert len(house.rows("SELECT * FROM order_sets")) == 2


def expected_post(house: PostHouse) -> set[str]:
    hashes = house.column("SELECT hash FROM letters")
    names = {f"newsletter.rr1.{turn}.{player}.1" for turn in (0, 1) for player in ("ann", "bob")}
    return {message_id(house.club, name) for name in names | {f"reply.{each}" for each in hashes}}


@pytest.mark.parametrize("name", club.PASS_STEPS)
def test_a_power_cut_at_any_step_loses_nothing_and_sends_nothing_twice(race: PostHouse, name: str) -> None:
    race.write(ANN, "STEP 3\nPRESS: hello")
    race.write(BOB, "STEP 3")
    race.wait(minutes=1)
    assert in_children(1, lambda: race.tick_again(crash_at=name)) == [9], "the process was not killed"
    # what the dead process was about to send was its own for five
    race.later(minutes=6)
    assert {str(letter["Message-ID"]) for letter in race.post()} == expected_post(race)
    assert len(race.sent_files()) == 6
    assert race.column("SELECT status FROM letters") == ["done", "done"]
    assert len(race.rows("SELECT * FROM order_sets")) == 2
    assert len(race.rows("SELECT * FROM press")) == 1
    assert race.column("SELECT turn FROM turns ORDER BY turn") == [0, 1]
    assert not list((race.folder / "mail" / "in" / "new").iterdir())
    assert len(list((race.folder / "mail" / "in" / "cur").iterdir())) == 2


def test_the_real_command_is_killed_and_mended_too(house: PostHouse) -> None:
    house.clock.today()
    house.game()
    house.write(ANN, "STEP 3")
    house.write(BOB, "STEP 3")
    assert house.tick_apart(crash_at="adjudicate:writing").returncode == -9
    done = house.tick_apart()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "letters handled: 0, turns played: RR1/1, letters sent: 6\n"


def test_a_step_that_is_not_listed_is_an_error(house: PostHouse) -> None:
    with pytest.raises(ValueError, match="is not listed"):
        house.club.step("receive:nowhere")


# Many turns that are due at once: players who write meanwhile are answered, and whoever looks on is told how far it is.


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
        house.wait(days=8)
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
    house.wait(days=8)
    seen: list[Progress] = []
    assert len(tick(house.club, seen.append).turns) == 3
    assert seen == []


def test_an_inbox_that_goes_down_meanwhile_keeps_no_turn_back(late: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[datetime] = []

    def once(club: Club) -> datetime | None:
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


# Games in which one player after the other is asked: each asked decision is a turn of its own.


@pytest.fixture
def asking(house: PostHouse) -> PostHouse:
    """A race in which Ann is asked first, then Bob, then Ann again."""
    house.begin(pace="one-by-one")
    return house


def test_the_status_names_the_one_who_is_asked(asking: PostHouse) -> None:
    before = standing(asking.club, "RR1")
    assert (before.asked, before.orders) == (("ANN",), {"ANN": "missing", "BOB": "nothing owed"})
    asking.send(ANN, "STEP 1")
    assert standing(asking.club, "RR1").asked == ("BOB",)
    status = asking.command("status").stdout
    assert "UTC, BOB asked\n" in status


def test_dampfross_is_played_so_by_mail(house: PostHouse) -> None:
    players = tuple(
        parse_player(f"{code}:{colour}:{code.title()} <{code.lower()}@example.org>")
        for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
    )
    options = (("order_of_building", "in-turn"),)
    proposal = Proposal(kind="dampfross", board="ireland", players=players, pace="one-by-one", options=options)
    new_game(house.club, proposal, root="root of the chain")
    for _ in range(3):
        before = standing(house.club, "RR1")
        (asked,) = before.asked
        other = next(code for code in before.orders if code != asked)
        assert house.send(f"{other.lower()}@example.org", "ORDERS RR1\nHOME Dublin\nEND").turns == ()
        assert f"it is not your turn: {asked} is asked now" in house.told(f"{other.lower()}@example.org")
        assert house.send(f"{asked.lower()}@example.org", "ORDERS RR1\nHOME Dublin\nEND").turns == (
            f"RR1/{before.turn}",
        )
    assert house.differences() == [()] * 4


# A pass looks up what it needs: no table is read from end to end, so the club's age does not matter.


BY_STATE = re.compile("idx_letters_status|idx_outbox_state")
ASKED = "STATUS\nHELP\nORDERS?\nRESEND\nPRESS TO BOB: hello\nADDRESS new@example.org"


def test_no_query_of_letters_and_turns_reads_a_whole_table(race: PostHouse) -> None:
    asked: dict[str, None] = {}
    race.club.conn.set_trace_callback(lambda sql: asked.setdefault(sql))
    for text in ("STEP 3\nPRESS: hello", ASKED, "STEP 3"):
        race.write(ANN, text)
    race.write(BOB, "STEP 2\nNOTE: thanks")
    race.write("eve@example.org", "hello")
    race.write("eve@example.org", f"WATCH {watch_code(race.club, 'RR1')}")
    race.send(ANN, "STEP 1", Cc=BOB)
    (question,) = race.post("eve@example.org")
    race.reply(question, "CONFIRM")
    assert race.post("eve@example.org", "From now on you are sent")
    race.later(days=8)
    race.club.conn.set_trace_callback(None)
    queries = [sql for sql in asked if sql.lstrip().startswith(("SELECT", "UPDATE"))]
    assert any("lower(address)" in sql for sql in queries)
    explained = [(sql, race.rows(f"EXPLAIN QUERY PLAN {sql}")) for sql in queries]
    # The indexes of games that wait for players and of those that run hold no other ones; what is asked within a query is
    # searched for by itself; stand-bys are few, and asked for in letters to the umpire alone; json_each is a list that is given.
    whole = re.compile(r"SCAN (?!standbys|json_each|.*idx_open_games|.*idx_games_created|\(?subquery)", re.IGNORECASE)
    scanned = [sql for sql, plan in explained for row in plan if whole.match(row["detail"])]
    assert scanned == []
    # By these indexes come all letters of a state: few that are still to be handled or sent, and all others of the club.
    by_state = [sql for sql, plan in explained if any(BY_STATE.search(row["detail"]) for row in plan)]
    assert by_state
    assert [sql for sql in by_state if "'done'" in sql or "'sent'" in sql] == []


MOST_OF_A_CODE = 4  # statements: epoch, furthest turn, held letters, addresses
MOST = {
    "STEP 3": 49,
    "STEP 2\nPRESS: hello": 51,
    "STATUS": 48,
}  # for a letter with a code: five prove it before it is read, one tells its turn, two look for codes in answers, one for an end;
# two go with the one question to the process that reads it, where a letter went there twice


def test_a_letter_asks_the_store_no_more_than_it_must(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.begin()
        opening, counted = house.post(ANN)[0], {}
        for text in MOST:
            house.answer(opening, text)
            collect(house.club)
            said: list[str] = []
            house.club.conn.set_trace_callback(said.append)
            handle_waiting(house.club)
            house.club.conn.set_trace_callback(None)
            counted[text] = len(said)
    assert {text: number for text, number in counted.items() if number > MOST[text]} == {}, counted


def test_a_wrong_code_is_compared_with_all_that_were_given_without_asking_for_each(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.begin()
        row = house.row().but(turn=100)
        player = next(each for each in games.players(house.club, "RR1") if each.address == ANN)
        asked: list[str] = []
        house.club.conn.set_trace_callback(asked.append)
        wrong = codes.worth_of(house.club, Tag(game="RR1", player=player.code, token="0" * 8), row, player)
        house.club.conn.set_trace_callback(None)
    assert wrong.word == "wrong"
    assert len(asked) <= MOST_OF_A_CODE, asked


# What grows while a referee runs for years, and what of it an umpire may clear away.


ROWS = """SELECT (SELECT count(*) FROM log), (SELECT count(*) FROM outbox), (SELECT count(*) FROM letters),
    (SELECT count(*) FROM club)"""


def size(house: PostHouse) -> int:
    return sum(path.stat().st_size for path in house.folder.glob("referee.db*"))


def test_passes_with_nothing_to_do_write_nothing_more(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        house.game()
        house.tick_again()
        rows = [tuple(row) for row in house.rows(ROWS)]
    before = size(house), sorted(path.name for path in house.folder.rglob("*"))
    for _ in range(30):
        house.wait(minutes=5)
        house.tick_again()
    assert (size(house), sorted(path.name for path in house.folder.rglob("*"))) == before
    assert [tuple(row) for row in house.rows(ROWS)] == rows


def test_a_pass_with_nothing_to_do_says_one_line_and_logs_none(club: Clubs) -> None:
    house = club()
    house.command("tick")
    told = house.command("tick")
    assert (told.stdout, told.stderr) == ("letters handled: 0, letters sent: 0\n", "")


def test_letters_that_were_put_away_and_sent_may_be_deleted(club: Clubs) -> None:
    """What the umpire does as docs/setup.md tells: the store has every letter, and knows those that come again."""
    house = club()
    house.begin()
    raw = house.write(ANN, "STEP 3").read_bytes()
    house.tick()
    house.club.source.close()
    for folder in ("in/cur", "out/new"):
        files = list((house.folder / "mail" / folder).iterdir())
        assert files
        for path in files:
            path.unlink()
    house.drop(raw)
    house.write(BOB, "RESEND 0")
    house.tick_again()
    assert len(house.rows("SELECT * FROM order_sets")) == 1
    (answer,) = house.post()
    assert answer["To"].addresses[0].addr_spec == BOB
    assert "The opening, once more" in text_of(answer)
