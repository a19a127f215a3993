"""What each line of a letter says: what has been understood of it so far, and its lines about cubes. Rule: V3.6, V4.4-V4.9."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.orders import LetterReader, Phrase, Word, of_alternative
from referee.games.volldampf import schedule
from referee.games.volldampf.board.board import CUBE_COLOURS
from referee.games.volldampf.notation import LISTED, gaps, near_links, way_name
from referee.games.volldampf.schedule import asked_verbs, comes_later, is_for_now, numbers_now, verb_of
from referee.games.volldampf.state import (
    AFTER,
    BEFORE,
    DECLINED,
    Build,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Sabotage,
    State,
    Steal,
    Subsidy,
    Target,
    about,
)

UNKNOWN = "UNKNOWN"


class OrderReader(LetterReader[Order]):
    """One player's letter being understood."""

    def __init__(self, state: State, player: str) -> None:
        super().__init__()
        self.state = state
        self.board = state.board
        self.player = player

    def add(self, order: Order) -> None:
        """Take an order, unless its moment is another one or it was given before."""
        if not is_for_now(self.state, order):
            self._not_now(order)
        elif self._is_taken(order):
            self.complain("invalid-twice")
        else:
            self.orders.append(replace(order, line=self.phrase.line))

    def beside(self, since: int) -> None:
        """Make warnings of what was complained of *since* so many complaints: another alternative of the order can be meant.

        Whether that one serves today, the forecast says.
        """
        self.complaints[since:] = [of_alternative(each) for each in self.complaints[since:]]

    def which(self, what: str, verb: str, most: int) -> int | None:
        """Return the number that the order begins with; without one, that of the only such decision asked for now.

        None where there is none: complained of. *most*: the highest number there can be.
        """
        written = [int(word.value) for word in self.phrase.words if word.kind == "NUMBER"]
        asked = numbers_now(self.state, what)
        if not written and len(asked) == 1:
            return asked[0]
        if not written:
            self.complain("invalid-which", hint=f"{verb} 1", verb=verb)
            return None
        if not 1 <= written[0] <= most:
            self.complain("invalid-number-of", verb=verb, read=written[0], most=most)
            return None
        return written[0]

    def _not_now(self, order: Order) -> None:
        verb, asked = verb_of(self.state, order), asked_verbs(self.state)
        if comes_later(self.state, order):
            self.complain("illegal-not-now", "V3", verb=verb, asked=asked)
            return
        last = self.state.round >= self.state.numbers.rounds
        hint = "" if last else str(self.state.round + 1)
        self.complain("illegal-too-late", "V3", hint=hint, verb=verb, asked=asked)

    def _is_taken(self, order: Order) -> bool:
        """Return whether such an order stands already; those that play a card may stand once for each card there is."""
        alike = sum(_key(order) == _key(each) for each in self.orders)
        return alike >= (self.board.action_cards if isinstance(order, Extra | Plan | Sabotage) else 1)


def known(found: tuple[Word, ...]) -> tuple[str, ...] | None:
    """Return what words mean; None where one is unknown, which was complained of when the line was read."""
    return None if any(word.kind == UNKNOWN for word in found) else tuple(word.value for word in found)


def _key(order: Order) -> tuple[object, ...]:
    return about(order) if isinstance(order, Build | Move | Subsidy | Steal) else (type(order),)


# Lines about cubes: trips and their alternatives, Zusatzfracht, Neue Planung, Sabotage. Rule: V3.6, V4.4-V4.9.

_DECISIONS = {
    "BONDING": schedule.BONDS,
    "BIDDING": schedule.BID,
    "CHOOSING": schedule.CHOOSE,
    "BUILDING": schedule.BUILD,
    "MOVING": schedule.MOVE,
    "SUBSIDISING": schedule.SUBSIDY,
}


def read_move(reader: OrderReader) -> None:
    """Take the alternatives of trip 1 or 2; the first that is legal is made."""
    trip = reader.which(schedule.MOVE, "MOVE", schedule.TRIPS)
    deliveries = _deliveries(reader)
    if trip is not None and deliveries:
        reader.add(Move(trip=trip, deliveries=deliveries))


