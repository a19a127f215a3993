"""The same seed gives the same bytes, on every interpreter there is: a committed hash says which."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ROUNDS = 8
# Changes only with a change of the rules (raise Game.rules then) or of the built-in players.
EVENTS = "43af2b717a7422f1c59ab70c373fd71439f662cd80c914316022734ff4f9768a"

PLAY = f"""
import hashlib, json
from referee.bots.dampfross import answer_with_orders
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
    orders = {{player.code: answer_with_orders(seen, player.code) for player in players}}
    outcome = GAME.adjudicate(outcome.state, orders, SeededDice(f"bytes/{{number}}"))
    digest.update(GAME.encode(outcome.events).encode())
print(digest.hexdigest())
"""


def interpreters() -> list[str]:
    """Return the Pythons on the path, the one that runs this first."""
    others = [shutil.which(f"python3.{minor}") for minor in (11, 12, 13, 14)]
    return [sys.executable, *(path for path in others if path is not None)]


@pytest.mark.parametrize("python", interpreters())
def test_the_same_seed_gives_the_same_bytes(python: str) -> None:
    version = subprocess.run(
        [python, "-c", "import sys; print(sys.version_info >= (3, 11))"], capture_output=True, text=True
    )
    if version.stdout.strip() != "True":
        pytest.skip(f"{python} cannot be run here: {version.stderr.strip()[:80]}")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "random"}
    played = subprocess.run([python, "-c", PLAY], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert played.stdout.strip() == EVENTS
