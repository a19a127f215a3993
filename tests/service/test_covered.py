"""What a turn's hash covers besides its play, and what a change of the rules does to a running game."""

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from referee.core import ConfigError, Dice
from referee.core.game import Outcome
from referee.service.audit.export import parse_revealed
from referee.service.audit.verify import verify
from referee.service.backup import read_whole_game, take_in, whole_game
from referee.service.club import Club
from referee.service.doctor.database import database_findings
from referee.store import (
    acts,
    booking,
    chain_act,
    drop_letters,
    games,
    hash_of_letters,
    hash_of_reason,
    hash_of_turn,
    letters,
)
from tests import tinygame
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of, verdict_on

# What a turn's hash covers besides its play: the umpire's acts before it, and the letters of each player.


Plain = dict[str, Any]


def play(house: PostHouse, turns: int = 2) -> None:
    """Play turns of a tiny race, before each of which the umpire says something."""
    for turn in range(turns):
        house.wait(hours=1)
        house.act("NOTE RR1", f"Words {turn}")
        house.send(ANN, "STEP 2")
        house.wait(minutes=1)
        house.write(ANN, "STEP 1")
        house.send(BOB, "STEP 1")


def name_in(text: str) -> str:
    (found,) = re.findall(r"booked as (\w+):", " ".join(text.split()))
    return str(found)


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def played(race: PostHouse) -> PostHouse:
    play(race)
    return race


def told(house: PostHouse) -> list[tuple[int, str]]:
    return [(fault.turn, fault.text) for fault in house.faults()]


def test_each_answer_names_its_letter_and_the_newsletter_lists_it_to_its_writer_alone(played: PostHouse) -> None:
    names = [name_in(text_of(each)) for each in played.post(ANN, "booked as")]
    theirs = [name_in(text_of(each)) for each in played.post(BOB, "booked as")]
    assert len({*names, *theirs}) == 6
    for turn in (1, 2):
        (newsletter,) = [flat(text_of(each)) for each in played.post(ANN) if each["Subject"] == f"[RR1] turn {turn}"]
        sent = names[2 * turn - 2 : 2 * turn]
        assert f"by the names in our answers: {' '.join(sorted(sent))}" in newsletter
        assert f"The one whose orders were played: {sent[1]}" in newsletter
        assert not any(each in newsletter for each in theirs)
        act = played.club.query("SELECT hash FROM acts WHERE number = ?", [turn])
        assert f"act {turn}, whose hash is {next(iter(act))['hash']}" in newsletter
        export = json.loads(played.export())["turns"][turn]["letters"]["ANN"]
        assert export["counted"] == hash_of_letters("RR1", turn, "ANN", "counted", [sent[1]])
        assert export["received"] == hash_of_letters("RR1", turn, "ANN", "received", sorted(sent))


LIES: dict[str, tuple[Callable[[Plain], object], str]] = {
    "what was undone is cut out": (
        lambda plain: plain.pop("undone"),
        "what act 4 of the umpire's log undid is missing",
    ),
    "another reason beside the hash of the true one": (
        lambda plain: plain["acts"][0].update(withheld=hash_of_reason("Words 0"), reason="A lie"),
        "act 1 of the umpire's log does not fit its hash",
    ),
    "a reason that speaks of no orders is withheld": (
        lambda plain: plain["acts"][0].update(withheld=hash_of_reason("Words 0"), reason=""),
        "the reason of act 1 is withheld",
    ),
    "a turn covers no letters": (lambda plain: plain["turns"][3].pop("letters"), "it does not cover the letters"),
    "a turn covers nobody's letters but one player's": (
        lambda plain: plain["turns"][3]["letters"].pop("BOB"),
        "it does not cover the letters",
    ),
    "orders without a letter, and no act says who filed them": (
        lambda plain: plain["turns"][3]["letters"]["ANN"].update(
            counted=hash_of_letters("RR1", 3, "ANN", "counted", ())
        ),
        "orders of ANN were played without a letter",
    ),
    "a turn covers less of the log than the one before": (
        lambda plain: plain["turns"][3].update(acts=plain["turns"][1]["acts"]),
        "it covers less of the umpire's log than act 3",
    ),
    "a turn covers nothing of the log": (
        lambda plain: plain["turns"][3].pop("acts"),
        "it covers less of the umpire's log than act 3",
    ),
}


