"""A board of fourteen cities in a ring, tables of two to six players at it, and ways to play turns on it.

City ``C01`` is joined to the next three in the ring; colours of links go round in board order, so does the cost from 3 to 6.
"""

from collections.abc import Mapping
from functools import reduce
from typing import Any, TypeVar

from referee.core import Dice, SeededDice, TypedDice
from referee.core.game import TOGETHER, Outcome, Player
from referee.games.volldampf import GAME
from referee.games.volldampf.board import CUBE_COLOURS, NUMBERS, Board, City, Link, LinkColour, Merchandise
from referee.games.volldampf.changes import Play
from referee.games.volldampf.options import Options
from referee.games.volldampf.position import start
from referee.games.volldampf.round import adjudicate
from referee.games.volldampf.state import (
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
    Table,
    TakeBonds,
    Target,
    Wish,
)

Orders = tuple[Order, ...]

CODES = ("ANN", "BOB", "CID", "DOT", "EVA", "FRI")
COLOURS = ("purple", "green", "pink", "orange", "brown", "grey")
CITIES = tuple(f"C{number:02}" for number in range(1, 15))
Kind = TypeVar("Kind")


def board() -> Board:
    """Return the ring: ten home cities, blue and violet in turn, then two red and two yellow ones abroad."""
    colours = ("blue", "violet") * 5 + ("red", "red", "yellow", "yellow")
    ends = [(here, here + step) for step in (1, 2, 3) for here in range(14)]
    return Board(
        id="ring",
        title="Ring",
        cities=tuple(City(id=code, name=code, colour=colour) for code, colour in zip(CITIES, colours, strict=True)),
        colours=tuple(LinkColour(id=colour, symbol="circle", code=colour[0].upper()) for colour in COLOURS),
        links=tuple(
            Link(a=CITIES[one], b=CITIES[other % 14], colour=COLOURS[place % 6], cost=3 + place % 4)
            for place, (one, other) in enumerate(ends)
        ),
        merchandise=tuple(
            Merchandise(number=card, cities=tuple(CITIES[(5 * card + place) % 14] for place in (0, 4, 9)))
            for card in range(1, 19)
        ),
        numbers=NUMBERS,
    )


def laid(players: int = 4, pace: str = TOGETHER, **options: Any) -> State:
    """Return a table before its first event."""
    seats = tuple(Player(code=code, colour="red", name=code.title()) for code in CODES[:players])
    return State(table=Table(board=board(), options=Options(**options), players=seats, pace=pace))


def opened(players: int = 4, pace: str = TOGETHER, throws: Mapping[str, int] | None = None, **options: Any) -> State:
    """Return a game at its first question; ANN is the start player unless ``start`` is thrown."""
    state = start(laid(players, pace, **options), dice({"start": 1, **(throws or {})})).state
    assert isinstance(state, State)
    return state


def dice(throws: Mapping[str, int] | None = None, seed: str = "ring") -> TypedDice:
    """Return the throws given, others from a seed."""
    return TypedDice(throws or {}, SeededDice(seed))


def play(state: State, throws: Dice | None = None, /, **orders: Order | Orders) -> Play:
    """Return a turn that begins, with letters of these orders by player."""
    return Play(state, _tuples(orders), throws or dice())


def turn(state: State, /, **orders: Order | Orders) -> Outcome:
    """Play one turn; whoever is not named says nothing. The position must be the fold of the events."""
    outcome = adjudicate(state, _tuples(orders), dice())
    assert reduce(GAME.apply, outcome.events, state) == outcome.state
    return outcome


def of_kind(played: Play | Outcome, kind: type[Kind]) -> list[Kind]:
    """Return the events of a kind, in order."""
    return [event for event in played.events if isinstance(event, kind)]


def cubes_in_all(state: State) -> dict[str, int]:
    """Return the cubes by colour, in the bag and on the board."""
    lying = [colour for colours in state.cubes.values() for colour in colours]
    return {colour: state.bag[colour] + lying.count(colour) for colour in CUBE_COLOURS}


def cards_in_all(state: State) -> int:
    """Return the action cards in pile, discards and hands."""
    held = sum(len(cards) for cards in state.actions.values())
    return sum(state.action_pile.values()) + sum(state.action_discards.values()) + held


