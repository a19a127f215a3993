"""The same seed gives the same bytes, on every interpreter there is: a committed hash says which."""

import pytest

from tests.games.everypython import interpreters, printed_by

ROUNDS = 8
# Changes only with a change of the rules (raise Game.rules then) or of the built-in players.
EVENTS = "669179853930c0947b1129ad755f06e0de4caabc8db59547ced36ee8d9e51d78"

PLAY = f"""
import hashlib, json
from referee.bots import SECOND
from referee.bots.dampfross import orders_of, position_seen
from referee.core.dice import SeededDice
from referee.core.game import Player, Setup
from referee.games.dampfross import GAME
players = tuple(Player(code=c, colour=k, name=c) for c, k in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green")))
board = GAME.board_text("ireland")
setup = Setup(game="dampfross", board_name="ireland", board=board, preset="postal", options=(), players=players)
outcome = GAME.start(GAME.lay_out(setup), SeededDice("bytes/0"))
digest = hashlib.sha256(GAME.encode(outcome.events).encode())
for number in range(1, {ROUNDS} + 1):
    seen = json.loads(json.dumps(GAME.view(outcome.state, None)))
    known = position_seen(seen)
    orders = {{each.code: tuple(orders_of(known, seen, each.code, each.code, SECOND)) for each in players}}
    outcome = GAME.adjudicate(outcome.state, orders, SeededDice(f"bytes/{{number}}"))
    digest.update(GAME.encode(outcome.events).encode())
print(digest.hexdigest())
"""


@pytest.mark.parametrize("python", interpreters())
def test_the_same_seed_gives_the_same_bytes(python: str) -> None:
    assert printed_by(python, PLAY) == [EVENTS]