@pytest.mark.parametrize(("lie", "said"), LIES.values(), ids=LIES)
def test_a_lie_is_named_though_all_hashes_fit(race: PostHouse, lie: Callable[[Plain], object], said: str) -> None:
    play(race, 3)
    race.act("UNDO RR1 3 PLAY", "A slip.")
    plain = json.loads(race.export())
    assert verdict_on(plain).faults == ()
    lie(plain)
    log = parse_revealed(json.dumps(plain).encode())
    newest = hash_of_turn(log.turns[2].hash, "RR1", log.turns[3])  # as a program would that was changed
    log = log.but(turns=(*log.turns[:3], log.turns[3].but(hash=newest)), last=(3, newest))
    faults = verify(log).faults
    assert [fault.text for fault in faults if not fault.text.startswith(said)] == []
    assert faults


def test_a_letter_that_came_too_late_is_named_and_covered_and_so_is_who_took_it(played: PostHouse) -> None:
    played.wait(days=30)
    played.send(ANN, "STEP 3")
    late = played.last(ANN, "booked as")
    assert "It came after the deadline" in text_of(late)
    played.tick()
    booked = [json.loads(row.booked)["ANN"]["received"] for row in played.turns()[1:]]
    assert [name_in(text_of(late)) in names for names in booked] == [False, False, True]
    assert told(played) == []


def test_an_undone_turn_and_its_correction_each_cover_the_letters(played: PostHouse) -> None:
    played.act("UNDO RR1 2 PLAY", "A slip.")
    rows = [*games.superseded(played.club, "RR1"), played.last_turn()]
    assert len({row.booked for row in rows}) == 1
    assert [row.acts.partition(" ")[0] for row in rows] == ["2", "3"]
    assert told(played) == []


def rechained(plain: Plain) -> None:
    """Number and hash the acts of an export as if they were all."""
    log = parse_revealed(json.dumps(plain).encode())
    before, rows = log.agreed, []
    for number, act in enumerate(log.acts, 1):
        rows.append(chain_act(act.but(number=number), before))
        before = rows[-1].hash
    for act, row in zip(plain["acts"], rows, strict=True):
        act |= {"number": row.number, "hash": row.hash}


CUTS: dict[str, Callable[[list[Plain]], list[Plain]]] = {
    "all": lambda acts: [],
    "the last one": lambda acts: acts[:-1],
    "the first one": lambda acts: acts[1:],
    "one in the middle": lambda acts: [*acts[:1], *acts[2:]],
}


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("cut", CUTS)
def test_acts_taken_out_are_noticed_even_where_the_rest_is_hashed_anew(race: PostHouse, cut: str, again: bool) -> None:
    play(race, 3)
    plain = json.loads(race.export())
    plain["acts"] = CUTS[cut](plain["acts"])
    if again:
        rechained(plain)
    faults = verdict_on(plain).faults
    assert any("of the umpire's log, which is missing or another one" in fault.text for fault in faults)


def changed(house: PostHouse, *statements: str) -> None:
    """Change the database of a club behind its back."""
    with closing(sqlite3.connect(house.folder / "referee.db")) as db, db:
        for statement in statements:
            db.execute(statement)


def test_letters_left_out_added_or_given_to_somebody_else_are_named(played: PostHouse) -> None:
    assert told(played) == []
    name = name_in(text_of(played.post(BOB, "booked as")[0]))
    changed(played, "UPDATE letters SET hash = 'gone' WHERE player = 'BOB' AND arrived < '2026-12-07T13:30'")
    found = told(played)
    assert (1, f"letter {name} of BOB, which it covers, is missing") in found
    assert any(
        re.fullmatch(r"letter \d+ of BOB \(\w+\) was received before it was played, .*", text) for _, text in found
    )


def test_what_a_turn_covers_cannot_be_written_anew(played: PostHouse) -> None:
    names = played.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'turns'")
    drops = [f"DROP TRIGGER {row['name']}" for row in names]
    changed(played, *drops, "UPDATE turns SET booked = replace(booked, 'ANN', 'BOB') WHERE turn = 2")
    assert (2, "the letters kept with it are not those that its hash covers") in told(played)
    export = json.loads(played.export())
    export["turns"][2]["letters"]["ANN"]["received"] = "0" * 64
    (fault,) = verdict_on(export).faults
    assert "its hash does not fit" in fault.text


