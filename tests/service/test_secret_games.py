"""Games in which players have secrets: what tells of hands leaves the club's folder only when the game is over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.core.dice import CHAIN_END, next_seed, seed_of_turn
from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.verify import verify, verify_game
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from tests.posthouse import ANN, BOB, PostHouse

ROOT = "root of the chain"


@pytest.fixture
def house(tmp_path: Path) -> PostHouse:
    """Two players of Volldampf, the opening written."""
    house = PostHouse(tmp_path / "club")
    players = (
        Invited(code="ANN", colour="blue", name="Ann", address=ANN),
        Invited(code="BOB", colour="red", name="Bob", address=BOB),
    )
    proposal = Proposal(kind="volldampf", board="deutschland-1925", players=players, rhythm={"days": 7})
    new_game(house.club, proposal, root=ROOT)
    house.tick()
    return house


def play(house: PostHouse, turns: int) -> None:
    for turn in range(turns):
        house.later(days=7, hours=0 if turn else 9)


def seeds(turns: int) -> list[str]:
    return [seed_of_turn(ROOT, turn) for turn in range(turns + 1)]


def exported(house: PostHouse) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(format_revealed(revealed(house.club, "RR1")))
    return told


def test_no_letter_of_a_running_game_tells_a_seed(house: PostHouse) -> None:
    play(house, 5)
    letters = "".join(message.as_string() for message in house.post())
    assert seed_of_turn(ROOT, CHAIN_END) in letters
    assert [seed for seed in seeds(17) if seed in letters] == []


def test_an_export_of_a_running_game_tells_what_was_agreed_and_the_newest_hash(house: PostHouse) -> None:
    play(house, 3)
    told = exported(house)
    assert told["turns"] == []
    assert told["end"] == seed_of_turn(ROOT, CHAIN_END)
    newest = house.rows("SELECT turn, hash FROM turns ORDER BY turn DESC LIMIT 1")[0]
    assert told["last"] == {"turn": 3, "hash": newest["hash"]} == dict(newest)
    assert all(newest["hash"] in house.text(reader) for reader in (ANN, BOB))
    found = verify(parse_revealed(json.dumps(told).encode()))
    assert found.sealed
    assert found.faults == ()


def test_the_club_itself_verifies_a_running_game(house: PostHouse) -> None:
    play(house, 3)
    found = verify_game(house.club, "RR1")
    assert not found.sealed
    assert [turn for turn, _ in found.played] == [0, 1, 2, 3]
    assert found.faults == ()
    said = house.command("verify", "RR1").stdout
    assert "All is in order." in said


def test_the_last_newsletter_reveals_all_seeds_and_the_export_all_turns(house: PostHouse) -> None:
    play(house, 18)
    last = house.text(BOB)
    assert seeds(18)[-1] in last
    seed = seeds(18)[-1]
    for turn in reversed(range(18)):
        seed = next_seed(seed)
        assert seed == seeds(18)[turn]
    file = house.folder / "game.json"
    file.write_text(json.dumps(exported(house)), "utf-8")
    found = verify(parse_revealed(file.read_bytes()))
    assert (len(found.played), found.over, found.faults) == (19, True, ())
    told = exported(house)
    drawn = next(turn for turn in told["turns"] if any(event["kind"] == "CubeDrawn" for event in turn["events"]))
    cube = next(event for event in drawn["events"] if event["kind"] == "CubeDrawn")
    cube["colour"] = "red" if cube["colour"] != "red" else "blue"
    assert next(fault.turn for fault in verify(parse_revealed(json.dumps(told).encode())).faults) == drawn["turn"]


def test_verify_says_that_a_file_of_a_running_game_shows_nothing_yet(house: PostHouse) -> None:
    play(house, 1)
    file = house.folder / "game.json"
    assert house.command("game", "export", "RR1", "-o", str(file)).returncode == 0
    said = house.command("verify", str(file))
    assert said.returncode == 0
    assert "no turn is revealed before it is over" in said.stdout
    assert "Hash of turn 1:" in said.stdout


def test_an_export_of_a_brought_game_names_no_hands_before_it_is_over(tmp_path: Path) -> None:
    house = PostHouse(tmp_path / "club")
    players = (
        Invited(code="ANN", colour="blue", name="Ann", address=ANN),
        Invited(code="BOB", colour="red", name="Bob", address=BOB),
    )
    position = json.dumps({"round": 6, "stage": "build", "actions": {"BOB": ["Alles neu"]}})
    proposal = Proposal(
        kind="volldampf", board="deutschland-1925", players=players, rhythm={"days": 7}, position=position
    )
    new_game(house.club, proposal, root=ROOT)
    house.tick()
    assert "Alles neu" not in json.dumps(exported(house), ensure_ascii=False)
    assert exported(house)["setup"]["position"] == ""
    play(house, 2)
    assert house.rows("SELECT status FROM games")[0]["status"] != "running"
    assert "Alles neu" in exported(house)["setup"]["position"]
    assert verify(parse_revealed(json.dumps(exported(house)).encode())).faults == ()


def test_status_tells_what_the_round_has_decided_and_nothing_of_anothers_orders(house: PostHouse) -> None:
    """Turn order and accounts after the opening letters; the other's orders for builds, which are on file, are not told."""
    play(house, 1)
    house.send(BOB, "BUILD 1: DISCARD\nBUILD 2: DISCARD\nBUILD 3: DISCARD")
    told = house.says(ANN, "STATUS")
    assert "Round 1 of 6; orders are awaited for: builds." in told
    assert "Turn order: " in told
    assert "Track cards of ANN: " in told
    assert "DISCARD" not in told
