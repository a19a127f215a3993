"""What the umpire does to a game: acts in a log that nobody can change unnoticed, rulings, deadlines."""

import json
import sqlite3
from datetime import datetime

import pytest

from referee.core import ConfigError, NotFound, RefereeError
from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.verify import verify
from referee.service.commands.addresses import code_of, give_address
from referee.service.deadlines import rescheduling
from referee.service.duetimes import Rhythm
from referee.service.umpires import checked_reason, log_act
from referee.store import transaction
from tests.posthouse import ANN, BOB, Clubs, PostHouse, assert_in_order, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# What the umpire does stands in a log that nobody can change unnoticed.


def act(house: PostHouse, kind: str, reason: str = "") -> None:
    with transaction(house.club.db):
        log_act(house.club, house.row(), kind, {"days": 3}, reason)


@pytest.fixture
def logged(club: Clubs) -> PostHouse:
    made = club()
    made.game()
    act(made, "hold", "Ann is ill")
    made.wait(hours=1)
    act(made, "resume", "She is well\n\nand sends her love")
    return made


def test_acts_are_numbered_and_cannot_be_changed(logged: PostHouse) -> None:
    assert [(each.number, each.kind, each.actor) for each in logged.acts()] == [
        (1, "hold", "umpire"),
        (2, "resume", "umpire"),
    ]
    for sql in (
        "UPDATE acts SET reason = 'x'",
        "DELETE FROM acts",
        "INSERT OR REPLACE INTO acts SELECT * FROM acts WHERE number = 1",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="an act of the umpire is never"), transaction(logged.club.db):
            logged.club.db.execute(sql)


def test_a_log_that_was_altered_behind_the_back_of_the_store_is_noticed(logged: PostHouse) -> None:
    assert logged.faults() == ()
    logged.club.db.execute("DROP TRIGGER acts_unchanged")
    logged.club.db.execute("UPDATE acts SET reason = 'Ann is away' WHERE number = 1")
    found = logged.faults()
    assert [(fault.turn, fault.text) for fault in found] == [
        (1, "act 1 of the umpire's log does not fit its hash, and the act before it")
    ]


def test_an_act_that_was_left_out_is_noticed(logged: PostHouse) -> None:
    logged.club.db.execute("DROP TRIGGER acts_undeleted")
    logged.club.db.execute("DELETE FROM acts WHERE number = 1")
    assert [fault.text for fault in logged.faults()] == ["act 1 of the umpire's log is missing"]


def test_an_export_holds_the_log_and_proves_it(logged: PostHouse) -> None:
    text = format_revealed(revealed(logged.club, "RR1"))
    assert verify(parse_revealed(text.encode())).faults == ()
    plain = json.loads(text)
    assert [each["reason"] for each in plain["acts"]] == ["Ann is ill", "She is well\n\nand sends her love"]
    for name, other in {"reason": "x", "kind": "play", "turn": 2, "parameters": {}, "actor": "referee"}.items():
        altered = json.loads(text)
        altered["acts"][1][name] = other
        faults = verify(parse_revealed(json.dumps(altered).encode())).faults
        assert [fault.text for fault in faults] == [
            "act 2 of the umpire's log does not fit its hash, and the act before it"
        ], name
    for name, other in {"at": "today", "reason": "\x1b[2J", "parameters": []}.items():
        plain["acts"][0] = {**json.loads(text)["acts"][0], name: other}
        with pytest.raises(ValueError, match="entry 1 of the acts"):
            parse_revealed(json.dumps(plain).encode())


def test_a_game_without_acts_is_exported_as_ever(club: Clubs) -> None:
    made = club()
    made.game()
    assert "acts" not in json.loads(format_revealed(revealed(made.club, "RR1")))


def test_log_lists_a_game_s_acts(logged: PostHouse) -> None:
    lines = logged.command("log", "rr1").stdout.splitlines()
    told = "2\t2026-12-07T13:00:00Z\tturn 1\tumpire\tresume\tdays 3\tShe is well and sends her love"
    assert lines[1:] == [told]
    plain = json.loads(logged.command("log", "RR1", "--json").stdout)
    assert plain[0]["parameters"] == {"days": 3}
    assert plain[1]["reason"] == "She is well\n\nand sends her love"
    assert logged.command("log", "RR9").returncode == 65


def test_a_reason_is_asked_for_and_bounded() -> None:
    assert checked_reason("  why\r\nnot ") == "why\nnot"
    with pytest.raises(ConfigError, match="say why: --because"):
        checked_reason(" ", needed=True)
    with pytest.raises(ConfigError, match="4001 characters"):
        checked_reason("x" * 4001)
    with pytest.raises(ConfigError, match="cannot be printed"):
        checked_reason("\x1b[2J")


