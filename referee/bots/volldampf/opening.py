"""Phases 3 and 4 of a built-in player: bonds by need, a limit or a bid, a ranking of the groups, Alles neu."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from statistics import mean

from referee.core import Texts
from referee.games.volldampf.auction import RANGE, least_bid, points_left
from referee.games.volldampf.board import REARRANGE
from referee.games.volldampf.notation import decisions_now
from referee.games.volldampf.state import Bid, Rank, Rearrange, TakeBonds, Wish

from .. import THIRD
from .building import BORROWED, Links, best_of, plans_of
from .seeing import Seat

DEAR = 8  # marks that a dear section costs
EAGER = 0.5  # of the marks that a bond for the same points brings
SEALED_BIDS = 3  # of a list that two players write
MOST_COLOURS = 2  # that a ranking ends with
NEW_GAIN = 0.8  # spaces that Alles neu must bring


def write_bonds(seat: Seat) -> list[TakeBonds]:
    """Take as many points as a bid and the sections need that a group of this round allows in the mean, beyond the cash."""
    return [TakeBonds(points=_points(seat))]


def _points(seat: Seat) -> int:
    need = round(mean(_prices(seat))) + _eagerness(seat) - seat.state.cash[seat.code]
    return points_left(seat.state, -(-need // seat.state.board.bond_money))


def _prices(seat: Seat) -> list[int]:
    """Return what the sections cost that each group allows, in marks."""
    board = seat.state.board
    return [sum(board.link_by_id(link).cost for link in links) for links, _ in _groups(seat).values()] or [0]


def _eagerness(seat: Seat) -> int:
    """Return the marks that the first place of the order is worth: by what the best group brings more than others; in the last
    round all that sections leave, since money then buys nothing else.
    """
    if seat.strength != THIRD:
        return 1 + seat.taste(3)
    worths = sorted(_groups(seat)[group][1] for group in seat.state.groups if group)
    if seat.rounds_left and worths:
        return 1 + round(EAGER * seat.state.board.bond_money * (worths[-1] - mean(worths[:-1] or worths)))
    return max(0, seat.state.cash[seat.code] - max(_prices(seat)))


def write_bid(seat: Seat) -> list[Bid]:
    """Bid what is not needed for sections: a limit, a bid above the last one, or two players' list."""
    state = seat.state
    cash = state.cash[seat.code]
    if any(what == "bonds" for what, _ in decisions_now(state)):
        cash += _points(seat) * state.board.bond_money
    most = min(cash, _eagerness(seat))
    if len(state.codes) == 2:
        least, highest = RANGE[state.options.two_player_bid]
        most = min(most, highest) if highest else most
        figures = tuple(max(least, most - step) for step in range(SEALED_BIDS))
        return [Bid(amounts=tuple(min(figure, cash) if cash >= least else least for figure in figures))]
    least = least_bid(state)
    if most < least:
        return [Bid()]
    return [Bid(amounts=(least if state.is_live else most,))]


def write_ranking(seat: Seat) -> list[Rank]:
    """Rank the groups by what may be built with their cards."""
    groups = _groups(seat)
    ranked = sorted(groups, key=lambda group: -groups[group][1])
    wishes = [Wish(colours=group, exact=seat.taste(3) == 0) for group in ranked]
    if not wishes:
        return []
    # Others may lie the groups anew.
    wanted = dict.fromkeys(card for group in ranked for card in group)
    return [Rank(wishes=(*wishes, *(Wish(colours=(card,)) for card in [*wanted][:MOST_COLOURS])))]


def write_rearrangement(seat: Seat) -> list[Rearrange]:
    """Play Alles neu where the best cards together are much better than the best group."""
    state, order = seat.state, seat.state.board.colour_ids.index
    if not seat.has(REARRANGE) or state.rearranged or not state.groups:
        return []
    cards = [card for group in state.groups for card in group]
    alone = {card: _best(seat, (card,))[1] for card in dict.fromkeys(cards)}
    left = sorted(cards, key=lambda card: (-alone[card], order(card)))
    groups: list[Texts] = []
    for group in state.groups:  # the best colours first, each once as far as that goes
        chosen: list[str] = []
        for _ in group:
            chosen.append(next((card for card in left if card not in chosen), left[0]))
            left.remove(chosen[-1])
        groups.append(tuple(sorted(chosen, key=order)))
    best = max(worth for _, worth in _groups(seat).values())
    return [Rearrange(groups=tuple(groups))] if _best(seat, groups[0])[1] > best + NEW_GAIN else []


@lru_cache(maxsize=1)
def _groups(seat: Seat) -> Mapping[Texts, tuple[Links, float]]:
    """Return of each group of track cards the links to build with it, and what they bring."""
    return {group: _best(seat, group) for group in dict.fromkeys(seat.state.groups) if group}


def _best(seat: Seat, cards: Texts) -> tuple[Links, float]:
    plans = plans_of(seat, cards, len(cards) * DEAR, BORROWED)
    best = best_of(plans)
    return best, plans[best]
