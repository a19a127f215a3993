"""Phase 5: each card is a section of track, or goes without one. Rule: V3.5, V4.5."""

from __future__ import annotations

from referee.core import Complaint, Param, complaint_of

from .board import BARGAIN, Link
from .changes import Play
from .events import LinkBuilt, TrackCardDiscarded
from .goods import card_count, play_card
from .notation import format_alternative
from .state import Build, Item, Site, State

_PARAGRAPHS = "V3.5.1", "V4.5"  # of a link, and of one with Günstige Gelegenheit
BARGAIN_COST = 5  # marks. Rule: V4.5


def do_build(play: Play, item: Item) -> None:
    """Play one of a player's track cards: the first alternative that is possible, else a card is discarded."""
    player, number, hand = item.player, item.number, play.state.hands[item.player]
    if not hand:
        return
    orders = [order for order in play.of(Build, player) if order.number == number]
    for line, site in [(order.line, site) for order in orders for site in order.sites]:
        fault = site_fault(play.state, player, site)
        if not fault:
            break
        play.refuse(player, fault.but(line=line))
    else:
        # The first card held that an alternative names goes. Rule: R6, R27.
        named = (card_for(play.state, player, site) for order in orders for site in order.sites)
        site = Site(card=next((card for card in named if card in hand), hand[0]))
    card, link, bargain = card_for(play.state, player, site), site.link, site.bargain
    if not link:
        play.add(TrackCardDiscarded(player, number=number, card=card))
        return
    if bargain:
        play_card(play, player, BARGAIN)
    cost, paragraph = cost_of(play.state.board.link_by_id(link), bargain), _PARAGRAPHS[bargain]
    play.add(LinkBuilt(player, number=number, link=link, card=card, cost=cost, bargain=bargain, paragraph=paragraph))


def card_for(state: State, player: str, site: Site) -> str:
    """Return the track card an alternative is paid with: the one named, else that of the link's colour.

    A Günstige Gelegenheit takes any card: without a name the first in colour order, if the link's colour is not in hand.
    """
    hand = state.hands[player]
    if site.card or not site.link:
        return site.card or hand[0]
    colour = state.board.link_by_id(site.link).colour
    return hand[0] if site.bargain and colour not in hand else colour


def cost_of(link: Link, bargain: bool) -> int:
    """Return what a link costs, in marks; with Günstige Gelegenheit always 5. Rule: V4.5, DIFF 50."""
    return BARGAIN_COST if bargain else link.cost


def site_fault(state: State, player: str, site: Site) -> Complaint | None:
    """Return what keeps an alternative from being played now: of a link, that it is taken, out of reach, or too dear.

    Rule: V3.5.1, V4.5, DIFF 26, DIFF 27.
    """
    board, card = state.board, card_for(state, player, site)

    def fault(code: str, **params: Param) -> Complaint:
        return complaint_of(code, _PARAGRAPHS[site.bargain], format_alternative(board, site), 0, "", **params)

    if card not in state.hands[player]:
        return fault("illegal-no-track-card", colour=card)
    if not site.link:
        return None
    link, name = board.link_by_id(site.link), board.link_name(site.link)
    cost, cash = cost_of(link, site.bargain), state.cash[player]
    if site.bargain and not card_count(state, player, BARGAIN):
        return fault("illegal-no-card", card=BARGAIN)
    if not site.bargain and card != link.colour:
        return fault("illegal-card-colour", colour=card, needed=link.colour)
    if link.id in state.built:
        return fault("illegal-link-taken", link=name, owner=state.built[link.id])
    if state.options.build_connected and not _connects(state, player, link):
        return fault("illegal-not-connected", link=name)
    if not state.sections_left(player):
        return fault("illegal-no-section", link=name)
    return fault("illegal-too-dear", link=name, cost=cost, cash=cash) if cost > cash else None


def _connects(state: State, player: str, link: Link) -> bool:
    """Return whether a link shares a city with an own section; the first may lie anywhere. Rule: R21."""
    own = [state.board.link_by_id(code) for code, owner in state.built.items() if owner == player]
    return not own or any({link.a, link.b} & {other.a, other.b} for other in own)
