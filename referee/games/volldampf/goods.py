"""Phases 1 and 2: merchandise cards bring cubes, track cards are dealt in open groups. Rule: V3.1, V3.2."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from referee.core import complaint_of, of_kind

from .board import ACTION_CARDS, CUBE_COLOURS, REARRANGE, Codes
from .changes import Play
from .events import (
    ActionDrawn,
    CardPlayed,
    CityMissed,
    CubeDrawn,
    GameStarted,
    GroupChosen,
    GroupsDealt,
    GroupsRearranged,
    MerchandiseTurned,
    NoCardLeft,
    PilesRenewed,
    Why,
)
from .state import Item, Plan, Rank, Rearrange, State, Wish

_WHY = {"declined": "V3.6.5", "late": "V3.6.5", "last": "V3.7.3"}
PLAYED = {card: f"V4.{number}" for number, card in enumerate(ACTION_CARDS, start=3)}  # the paragraph of each card


def draw_cube(play: Play, name: str, before: int) -> str | None:
    """Return the colour of a cube out of the bag, None if it is empty. The event that says where it goes takes it out.

    The throw is ``cube/3/HAM``, where there was one *before* ``cube/3/HAM/2``.
    """
    bag = play.state.bag
    return play.draw(bag, CUBE_COLOURS, f"{name}/{before + 1}" if before else name) if any(bag.values()) else None


def card_count(state: State, player: str, card: str) -> int:
    """Return how many action cards of a kind a player holds."""
    return state.actions[player].count(card)


def play_card(play: Play, player: str, card: str) -> None:
    """Discard an action card for what it does. Raises ValueError if the player has none."""
    play.add(CardPlayed(player, card=card, paragraph=PLAYED[card]))


def draw_action(play: Play, player: str, why: Why) -> None:
    """Give a player an action card: from the pile, from the renewed pile, or from another player's hand. Rule: V4.2, DIFF 42."""
    state = play.state
    number = f"{state.round}/{player}/{_number(state, player)}"
    if _are_all_in_hands(state):
        _steal(play, player, why, number)
        return
    if not any(state.action_pile.values()):
        play.add(PilesRenewed())
    card = play.draw(play.state.action_pile, ACTION_CARDS, f"action/{number}")
    play.add(ActionDrawn(player, card=card, why=why, paragraph=_WHY[why]))


def wished_victims(play: Play, player: str, why: Why) -> Codes | None:
    """Return from whom a player would draw their next card, None if they said nothing. Rule: V4.2."""
    steals, number = play.steals(player), _number(play.state, player)
    return next((steals[which].players for which in (why, number, "") if which in steals), None)


def may_choose_hand(state: State, player: str) -> bool:
    """Return whether a player's next card comes from a hand of their choice. Rule: DIFF 42."""
    return state.options.steal_from == "chosen" and _are_all_in_hands(state) and bool(_holders(state, player))


def _are_all_in_hands(state: State) -> bool:
    return not any((*state.action_pile.values(), *state.action_discards.values()))


def _holders(state: State, player: str) -> Codes:
    return tuple(code for code in state.order if code != player and state.actions[code])


def _number(state: State, player: str) -> str:
    """Return which of the player's action cards of this round the next one is."""
    return str(state.drawn.get(player, 0) + 1)


def _steal(play: Play, player: str, why: Why, number: str) -> None:
    """Draw a card blindly from another player, the first who is wished for and has one. Rule: DIFF 42, R16."""
    state = play.state
    holders, wish = _holders(state, player), wished_victims(play, player, why)
    if not holders or wish == ():
        play.add(NoCardLeft(player, why=why, waived=bool(holders)))
        return
    if state.options.steal_from == "random":
        victim = play.draw(dict.fromkeys(holders, 1), holders, f"victim/{number}")
    else:
        most = max(holders, key=lambda code: len(state.actions[code]))  # the first of those, in turn order
        victim = next((code for code in wish or () if code in holders), most)
    hand = {card: card_count(state, victim, card) for card in ACTION_CARDS}
    card = play.draw(hand, ACTION_CARDS, f"steal/{number}")
    play.add(ActionDrawn(player, card=card, why=why, source=victim))


def do_goods(play: Play, item: Item) -> None:
    """Play phase 1."""
    turn_cards(play, play.state.numbers.round_cards)


def do_deal(play: Play, item: Item) -> None:
    """Deal as many open groups as there are players. Rule: V3.2.1."""
    state = play.state
    colours, pile = state.board.colour_ids, dict(state.track_pile)
    dealt = [
        play.take(pile, colours, f"track/{state.round}/{group}", state.numbers.group_size)
        for group in range(1, len(state.codes) + 1)
    ]
    groups = tuple(tuple(sorted(cards, key=colours.index)) for cards in dealt)
    play.add(GroupsDealt(round=state.round, groups=groups))


