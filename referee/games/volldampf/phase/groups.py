"""The open groups of track cards: Alles neu rearranges them, after the auction everybody takes one. Rule: V3.4.4, V4.8."""

from __future__ import annotations

from collections import Counter

from referee.core.dice import Dice
from referee.core.orders import complaint_of
from referee.games.volldampf.board.board import REARRANGE
from referee.games.volldampf.phase.piles import held, play_card
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.auction import GroupChosen, GroupsRearranged
from referee.games.volldampf.position.letters import Letters, drop, drop_all, refuse
from referee.games.volldampf.position.orders import Plan, Rank, Rearrange, Wish
from referee.games.volldampf.position.state import Item, State

Groups = tuple[tuple[str, ...], ...]


def do_new(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Let the first who can play Alles neu: lower sequence card of the round before first. Rule: V4.8, R7."""
    for player in record.state.order:
        for order in letters.of(Rearrange, player)[:1]:
            _rearrange(record, player, order)
    drop_all(record, Rearrange)
    return []


def do_choose(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Let a player take the best group left by his ranking, without one the first. Rule: V3.4.4, DIFF 71."""
    groups = record.state.groups
    if any(groups):
        wishes = [wish for order in letters.of(Rank, item.player)[:1] for wish in order.wishes]
        place = _ranked(groups, wishes)[0]
        record.add(GroupChosen(player=item.player, cards=groups[place]))
    for kind in (Rank, Plan):
        drop(record, kind, item.player)
    return []


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
    colours = state.table.board.colour_ids
    groups = tuple(tuple(sorted(group, key=colours.index)) for group in order.groups)
    play_card(record, player, REARRANGE)
    record.add(GroupsRearranged(player=player, groups=groups))


def _ranked(groups: Groups, wishes: list[Wish]) -> list[int]:
    """Return the places of the groups still there, best first; what no wish names follows as it lies."""
    places = [place for place, group in enumerate(groups) if group]
    wanted = [place for wish in wishes for place in places if fits(groups[place], place, wish)]
    return list(dict.fromkeys((*wanted, *places)))
