"""From phrases to orders: what each line of a letter means, and what in it cannot be meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import NoReturn, TypeVar

from referee.core import LetterReader, Param, Phrase, Phrases, Understood, Word, of_alternative, of_kind

from .board import CUBE_COLOURS, Codes, Link
from .notation import (
    FIRST_EXTRA,
    LISTED,
    PLAYER,
    SECOND_EXTRA,
    TRIPS,
    asked_verbs,
    comes_later,
    gaps,
    is_for_now,
    near_links,
    numbers_now,
    verb_of,
    way_name,
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

_DECISIONS: Mapping[str, What] = {
    "BONDING": "bonds",
    "BIDDING": "bid",
    "CHOOSING": "choose",
    "BUILDING": "build",
    "MOVING": "move",
    "SUBSIDISING": "subsidy",
}

Thing = TypeVar("Thing")


def understand(state: State, player: str, letter: Phrases) -> Understood:
    """Return the orders of a player's phrases and what was wrong with them; good lines and good alternatives count."""
    reader = _Reader(state, player)
    for reader.phrase in letter:
        with suppress(Nonsense):
            reader.add(reader.order())
    return Understood(orders=tuple(reader.orders), complaints=tuple(reader.complaints))


class Nonsense(Exception):
    """Words cannot be meant; that was complained of."""


