"""Phases 1 and 2: merchandise cards bring cubes, track cards are dealt in open groups. Rule: V3.1, V3.2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from referee.core.dice import Dice
from referee.core.orders import complaint_of
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
from referee.games.volldampf.changes import Record
from referee.games.volldampf.events import (
    DECLINED,
    LATE,
    ActionDrawn,
    CardPlayed,
    CityMissed,
    CubeDelivered,
    CubeDrawn,
    DebtPaid,
    GameStarted,
    GroupChosen,
    GroupsDealt,
    GroupsRearranged,
    MerchandiseTurned,
    NoCardLeft,
    PilesRenewed,
)
from referee.games.volldampf.letters import Letters, drop, drop_all, refuse
from referee.games.volldampf.state import LAST, Item, Plan, Rank, Rearrange, State, Wish

# Drawing from piles that are counted by kind: each card and cube is thrown for among all that are left. Rule: V4.2.

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
            _steal(record, player, why, wished_victims(state, player, why, letters), dice, number)
            return
        record.add(PilesRenewed())
    card = draw(record.state.action_pile, ACTION_CARDS, dice, f"action/{number}")
    record.add(ActionDrawn(player=player, card=card, why=why, paragraph=_WHY[why]))


def wished_victims(state: State, player: str, why: str, letters: Letters) -> tuple[str, ...] | None:
    """Return from whom a player would draw his next card, None if he said nothing. Rule: V4.2."""
    steals = letters.steals(player)
    return next((steals[which].players for which in (why, _number(state, player), "") if which in steals), None)


def may_choose_hand(state: State, player: str) -> bool:
    """Return whether a player's next card comes from a hand of his choice. Rule: DIFF 42."""
    piles = (*state.action_pile.values(), *state.action_discards.values())
    return state.options.steal_from == "chosen" and not any(piles) and bool(_holders(state, player))


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
    if state.options.steal_from == "random":
        victim = draw(dict.fromkeys(holders, 1), holders, dice, f"victim/{number}")
    else:
        most = max(holders, key=lambda code: len(state.actions[code]))  # the first of those, in turn order
        victim = next((code for code in wish or () if code in holders), most)
    hand = {card: held(state, victim, card) for card in ACTION_CARDS}
    card = draw(hand, ACTION_CARDS, dice, f"steal/{number}")
    record.add(ActionDrawn(player=player, card=card, why=why, source=victim))


_SETUP = "V2.6"


def do_goods(record: Record, item: Item, letters: Letters, dice: Dice) -> None:
    """Play phase 1."""
    turn_cards(record, record.state.round, record.state.numbers.round_cards, dice)


def do_deal(record: Record, item: Item, letters: Letters, dice: Dice) -> None:
    """Deal as many open groups as there are players. Rule: V3.2.1."""
    state = record.state
    board, numbers = state.board, state.numbers
    pile, groups = dict(state.track_pile), []
    for group in range(1, len(state.codes) + 1):
        cards = []
        for card in range(1, numbers.group_size + 1):
            colour = draw(pile, board.colour_ids, dice, f"track/{state.round}/{group}/{card}")
            pile[colour] -= 1
            cards.append(colour)
        groups.append(tuple(sorted(cards, key=board.colour_ids.index)))
    record.add(GroupsDealt(round=state.round, groups=tuple(groups)))


def turn_cards(record: Record, round_number: int, count: int, dice: Dice) -> None:
    """Turn up *count* merchandise cards; each city named on them gets a cube, in printed order. Rule: V2.6, V3.1.1."""
    printed = {card.number: card.cities for card in record.state.board.merchandise}
    paragraph = "V3.1.1" if round_number else _SETUP
    for number in range(1, count + 1):
        left = record.state.merchandise
        card = draw(dict.fromkeys(left, 1), left, dice, f"merchandise/{round_number}/{number}")
        record.add(MerchandiseTurned(round=round_number, card=card, cities=printed[card], paragraph=paragraph))
        for city in printed[card]:
            draw_for_city(record, city, round_number, card, dice)


def draw_for_city(record: Record, city: str, round_number: int, card: int, dice: Dice) -> None:
    """Put a cube from the bag on a city; with the bag empty it misses out, or is owed one. Rule: DIFF 12."""
    paragraph = "V3.1.1" if round_number else _SETUP
    colour = draw_cube(record, dice, _cube_name(record, city, round_number))
    if colour is None:
        owed = record.state.options.bag_empty == "owe"
        record.add(CityMissed(city=city, round=round_number, card=card, owed=owed, paragraph=paragraph))
    else:
        record.add(CubeDrawn(city=city, colour=colour, round=round_number, card=card, paragraph=paragraph))


