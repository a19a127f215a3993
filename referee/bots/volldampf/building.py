"""Phases 3 to 5 of a built-in player: what links would bring, and those for its track cards, with others in case they are
taken; before them, by what may be built, bonds by need, a limit or a bid, a ranking of the groups, *Alles neu*.

A link is worth the ways of cubes over its sections, those that it may still build among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from statistics import mean

from referee.core import Keeper, Pair, Texts
from referee.core.record import NO_DICE
from referee.games.volldampf.auction import RANGE, least_bid, points_left
from referee.games.volldampf.board import BARGAIN, CUBE_COLOURS, REARRANGE
from referee.games.volldampf.building import card_for, do_build, site_fault
from referee.games.volldampf.changes import Play
from referee.games.volldampf.notation import decisions_now, numbers_now
from referee.games.volldampf.state import Bid, Build, Item, Rank, Rearrange, Site, TakeBonds, Wish

from .. import FIRST, SECOND, THIRD
from .seeing import Viewpoint

MOST_MISSING = {FIRST: 2, SECOND: 2, THIRD: 3}  # links that a way may lack
FARSIGHT = {FIRST: 0, SECOND: 1, THIRD: 9}  # rounds after this one that are thought of
MOST_FOREIGN = {FIRST: 0, SECOND: 0, THIRD: 1}  # rivals' sections on it
SHARE = 0.35  # of a space of one's own, what a space given to a rival takes
TRIPS = 2  # of a player in a round
LIES, STAYS, COMES = 0.8, 0.4, 0.07  # how probably a cube is there for a trip of this round, of a later one; a new one
LATER = 0.6  # of what a later round brings, counts for links of now
HOPE = 0.5  # how probably one more link can be had in a later round

Links = frozenset[str]
Gains = dict[Pair, float]  # spaces that the best way of a cube brings, by its city and colour


class LinkGains(Keeper, eq=False):
    """The gains by the links that the ways lack; the cubes that lie there; how many rounds later ones are thought of."""

    gains: Mapping[Links, Gains]
    cubes: frozenset[Pair]
    rounds: int

    @cached_property
    def _one_more(self) -> Mapping[Links, Gains]:
        found: dict[Links, Gains] = {}
        for missing, gains in self.gains.items():
            for link in missing:
                _add(found.setdefault(missing - {link}, {}), gains)
        return found

    @cached_property
    def _known(self) -> dict[Links, float]:
        return {}

    def worth(self, links: Links) -> float:
        """Return the spaces that the trips of this round and of later ones may bring if *links* are built too."""
        if links not in self._known:
            self._known[links] = self._worth(links)
        return self._known[links]

    def _worth(self, links: Links) -> float:
        some = [frozenset(each) for size in range(len(links) + 1) for each in combinations(links, size)]
        sure: Gains = {}
        for each in some:
            _add(sure, self.gains.get(each, {}))
        now = sorted(((gain, cube) for cube, gain in sure.items() if cube in self.cubes), reverse=True)
        total = _best((gain, LIES) for gain, _ in now)
        if not self.rounds:
            return total
        hoped: Gains = {}
        for each in some[1:]:
            _add(hoped, self._one_more.get(each, {}))
        stay, later = self.cubes - {cube for _, cube in now[:TRIPS]}, []
        for cube in sure.keys() | hoped.keys():
            chance, good, better = STAYS if cube in stay else COMES, sure.get(cube, 0.0), hoped.get(cube, 0.0)
            if better > good:
                later.append((better, chance * HOPE))
                chance *= 1 - HOPE
            later.append((good, chance))
        return total + LATER * self.rounds * _best(sorted(later, reverse=True))


def _add(found: Gains, more: Gains) -> None:
    for cube, gain in more.items():
        if gain > found.get(cube, 0.0):
            found[cube] = gain


def _best(items: Iterable[tuple[float, float]]) -> float:
    """Return what the best two of things may be expected to bring, each there by chance; the best first."""
    total, none, one = 0.0, 1.0, 0.0
    for gain, chance in items:
        total += gain * chance * (none + one)
        one, none = one * (1 - chance) + none * chance, none * (1 - chance)
    return total


@lru_cache(maxsize=1)
def ways_of(seat: Viewpoint) -> LinkGains:
    """Return the ways of a player's cubes; as far as their strength sees."""
    state, board = seat.state, seat.state.board
    beside: dict[str, list[tuple[str, str, str]]] = {city.id: [] for city in board.cities}
    for link in board.links:
        for here, there in ((link.a, link.b), (link.b, link.a)):
            beside[here].append((there, link.id, state.built.get(link.id, "")))
    most_missing, most_foreign = MOST_MISSING[seat.strength], MOST_FOREIGN[seat.strength]
    goal = {city.id: city.colour for city in board.cities}
    gains: dict[Links, Gains] = {}

    def go_on(way: Texts, passed: frozenset[str], lacks: Links, own: int, foreign: int) -> None:
        for city, link, owner in beside[way[-1]]:
            if city in way:
                continue
            missing, is_own = lacks if owner else lacks | {link}, not owner or owner == seat.code
            mine, theirs = own + is_own, foreign + (not is_own)
            if len(missing) > most_missing or theirs > most_foreign:
                continue
            if mine and goal[city] not in passed:
                _add(gains.setdefault(missing, {}), {(way[0], goal[city]): mine - SHARE * theirs})
            now = passed | {goal[city]}
            if len(way) < board.max_links and len(now) < len(CUBE_COLOURS):
                go_on((*way, city), now, missing, mine, theirs)

    for city in board.cities:
        go_on((city.id,), frozenset(), frozenset(), 0, 0)
    cubes = frozenset((city, colour) for city, lying in state.cubes.items() for colour in lying)
    return LinkGains(gains=gains, cubes=cubes, rounds=min(seat.rounds_left, FARSIGHT[seat.strength]))


