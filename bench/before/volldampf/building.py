"""Phase 5 of a built-in player: links for its track cards, each with others in case they are taken."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from itertools import pairwise

from bench.before.volldampf.seeing import Seat
from referee.games.volldampf.board import BARGAIN
from referee.games.volldampf.building import card_for, cost_of, site_fault
from referee.games.volldampf.notation import numbers_now
from referee.games.volldampf.routing import stops_of
from referee.games.volldampf.state import Build, Site, State

# What each free link may be worth to a player: cubes that lie about, and how little is missing of their ways.

OWN, FREE, OTHERS = 2, 5, 6  # what a link weighs when a way for a cube is looked for
MOST_MISSING = 3  # links of a way that is worth thinking of
SHARE = (0, 12, 5, 2)  # of a way's worth, by the number of links that it lacks
TOUCH = 6  # for a link that joins the own network

Prospects = Mapping[str, int]
Steps = Mapping[str, list[tuple[str, int]]]


def prospects_of(state: State, player: str) -> Prospects:
    """Return what every free link is worth to a player; the figures mean something only beside each other."""
    worth = {link.id: 0 for link in state.table.board.links if link.id not in state.built}
    near = _own_cities(state, player)
    for link in state.table.board.links:
        if link.id in worth and near & {link.a, link.b}:
            worth[link.id] += TOUCH
    for way in _ways(state, player):
        links = [state.table.board.link(one, other) for one, other in pairwise(way)]
        free = [link.id for link in links if link and link.id in worth]
        if 0 < len(free) <= MOST_MISSING:
            own = sum(link is not None and state.built.get(link.id) == player for link in links)
            for code in free:
                worth[code] += SHARE[len(free)] * (own + len(free))
    return worth


def thrift(state: State, link: str, worth: int, bargain: bool = False) -> int:
    """Return what a link is worth for its cost."""
    return worth * 100 // (8 + cost_of(state.table.board.link_by_id(link), bargain))


def _own_cities(state: State, player: str) -> set[str]:
    links = (state.table.board.link_by_id(code) for code, owner in state.built.items() if owner == player)
    return {city for link in links for city in (link.a, link.b)}


def _ways(state: State, player: str) -> Iterator[tuple[str, ...]]:
    """Give the easiest way of every cube to each city that takes it, over built links and free ones."""
    board = state.table.board
    steps = _steps(state, player)
    for city in board.cities:
        for colour in dict.fromkeys(state.cubes.get(city.id, ())):
            goals = {other.id for other in board.cities if other.colour == colour and other.id != city.id}
            yield from _easiest(steps, city.id, goals, stops_of(state, colour), board.max_links)


def _easiest(
    steps: Steps, origin: str, goals: set[str], stops: frozenset[str], longest: int
) -> Iterator[tuple[str, ...]]:
    """Give the easiest ways from a city to each of *goals*, none of more than *longest* links, none through *stops*."""
    queue: list[tuple[int, tuple[str, ...]]] = [(0, (origin,))]
    done: set[str] = set()
    while queue:
        weight, way = heapq.heappop(queue)
        here = way[-1]
        if here in done:
            continue
        done.add(here)
        if here in goals:
            yield way
        if len(way) > longest or (here in stops and here != origin):
            continue
        for there, step in steps[here]:
            if there not in done:
                heapq.heappush(queue, (weight + step, (*way, there)))


def _steps(state: State, player: str) -> Steps:
    """Return the neighbours of each city, with what the link to them weighs."""
    steps: dict[str, list[tuple[str, int]]] = {city.id: [] for city in state.table.board.cities}
    for link in state.table.board.links:
        owner = state.built.get(link.id, "")
        weight = OWN if owner == player else OTHERS if owner else FREE
        steps[link.a].append((link.b, weight))
        steps[link.b].append((link.a, weight))
    return steps


MOST_SITES = 4  # alternatives of one build
MOST_LEFT_OVER = 2  # of those, for cards that one did not count on
LEAST_THRIFT = 30  # below which a card is rather thrown away, when no round is left to use the link in
BARGAIN_GAIN = 150  # per cent of the best other link's worth for its cost that Günstige Gelegenheit must bring


def write_builds(seat: Seat) -> list[Build]:
    """Return a build for each building round that is asked for, the next as if the first had been built."""
    orders: list[Build] = []
    today = seat
    for number in numbers_now(seat.state, "build"):
        if not seat.state.hands[seat.code]:
            break
        sites = _sites_of(seat)
        if orders and sites[0].link:
            sites += _spare_links(today, seat, {order.sites[0].link for order in orders})
        orders.append(Build(number=number, sites=sites))
        seat = seat.at(after_site(seat.state, seat.code, sites[0]))
    return orders


def _sites_of(seat: Seat) -> tuple[Site, ...]:
    """Return what to do with a track card: the best links, or a card to throw away where no link is worth its cost."""
    ranked = _ranking(seat)
    if not ranked or (ranked[0][0] < LEAST_THRIFT and seat.rounds_left == 0):
        return (Site(card=_spare_card(seat, [site for _, site in ranked])),)
    return tuple(site for _, site in ranked[:MOST_SITES])


def _spare_links(today: Seat, seat: Seat, wanted: set[str]) -> tuple[Site, ...]:
    """Return links for cards that are still in hand if builds before this one went otherwise than hoped."""
    hand = seat.state.hands[seat.code]
    sites = (site for _, site in _ranking(today) if not site.bargain and site.link not in wanted)
    return tuple(site for site in sites if card_for(today.state, today.code, site) not in hand)[:MOST_LEFT_OVER]


def _ranking(seat: Seat) -> list[tuple[int, Site]]:
    """Return the links that may be built, each with its worth for its cost, the best first."""
    plain = sorted(_sites(seat, bargain=False), key=lambda pair: (-pair[0], pair[1].link))
    if not seat.has(BARGAIN):
        return plain
    cheap = sorted(_sites(seat, bargain=True), key=lambda pair: (-pair[0], pair[1].link))
    least = plain[0][0] * BARGAIN_GAIN // 100 if plain else LEAST_THRIFT
    return [*(pair for pair in cheap[:2] if pair[0] > least), *plain]


def _sites(seat: Seat, *, bargain: bool) -> Iterator[tuple[int, Site]]:
    """Give the links that a card in hand allows, with their worth."""
    state = seat.state
    spare = _spare_card(seat, []) if bargain else ""
    for link, worth in prospects_of(state, seat.code).items():
        site = Site(link=link, card=spare, bargain=bargain)
        if not site_fault(state, seat.code, site):
            yield thrift(state, link, worth, bargain), site


def _spare_card(seat: Seat, wanted: list[Site]) -> str:
    """Return the card in hand that is needed least: a second one of its colour, else one that no wanted link needs."""
    hand = seat.state.hands[seat.code]
    needed = [card_for(seat.state, seat.code, site) for site in wanted]
    return min(hand, key=lambda card: (needed.index(card) if card in needed else -1) * -1 - 10 * hand.count(card))


def after_site(state: State, player: str, site: Site) -> State:
    """Return the position after a build."""
    card = card_for(state, player, site)
    hand = list(state.hands[player])
    hand.remove(card)
    state = state.but(hands={**state.hands, player: tuple(hand)})
    if not site.link:
        return state
    cost = cost_of(state.table.board.link_by_id(site.link), site.bargain)
    actions = list(state.actions[player])
    if site.bargain:
        actions.remove(BARGAIN)
    return state.but(
        built={**state.built, site.link: player},
        cash={**state.cash, player: state.cash[player] - cost},
        actions={**state.actions, player: tuple(actions)},
    )