def read_declined(reader: OrderReader) -> None:
    """Take ``DECLINE 2``. Rule: V3.6.5."""
    trip = reader.which(schedule.MOVE, "DECLINE", schedule.TRIPS)
    if trip is not None:
        reader.add(Move(trip=trip, deliveries=(Delivery(colour=DECLINED),)))


def read_subsidy(reader: OrderReader) -> None:
    """Take an extra trip, the second one if it is numbered 4 or 2. It may not be given up for a card. Rule: V4.4."""
    numbers = [int(word.value) for word in reader.phrase.words if word.kind == "NUMBER"]
    second = bool(numbers) and numbers[0] in (2, schedule.SECOND_EXTRA)
    deliveries = _deliveries(reader)
    made = tuple(delivery for delivery in deliveries if delivery.colour != DECLINED)
    if len(made) < len(deliveries):
        reader.complain("illegal-subsidy-declined", "V4.4")
    if made:
        reader.add(Subsidy(deliveries=made, trip=schedule.SECOND_EXTRA if second else schedule.FIRST_EXTRA))


def read_extra(reader: OrderReader) -> None:
    """Take a city for each colour that Zusatzfracht may draw, or one for all. Rule: V4.7, R13."""
    only_subsidy = not numbers_now(reader.state, schedule.MOVE) and bool(numbers_now(reader.state, schedule.SUBSIDY))
    trip = schedule.FIRST_EXTRA if only_subsidy else reader.which(schedule.MOVE, "EXTRA", schedule.SECOND_EXTRA)
    for_all = [word for word in reader.phrase.words if word.kind != "NUMBER"]
    if for_all:
        cities = {colour: for_all[0].value for colour in CUBE_COLOURS if for_all[0].kind != UNKNOWN}
    else:
        cities = _cities_by_colour(reader)
    missing = [colour for colour in CUBE_COLOURS if colour not in cities]
    if missing and not _has_unknown(reader):
        reader.complain("invalid-extra-cities", "V4.7", missing=LISTED.join(missing))
    if trip is not None and not missing:
        reader.add(Extra(trip=trip, cities=tuple((colour, cities[colour]) for colour in CUBE_COLOURS)))


def read_plan(reader: OrderReader) -> None:
    """Take a Neue Planung before or after a decision of the player's own. Rule: V4.9, DIFF 62."""
    found = reader.phrase.words
    decision = reader.phrase.phrases("decision")[0].words
    what = _DECISIONS[decision[0].kind]
    number = _number_of(reader, what, tuple(int(word.value) for word in decision[1:]))
    cube = known(found[1:])
    if number is None or cube is None:
        return
    colour, origin, goal = cube
    if origin == goal:
        reader.complain("invalid-same-city", "V4.9", city=reader.board.name(goal))
        return
    when = BEFORE if found[0].kind == "BEFORE" else AFTER
    reader.add(Plan(when=when, what=what, number=number, colour=colour, origin=origin, goal=goal))


def read_sabotage(reader: OrderReader) -> None:
    """Take a standing order against a rival's trip. Rule: V4.6, V9."""
    victims = [word for phrase in reader.phrase.phrases("victim") for word in phrase.words]
    numbers = [int(word.value) for word in reader.phrase.words]
    targets = [_target(phrase) for phrase in reader.phrase.phrases("target")]
    good = tuple(target for target in targets if target is not None) or ((Target(),) if not targets else ())
    if any(word.kind == UNKNOWN for word in victims) or not good:
        return
    victim = victims[0].value if victims else ""
    if victim == reader.player:
        others = LISTED.join(code for code in reader.state.codes if code != victim)
        reader.complain("illegal-yourself", "V4.6", hint=others)
    elif numbers and not 1 <= numbers[0] <= schedule.SECOND_EXTRA:
        most = schedule.SECOND_EXTRA
        reader.complain("invalid-number-of", verb="SABOTAGE", read=numbers[0], most=most)
    else:
        reader.add(Sabotage(targets=good, victim=victim, trip=numbers[0] if numbers else 0))


def _number_of(reader: OrderReader, what: str, written: tuple[int, ...]) -> int | None:
    """Return which build or trip a Neue Planung goes with; 0 for decisions without number. None is complained of."""
    if what not in (schedule.BUILD, schedule.MOVE):
        return schedule.SECOND_EXTRA if what == schedule.SUBSIDY and schedule.SECOND_EXTRA in written else 0
    asked = numbers_now(reader.state, what)
    if written or len(asked) == 1:
        return written[0] if written else asked[0]
    reader.complain("invalid-which", hint=f"{what.upper()} 1", verb="PLAN")
    return None