Plans = Mapping[Links, float]  # links to build together, and the spaces that they bring, less what their price would

# Spaces that a mark is worth, by the rounds left: what a bond takes for it, and what a mark that is left saves in bonds later.
BORROWED, LEFT = (0.17, 0.19, 0.22, 0.25), (0.0, 0.0, 0.19, 0.22)
BEAM = 5  # plans that are thought further
MOST_SITES = 5  # alternatives of one build
USED = 0.1  # spaces that rivals bring a link in a round
BARGAIN_GAIN = 0.7  # spaces that Günstige Gelegenheit must bring


def plans_of(seat: Viewpoint, cards: Sequence[str], cash: int, marks: Sequence[float] = LEFT) -> Plans:
    """Return what may be built with track cards: nothing, and the best links found."""
    board, ways, count = seat.state.board, ways_of(seat), Counter(cards)
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


def write_builds(seat: Viewpoint) -> list[Build]:
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
        play = Play(state, {code: (orders[-1],)}, NO_DICE)
        do_build(play, Item("build", number=number, player=code))
        state = play.state
    return orders


def _discards(dealt: Counter[str], least: str, gone: int) -> list[Site]:
    """Return what is discarded if nothing else can be: cards of which one is there when *gone* of those dealt are not."""
    cards = sorted(dealt, key=lambda card: (card != least, -dealt[card], card))
    sure = next((place for place, card in enumerate(cards, 1) if dealt[card] > gone), len(cards))
    return [Site(card=card) for card in cards[:sure]]


def _sites(seat: Viewpoint, ways: LinkGains, plans: Plans, laid: Links) -> tuple[Site, ...]:
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


def _bargain(seat: Viewpoint, ways: LinkGains, plans: Plans) -> Site | None:
    """Return a link of any colour for the card that is needed least, where that is much better."""
    board, hand = seat.state.board, seat.state.hands[seat.code]
    if not seat.has(BARGAIN):
        return None
    beside = best_of({links: worth for links, worth in plans.items() if len(links) < len(hand)})
    spare = Counter(hand) - Counter(board.link_by_id(link).colour for link in beside)
    free = [link.id for link in board.links if link.id not in seat.state.built and link.id not in beside]
    link = max(free, key=lambda link: (ways.worth(beside | {link}), link), default="")
    site = Site(link, card=min(spare), bargain=True)
    gain = ways.worth(beside | {link}) - ways.worth(beside) + plans[beside] - plans[best_of(plans)]
    least = BARGAIN_GAIN if seat.rounds_left else 0.0
    return site if link and gain > least and not site_fault(seat.state, seat.code, site) else None