def test_addresses_codes_and_throws_are_acts_too_without_what_nobody_may_read(club: Clubs) -> None:
    made = club(identity__policy="token")
    made.game()
    made.game()
    give_address(made.club, "RR1", "ANN", "new@example.org")
    code_of(made.club, "RR1", "BOB", renewed=True)
    made.act("DICE RR1 wind/1=2")
    made.act("DICE RR1 wind/1=2")
    told = [(each.game, each.kind, each.parameters) for name in ("RR1", "RR2") for each in made.acts(name)]
    assert told == [
        ("RR1", "address", '{"player":"ANN"}'),
        ("RR1", "code", '{"player":"BOB"}'),
        ("RR1", "dice", '{"throws":1}'),
        ("RR2", "address", '{"player":"ANN"}'),
    ]


# The umpire rules: a position is changed by his own word, told at once and printed, and provable for ever.


WHY = "The fee in turn 1 was mine to refuse."


def turn(house: PostHouse) -> None:
    house.wait(hours=1)
    house.write(ANN, "STEP 1")
    house.write(BOB, "STEP 1")
    assert len(house.tick().turns) == 1


def places(house: PostHouse) -> dict[str, int]:
    row = house.row()
    return dict(house.club.positions.of(house.club.db, row).state.places)


@pytest.fixture
def begun(house: PostHouse) -> PostHouse:
    house.game()
    turn(house)
    return house


def test_a_ruling_is_told_at_once_and_printed_with_the_turn(begun: PostHouse) -> None:
    before = places(begun)["ANN"]
    assert begun.act("ADJUST rr1 money.ann+=3", WHY)["number"] == "U1"
    assert places(begun)["ANN"] == before + 3
    begun.tick()
    for player in (ANN, BOB):
        letter = begun.last(player)
        assert letter["Subject"] == "[RR1] A ruling of the umpire (U1)"
        assert f"| {WHY}" in text_of(letter)
        assert f"Places: ANN {before + 3}, not {before}" in text_of(letter)
    turn(begun)
    text = begun.text(BOB)
    assert "Rulings of the umpire" in text
    assert f"U1:\n| {WHY}\nPlaces: ANN {before + 3}, not {before}\n" in text
    (ruled, *_) = json.loads(begun.last_turn().events)
    assert (ruled["kind"], ruled["paragraph"], ruled["because"]) == ("Ruled", "U1", WHY)
    assert_in_order(begun)
    turn(begun)
    assert "Rulings of the umpire" not in begun.told(BOB)
    assert_in_order(begun)


def test_it_holds_where_its_turn_is_undone_and_can_be_taken_back_then(begun: PostHouse) -> None:
    """The umpire rules against himself: last month's ruling was wrong."""
    begun.act("ADJUST RR1 money.ANN+=3", WHY)
    turn(begun)
    ruled = places(begun)["ANN"]
    with pytest.raises(ConfigError) as refused:
        begun.act("WITHDRAW RR1 1", "I was wrong")
    assert "turn 2 was played with it: rule the contrary, or `referee undo RR1 2` first" in str(refused.value)
    begun.act("UNDO RR1 2 PLAY", "My ruling was wrong")
    assert places(begun)["ANN"] == ruled
    begun.act("UNDO RR1 2", "My ruling was wrong")
    begun.act("WITHDRAW RR1 1", "BOB is right: the rules allow it.")
    begun.tick()
    assert begun.last(BOB)["Subject"] == "[RR1] The umpire has taken ruling U1 back"
    assert begun.later(days=14).turns == ("RR1/2",)
    assert places(begun)["ANN"] == ruled - 3
    assert f"Places: ANN {ruled - 3}, not {ruled}" in begun.text(BOB)
    assert_in_order(begun)
    with pytest.raises(ConfigError):
        begun.act("WITHDRAW RR1 1", "again")


def test_the_contrary_may_be_ruled(begun: PostHouse) -> None:
    begun.act("ADJUST RR1 money.ANN+=3", WHY)
    turn(begun)
    ruled = places(begun)["ANN"]
    begun.act("ADJUST RR1 money.ANN-=3", "I was wrong: ANN gives the 3 back.")
    assert places(begun)["ANN"] == ruled - 3
    turn(begun)
    assert "ANN gives the 3 back." in begun.told(ANN)
    assert_in_order(begun)


def test_orders_on_file_are_read_again_and_told(begun: PostHouse) -> None:
    begun.wait(hours=1)
    begun.send(ANN, "STEP 2")
    begun.act("ADJUST RR1 money.ANN+=1", WHY)
    begun.tick()
    assert "- STEP 2" in begun.told(ANN)
    assert "stay on file" not in begun.told(BOB)


@pytest.mark.parametrize(
    ("changes", "words"),
    CASES.listed("what_cannot_be_ruled_is_one_sentence_and_nothing_changes"),
)
def test_what_cannot_be_ruled_is_one_sentence_and_nothing_changes(begun: PostHouse, changes: str, words: str) -> None:
    before = places(begun)
    with pytest.raises(RefereeError) as refused:
        begun.act(f"ADJUST RR1 {changes}", WHY)
    assert words in str(refused.value)
    assert places(begun) == before
    assert begun.rows("SELECT * FROM acts") == []


