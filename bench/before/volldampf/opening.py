"""Phases 3 and 4 of a built-in player: bonds by need, a limit or a bid, a ranking of the groups, Alles neu."""

from __future__ import annotations

from collections.abc import Mapping

from bench.before.volldampf.building import Prospects, prospects_of, thrift
from bench.before.volldampf.seeing import Seat
from referee.games.volldampf.auction import RANGE, least_bid
from referee.games.volldampf.board import REARRANGE
from referee.games.volldampf.notation import decisions_now
from referee.games.volldampf.state import Bid, Rank, Rearrange, TakeBonds, Wish

SECTION = 6  # marks that a section costs about
SEALED_BIDS = 3  # of a list that two players write
MOST_COLOURS = 2  # that a ranking ends with
NEW_GAIN = 115  # per cent of the best group's worth that Alles neu must bring


def write_bonds(seat: Seat) -> list[TakeBonds]:
    """Take as many points as the sections of this round and a bid need beyond the cash."""
    return [TakeBonds(points=_points(seat))]


def _points(seat: Seat) -> int:
    board, options = seat.state.table.board, seat.state.table.options
    sections = seat.state.table.numbers.group_size - (seat.rounds_left == 0)
    need = sections * SECTION + _eagerness(seat) - seat.state.cash[seat.code]
    points = max(0, -(-need // board.bond_money))
    if options.bond_limit:
        points = min(points, options.bond_limit)
    if options.bank_limits:
        points = min(points, board.bond_points - sum(seat.state.bonds.values()))
    return points


def _eagerness(seat: Seat) -> int:
    """Return the marks that the first place of the order is worth."""
    return 1 + seat.taste(3)


def write_bid(seat: Seat) -> list[Bid]:
    """Bid what is not needed for sections: a limit, a bid above the last one, or two players' list."""
    state = seat.state
    cash = state.cash[seat.code]
    if any(what == "bonds" for what, _ in decisions_now(state)):
        cash += _points(seat) * state.table.board.bond_money
    most = min(cash, _eagerness(seat))
    if len(state.table.codes) == 2:
        least, highest = RANGE[state.table.options.two_player_bid]
        most = min(most, highest) if highest else most
        figures = tuple(max(least, most - step) for step in range(SEALED_BIDS))
        return [Bid(amounts=tuple(min(figure, cash) if cash >= least else least for figure in figures))]
    least = least_bid(state)
    if most < least:
        return [Bid()]
    return [Bid(amounts=(least if state.is_live else most,))]


def write_ranking(seat: Seat) -> list[Rank]:
    """Rank the groups by the best links of their cards; after an own Alles neu, as they will lie then."""
    worth = _worth_of_cards(seat)
    now = [what for what, _ in decisions_now(seat.state)]
    new = write_rearrangement(seat) if "new" in now else []
    groups = dict.fromkeys(group for group in (new[0].groups if new else seat.state.groups) if group)
    ranked = sorted(groups, key=lambda group: -_worth_of_group(worth, group))
    wishes = [Wish(colours=group, exact=seat.taste(3) == 0) for group in ranked]
    if not wishes:
        return []
    # Others may lie the groups anew as well: then the best colours count.
    wanted = sorted(dict.fromkeys(card for group in ranked for card in group), key=lambda card: -worth[card][0])
    return [Rank(wishes=(*wishes, *(Wish(colours=(card,)) for card in wanted[:MOST_COLOURS])))]


def write_rearrangement(seat: Seat) -> list[Rearrange]:
    """Play Alles neu where the best cards together are much better than the best group."""
    state = seat.state
    if not seat.has(REARRANGE) or state.rearranged or not state.groups:
        return []
    worth = _worth_of_cards(seat)
    cards = sorted((card for group in state.groups for card in group), key=lambda card: -worth[card][0])
    wanted = _dealt(_spread(cards, len(state.groups[0])), tuple(len(group) for group in state.groups))
    best = max(_worth_of_group(worth, group) for group in state.groups)
    if _worth_of_group(worth, wanted[0]) * 100 < best * NEW_GAIN:
        return []
    order = state.table.board.colour_ids.index
    return [Rearrange(groups=tuple(tuple(sorted(group, key=order)) for group in wanted))]


def _spread(cards: list[str], size: int) -> list[str]:
    """Return the cards with so many different colours in front, the best first."""
    first = list(dict.fromkeys(cards))[:size]
    rest = list(cards)
    for card in first:
        rest.remove(card)
    return [*first, *rest]


def _dealt(cards: list[str], sizes: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    groups, place = [], 0
    for size in sizes:
        groups.append(tuple(cards[place : place + size]))
        place += size
    return tuple(groups)


def _worth_of_cards(seat: Seat) -> Mapping[str, tuple[int, ...]]:
    """Return of each colour what its free links are worth for their cost, the best first."""
    worth: Prospects = prospects_of(seat.state, seat.code)
    board = seat.state.table.board
    return {
        colour: tuple(
            sorted(
                (
                    thrift(seat.state, link, gain)
                    for link, gain in worth.items()
                    if board.link_by_id(link).colour == colour
                ),
                reverse=True,
            )
        )
        or (0,)
        for colour in board.colour_ids
    }


def _worth_of_group(worth: Mapping[str, tuple[int, ...]], group: tuple[str, ...]) -> int:
    """Return what a group's cards are worth together; a second card of a colour has only its second link."""
    total = 0
    for colour in dict.fromkeys(group):
        total += sum(worth[colour][: group.count(colour)])
    return total
