"""Whole games of the built-in players on every map, in every preset and both paces, with two to six players.

Here a pairwise choice is played; ``python -m bench.all_games`` plays every combination.
"""

import json
from collections.abc import Mapping
from functools import reduce
from typing import Any

from referee.core.game import Outcome, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.events import CityConnected, PrizePaid, TollPaid, TrackLaid
from referee.games.dampfross.state import NEUTRAL, START_BALANCE, State
from tests.games.dampfross.recordedgames import everymap_name, recorded_game
from tests.games.dampfross.wholegame import Turn


def check_game(board: str, preset: str, pace: str, players: int) -> None:
    """It ends, nothing raises, every letter of the players is understood, and every turn holds what it must."""
    setup, opening, turns = recorded_game(everymap_name(board, preset, pace, players))
    final: State = turns[-1].outcome.state
    assert final.phase == "over"
    assert final.winners
    assert any(race.status == "run" for race in final.races)
    check_money(opening, turns)
    for turn in turns:
        check_turn(setup, turn)


def check_turn(setup: Setup, turn: Turn) -> None:
    """The position is the fold of the events, stored values come back, tables balance, the letters were in order."""
    outcome = turn.outcome
    assert reduce(GAME.apply, outcome.events, turn.before) == outcome.state
    assert GAME.decode(GAME.encode(outcome.state), setup) == outcome.state
    assert GAME.decode(GAME.encode(outcome.events), setup) == outcome.events
    assert outcome.state.turn > turn.before.turn
    told = GAME.story(outcome.state, outcome.events, None)
    assert told["table"]["balanced"]
    check_charges(setup, told)
    json.dumps(GAME.view(outcome.state, None))
    assert not [complaint for complaint in turn.complaints if complaint.code.startswith("invalid-")]


def check_charges(setup: Setup, told: Mapping[str, Any]) -> None:
    """For whatever is paid the price list of the game has its price."""
    listed = {(price.what, name) for price in GAME.prices(setup) for name in ("", *price.names, str(price.count))}
    rolls = [roll for company in told["companies"] for roll in company["rolls"]]
    assert {charge for each in (*rolls, *told["races"]) for charge in each["charges"]} <= listed


def check_money(opening: Outcome, turns: list[Turn]) -> None:
    """Start, bonuses and prizes are what the accounts hold, what went for track and what the neutral railway took."""
    events = [event for turn in turns for event in turn.outcome.events]
    final = turns[-1].outcome.state
    came = sum(event.bonus for event in events if isinstance(event, CityConnected))
    came += sum(event.amount for event in events if isinstance(event, PrizePaid))
    went = sum(event.units for event in events if isinstance(event, TrackLaid))
    went += sum(event.amount for event in events if isinstance(event, TollPaid) and event.to == NEUTRAL)
    assert START_BALANCE * len(final.table.codes) + came == sum(final.balance.values()) + went
    assert opening.events
