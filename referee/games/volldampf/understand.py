"""From phrases to orders: what each line of a letter means, and what in it cannot be meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from referee.core.orders import LetterReader, Phrase, Understood, Word, of_alternative, of_kind

from .board import CUBE_COLOURS, Codes, Link
from .notation import LISTED, PLAYER, gaps, near_links, way_name
from .schedule import (
    FIRST_EXTRA,
    SECOND_EXTRA,
    TRIPS,
    asked_verbs,
    comes_later,
    is_for_now,
    numbers_now,
    verb_of,
)
from .state import (
    DECLINED,
    Bid,
    Build,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Site,
    State,
    Steal,
    Subsidy,
    TakeBonds,
    Target,
    What,
    When,
    Wish,
    about,
)

UNKNOWN = "UNKNOWN"
_DECISIONS: Mapping[str, What] = {
    "BONDING": "bonds",
    "BIDDING": "bid",
    "CHOOSING": "choose",
    "BUILDING": "build",
    "MOVING": "move",
    "SUBSIDISING": "subsidy",
}

Thing = TypeVar("Thing")


def understand(state: State, player: str, letter: tuple[Phrase, ...]) -> Understood:
    """Return the orders of a player's phrases and what was wrong with them; good lines and good alternatives count."""
    reader = _Reader(state, player)
    for phrase in letter:
        reader.phrase = phrase
        getattr(reader, f"read_{phrase.rule}")()
    return Understood(orders=tuple(reader.orders), complaints=tuple(reader.complaints))


