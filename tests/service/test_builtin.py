"""Seats that the umpire lets a built-in player play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.bots import FIRST, THIRD, dampfross
from referee.core.errors import ConfigError
from referee.service.audit.verify import verify_game
from referee.service.seats import replace_player
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from referee.service.umpire.colleagues import seat_built_in
from referee.store import games
from referee.store.games import acts
from tests.posthouse import ANN, BOB, PostHouse, text_of

CECIL, DORA = "cecil@example.com", "dora@example.com"
WHY = "Bob has no time, and nobody stands by."


PLAYERS = (
    Invited(code="GSW", colour="red", name="Ann", address=ANN),
    Invited(code="MGW", colour="blue", name="Bob", address=BOB),
    Invited(code="BNC", colour="green", name="Dora", address=DORA),
)


def test_it_orders_by_itself_is_labelled_and_makes_room_for_a_person(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", players__format="text", players__attach="none") as house:
        proposal = Proposal(kind="dampfross", board="ireland", players=PLAYERS, rhythm={"days": 7})
        new_game(house.club, proposal, root="root of the chain")
        house.tick()
        seat_built_in(house.club, "RR1", "mgw", WHY)
        house.tick()
        assert [(act.kind, act.actor) for act in acts(house.club.db, "RR1")] == [
            ("replace", "umpire"),
            ("orders", "built-in player"),
        ]
        assert "Built-in player plays MGW from now on, in the place of Bob." in house.told(ANN)
        house.tick()  # its orders are on file: no more are written
        for player in (ANN, DORA):
            house.write(player, "HOME Dublin OR Belfast")
        house.clock.advance(hours=1)
        assert len(house.tick().turns) == 1
        assert "Built-in player" in house.told(ANN, "round 1")
        assert "No orders were received" not in house.told(ANN, "round 1")
        house.tick()
        assert [act.turn for act in acts(house.club.db, "RR1") if act.kind == "orders"] == [1, 2]
        assert house.post("built-in.invalid") == []
        assert {row["state"] for row in house.rows("SELECT state FROM outbox")} == {"sent"}
        replace_player(house.club, "RR1", "MGW", f"Cecil <{CECIL}>", "Cecil has time.")
        house.clock.advance(days=8)
        assert len(house.tick().turns) == 1
        house.tick()
        assert [act.turn for act in acts(house.club.db, "RR1") if act.kind == "orders"] == [1, 2]
        assert verify_game(house.club, "RR1").faults == ()


def test_it_plays_as_well_as_was_asked_for(tmp_path: Path) -> None:
    """Two seats on the same position, of different strengths: each writes what one of its strength writes."""
    with PostHouse(tmp_path / "club", players__format="text", players__attach="none") as house:
        new_game(house.club, Proposal(kind="dampfross", board="ireland", players=PLAYERS), root="root of the chain")
        house.tick()
        strengths = {"MGW": FIRST, "BNC": THIRD}
        for code, strength in strengths.items():
            seat_built_in(house.club, "RR1", code, WHY, strength)
        position = house.club.positions.of(house.club.db, games.game(house.club.db, "RR1"))
        seen = json.loads(json.dumps(position.rules.view(position.state, None)))
        house.tick()
        for code, strength in strengths.items():
            (text,) = [row["text"] for row in house.rows("SELECT text FROM order_sets WHERE player = ?", code)]
            assert text.splitlines() == [*dampfross.answer(seen, code, strength)]


def test_each_reader_knows_it_by_a_name_in_his_language(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", players__format="text", players__attach="svg") as house:
        players = (replace(PLAYERS[0], language="de"), PLAYERS[1], replace(PLAYERS[2], language="fr"))
        new_game(house.club, Proposal(kind="dampfross", board="ireland", players=players), root="root of the chain")
        house.tick()
        seat_built_in(house.club, "RR1", "mgw", WHY)
        house.tick()
        told = {player: house.last(player) for player in (ANN, DORA)}
        for player in told:
            house.write(player, "HOME Dublin OR Belfast")
        house.clock.advance(hours=1)
        assert len(house.tick().turns) == 1
        for player, name in ((ANN, "Eingebauter Spieler"), (DORA, "Joueur intégré")):
            news = house.last(player)
            said = (
                text_of(told[player]),
                text_of(news),
                *(each.get_content().decode() for each in news.iter_attachments()),
            )
            assert len(said) == 3
            for text in said:
                assert name in text
                assert "Built-in" not in text
        assert house.rows("SELECT name FROM players WHERE code = 'MGW'")[0]["name"] == "Built-in player"


def test_what_was_written_for_another_turn_does_not_keep_it_from_ordering(house: PostHouse) -> None:
    proposal = Proposal(kind="dampfross", board="ireland", players=PLAYERS, rhythm={"days": 7})
    new_game(house.club, proposal, root="root of the chain")
    for player in (ANN, BOB, DORA):
        house.write(player, "ORDERS RR1 1\nHOME Dublin OR Belfast\nEND")
    assert len(house.tick().turns) == 1
    house.send(BOB, "ORDERS RR1 1\n2a) (Dublin) - Dun Laoghaire\nEND")
    assert [row["doubtful"] for row in house.rows("SELECT doubtful FROM order_sets WHERE turn = 2")] == [1]
    seat_built_in(house.club, "RR1", "MGW", WHY)
    house.tick()
    assert [act.turn for act in acts(house.club.db, "RR1") if act.kind == "orders"] == [2]


def test_a_game_without_a_built_in_player_is_one_sentence(house: PostHouse) -> None:
    house.game()
    with pytest.raises(ConfigError, match="has no built-in player; name a person, or say --standby"):
        seat_built_in(house.club, "RR1", "BOB", WHY)
    assert acts(house.club.db, "RR1") == ()