class _Reader(LetterReader[Order]):
    """One player's letter being understood."""

    def __init__(self, state: State, player: str) -> None:
        super().__init__()
        self.state = state
        self.board = state.board
        self.player = player

    def add(self, order: Order) -> None:
        """Take an order, unless its moment is another one or it was given before."""
        if not is_for_now(self.state, order):
            later, following = comes_later(self.state, order), self.state.round + 1
            code = "illegal-not-now" if later else "illegal-too-late"
            hint = "" if later or following > self.state.numbers.rounds else str(following)
            self.complain(code, "V3", hint=hint, verb=verb_of(self.state, order), asked=asked_verbs(self.state))
        elif self._is_taken(order):
            self.complain("invalid-twice")
        else:
            self.orders.append(order.but(line=self.phrase.line))

    def _is_taken(self, order: Order) -> bool:
        """Return whether such an order stands already; those that play a card may stand once for each card there is."""
        if isinstance(order, Extra | Plan | Sabotage):
            return len(of_kind(type(order), self.orders)) >= self.board.action_cards
        return about(order) in map(about, self.orders)

    def refuse(
        self, code: str, paragraph: str = "", *, text: str | None = None, hint: str = "", **params: Param
    ) -> NoReturn:
        """Complain of words that cannot be meant, and leave them."""
        self.complain(code, paragraph, text, hint, 0, **params)
        raise Nonsense

    def order(self) -> Order:
        """Return the order of the phrase that is read."""
        phrase = self.phrase
        numbers, group_size = _numbers(phrase.words), self.state.numbers.group_size
        match phrase.rule:
            case "bonds":
                return TakeBonds(points=sum(numbers))  # none where they are declined
            case "bid":
                # One figure, or of two players' sealed bids the list. Rule: V6.3
                if len(numbers) > 1 and len(self.state.codes) > 2:
                    self.complain("note-one-bid", "V3.4.1", bid=numbers[0])
                    numbers = numbers[:1]
                return Bid(amounts=numbers)
            case "rank":
                return Rank(wishes=some_of(self._wish, phrase.phrases("wish")))
            case "rearrange":
                return Rearrange(groups=tuple(self._in_order(resolve(each.words)) for each in phrase.phrases("group")))
            case "build":
                number = self._which("build", "BUILD", group_size)
                sites = self._alternatives(self._site, "site", "discarding", "none")
                return Build(need(number), need(sites))
            case "discards":  # Rule: V3.5.2
                number = self._which("build", "DISCARD", group_size)
                return Build(need(number), (Site(card=(*_names(phrase), "")[0]),))
            case "move":
                trip, deliveries = self._which("move", "MOVE", TRIPS), self._deliveries()
                return Move(need(trip), need(deliveries))
            case "declines":  # Rule: V3.6.5
                return Move(need(self._which("move", "DECLINE", TRIPS)), (Delivery(DECLINED),))
            case "subsidy":
                # An extra trip, the second one if it is numbered 4 or 2. It may not be given up for a card. Rule: V4.4
                deliveries = self._deliveries()
                made = tuple(delivery for delivery in deliveries if delivery.colour != DECLINED)
                if len(made) < len(deliveries):
                    self.complain("illegal-subsidy-declined", "V4.4")
                trip = FIRST_EXTRA if {2, SECOND_EXTRA}.isdisjoint(numbers) else SECOND_EXTRA
                return Subsidy(deliveries=need(made), trip=trip)
            case "extra":
                return self._extra()
            case "plan":
                return self._plan()
            case "sabotage":
                return self._sabotage()
            case _:
                return self._steal()

    def _which(self, what: What, verb: str, most: int) -> int:
        """Return the number that the order begins with; without one, that of the only such decision asked for now.

        0 where there is none: complained of. *most*: the highest number there can be.
        """
        written, asked = _numbers(self.phrase.words), numbers_now(self.state, what)
        if not written and len(asked) == 1:
            return asked[0]
        if written:
            return written[0] if self._is_number(verb, written[0], most) else 0
        self.complain("invalid-which", hint=f"{verb} 1", verb=verb)
        return 0

    def _is_number(self, verb: str, read: int, most: int) -> bool:
        """Return whether a number is one of those from 1 to *most*; else it was complained of."""
        if not 1 <= read <= most:
            self.complain("invalid-number-of", verb=verb, read=read, most=most)
        return 1 <= read <= most

    def _alternatives(self, read: Callable[[Phrase], Thing], *rules: str) -> tuple[Thing, ...]:
        """Return the alternatives of an order that can be meant, in order of writing.

        Beside one of the first of the *rules* what is wrong with others is a warning; whether that one serves, the forecast says.
        """
        since = len(self.complaints)
        found = some_of(lambda phrase: (phrase.rule, read(phrase)), self.phrase.phrases(*rules))
        if any(rule == rules[0] for rule, _ in found):
            self.complaints[since:] = map(of_alternative, self.complaints[since:])
        return tuple(thing for _, thing in found)

    def _wish(self, phrase: Phrase) -> Wish:
        """Return what group is wanted, by its colours or by its number. Rule: R7."""
        groups = len(self.state.codes)
        for number in _numbers(phrase.words):
            if 1 <= number <= groups:
                return Wish(number=number)
            self.refuse("invalid-group", "V3.4.4", read=number, most=groups)
        return Wish(colours=self._in_order(resolve(phrase.words)), exact=bool(phrase.phrases("exact")))

    def _in_order(self, colours: Codes) -> Codes:
        """Return cards in colour order, as groups lie. Rule: R6."""
        return tuple(sorted(colours, key=self.board.colour_ids.index))

    def _site(self, phrase: Phrase) -> Site:
        """Return one alternative of a build."""
        cards = (*phrase.words, *(word for card in phrase.phrases("card") for word in card.words))
        if phrase.rule != "site":
            return Site(card=(*resolve(cards), "")[0])
        link, bargain = self._link(phrase.phrases("link")[0]), bool(phrase.phrases("bargain"))
        named = ("", *resolve(cards))[-1]
        # The card of the link's own colour need not be named, so the same order is always the same value.
        return Site(link.id, card="" if not bargain and named == link.colour else named, bargain=bargain)

    def _link(self, phrase: Phrase) -> Link:
        """Return the link between two cities; where there is none, say which begin there."""
        one, other = ends = resolve(phrase.words)
        link = self.board.link(one, other)
        if not link:
            hint = near_links(self.board, one, other)
            self.refuse("invalid-link", "V3.5.1", text=way_name(self.board, ends), hint=hint)
        return link

    def _deliveries(self) -> tuple[Delivery, ...]:
        return self._alternatives(self._delivery, "delivery", "declining")

    def _delivery(self, phrase: Phrase) -> Delivery:
        if phrase.rule == "declining":
            return Delivery(DECLINED)
        way, board = phrase.phrases("found", "route")[0], self.board
        ends, between = way.words, (word for via in way.phrases("via", "after") for word in via.words)
        # From the first to the last: of FROM A TO B VIA C they are A, C, B.
        cities, colours = resolve((ends[0], *between, *ends[1:])), resolve(phrase.words)
        text = way_name(board, cities)
        for place, city in enumerate(cities):
            if city in cities[:place]:
                self.refuse("invalid-city-twice", "V3.6.2", text=text, city=board.name(city))
        # FROM and TO alone leave the route to the referee; cities named one by one, each linked to the next, are the route.
        missing = gaps(board, cities)
        is_route = way.rule == "route" or (len(cities) > 2 and not missing)
        if missing and (is_route or self.state.options.route_needed):
            step, hint = way_name(board, missing[0]), near_links(board, *missing[0])
            self.refuse("invalid-gap", "V3.6.1", text=text, hint=hint, step=step)
        return Delivery(
            colours[0],
            origin=cities[0],
            goal=cities[-1],
            route=cities if is_route else (),
            via=() if is_route else cities[1:-1],
            loks=len(phrase.phrases("fast")),
        )

    def _extra(self) -> Extra:
        """Return a city for each colour that Zusatzfracht may draw, or one for all. Rule: V4.7, R13."""
        only_subsidy = not numbers_now(self.state, "move") and bool(numbers_now(self.state, "subsidy"))
        trip = FIRST_EXTRA if only_subsidy else self._which("move", "EXTRA", SECOND_EXTRA)
        cities, unknown = dict[str, str](), False
        for city in _names(self.phrase):
            cities = dict.fromkeys(CUBE_COLOURS, city)
        for pair in self.phrase.phrases("pair"):
            if pair.words[0].value in cities:
                self.complain("invalid-colour-twice", "V4.7", text=pair.text, colour=pair.words[0].value)
            try:
                cities.setdefault(*resolve(pair.words))
            except Nonsense:
                unknown = True
        missing = [colour for colour in CUBE_COLOURS if colour not in cities]
        if missing and not unknown:
            self.refuse("invalid-extra-cities", "V4.7", missing=LISTED.join(missing))
        if missing:
            raise Nonsense
        return Extra(trip=need(trip), cities=tuple((colour, cities[colour]) for colour in CUBE_COLOURS))

    def _plan(self) -> Plan:
        """Return a Neue Planung before or after a decision of the player's own. Rule: V4.9, DIFF 62."""
        when, *found = self.phrase.words
        decision = self.phrase.phrases("decision")[0].words
        what, written, number = _DECISIONS[decision[0].kind], _numbers(decision), 0
        if what == "subsidy" and SECOND_EXTRA in written:
            number = SECOND_EXTRA
        elif what in ("build", "move"):
            possible = written or numbers_now(self.state, what)
            if not written and len(possible) != 1:
                self.refuse("invalid-which", hint=f"{what.upper()} 1", verb="PLAN")
            number = possible[0]
        colour, origin, goal = resolve(found)
        if origin == goal:
            self.refuse("invalid-same-city", "V4.9", city=self.board.name(goal))
        side: When = "before" if when.kind == "BEFORE" else "after"
        return Plan(when=side, what=what, number=number, colour=colour, origin=origin, goal=goal)

    def _sabotage(self) -> Sabotage:
        """Return a standing order against a rival's trip. Rule: V4.6, V9."""
        victims = resolve(word for phrase in self.phrase.phrases("victim") for word in phrase.words)
        numbers, written = _numbers(self.phrase.words), self.phrase.phrases("target")
        targets = some_of(_target, written) if written else (Target(),)
        if self.player in victims:
            self._complain_of_self("V4.6")
            raise Nonsense
        if not all(self._is_number("SABOTAGE", number, SECOND_EXTRA) for number in numbers[:1]):
            raise Nonsense
        return Sabotage(targets=targets, victim=(*victims, "")[0], trip=(*numbers, 0)[0])

    def _steal(self) -> Steal:
        """Return from whom a card is drawn when none is left; an empty list waives it. Rule: V4.2, DIFF 42."""
        found = self.phrase.words
        which = "".join(word.value for word in found if word.kind in ("NUMBER", "LAST")).lower()
        if which.isdigit() and not self._is_number("STEAL", int(which), TRIPS + 1):
            raise Nonsense
        named = dict.fromkeys(word.value for word in found if word.kind == PLAYER)
        rivals = tuple(code for code in named if code != self.player)
        if self.player in named:
            self._complain_of_self("V4.2")
        return Steal(players=rivals if self.phrase.phrases("none") else need(rivals), which=which)

    def _complain_of_self(self, paragraph: str) -> None:
        others = LISTED.join(code for code in self.state.codes if code != self.player)
        self.complain("illegal-yourself", paragraph, hint=others)