def _cities_by_colour(reader: OrderReader) -> dict[str, str]:
    """Return the city of each colour; of a colour named twice the first counts."""
    cities: dict[str, str] = {}
    for pair in reader.phrase.phrases("pair"):
        colour, city = pair.words
        if colour.value in cities:
            reader.complain("invalid-colour-twice", "V4.7", text=pair.text, colour=colour.value)
        elif UNKNOWN not in (colour.kind, city.kind):
            cities[colour.value] = city.value
    return cities


def _has_unknown(reader: OrderReader) -> bool:
    """Return whether a name was not understood, which was complained of when the line was read."""
    parts: list[Word] = [
        *reader.phrase.words,
        *(word for pair in reader.phrase.phrases("pair") for word in pair.words),
    ]
    return any(word.kind == UNKNOWN for word in parts)


def _target(phrase: Phrase) -> Target | None:
    """Return what a sabotage waits for, None where a name is unknown."""
    cities: dict[str, str] = {}
    for part in phrase.phrases("origin", "goal", "passing"):
        city = known(part.words)
        if city is None:
            return None
        cities[part.rule] = city[0]
    colours = known(phrase.words)
    if colours is None:
        return None
    return Target(colour=colours[0] if colours else "", **cities)


# --- deliveries ---


def _deliveries(reader: OrderReader) -> tuple[Delivery, ...]:
    """Return the alternatives that can be meant, in order of writing."""
    found: list[Delivery] = []
    since = len(reader.complaints)
    for phrase in reader.phrase.phrases("delivery", "declining"):
        delivery = _delivery(reader, phrase)
        found += [delivery] if delivery is not None else []
    if any(delivery.colour != DECLINED for delivery in found):
        reader.beside(since)
    return tuple(found)


def _delivery(reader: OrderReader, phrase: Phrase) -> Delivery | None:
    if phrase.rule == "declining":
        return Delivery(colour=DECLINED)
    colours, loks = known(phrase.words), len(phrase.phrases("fast"))
    way = phrase.phrases("found", "route")[0]
    cities = _cities(way)
    if colours is None or cities is None or not _is_possible(reader, cities):
        return None
    origin, goal, via = cities[0], cities[-1], cities[1:-1]
    colour = colours[0]
    # FROM and TO alone leave the route to the referee; cities named one by one, each linked to the next, are the route.
    if way.rule == "route" or (via and not gaps(reader.board, cities)):
        if _complain_of_gaps(reader, cities):
            return None
        return Delivery(colour=colour, origin=origin, goal=goal, route=cities, loks=loks)
    if reader.state.options.route_needed and _complain_of_gaps(reader, cities):
        return None
    return Delivery(colour=colour, origin=origin, goal=goal, via=via, loks=loks)


def _cities(way: Phrase) -> tuple[str, ...] | None:
    """Return all cities that are named, from the first to the last: of FROM A TO B VIA C they are A, C, B."""
    ends, via = way.words, way.phrases("via", "after")
    between = tuple(word for phrase in via for word in phrase.words)
    return known((ends[0], *between, *ends[1:]) if way.rule == "found" else ends)


def _is_possible(reader: OrderReader, cities: tuple[str, ...]) -> bool:
    """Complain of a city that comes twice. Rule: V3.6.2."""
    twice = [city for place, city in enumerate(cities) if city in cities[:place]]
    if twice:
        way, name = way_name(reader.board, cities), reader.board.name(twice[0])
        reader.complain("invalid-city-twice", "V3.6.2", text=way, city=name)
    return not twice


def _complain_of_gaps(reader: OrderReader, cities: tuple[str, ...]) -> bool:
    """Complain of the first step that no link makes, and say which ways there are. Rule: V3.6.1."""
    missing = gaps(reader.board, cities)
    if missing:
        step, hint = way_name(reader.board, missing[0]), near_links(reader.board, *missing[0])
        reader.complain("invalid-gap", "V3.6.1", text=way_name(reader.board, cities), hint=hint, step=step)
    return bool(missing)
