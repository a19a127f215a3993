"""Players who order at random whatever the rules know, good and bad, from named throws: what they say depends on names alone."""

from __future__ import annotations

from referee.core.dice import SeededDice
from referee.games.volldampf.board.board import CUBE_COLOURS
from referee.games.volldampf.state import (
    AFTER,
    BEFORE,
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
    Wish,
)
from tests.games.volldampf.tables import CITIES, COLOURS


class Guess:
    """One player's guesses for one round; each named choice is the same however often it is asked for."""

    def __init__(self, state: State, player: str, seed: str) -> None:
        self.state = state
        self.player = player
        self.dice = SeededDice(f"{seed}/{state.round}/{player}")

    def one_of(self, name: str, *choices: str) -> str:
        """Return one of the choices."""
        return choices[self.dice.throw(name, len(choices)) - 1]

    def opening(self) -> tuple[Order, ...]:
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

    def builds(self) -> tuple[Order, ...]:
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

    def trips(self) -> tuple[Order, ...]:
        """Return every order of phase 6."""
        place = self.one_of("place", *CITIES)
        return (
            *(Move(trip=trip, deliveries=self._deliveries(f"move/{trip}")) for trip in (1, 2)),
            Subsidy(deliveries=self._deliveries("subsidy")),
            Extra(trip=1, cities=tuple((colour, place) for colour in CUBE_COLOURS)),
            Plan(
                when=BEFORE, what="move", number=2, colour=self._colour("plan"), origin=self._city("from"), goal=place
            ),
            Plan(when=AFTER, what="build", number=1, colour=self._colour("late"), origin=self._city("at"), goal=place),
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


def everything(state: State, player: str, seed: str, *, sabotages: bool = True) -> tuple[Order, ...]:
    """Return all that a player guesses for this round, whatever is asked for now."""
    guess = Guess(state, player, seed)
    new = (guess.rearrangement(),) if state.groups else ()
    bars = (guess.sabotage(),) if sabotages else ()
    return (*guess.opening(), *new, *guess.builds(), *guess.trips(), *bars)
