"""The same seed gives the same bytes, on every interpreter there is: a committed hash says which."""

from __future__ import annotations

import pytest

from tests.games.everypython import interpreters, printed_by

# Changes only with a change of the rules (raise Game.rules then) or of the built-in players.
EVENTS = "639cdac899d8371cca0af388335d9715945d670fa2ad822e62f96bbe2865057a"

PLAY = """
import hashlib, json
from referee.bots.volldampf import answer_with_orders
from referee.core.dice import SeededDice
from referee.core.game import Player, Setup
from referee.games.volldampf import GAME
players = tuple(Player(code=c, colour=k, name=c) for c, k in (("ANN", "red"), ("BOB", "blue"), ("CID", "green")))
name = "deutschland-1925"
setup = Setup(
    game="volldampf", board_name=name, board=GAME.board_text(name), preset="post", options=(), players=players
)
outcome = GAME.start(GAME.lay_out(setup), SeededDice("bytes/0"))
digest = hashlib.sha256(GAME.encode(outcome.events).encode())
while GAME.awaiting(outcome.state):
    turn = outcome.state.turn
    views = {player.code: json.loads(json.dumps(GAME.view(outcome.state, player.code))) for player in players}
    orders = {code: answer_with_orders(seen, code) for code, seen in views.items()}
    outcome = GAME.adjudicate(outcome.state, orders, SeededDice(f"bytes/{turn}"))
    digest.update(GAME.encode(outcome.events).encode())
print(turn, digest.hexdigest())
"""
TURNS = 15  # five rounds of three letters. Rule: V5.1


@pytest.mark.parametrize("python", interpreters())
def test_a_whole_game_of_the_same_seed_gives_the_same_bytes(python: str) -> None:
    assert printed_by(python, PLAY) == [str(TURNS), EVENTS]