def test_an_act_between_reckoning_and_writing_is_covered_by_the_turn(
    race: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    race.write(ANN, "STEP 1")
    race.write(BOB, "STEP 1")

    def step(club: Club, name: str) -> None:
        if name == "adjudicate:computed" and not acts(club.db, "RR1"):
            race.act("NOTE RR1", "In between.")

    monkeypatch.setattr(Club, "step", step)
    race.tick()
    assert race.last_turn().turn == 0
    race.tick()
    assert race.last_turn().acts.startswith("1 ")


def test_hashes_stay_where_letters_lose_their_bytes(played: PostHouse) -> None:
    changed(played, "UPDATE games SET status = 'finished'")
    assert drop_letters(played.club, played.clock.now)
    assert told(played) == []


def test_in_another_club_letters_keep_their_names(played: PostHouse, tmp_path: Path) -> None:
    played.send(ANN, "STEP 3")
    waiting = name_in(played.text(ANN, "booked as"))
    played.act("HOLD RR1", "It moves.")
    played.tick()
    whole = whole_game(played.club, "RR1", "a long passphrase")
    with PostHouse(tmp_path / "other") as other:
        take_in(other.club, read_whole_game(other.club.config, whole, "a long passphrase"))
        assert told(other) == []
        root = other.row().chain
        assert waiting in {booking(root, each.hash) for each in letters.of_players(other.club, "RR1")}


# A running game after the program's rules have changed: it waits for the umpire, who has its turns played again first.


@pytest.fixture
def older(club: Clubs) -> PostHouse:
    """A game of which a turn was played by version 1 of the rules."""
    made = club()
    made.begin()
    assert order(made, 1) == ("RR1/1",)
    return made


def order(house: PostHouse, length: int) -> tuple[str, ...]:
    """Have both order a step, and return what is played."""
    for player in (ANN, BOB):
        house.wait(minutes=1)
        house.answer(player, f"STEP {length}")
    return house.tick().turns


def version_2(**changes: Any) -> Any:
    return patch.object(tinygame, "GAME", tinygame.GAME.but(rules=2, **changes))


def faster(state: tinygame.State, orders: Mapping[str, tuple[Any, ...]], dice: Dice) -> Outcome:
    longer = {code: tuple(each.but(length=each.length + 1) for each in own) for code, own in orders.items()}
    return tinygame.adjudicate(state, longer, dice)


def waiting(house: PostHouse) -> list[str]:
    return [each.text for each in database_findings(house.club.config, house.clock.now) if "its rules" in each.text]


def test_a_game_whose_turns_come_out_alike_is_moved_on_by_the_umpire(older: PostHouse) -> None:
    with version_2():
        assert waiting(older) == ["turns of RR1 were played by another version of its rules, and it waits"]
        assert order(older, 2) == ()
        assert older.tick().turns == ()
        (letter,) = older.post(UMPIRE, "could not be played")
        said = line_of(letter)
        assert "turn 1 of RR1 was played by version 1 of the rules of tinyrace, this program has version 2" in said
        assert "`referee game rules RR1`" in said
        assert older.act("RULES RR1")["moved"] == (1, 2)
        assert waiting(older) == []
        assert older.tick().turns == ("RR1/2",)
        assert older.act("RULES RR1")["moved"] is None
        assert older.did() == ["rules"]
        assert older.column("SELECT rules FROM turns ORDER BY turn") == [1, 1, 2]
        assert older.faults() == ()


def test_one_whose_turns_come_out_otherwise_goes_on_with_a_reason_that_all_read(older: PostHouse) -> None:
    with version_2(adjudicate=faster):
        with pytest.raises(ConfigError, match="by version 2 of the rules turn 1 comes out otherwise than it was told"):
            older.act("RULES RR1")
        assert older.acts() == ()
        older.act("RULES RR1", "Steps were too short: they are right from now on.")
        assert order(older, 2) == ("RR1/2",)
        assert "Steps were too short: they are right from now on." in older.told(BOB, "turn 2")
        assert older.faults() == ()


def test_the_command_says_what_it_did(older: PostHouse) -> None:
    done = older.command("game", "rules", "RR1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "RR1 is played by version 1 of its rules, that of this program: nothing to do." in " ".join(
        done.stdout.split()
    )
    assert "there is no game RR9" in older.command("game", "rules", "RR9").stderr