class _Reader(LetterReader[Order]):
    """One player's letter being understood: ``read_bonds`` takes the order of a phrase ``bonds``, and so on."""

    def __init__(self, state: State, player: str) -> None:
        super().__init__()
        self.state = state
        self.board = state.board
        self.player = player

    def add(self, order: Order) -> None:
        """Take an order, unless its moment is another one or it was given before."""
        if not is_for_now(self.state, order):
            verb, asked = verb_of(self.state, order), asked_verbs(self.state)
            if comes_later(self.state, order):
                self.complain("illegal-not-now", "V3", verb=verb, asked=asked)
                return
            last = self.state.round >= self.state.numbers.rounds
            hint = "" if last else str(self.state.round + 1)
            self.complain("illegal-too-late", "V3", hint=hint, verb=verb, asked=asked)
        elif self._is_taken(order):
            self.complain("invalid-twice")
        else:
            self.orders.append(replace(order, line=self.phrase.line))

    def _is_taken(self, order: Order) -> bool:
        """Return whether such an order stands already; those that play a card may stand once for each card there is."""
        if isinstance(order, Extra | Plan | Sabotage):
            return len(of_kind(type(order), self.orders)) >= self.board.action_cards
        return about(order) in map(about, self.orders)

    def _which(self, what: What, verb: str, most: int) -> int | None:
        """Return the number that the order begins with; without one, that of the only such decision asked for now.

        None where there is none: complained of. *most*: the highest number there can be.
        """
        written, asked = _numbers(self.phrase.words), numbers_now(self.state, what)
        if not written and len(asked) == 1:
            return asked[0]
        if not written:
            self.complain("invalid-which", hint=f"{verb} 1", verb=verb)
        elif 1 <= written[0] <= most:
            return written[0]
        else:
            self.complain("invalid-number-of", verb=verb, read=written[0], most=most)
        return None

    def _alternatives(self, read: Callable[[Phrase], Thing | None], *rules: str) -> tuple[Thing, ...]:
        """Return the alternatives of an order that can be meant, in order of writing.

        Beside one of the first of the *rules* what is wrong with others is a warning; whether that one serves, the forecast says.
        """
        since = len(self.complaints)
        written = self.phrase.phrases(*rules)
        found = [(phrase.rule, thing) for phrase in written if (thing := read(phrase)) is not None]
        if any(rule == rules[0] for rule, _ in found):
            self.complaints[since:] = map(of_alternative, self.complaints[since:])
        return tuple(thing for _, thing in found)

    def read_bonds(self) -> None:
        """Take the points, none where they are declined."""
        self.add(TakeBonds(points=sum(_numbers(self.phrase.words))))

    def read_bid(self) -> None:
        """Take one figure, or of two players' sealed bids the list. Rule: V6.3."""
        amounts = _numbers(self.phrase.words)
        if len(amounts) > 1 and len(self.state.codes) > 2:
            self.complain("note-one-bid", "V3.4.1", bid=amounts[0])
            amounts = amounts[:1]
        self.add(Bid(amounts=amounts))

    def read_rank(self) -> None:
        """Take the wishes that can be meant."""
        wishes = tuple(wish for phrase in self.phrase.phrases("wish") if (wish := self._wish(phrase)) is not None)
        if wishes:
            self.add(Rank(wishes=wishes))

    def _wish(self, phrase: Phrase) -> Wish | None:
        """Return what group is wanted, by its colours or by its number. Rule: R7."""
        found, groups = phrase.words, len(self.state.codes)
        for number in _numbers(found):
            if 1 <= number <= groups:
                return Wish(number=number)
            self.complain("invalid-group", "V3.4.4", read=number, most=groups)
            return None
        colours = known(found)
        if colours is None:
            return None
        return Wish(colours=self._in_order(colours), exact=bool(phrase.phrases("exact")))

    def read_rearrange(self) -> None:
        """Take the groups, if all of them are known."""
        groups = [known(phrase.words) for phrase in self.phrase.phrases("group")]
        sorted_groups = tuple(self._in_order(group) for group in groups if group is not None)
        if len(sorted_groups) == len(groups):
            self.add(Rearrange(groups=sorted_groups))

    def _in_order(self, colours: Codes) -> Codes:
        """Return cards in colour order, as groups lie. Rule: R6."""
        return tuple(sorted(colours, key=self.board.colour_ids.index))

    def read_build(self) -> None:
        """Take the alternatives of a build."""
        number = self._which("build", "BUILD", self.state.numbers.group_size)
        sites = self._alternatives(self._site, "site", "discarding", "none")
        if number is not None and sites:
            self.add(Build(number, sites))

    def read_discards(self) -> None:
        """Take ``DISCARD 2: green``. Rule: V3.5.2."""
        number = self._which("build", "DISCARD", self.state.numbers.group_size)
        cards = known(word for word in self.phrase.words if word.kind != "NUMBER")
        if number is not None and cards is not None:
            self.add(Build(number, (Site(card=(*cards, "")[0]),)))

    def _site(self, phrase: Phrase) -> Site | None:
        """Return one alternative of a build, None where it cannot be meant."""
        cards = known((*phrase.words, *(word for card in phrase.phrases("card") for word in card.words)))
        if phrase.rule != "site":
            return None if cards is None else Site(card=(*cards, "")[0])
        link, bargain = self._link(phrase.phrases("link")[0]), bool(phrase.phrases("bargain"))
        if link is None or cards is None:
            return None
        named = ("", *cards)[-1]
        # The card of the link's own colour need not be named, so the same order is always the same value.
        return Site(link.id, card="" if not bargain and named == link.colour else named, bargain=bargain)

    def _link(self, phrase: Phrase) -> Link | None:
        """Return the link between two cities; where there is none, say which begin there."""
        ends = known(phrase.words)
        if ends is None:
            return None
        one, other = ends
        link = self.board.link(one, other)
        if link is None:
            hint = near_links(self.board, one, other)
            self.complain("invalid-link", "V3.5.1", text=way_name(self.board, ends), hint=hint)
        return link

    def read_move(self) -> None:
        """Take the alternatives of trip 1 or 2; the first that is legal is made."""
        trip = self._which("move", "MOVE", TRIPS)
        deliveries = self._deliveries()
        if trip is not None and deliveries:
            self.add(Move(trip, deliveries))

    def read_declines(self) -> None:
        """Take ``DECLINE 2``. Rule: V3.6.5."""
        trip = self._which("move", "DECLINE", TRIPS)
        if trip is not None:
            self.add(Move(trip, (Delivery(DECLINED),)))

    def read_subsidy(self) -> None:
        """Take an extra trip, the second one if it is numbered 4 or 2. It may not be given up for a card. Rule: V4.4."""
        second = not {2, SECOND_EXTRA}.isdisjoint(_numbers(self.phrase.words))
        deliveries = self._deliveries()
        made = tuple(delivery for delivery in deliveries if delivery.colour != DECLINED)
        if len(made) < len(deliveries):
            self.complain("illegal-subsidy-declined", "V4.4")
        if made:
            self.add(Subsidy(deliveries=made, trip=SECOND_EXTRA if second else FIRST_EXTRA))

    def _deliveries(self) -> tuple[Delivery, ...]:
        return self._alternatives(self._delivery, "delivery", "declining")

    def _delivery(self, phrase: Phrase) -> Delivery | None:
        if phrase.rule == "declining":
            return Delivery(DECLINED)
        way, board = phrase.phrases("found", "route")[0], self.board
        ends, between = way.words, (word for via in way.phrases("via", "after") for word in via.words)
        # From the first to the last: of FROM A TO B VIA C they are A, C, B.
        cities, colours = known((ends[0], *between, *ends[1:])), known(phrase.words)
        if colours is None or cities is None:
            return None
        text = way_name(board, cities)
        for place, city in enumerate(cities):
            if city in cities[:place]:
                self.complain("invalid-city-twice", "V3.6.2", text=text, city=board.name(city))
                return None
        # FROM and TO alone leave the route to the referee; cities named one by one, each linked to the next, are the route.
        missing = gaps(board, cities)
        is_route = way.rule == "route" or (len(cities) > 2 and not missing)
        if missing and (is_route or self.state.options.route_needed):
            step, hint = way_name(board, missing[0]), near_links(board, *missing[0])
            self.complain("invalid-gap", "V3.6.1", text=text, hint=hint, step=step)
            return None
        return Delivery(
            colours[0],
            origin=cities[0],
            goal=cities[-1],
            route=cities if is_route else (),
            via=() if is_route else cities[1:-1],
            loks=len(phrase.phrases("fast")),
        )

    def read_extra(self) -> None:
        """Take a city for each colour that Zusatzfracht may draw, or one for all. Rule: V4.7, R13."""
        only_subsidy = not numbers_now(self.state, "move") and bool(numbers_now(self.state, "subsidy"))
        trip = FIRST_EXTRA if only_subsidy else self._which("move", "EXTRA", SECOND_EXTRA)
        for_all, pairs = known(word for word in self.phrase.words if word.kind != "NUMBER"), self.phrase.phrases("pair")
        cities = dict.fromkeys(CUBE_COLOURS, for_all[0]) if for_all else {}
        unknown = for_all is None
        for pair in pairs:
            if pair.words[0].value in cities:
                self.complain("invalid-colour-twice", "V4.7", text=pair.text, colour=pair.words[0].value)
            if (words := known(pair.words)) is None:
                unknown = True
            else:
                cities.setdefault(*words)
        missing = [colour for colour in CUBE_COLOURS if colour not in cities]
        if missing and not unknown:
            self.complain("invalid-extra-cities", "V4.7", missing=LISTED.join(missing))
        if trip is not None and not missing:
            self.add(Extra(trip=trip, cities=tuple((colour, cities[colour]) for colour in CUBE_COLOURS)))

    def read_plan(self) -> None:
        """Take a Neue Planung before or after a decision of the player's own. Rule: V4.9, DIFF 62."""
        when, *found = self.phrase.words
        decision = self.phrase.phrases("decision")[0].words
        what, written, number = _DECISIONS[decision[0].kind], _numbers(decision), 0
        if what == "subsidy" and SECOND_EXTRA in written:
            number = SECOND_EXTRA
        elif what in ("build", "move"):
            possible = written or numbers_now(self.state, what)
            if not written and len(possible) != 1:
                self.complain("invalid-which", hint=f"{what.upper()} 1", verb="PLAN")
                return
            number = possible[0]
        cube = known(found)
        if cube is None:
            return
        colour, origin, goal = cube
        if origin == goal:
            self.complain("invalid-same-city", "V4.9", city=self.board.name(goal))
            return
        side: When = "before" if when.kind == "BEFORE" else "after"
        self.add(Plan(when=side, what=what, number=number, colour=colour, origin=origin, goal=goal))

    def read_sabotage(self) -> None:
        """Take a standing order against a rival's trip. Rule: V4.6, V9."""
        victims = known(word for phrase in self.phrase.phrases("victim") for word in phrase.words)
        numbers, written = _numbers(self.phrase.words), self.phrase.phrases("target")
        targets = tuple(target for phrase in written if (target := _target(phrase)) is not None)
        if victims is None or (written and not targets):
            return
        victim = (*victims, "")[0]
        if victim == self.player:
            self._complain_of_self("V4.6")
        elif numbers and not 1 <= numbers[0] <= SECOND_EXTRA:
            most = SECOND_EXTRA
            self.complain("invalid-number-of", verb="SABOTAGE", read=numbers[0], most=most)
        else:
            self.add(Sabotage(targets=targets or (Target(),), victim=victim, trip=(*numbers, 0)[0]))

    def read_steal(self) -> None:
        """Take from whom a card is drawn when none is left; an empty list waives it. Rule: V4.2, DIFF 42."""
        found, most = self.phrase.words, TRIPS + 1
        which = "".join(word.value for word in found if word.kind in ("NUMBER", "LAST")).lower()
        if which.isdigit() and not 1 <= int(which) <= most:
            self.complain("invalid-number-of", verb="STEAL", read=int(which), most=most)
            return
        named = dict.fromkeys(word.value for word in found if word.kind == PLAYER)
        rivals = tuple(code for code in named if code != self.player)
        if self.player in named:
            self._complain_of_self("V4.2")
        if rivals or self.phrase.phrases("none"):
            self.add(Steal(players=rivals, which=which))

    def _complain_of_self(self, paragraph: str) -> None:
        others = LISTED.join(code for code in self.state.codes if code != self.player)
        self.complain("illegal-yourself", paragraph, hint=others)


def _numbers(words: Iterable[Word]) -> tuple[int, ...]:
    return tuple(int(word.value) for word in words if word.kind == "NUMBER")


def known(found: Iterable[Word]) -> Codes | None:
    """Return what words mean; None where one is unknown, which was complained of when the line was read."""
    words = tuple(found)
    return None if any(word.kind == UNKNOWN for word in words) else tuple(word.value for word in words)


def _target(phrase: Phrase) -> Target | None:
    """Return what a sabotage waits for, None where a name is unknown."""
    parts = phrase.phrases("origin", "goal", "passing")
    if known((*phrase.words, *(word for part in parts for word in part.words))) is None:
        return None
    cities = {part.rule: part.words[0].value for part in parts}
    return Target(colour="".join(word.value for word in phrase.words), **cities)