def _cube_name(record: Record, city: str, round_number: int) -> str:
    """Return the name of a throw: ``cube/3/HAM``, for a second cube of that round ``cube/3/HAM/2``."""
    drawn = [event for event in record.events if isinstance(event, CubeDrawn)]
    before = sum(event.city == city and event.round == round_number for event in drawn)
    return f"cube/{round_number}/{city}/{before + 1}" if before else f"cube/{round_number}/{city}"


# The setup: money, sequence cards, piles, and the first cubes. Rule: V2.

SETUP = 0  # the setup's number where rounds are counted


def set_up(record: Record, dice: Dice) -> None:
    """Hand everything out and put the first cubes on the board: home cities as in the board file, then cards. Rule: DIFF 11."""
    table = record.state.table
    record.add(
        GameStarted(
            cash=table.board.start_money,
            order=_first_order(record.state, dice),
            removed=_removed_cards(record.state, dice),
        )
    )
    for city in table.board.cities:
        if city.is_home:
            draw_for_city(record, city.id, SETUP, 0, dice)
    turn_cards(record, SETUP, table.numbers.setup_cards, dice)


def _first_order(state: State, dice: Dice) -> tuple[str, ...]:
    """Return the start player, drawn by lot or else the first of the table, and the others clockwise. Rule: V2.3, DIFF 07."""
    codes = state.codes
    first = dice.throw("start", len(codes)) - 1 if state.options.start_player == "lot" else 0
    return codes[first:] + codes[:first]


def _removed_cards(state: State, dice: Dice) -> tuple[str, ...]:
    """Return the track cards taken out at random, after those of each colour. Rule: V2.4."""
    board, numbers = state.board, state.numbers
    pile = dict.fromkeys(board.colour_ids, board.track_cards - numbers.remove_per_colour)
    removed = []
    for number in range(1, numbers.remove_random + 1):
        colour = draw(pile, board.colour_ids, dice, f"removed/{number}")
        pile[colour] -= 1
        removed.append(colour)
    return tuple(removed)


# The open groups of track cards: Alles neu rearranges them, after the auction everybody takes one. Rule: V3.4.4,
# V4.8.

Groups = tuple[tuple[str, ...], ...]


def do_new(record: Record, item: Item, letters: Letters, dice: Dice) -> None:
    """Let the first who can play Alles neu: lower sequence card of the round before first. Rule: V4.8, R7."""
    for player in record.state.order:
        for order in letters.of(Rearrange, player)[:1]:
            _rearrange(record, player, order)
    drop_all(record, Rearrange)


def do_choose(record: Record, item: Item, letters: Letters, dice: Dice) -> None:
    """Let a player take the best group left by his ranking, without one the first. Rule: V3.4.4, DIFF 71."""
    groups = record.state.groups
    if any(groups):
        wishes = [wish for order in letters.of(Rank, item.player)[:1] for wish in order.wishes]
        place = _ranking(groups, wishes)[0]
        record.add(GroupChosen(player=item.player, cards=groups[place]))
    for kind in (Rank, Plan):
        drop(record, kind, item.player)


def groups_left(state: State) -> int:
    """Return how many groups can still be chosen."""
    return sum(bool(group) for group in state.groups)


def fits(group: tuple[str, ...], place: int, wish: Wish) -> bool:
    """Return whether a wish names the group at that place (from 0). Rule: R7."""
    if wish.number:
        return wish.number == place + 1
    left = Counter(group)
    left.subtract(wish.colours)
    return min(left.values()) >= 0 and not (wish.exact and any(left.values()))


def _arrangement_fault(groups: Groups, wanted: Groups) -> str:
    """Return the code of what is wrong with groups that Alles neu should make, "" if nothing is. Rule: V4.8, DIFF 60."""
    if Counter(card for group in groups for card in group) != Counter(card for group in wanted for card in group):
        return "illegal-arrangement-cards"
    sizes = tuple(len(group) for group in groups)
    return "" if sizes == tuple(len(group) for group in wanted) else "illegal-arrangement-sizes"


def _rearrange(record: Record, player: str, order: Rearrange) -> None:
    state = record.state
    fault = _arrangement_fault(state.groups, order.groups)
    if state.rearranged:
        fault = "illegal-rearranged-already"
    elif not held(state, player, REARRANGE):
        fault = "illegal-no-card"
    if fault:
        text = " / ".join("+".join(group) for group in order.groups)
        refuse(record, player, complaint_of(fault, "V4.8", text, order.line, card=REARRANGE))
        return
    colours = state.board.colour_ids
    groups = tuple(tuple(sorted(group, key=colours.index)) for group in order.groups)
    play_card(record, player, REARRANGE)
    record.add(GroupsRearranged(player=player, groups=groups))


def _ranking(groups: Groups, wishes: list[Wish]) -> list[int]:
    """Return the places of the groups still there, best first; what no wish names follows as it lies."""
    places = [place for place, group in enumerate(groups) if group]
    wanted = [place for wish in wishes for place in places if fits(groups[place], place, wish)]
    return list(dict.fromkeys((*wanted, *places)))
