"""Phases 1 and 2: merchandise cards bring cubes, track cards are dealt in open groups. Rule: V3.1, V3.2."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.games.volldampf.phase.piles import draw, draw_cube
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.auction import GroupsDealt
from referee.games.volldampf.position.events.goods import CityMissed, CubeDrawn, MerchandiseTurned
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.state import Item

_SETUP = "V2.6"


def do_goods(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Play phase 1."""
    turn_cards(record, record.state.round, record.state.table.numbers.round_cards, dice)
    return []


def do_deal(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Deal as many open groups as there are players. Rule: V3.2.1."""
    state = record.state
    board, numbers = state.table.board, state.table.numbers
    pile, groups = dict(state.track_pile), []
    for group in range(1, len(state.table.codes) + 1):
        cards = []
        for card in range(1, numbers.group_size + 1):
            colour = draw(pile, board.colour_ids, dice, f"track/{state.round}/{group}/{card}")
            pile[colour] -= 1
            cards.append(colour)
        groups.append(tuple(sorted(cards, key=board.colour_ids.index)))
    record.add(GroupsDealt(round=state.round, groups=tuple(groups)))
    return []


def turn_cards(record: Record, round_number: int, count: int, dice: Dice) -> None:
    """Turn up *count* merchandise cards; each city named on them gets a cube, in printed order. Rule: V2.6, V3.1.1."""
    printed = {card.number: card.cities for card in record.state.table.board.merchandise}
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
        owed = record.state.table.options.bag_empty == "owe"
        record.add(CityMissed(city=city, round=round_number, card=card, owed=owed, paragraph=paragraph))
    else:
        record.add(CubeDrawn(city=city, colour=colour, round=round_number, card=card, paragraph=paragraph))


def _cube_name(record: Record, city: str, round_number: int) -> str:
    """Return the name of a throw: ``cube/3/HAM``, for a second cube of that round ``cube/3/HAM/2``."""
    drawn = [event for event in record.events if isinstance(event, CubeDrawn)]
    before = sum(event.city == city and event.round == round_number for event in drawn)
    return f"cube/{round_number}/{city}/{before + 1}" if before else f"cube/{round_number}/{city}"