def test_a_ruling_that_nobody_logged_is_noticed(begun: PostHouse) -> None:
    begun.act("ADJUST RR1 money.ANN+=3", WHY)
    turn(begun)
    plain = json.loads(format_revealed(revealed(begun.club, "RR1")))
    del plain["acts"]
    texts = [fault.text for fault in verify(parse_revealed(json.dumps(plain).encode())).faults]
    assert "its ruling U1 is not one of the umpire's log" in texts


def test_a_note_stands_in_the_next_newsletter_alone(begun: PostHouse) -> None:
    begun.act("NOTE RR1", "I am on holiday.\n\nThe deadline stands.")
    number = begun.act("NOTE RR1", "This one not.")["number"]
    begun.act(f"WITHDRAW RR1 {number}", "a slip")
    turn(begun)
    text = begun.text(ANN)
    assert "From the umpire\n---------------\n\nI am on holiday.\n\nThe deadline stands.\n" in text
    assert "This one not." not in text
    turn(begun)
    assert "I am on holiday" not in begun.told(ANN)
    assert_in_order(begun)
    with pytest.raises(ConfigError, match="there is nothing to print"):
        begun.act("NOTE RR1", " ")
    with pytest.raises(NotFound, match="act 9 of RR1 is no ruling and no note"):
        begun.act("WITHDRAW RR1 9", "x")


RULED = (
    'Ruling U1 is made, and all players are told; `referee adjust RR1 --withdraw U1 --because "..."` takes it\nback.\n'
)


def test_the_commands_rule_and_note(begun: PostHouse) -> None:
    before = places(begun)["ANN"]
    shown = f"Places: ANN {before + 3}, not {before}\n"
    ruling = ("adjust", "RR1", "money.ANN+=3", "--because", WHY)
    unasked = begun.command(*ruling)
    assert (unasked.returncode, unasked.stdout, unasked.stderr[: len(shown)]) == (2, "", shown)
    assert "nobody can be asked here, so say --yes" in " ".join(unasked.stderr.split())
    assert places(begun)["ANN"] == before
    told = begun.command(*ruling, "--yes")
    assert (told.returncode, told.stdout, told.stderr) == (0, RULED, shown)
    assert begun.command("note", "RR1", "Hello").stdout.startswith("Kept for the next newsletter as U2; ")
    assert begun.command("adjust", "RR1", "--withdraw", "U2", "--because", "no").returncode == 0
    assert begun.command("adjust", "RR1", "--withdraw", "x", "--because", "no").returncode == 2
    assert begun.command("adjust", "RR1", "--because", "no").returncode == 2
    lines = [line.split("\t")[4:] for line in begun.command("log", "RR1").stdout.splitlines()]
    assert lines == [["adjust", "U1: money.ANN+=3", WHY], ["note", "U2", "Hello"], ["withdraw", "U2", "no"]]


# What the umpire does about deadlines: told to everybody with his reason, kept in the log, and nothing twice.


def due(house: PostHouse, game: str = "RR1") -> str:
    deadline = house.row(game).deadline
    return f"{deadline:%a %F %H:%M}" if deadline else "none"


def test_a_game_that_is_over_has_no_deadlines(house: PostHouse) -> None:
    house.game()
    house.club.db.execute("UPDATE games SET status = 'finished', deadline = NULL")
    with pytest.raises(ConfigError, match="RR1 is over"):
        house.act("HOLD RR1", "x")


def test_what_the_umpire_decided_on_a_game_that_moved_meanwhile_is_not_done(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two umpires at once: the second one is told, and sees what the first one did before he goes on."""
    house.game()
    parse = rescheduling.parse_deadline

    def other_first(told: str, rhythm: Rhythm, now: datetime) -> datetime:
        monkeypatch.setattr(rescheduling, "parse_deadline", parse)
        house.act("DEADLINE RR1 2026-12-21", "the other one's")
        return parse(told, rhythm, now)

    monkeypatch.setattr(rescheduling, "parse_deadline", other_first)
    with pytest.raises(ConfigError, match="RR1 was changed meanwhile, nothing was done: see `referee status RR1`"):
        house.act("DEADLINE RR1 2026-12-20", "mine")
    assert due(house) == "Mon 2026-12-21 20:00"


def test_a_moment_is_told_as_the_commands_say_it() -> None:
    assert (
        rescheduling.due_words(datetime.fromisoformat("2026-12-20T20:00Z"), "Europe/Berlin")
        == "due Sun 2026-12-20 21:00 Europe/Berlin"
    )
    assert rescheduling.due_words(None, "UTC") == "due when all orders are in"
