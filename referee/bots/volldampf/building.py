"""Phase 5 of a built-in player: links for its track cards, each with others in case they are taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.games.volldampf.board import BARGAIN
from referee.games.volldampf.building import card_for, cost_of, site_fault
from referee.games.volldampf.schedule import numbers_now
from referee.games.volldampf.state import Build, Site, State

from .. import FIRST
from .seeing import Seat
from .ways import Links, Ways, ways_of

Plans = Mapping[Links, float]  # links to build together, and the spaces that they bring, less what their price would

# Spaces that a mark is worth, by the rounds left: what a bond takes for it, and what a mark that is left saves in bonds later.
BORROWED, LEFT = (0.17, 0.19, 0.22, 0.25), (0.0, 0.0, 0.19, 0.22)
BEAM = 5  # plans that are thought further
MOST_SITES = 5  # alternatives of one build
USED = 0.1  # spaces that rivals bring a link in a round
BARGAIN_GAIN = 0.7  # spaces that Günstige Gelegenheit must bring


def plans_of(seat: Seat, cards: Sequence[str], cash: int, marks: Sequence[float] = LEFT) -> Plans:
    """Return what may be built with track cards: nothing, and the best links found."""
    board, ways, count = seat.state.table.board, ways_of(seat), Counter(cards)
    mark = marks[min(seat.rounds_left, len(marks) - 1)]
    free = {link.id: link for link in board.links if link.id not in seat.state.built and count[link.colour]}
    used = USED * (seat.rounds_left + 1)
    seeds = [links for links in ways.gains if 1 < len(links) <= len(cards) and links <= free.keys()]
    seeds.sort(key=lambda links: (-max(ways.gains[links].values()), sorted(links)))
    front: list[Links] = [frozenset()]
    plans = {front[0]: ways.worth(front[0])}
    for size in range(1, len(cards) + 1):
        grown = {links | {link} for links in front for link in free if link not in links}
        found: dict[Links, float] = {}
        for links in (*grown, *[links for links in seeds if len(links) == size][:BEAM]):
            price = sum(free[link].cost for link in links)
            if price <= cash and Counter(free[link].colour for link in links) <= count:
                found[links] = ways.worth(links) + used * size - mark * price
        front = sorted(found, key=lambda links: (-found[links], sorted(links)))[:BEAM]
        plans |= found
    return plans


def best_of(plans: Plans) -> Links:
    """Return the plan that brings most, the same one on every interpreter."""
    return max(plans, key=lambda links: (plans[links], sorted(links)), default=Links())


def write_builds(seat: Seat) -> list[Build]:
    """Return a build for each building round that is asked for, the next as if the first had been built."""
    state, code, ways = seat.state, seat.code, ways_of(seat)
    orders, others, laid = list[Build](), tuple[Site, ...](), Links()
    dealt = Counter(state.hands[code])
    plans = plans_of(seat, state.hands[code], state.cash[code])
    for number in numbers_now(state, "build")[: len(state.hands[code])]:
        hand = state.hands[code]
        plans = {
            links: worth
            for links, worth in plans.items()
            if laid <= links and not any(site_fault(state, code, Site(link)) for link in links - laid)
        }
        sites: tuple[Site, ...]
        if not orders and (bargain := _bargain(seat, ways, plans)):
            sites = (bargain,)
            plans = {links | {bargain.link}: worth for links, worth in plans.items() if len(links) < len(hand)}
        else:
            sites = _sites(seat, ways, plans, laid)
        later = others if sites else ()
        spare = [each for each in later if each not in sites and not site_fault(seat.state, code, each)]
        others = sites[1:]
        laid |= {each.link for each in sites[:1]}
        least = card_for(state, code, sites[0]) if sites else max(hand, key=lambda card: (hand.count(card), card))
        orders.append(Build(number, (*sites, *spare, *_discards(dealt, least, len(orders)))))
        state = after_site(state, code, orders[-1].sites[0])
    return orders


def _discards(dealt: Counter[str], least: str, gone: int) -> list[Site]:
    """Return what is discarded if nothing else can be: cards of which one is there when *gone* of those dealt are not."""
    cards = sorted(dealt, key=lambda card: (card != least, -dealt[card], card))
    sure = next((place for place, card in enumerate(cards, 1) if dealt[card] > gone), len(cards))
    return [Site(card=card) for card in cards[:sure]]


def after_site(state: State, player: str, site: Site) -> State:
    """Return the position after a build."""
    card, cost = card_for(state, player, site), 0
    hand, actions, built = [*state.hands[player]], [*state.actions[player]], dict(state.built)
    hand.remove(card)
    if site.link:
        built[site.link] = player
        cost = cost_of(state.table.board.link_by_id(site.link), site.bargain)
    if site.bargain:
        actions.remove(BARGAIN)
    return replace(
        state,
        hands={**state.hands, player: tuple(hand)},
        built=built,
        cash={**state.cash, player: state.cash[player] - cost},
        actions={**state.actions, player: tuple(actions)},
    )


def _sites(seat: Seat, ways: Ways, plans: Plans, laid: Links) -> tuple[Site, ...]:
    """Return the links to build next, beside those that are *laid* by then; none where none is worth its price."""
    sites: list[Site] = []
    while len(sites) < MOST_SITES:
        best = best_of(plans)
        if best <= laid:
            break
        first = min(best - laid, key=lambda link: (ways.worth(best - {link}), link))
        sites.append(Site(first))
        plans = {links: worth for links, worth in plans.items() if first not in links}
    if seat.strength == FIRST:
        return (*sites[1:3], *sites[:1], *sites[3:])
    return tuple(sites)


def _bargain(seat: Seat, ways: Ways, plans: Plans) -> Site | None:
    """Return a link of any colour for the card that is needed least, where that is much better."""
    board, hand = seat.state.table.board, seat.state.hands[seat.code]
    if not seat.has(BARGAIN):
        return None
    beside = best_of({links: worth for links, worth in plans.items() if len(links) < len(hand)})
    spare = Counter(hand) - Counter(board.link_by_id(link).colour for link in beside)
    free = [link.id for link in board.links if link.id not in seat.state.built and link.id not in beside]
    link = max(free, key=lambda link: (ways.worth(beside | {link}), link), default="")
    site = Site(link, card=min(spare), bargain=True)
    gain = ways.worth(beside | {link}) - ways.worth(beside) + plans[beside] - plans[best_of(plans)]
    return site if link and gain > BARGAIN_GAIN and not site_fault(seat.state, seat.code, site) else None
