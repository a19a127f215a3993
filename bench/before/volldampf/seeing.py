"""What a built-in player sees: the position that its newsletter shows, and its own seat at it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from referee.core import Value
from referee.core.game import Player
from referee.games.volldampf.board import Board
from referee.games.volldampf.goods import card_count
from referee.games.volldampf.options import Options
from referee.games.volldampf.state import Bar, Item, State, Table


class Seat(Value, kw_only=False):
    """A player before the position that is mailed to them; hands of others are empty in it.

    ``kept``: the player's lines that wait; ``cards_out``: action cards that are in nobody's hand.
    """

    state: State
    code: str
    kept: tuple[str, ...] = ()
    cards_out: int = 0

    @property
    def rounds_left(self) -> int:
        """The rounds after this one."""
        return self.state.table.numbers.rounds - self.state.round

    def has(self, card: str) -> int:
        """Return how many action cards of a kind the player holds."""
        return card_count(self.state, self.code, card)

    def at(self, state: State) -> Seat:
        """Return the same player before a position that they expect."""
        return self.but(state=state)

    def taste(self, most: int) -> int:
        """Return 0..most: players differ in what they like, and from turn to turn; the same one at the same turn does not."""
        return _taste(self.code, self.state.turn) % (most + 1)

    def leader(self) -> str:
        """Return the rival who is best placed, in turn order."""
        rivals = [code for code in self.state.order if code != self.code]
        return max(rivals, key=lambda code: self.state.income[code] - self.state.bonds[code])


@lru_cache(maxsize=1024)
def _taste(code: str, turn: int) -> int:
    return hashlib.sha256(f"{code}/{turn}".encode()).digest()[0]


def position_of(seen: Mapping[str, Any], board: Board) -> State:
    """Return the position that a view shows; what is hidden in it is empty. *seen*: ``Game.view`` as mailed."""
    players = seen["players"]
    asked = seen["asked"]
    first = (
        Item(what=asked["what"], number=asked["number"], player=asked["player"])
        if asked
        else Item(what="letter", stage=seen["stage"], number=seen["number"])
    )
    return State(
        table=_table(seen, board),
        turn=seen["turn"],
        round=seen["round"],
        agenda=() if seen["winners"] else (first,),
        order=tuple(seen["order"]),
        cash={each["code"]: each["cash"] or 0 for each in players},
        bonds={each["code"]: each["bonds"] for each in players},
        income={each["code"]: each["income"] for each in players},
        built={link["id"]: link["owner"] for link in seen["links"] if link["owner"]},
        cubes={city["id"]: tuple(city["cubes"]) for city in seen["cities"] if city["cubes"]},
        bag=dict(seen["bag"]),
        actions={each["code"]: tuple(each["actions"] or ()) for each in players},
        action_discards=dict(seen["action_discards"]),
        groups=tuple(tuple(group) for group in seen["groups"]),
        hands={each["code"]: tuple(each["cards"]) for each in players},
        bids=dict(seen["bids"]),
        passed=tuple(seen["passed"]),
        bars=tuple(Bar(**bar) for bar in seen["bars"]),
        # Who was last when the extra trips began is not mailed, but only they are asked for one.
        subsidy_for=(asked["player"],) if asked else (),
        rearranged=seen["rearranged"],
        winners=tuple(seen["winners"]),
    )


def _table(seen: Mapping[str, Any], board: Board) -> Table:
    players = tuple(
        Player(code=each["code"], colour=each["colour"], name=each["name"], company=each["company"])
        for each in seen["players"]
    )
    return Table(board=board, options=Options(**seen["options"]), players=players, pace=seen["pace"])