def turn_cards(play: Play, count: int) -> None:
    """Turn up *count* merchandise cards; each city named on them gets a cube, in printed order. Rule: V2.6, V3.1.1."""
    printed, at = {card.number: card.cities for card in play.state.board.merchandise}, play.state.round
    for number in range(1, count + 1):
        left = play.state.merchandise
        card = play.draw(dict.fromkeys(left, 1), left, f"merchandise/{at}/{number}")
        play.add(MerchandiseTurned(round=at, card=card, cities=printed[card], paragraph=_PARAGRAPHS[at > 0]))
        for city in printed[card]:
            draw_for_city(play, city, card)


def draw_for_city(play: Play, city: str, card: int) -> None:
    """Put a cube from the bag on a city; with the bag empty it misses out, or is owed one. Rule: DIFF 12."""
    at = play.state.round
    before = sum((each.city, each.round) == (city, at) for each in of_kind(CubeDrawn, play.events))
    colour, paragraph = draw_cube(play, f"cube/{at}/{city}", before), _PARAGRAPHS[at > 0]
    if colour is None:
        owed = play.state.options.bag_empty == "owe"
        play.add(CityMissed(city=city, round=at, card=card, owed=owed, paragraph=paragraph))
    else:
        play.add(CubeDrawn(city=city, colour=colour, round=at, card=card, paragraph=paragraph))


_PARAGRAPHS = ("V2.6", "V3.1.1")  # of the setup, which is round 0, and of rounds


def set_up(play: Play) -> None:
    """Hand everything out and put the first cubes on the board: home cities as in the board file, then cards.

    The start player is drawn by lot or else the first of the table. Rule: V2, DIFF 07, DIFF 11.
    """
    state = play.state
    board, numbers, codes = state.board, state.numbers, state.codes
    first = play.dice.throw("start", len(codes)) - 1 if state.options.start_player == "lot" else 0
    pile = dict.fromkeys(board.colour_ids, board.track_cards - numbers.remove_per_colour)
    removed = tuple(play.take(pile, board.colour_ids, "removed", numbers.remove_random))
    play.add(GameStarted(cash=board.start_money, order=codes[first:] + codes[:first], removed=removed))
    for city in board.cities:
        if city.is_home:
            draw_for_city(play, city.id, 0)
    turn_cards(play, numbers.setup_cards)


# The open groups of track cards: Alles neu rearranges them, after the auction everybody takes one. Rule: V3.4.4,
# V4.8.


def do_new(play: Play, item: Item) -> None:
    """Let the first who can play Alles neu: lower sequence card of the round before first. Rule: V4.8, R7."""
    for player in play.state.order:
        for order in play.of(Rearrange, player)[:1]:
            state, groups = play.state, order.groups
            if state.rearranged:
                fault = "illegal-rearranged-already"
            elif not card_count(state, player, REARRANGE):
                fault = "illegal-no-card"
            elif Counter(chain(*state.groups)) != Counter(chain(*groups)):
                fault = "illegal-arrangement-cards"
            elif [*map(len, state.groups)] != [*map(len, groups)]:
                fault = "illegal-arrangement-sizes"
            else:
                play_card(play, player, REARRANGE)
                laid = tuple(tuple(sorted(group, key=state.board.colour_ids.index)) for group in groups)
                play.add(GroupsRearranged(player, groups=laid))
                continue
            text = " / ".join("+".join(group) for group in groups)
            play.refuse(player, complaint_of(fault, "V4.8", text, order.line, card=REARRANGE))
    play.drop(Rearrange)


def do_choose(play: Play, item: Item) -> None:
    """Let a player take the best group left by their ranking, without one the first. Rule: V3.4.4, DIFF 71."""
    groups = play.state.groups
    if any(groups):
        wishes = [wish for order in play.of(Rank, item.player)[:1] for wish in order.wishes]
        places = [place for place, group in enumerate(groups) if group]
        wanted = (place for wish in wishes for place in places if fits(groups[place], place + 1, wish))
        play.add(GroupChosen(item.player, cards=groups[next(wanted, places[0])]))
    for kind in (Rank, Plan):
        play.drop(kind, item.player)


def fits(group: Codes, number: int, wish: Wish) -> bool:
    """Return whether a wish names the group of that number. Rule: R7."""
    if wish.number:
        return wish.number == number
    left = Counter(group)
    left.subtract(wish.colours)
    return min(left.values()) >= 0 and not (wish.exact and any(left.values()))
