"""Phase 5: each card is a section of track, or goes without one. Rule: V3.5, V4.5."""

from __future__ import annotations

from referee.core.dice import Dice
from referee.core.orders import Complaint, Param
from referee.games.volldampf.board.board import BARGAIN, Board, Link
from referee.games.volldampf.phase.piles import held, play_card
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.building import LinkBuilt, TrackCardDiscarded
from referee.games.volldampf.position.events.course import OrderRefused
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.orders import Build, Site
from referee.games.volldampf.position.state import Item, State

BARGAIN_COST = 5  # marks. Rule: V4.5

Params = dict[str, Param]


def do_build(record: Record, item: Item, letters: Letters, dice: Dice) -> list[Item]:
    """Play one of a player's track cards: the first alternative that is possible, else a card is discarded."""
    player, number = item.player, item.number
    if not record.state.hands[player]:
        return []
    orders = [order for order in letters.of(Build, player) if order.number == number]
    tried = [(order, site) for order in orders for site in order.sites]
    if not any(_play(record, player, order, site) for order, site in tried):
        card = default_card(record.state, player, tuple(site for _, site in tried))
        record.add(TrackCardDiscarded(player=player, number=number, card=card))
    return []


def card_for(state: State, player: str, site: Site) -> str:
    """Return the track card an alternative is paid with: the one named, else that of the link's colour.

    A Günstige Gelegenheit takes any card: without a name the first in colour order, if the link's colour is not in hand.
    """
    hand = state.hands[player]
    if site.card or not site.link:
        return site.card or hand[0]
    colour = state.table.board.link_by_id(site.link).colour
    return hand[0] if site.bargain and colour not in hand else colour


def cost_of(link: Link, bargain: bool) -> int:
    """Return what a link costs, in marks; with Günstige Gelegenheit always 5. Rule: V4.5, DIFF 50."""
    return BARGAIN_COST if bargain else link.cost


def site_fault(state: State, player: str, site: Site) -> tuple[str, Params]:
    """Return the code of what keeps an alternative from being played now, with its words; "" if nothing does."""
    card = card_for(state, player, site)
    if card not in state.hands[player]:
        return "illegal-no-track-card", {"colour": card}
    if not site.link:
        return "", {}
    link = state.table.board.link_by_id(site.link)
    if site.bargain and not held(state, player, BARGAIN):
        return "illegal-no-card", {"card": BARGAIN}
    if not site.bargain and card != link.colour:
        return "illegal-card-colour", {"colour": card, "needed": link.colour}
    return _ground_fault(state, player, link, cost_of(link, site.bargain))


def default_card(state: State, player: str, sites: tuple[Site, ...]) -> str:
    """Return the card that goes when nothing can be played: the first one held that an alternative names. Rule: R6, R27."""
    hand = state.hands[player]
    named = [card for card in (card_for(state, player, site) for site in sites) if card in hand]
    return named[0] if named else hand[0]


def site_text(board: Board, site: Site) -> str:
    """Return an alternative in the order language, without its verb."""
    if not site.link:
        return f"DISCARD {site.card}".strip()
    card = f" WITH {site.card}" if site.card else ""
    return board.link_name(site.link) + card + (" BARGAIN" if site.bargain else "")


def _ground_fault(state: State, player: str, link: Link, cost: int) -> tuple[str, Params]:
    """Return what is wrong with a link for this player: taken, out of reach, too dear. Rule: V3.5.1, DIFF 26, DIFF 27."""
    name = state.table.board.link_name(link.id)
    if link.id in state.built:
        return "illegal-link-taken", {"link": name, "owner": state.built[link.id]}
    if state.table.options.build_connected and not _connects(state, player, link):
        return "illegal-not-connected", {"link": name}
    if not state.sections_left(player):
        return "illegal-no-section", {"link": name}
    if cost > state.cash[player]:
        return "illegal-too-dear", {"link": name, "cost": cost, "cash": state.cash[player]}
    return "", {}


def _connects(state: State, player: str, link: Link) -> bool:
    """Return whether a link shares a city with an own section; the first may lie anywhere. Rule: R21."""
    own = [state.table.board.link_by_id(code) for code, owner in state.built.items() if owner == player]
    return not own or any({link.a, link.b} & {other.a, other.b} for other in own)


def _play(record: Record, player: str, order: Build, site: Site) -> bool:
    """Play an alternative if it is possible, or say what is wrong with it."""
    state = record.state
    code, params = site_fault(state, player, site)
    card = card_for(state, player, site)
    if code:
        _refuse(record, player, order, site, code, params)
    elif not site.link:
        record.add(TrackCardDiscarded(player=player, number=order.number, card=card))
    else:
        _lay(record, player, order.number, site, card)
    return not code


def _lay(record: Record, player: str, number: int, site: Site, card: str) -> None:
    if site.bargain:
        play_card(record, player, BARGAIN)
    link = record.state.table.board.link_by_id(site.link)
    record.add(
        LinkBuilt(
            player=player,
            number=number,
            link=link.id,
            card=card,
            cost=cost_of(link, site.bargain),
            bargain=site.bargain,
            paragraph="V4.5" if site.bargain else "V3.5.1",
        )
    )


def _refuse(record: Record, player: str, order: Build, site: Site, code: str, params: Params) -> None:
    """Tell the player alone: an alternative that failed shows what he planned."""
    paragraph = "V4.5" if site.bargain else "V3.5.1"
    text = site_text(record.state.table.board, site)
    complaint = Complaint(code=code, line=order.line, text=text, paragraph=paragraph, params=tuple(params.items()))
    record.add(OrderRefused(player=player, complaint=complaint, secret=True, paragraph=paragraph))