def _numbers(words: Iterable[Word]) -> tuple[int, ...]:
    return tuple(int(word.value) for word in words if word.kind == "NUMBER")


def _names(phrase: Phrase) -> Codes:
    return resolve(word for word in phrase.words if word.kind != "NUMBER")


def resolve(found: Iterable[Word]) -> Codes:
    """Return what words mean. Raises Nonsense where one is unknown, which was complained of when the line was read."""
    words = tuple(found)
    if any(word.kind == "UNKNOWN" for word in words):
        raise Nonsense
    return tuple(word.value for word in words)


def need(thing: Thing) -> Thing:
    """Return a thing. Raises Nonsense where there is none."""
    if not thing:
        raise Nonsense
    return thing


def some_of(read: Callable[[Phrase], Thing], phrases: Iterable[Phrase]) -> tuple[Thing, ...]:
    """Return what those phrases say that can be meant. Raises Nonsense where none can."""
    found: list[Thing] = []
    for phrase in phrases:
        with suppress(Nonsense):
            found.append(read(phrase))
    return need(tuple(found))


def _target(phrase: Phrase) -> Target:
    """Return what a sabotage waits for."""
    parts = phrase.phrases("origin", "goal", "passing")
    resolve((*phrase.words, *(word for part in parts for word in part.words)))
    cities = {part.rule: part.words[0].value for part in parts}
    return Target(colour="".join(word.value for word in phrase.words), **cities)