DEAR = 8  # marks that a dear section costs
EAGER = 0.5  # of the marks that a bond for the same points brings
SEALED_BIDS = 3  # of a list that two players write
MOST_COLOURS = 2  # that a ranking ends with
NEW_GAIN = 0.8  # spaces that Alles neu must bring


def write_bonds(seat: Viewpoint) -> list[TakeBonds]:
    """Take as many points as a bid and the sections need that a group of this round allows in the mean, beyond the cash."""
    return [TakeBonds(points=_points(seat))]


def _points(seat: Viewpoint) -> int:
    links = (links for links, _ in _groups(seat).values())
    need = round(mean(_prices(seat, links))) + _eagerness(seat) - seat.state.cash[seat.code]
    return points_left(seat.state, -(-need // seat.state.board.bond_money))


def _prices(seat: Viewpoint, plans: Iterable[Links]) -> list[int]:
    """Return what sections cost that are built together, in marks."""
    board = seat.state.board
    return [sum(board.link_by_id(link).cost for link in links) for links in plans] or [0]


def _eagerness(seat: Viewpoint) -> int:
    """Return the marks that the first place of the order is worth: by what the best group brings more than others; in the last
    round all that the best sections leave, which need not spare money then: it buys nothing else.
    """
    if seat.strength != THIRD:
        return 1 + seat.taste(3)
    worths = sorted(_groups(seat)[group][1] for group in seat.state.groups if group)
    if seat.rounds_left and worths:
        return 1 + round(EAGER * seat.state.board.bond_money * (worths[-1] - mean(worths[:-1] or worths)))
    cash = seat.state.cash[seat.code]
    plans = (best_of(plans_of(seat, group, cash)) for group in _groups(seat))
    return max(0, cash - max(_prices(seat, plans)))


def write_bid(seat: Viewpoint) -> list[Bid]:
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


def write_ranking(seat: Viewpoint) -> list[Rank]:
    """Rank the groups by what may be built with their cards."""
    groups = _groups(seat)
    ranked = sorted(groups, key=lambda group: -groups[group][1])
    wishes = [Wish(colours=group, exact=seat.taste(3) == 0) for group in ranked]
    if not wishes:
        return []
    # Others may lie the groups anew.
    wanted = dict.fromkeys(card for group in ranked for card in group)
    return [Rank(wishes=(*wishes, *(Wish(colours=(card,)) for card in [*wanted][:MOST_COLOURS])))]


def write_rearrangement(seat: Viewpoint) -> list[Rearrange]:
    """Play Alles neu where the best cards together are much better than the best group."""
    state, order = seat.state, seat.state.board.colour_ids.index
    if not seat.has(REARRANGE) or state.rearranged or not state.groups:
        return []
    cards = [card for group in state.groups for card in group]
    alone = {card: _best_plan(seat, (card,))[1] for card in dict.fromkeys(cards)}
    left = sorted(cards, key=lambda card: (-alone[card], order(card)))
    groups: list[Texts] = []
    for group in state.groups:  # the best colours first, each once as far as that goes
        chosen: list[str] = []
        for _ in group:
            chosen.append(next((card for card in left if card not in chosen), left[0]))
            left.remove(chosen[-1])
        groups.append(tuple(sorted(chosen, key=order)))
    best = max(worth for _, worth in _groups(seat).values())
    least = NEW_GAIN if seat.rounds_left else 0.0
    return [Rearrange(groups=tuple(groups))] if _best_plan(seat, groups[0])[1] > best + least else []


@lru_cache(maxsize=1)
def _groups(seat: Viewpoint) -> Mapping[Texts, tuple[Links, float]]:
    """Return of each group of track cards the links to build with it, and what they bring."""
    return {group: _best_plan(seat, group) for group in dict.fromkeys(seat.state.groups) if group}


def _best_plan(seat: Viewpoint, cards: Texts) -> tuple[Links, float]:
    plans = plans_of(seat, cards, len(cards) * DEAR, BORROWED)
    best = best_of(plans)
    return best, plans[best]