def _tuples(orders: Mapping[str, Order | Orders]) -> dict[str, Orders]:
    return {code: own if isinstance(own, tuple) else (own,) for code, own in orders.items()}


# Players who order at random whatever the rules know, good and bad, from named throws: what they say depends on names
# alone.


class Guess:
    """One player's guesses for one round; each named choice is the same however often it is asked for."""

    def __init__(self, state: State, player: str, seed: str) -> None:
        self.state = state
        self.player = player
        self.dice = SeededDice(f"{seed}/{state.round}/{player}")

    def one_of(self, name: str, *choices: str) -> str:
        """Return one of the choices."""
        return choices[self.dice.throw(name, len(choices)) - 1]

    def opening(self) -> Orders:
        """Return bonds, Alles neu, bids and a ranking."""
        amounts = tuple(self.dice.throw(f"bid/{place}", 8) - 1 for place in range(3))
        wishes = tuple(Wish(colours=(self.one_of(f"rank/{place}", *COLOURS),)) for place in range(4))
        return (
            TakeBonds(points=self.dice.throw("bonds", 4)),
            Bid(amounts=amounts[: self.dice.throw("bids", 4) - 1]),
            Rank(wishes=(*wishes, Wish(number=2))),
        )

    def rearrangement(self) -> Rearrange:
        """Return Alles neu as it is legal: the cards of all groups the other way round."""
        cards = [card for group in self.state.groups for card in group][::-1]
        size = self.state.numbers.group_size
        return Rearrange(groups=tuple(tuple(cards[at : at + size]) for at in range(0, len(cards), size)))

    def builds(self) -> Orders:
        """Return alternatives of links for every building round, the last ones with Günstige Gelegenheit."""
        links = tuple(link.id for link in self.state.board.links)
        return tuple(
            Build(
                number=number,
                sites=tuple(
                    Site(link=self.one_of(f"build/{number}/{place}", *links), bargain=place > 8) for place in range(10)
                ),
            )
            for number in range(1, self.state.numbers.group_size + 1)
        )

    def trips(self) -> Orders:
        """Return every order of phase 6."""
        place = self.one_of("place", *CITIES)
        return (
            *(Move(trip=trip, deliveries=self._deliveries(f"move/{trip}")) for trip in (1, 2)),
            Subsidy(deliveries=self._deliveries("subsidy")),
            Extra(trip=1, cities=tuple((colour, place) for colour in CUBE_COLOURS)),
            Plan(
                when="before", what="move", number=2, colour=self._colour("plan"), origin=self._city("from"), goal=place
            ),
            Plan(
                when="after", what="build", number=1, colour=self._colour("late"), origin=self._city("at"), goal=place
            ),
            Steal(players=(self.one_of("steal", *self.state.codes),)),
        )

    def sabotage(self) -> Sabotage:
        """Return an order that stands until somebody moves a cube of a colour."""
        return Sabotage(targets=(Target(colour=self._colour("sabotage")),))

    def _deliveries(self, name: str) -> tuple[Delivery, ...]:
        """Return guesses at trips: any cube from any city to any other, now and then with a Schnelle Lok; perhaps none."""
        guesses = tuple(
            Delivery(
                colour=self._colour(f"{name}/{place}/colour"),
                origin=self._city(f"{name}/{place}/origin"),
                goal=self._city(f"{name}/{place}/goal"),
                loks=int(place % 5 == 0),
            )
            for place in range(60)
        )
        return (*guesses, Delivery(colour=DECLINED)) if self.dice.throw(name, 3) == 1 else guesses

    def _colour(self, name: str) -> str:
        return self.one_of(name, *CUBE_COLOURS)

    def _city(self, name: str) -> str:
        return self.one_of(name, *CITIES)


def everything(state: State, player: str, seed: str, *, sabotages: bool = True) -> Orders:
    """Return all that a player guesses for this round, whatever is asked for now."""
    guess = Guess(state, player, seed)
    new = (guess.rearrangement(),) if state.groups else ()
    bars = (guess.sabotage(),) if sabotages else ()
    return (*guess.opening(), *new, *guess.builds(), *guess.trips(), *bars)
