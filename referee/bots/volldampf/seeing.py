"""What a built-in player sees: the position that its newsletter shows, and its own seat at it."""

from __future__ import annotations

import hashlib
from functools import lru_cache, reduce

from referee.core import Fields, Texts, Value
from referee.core.game import Player
from referee.games.volldampf import GAME
from referee.games.volldampf.board.boardfile import board_of
from referee.games.volldampf.changes import change
from referee.games.volldampf.events import Event
from referee.games.volldampf.goods import card_count
from referee.games.volldampf.options import Options
from referee.games.volldampf.state import Bar, Item, State, Table

from .. import SECOND


class Viewpoint(Value, kw_only=False, eq=False):
    """A player before the position that is mailed to them; hands of others are empty in it.

    ``kept``: the player's lines that wait; ``cards_out``: action cards that are in nobody's hand.
    """

    state: State
    code: str
    kept: Texts = ()
    cards_out: int = 0
    strength: str = SECOND

    @property
    def rounds_left(self) -> int:
        """The rounds after this one."""
        return self.state.numbers.rounds - self.state.round

    def has(self, card: str) -> int:
        """Return how many action cards of a kind the player holds."""
        return card_count(self.state, self.code, card)

    def after(self, *events: Event) -> Viewpoint:
        """Return the same player before the position that they expect after some events; the bag is as it was mailed."""
        expected = reduce(lambda state, event: change(event, state), events, self.state)
        return self.but(state=expected.but(bag=self.state.bag))

    def taste(self, most: int) -> int:
        """Return 0..most: players differ in what they like, from game to game and turn to turn; in one turn they do not."""
        game = ",".join((*self.state.order, *(f"{colour}{count}" for colour, count in sorted(self.state.bag.items()))))
        return _taste(self.code, self.state.turn, game) % (most + 1)

    def leader(self) -> str:
        """Return the rival who is best placed, in turn order."""
        rivals = [code for code in self.state.order if code != self.code]
        return max(rivals, key=lambda code: self.state.income[code] - self.state.bonds[code])


@lru_cache(maxsize=1024)
def _taste(code: str, turn: int, game: str) -> int:
    return hashlib.sha256(f"{code}/{turn}/{game}".encode()).digest()[0]


def position_of(seen: Fields, board: str = "") -> State:
    """Return the position that a view shows; what is hidden in it is empty.

    *seen*: ``Game.view`` as mailed; *board*: the text of its board, "" where it comes with the game.
    """
    players, asked = seen["players"], seen["asked"]
    first = (
        Item(asked["what"], number=asked["number"], player=asked["player"])
        if asked
        else Item("letter", stage=seen["stage"], number=seen["number"])
    )
    return State(
        table=Table(
            board=board_of(board or GAME.board_text(seen["board"]), seen["board"]),
            options=Options(**seen["options"]),
            players=tuple(
                Player(each["code"], each["colour"], each["name"], company=each["company"]) for each in players
            ),
            pace=seen["pace"],
        ),
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
