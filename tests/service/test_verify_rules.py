"""A turn that was played by another version of the rules is told as such: what can be proved of it is, and the rest is a note."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.verify import verify, verify_game
from referee.store.database.hashes import hash_of_agreement, hash_of_turn
from tests.posthouse import PostHouse
from tests.service.test_verify import faults, play

TURNS = [0, 1, 2, 3]
Plain = dict[str, Any]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The export of a running game with three turns played."""
    with PostHouse(tmp_path_factory.mktemp("verify") / "club") as house:
        play(house)
        return format_revealed(revealed(house.club, "RR1"))


@pytest.fixture
def plain(exported: str) -> Plain:
    told: Plain = json.loads(exported)
    return told


def rehashed(plain: Plain) -> Plain:
    """Return an export whose hashes fit what it tells."""
    told = parse_revealed(json.dumps(plain).encode())
    before = hash_of_agreement(told.game, told.setup, told.end)
    for turn, written in zip(told.turns, plain["turns"], strict=True):
        before = written["hash"] = hash_of_turn(before, told.game, turn)
    plain["last"]["hash"] = before
    return plain


def of_versions(plain: Plain, *versions: int) -> Plain:
    """Return an export whose turns say that they were played by these versions; a step of turn 2 came out otherwise then."""
    for turn, version in zip(plain["turns"], versions, strict=True):
        turn["rules"] = version
    plain["turns"][2]["events"][1]["length"] += 1
    return rehashed(plain)


def test_a_turn_of_other_rules_that_comes_out_alike_is_proved(plain: Plain) -> None:
    for turn, version in zip(plain["turns"], (0, 0, 1, 2), strict=True):
        turn["rules"] = version
    found = verify(parse_revealed(json.dumps(rehashed(plain)).encode()))
    assert (found.faults, found.notes) == ((), ())
    assert [turn for turn, _ in found.played] == TURNS


@pytest.mark.parametrize("version", [0, 2])
def test_a_turn_of_other_rules_that_comes_out_otherwise_is_a_note_and_the_next_is_played_from_it(
    plain: Plain, version: int
) -> None:
    found = verify(parse_revealed(json.dumps(of_versions(plain, 1, 1, version, 1)).encode()))
    assert found.faults == ()
    (note,) = found.notes
    assert note.turn == 2
    assert note.text.startswith(f"it was played by version {version} of the rules; by version 1 its events differ")
    assert note.text.endswith("so its events were taken as they stand")
    assert [turn for turn, _ in found.played] == [0, 1, 3]
    assert [throw.turn for throw in found.throws] == [1, 3]


def test_events_of_other_rules_that_nobody_knows_end_the_replay_and_are_no_fault(plain: Plain) -> None:
    plain["turns"][2]["events"][1]["kind"] = "Stride"
    found = verify(parse_revealed(json.dumps(of_versions(plain, 0, 0, 0, 1)).encode()))
    assert found.faults == ()
    assert [note.turn for note in found.notes] == [2, 2]
    assert "unknown kind 'Stride'" in found.notes[0].text
    assert found.notes[1].text == "the turns after it were not played again"


def test_with_the_program_s_own_version_the_same_difference_is_a_fault(plain: Plain) -> None:
    assert [turn for turn, _ in faults(of_versions(plain, 0, 0, 1, 1))] == [2, 2]


def test_a_fault_behind_a_turn_of_other_rules_names_that_turn(plain: Plain) -> None:
    plain["turns"][3]["events"][1]["length"] += 1
    ((turn, text),) = faults(of_versions(plain, 1, 1, 0, 1))
    assert (turn, text.partition(" (")[2]) == (3, "turn 2, played by other rules, may have led there)")


def test_the_club_goes_on_from_the_position_it_keeps(house: PostHouse) -> None:
    """A turn's events of other rules may add up to another position by these; play went on from the one that was stored."""
    play(house)
    house.club.db.execute("DROP TRIGGER turns_unchanged")
    house.club.db.execute(
        "UPDATE turns SET rules = 0, events = replace(events, '\"length\":2', '\"length\":3') WHERE turn = 2"
    )
    found = verify_game(house.club, "RR1")
    assert [fault.text[:22] for fault in found.faults if "hash" not in fault.text] == []
    assert "from the position that the club keeps" in found.notes[0].text
    assert [turn for turn, _ in found.played] == [0, 1, 3]


def test_the_command_says_which_rules_each_turn_was_played_by(tmp_path: Path, plain: Plain) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(of_versions(plain, 0, 0, 0, 1)))
    told = CliRunner().invoke(main, ["verify", str(file)])
    lines = told.stdout.splitlines()
    assert told.exit_code == 0
    assert lines[1].startswith("Turns: 3 of 4, played again from orders and seed")
    assert lines[2].startswith("note, turn 2: it was played by version 0 of the rules; by version 1 its events differ")
    assert lines[3] == "Rules: turns 0 to 2 by version 0, turn 3 by version 1; this program has version 1."
    assert lines[-2] == "In order, but 1 turn not proved, because of other rules: see the notes."
    assert "All is in order" not in told.stdout
