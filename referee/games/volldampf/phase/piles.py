"""Drawing from piles that are counted by kind: each card and cube is thrown for among all that are left. Rule: V4.2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from referee.core.dice import Dice
from referee.games.volldampf.board.board import (
    ACTION_CARDS,
    BARGAIN,
    CUBE_COLOURS,
    EXTRA,
    LOK,
    PLANNING,
    REARRANGE,
    SABOTAGE,
    SUBVENTION,
)
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.cards import (
    DECLINED,
    LATE,
    ActionDrawn,
    CardPlayed,
    NoCardLeft,
    PilesRenewed,
)
from referee.games.volldampf.position.events.goods import DebtPaid
from referee.games.volldampf.position.events.transport import CubeDelivered
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.orders import LAST
from referee.games.volldampf.position.state import State

Thing = TypeVar("Thing", str, int)

_WHY = {DECLINED: "V3.6.5", LATE: "V3.6.5", LAST: "V3.7.3"}
_PLAYED = {
    LOK: "V4.3",
    SUBVENTION: "V4.4",
    BARGAIN: "V4.5",
    SABOTAGE: "V4.6",
    EXTRA: "V4.7",
    REARRANGE: "V4.8",
    PLANNING: "V4.9",
}


def draw(pile: Mapping[Thing, int], kinds: tuple[Thing, ...], dice: Dice, name: str) -> Thing:
    """Return what the throw *name* over all that is left gives, laid out in the order of *kinds*; the pile stays as it is.

    If a single kind is left nothing is thrown. Raises ValueError on an empty pile.
    """
    left = [kind for kind in kinds if pile.get(kind, 0)]
    if not left:
        raise ValueError(f"{name}: nothing left to draw")
    if len(left) == 1:
        return left[0]
    laid = [kind for kind in left for _ in range(pile[kind])]
    return laid[dice.throw(name, len(laid)) - 1]


def draw_cube(record: Record, dice: Dice, name: str) -> str | None:
    """Return the colour of a cube out of the bag, None if it is empty. The event that says where it goes takes it out."""
    bag = record.state.bag
    return draw(bag, CUBE_COLOURS, dice, name) if any(bag.values()) else None


def settle_debts(record: Record) -> None:
    """Hand the cube that was just delivered on to the city with the oldest claim, if there is one. Rule: DIFF 12, R14."""
    delivered = [event for event in record.events if isinstance(event, CubeDelivered)]
    if record.state.owed and delivered:
        record.add(DebtPaid(city=record.state.owed[0], colour=delivered[-1].colour))


def held(state: State, player: str, card: str) -> int:
    """Return how many action cards of a kind a player holds."""
    return state.actions[player].count(card)


def play_card(record: Record, player: str, card: str) -> None:
    """Discard an action card for what it does. Raises ValueError if the player has none."""
    record.add(CardPlayed(player=player, card=card, paragraph=_PLAYED[card]))


def draw_action(record: Record, player: str, why: str, letters: Letters, dice: Dice) -> None:
    """Give a player an action card: from the pile, from the renewed pile, or from another player's hand. Rule: V4.2, DIFF 42."""
    state = record.state
    number = f"{state.round}/{player}/{_number(state, player)}"
    if not any(state.action_pile.values()):
        if not any(state.action_discards.values()):
            _steal(record, player, why, wished(state, player, why, letters), dice, number)
            return
        record.add(PilesRenewed())
    card = draw(record.state.action_pile, ACTION_CARDS, dice, f"action/{number}")
    record.add(ActionDrawn(player=player, card=card, why=why, paragraph=_WHY[why]))


def wished(state: State, player: str, why: str, letters: Letters) -> tuple[str, ...] | None:
    """Return from whom a player would draw his next card, None if he said nothing. Rule: V4.2."""
    steals = letters.steals(player)
    return next((steals[which].players for which in (why, _number(state, player), "") if which in steals), None)


def may_choose_hand(state: State, player: str) -> bool:
    """Return whether a player's next card comes from a hand of his choice. Rule: DIFF 42."""
    piles = (*state.action_pile.values(), *state.action_discards.values())
    return state.table.options.steal_from == "chosen" and not any(piles) and bool(_holders(state, player))


def _holders(state: State, player: str) -> tuple[str, ...]:
    return tuple(code for code in state.order if code != player and state.actions[code])


def _number(state: State, player: str) -> str:
    """Return which of the player's action cards of this round the next one is."""
    return str(state.drawn.get(player, 0) + 1)


def _steal(record: Record, player: str, why: str, wish: tuple[str, ...] | None, dice: Dice, number: str) -> None:
    """Draw a card blindly from another player, the first of *wish* who has one. Rule: DIFF 42, R16."""
    state = record.state
    holders = _holders(state, player)
    if not holders or wish == ():
        record.add(NoCardLeft(player=player, why=why, waived=bool(holders)))
        return
    if state.table.options.steal_from == "random":
        victim = draw(dict.fromkeys(holders, 1), holders, dice, f"victim/{number}")
    else:
        most = max(holders, key=lambda code: len(state.actions[code]))  # the first of those, in turn order
        victim = next((code for code in wish or () if code in holders), most)
    hand = {card: held(state, victim, card) for card in ACTION_CARDS}
    card = draw(hand, ACTION_CARDS, dice, f"steal/{number}")
    record.add(ActionDrawn(player=player, card=card, why=why, source=victim))
