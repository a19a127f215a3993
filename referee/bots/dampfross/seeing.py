"""What a built-in player sees: the position that its newsletter shows."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from referee.core import Fields, Hex, Side, Texts, Value, distance
from referee.core.agreement import BUILT_IN
from referee.core.game import Player
from referee.games.dampfross.board import RailMap
from referee.games.dampfross.options import Options
from referee.games.dampfross.state import Company, Race, State, Table


def position_of(seen: Fields, board: RailMap) -> State:
    """Return the position that a view shows. *seen*: ``Game.view`` as mailed."""
    companies = tuple(
        Company(code=each["code"], colour=each["colour"], name=each["name"], player=each["leader"])
        for each in seen["companies"]
    )
    leaders = [each for each in seen["companies"] if each["leader"] == each["code"]]
    players = tuple(Player(code=each["code"], colour=each["colour"], name=each["player"]) for each in leaders)
    options = Options(**seen["options"])
    towns = {station.name: station.hex for station in board.stations}
    home = {each["code"]: towns[each["home"]] for each in seen["companies"] if each["home"]}
    track = {_side(text): tuple(owners) for text, owners in seen["track"]}
    reached = {
        code.code: frozenset(label for laid, owners in track.items() if code.code in owners for label in laid)
        | ({home[code.code]} if code.code in home else set())
        for code in companies
    }
    return State(
        table=Table(board=board, options=options, players=players, companies=companies, pace=seen["pace"]),
        round=seen["round"],
        phase=seen["phase"],
        rolls=tuple(seen["rolls"]),
        own_rolls={each["code"]: tuple(each["rolls"]) for each in seen["companies"] if each["rolls"]},
        home=home,
        balance={each["code"]: each["balance"] for each in seen["companies"]},
        track=track,
        reached=reached,
        connected=frozenset(city["hex"] for city in seen["cities"] if city["connected"]),
        racing_from=seen["building_rounds"] + 1 if seen["phase"] != "build" else 0,
        races=tuple(
            Race(number=race["number"], start=race["start"]["key"], end=race["end"]["key"], round=race["round"])
            for race in seen["calendar"]
        ),
    )


def keeps_pacts(state: State, company: str) -> bool:
    """Return whether a company's leader comes to the same joint trains as all built-in players: where some are named as such,
    only they do.
    """
    built_in = {each.code for each in state.table.players if each.name.startswith(BUILT_IN)}
    return not built_in or state.table.company(company).player in built_in


def _side(text: str) -> Side:
    one, _, other = text.partition("-")
    return one, other


# How those who lead the companies of Dampfross differ: in skill, in what they like, and in what they pay rivals. Each game
# draws that anew; nothing of it goes by the seat.


class Temper(Value):
    """``fee_weight``: what a unit that goes to a rival weighs, in tenths of a point of building.

    ``crowd``: the per cent of a town's worth that each rival who is there already leaves of it. ``longing``: the per cent by
    which a town is worth more that lies straight on the way to the one dreamt of, and less in the opposite direction.
    """

    fee_weight: int
    crowd: int
    longing: int


TEMPERS = (
    Temper(fee_weight=12, crowd=70, longing=80),  # a planner
    Temper(fee_weight=20, crowd=45, longing=60),  # a miser
    Temper(fee_weight=8, crowd=100, longing=30),  # a trader
    Temper(fee_weight=14, crowd=60, longing=150),  # a dreamer
    Temper(fee_weight=10, crowd=85, longing=60),  # a drifter
)
LEAST = 40  # per cent of its worth that a town keeps, however far off the way


@lru_cache(maxsize=1 << 13)
def digest(*about: str) -> bytes:
    """Return bytes, always the same for the same words."""
    return sha256("/".join(about).encode()).digest()


class Mind(Value):
    """A company on a position, as a player of some strength looks at it. ``lot``: what the game drew, the same for all of it."""

    state: State
    company: str
    strength: str
    lot: str

    def whim(self, *about: str) -> int:
        """Return 0..255, always the same for the same company, game and thing."""
        return digest(self.lot, self.company, *about)[0]

    @property
    def temper(self) -> Temper:
        """The company's in this game."""
        return TEMPERS[self.turn % len(TEMPERS)]

    @property
    def order(self) -> Texts:
        """The companies in an order that the game draws."""
        return tuple(sorted(self.state.codes, key=lambda code: digest(self.lot, code)))

    @property
    def turn(self) -> int:
        """The company's place in that order."""
        return self.order.index(self.company)


def lot_of(seen: Fields) -> str:
    """Return what the game drew: its first rolls while they are asked about, then how round 1 left the accounts."""
    first = [totals[:2] for totals in seen["totals"].values()]
    return str([seen["rolls"], [each["rolls"] for each in seen["companies"]]] if seen["round"] == 1 else first)


class Same(Value, kw_only=False, eq=False):
    """A position that is the same only if it is the same object: to compare two takes longer than to forget one."""

    state: State

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.state is other.state

    def __hash__(self) -> int:
        return id(self.state)


@lru_cache(maxsize=64)
def dream_of(towns: tuple[Hex, ...], homes: tuple[Hex, ...], place: int) -> Hex:
    """Return the town that the company at a *place* of an order, from 0, dreams of: far from homes and other dreams."""
    taken = list(homes)
    for _ in range(place + 1):
        taken.append(max(towns, key=lambda town: (min(distance(town, other) for other in taken), town)))
    return taken[-1]


def leaning(temper: Temper, home: Hex, town: Hex, dream: Hex) -> int:
    """Return how much of its worth a town has for who lives in *home* and longs for another, in per cent."""
    way = distance(home, town)
    nearer = distance(home, dream) - distance(town, dream)  # at most as much as the way
    return max(LEAST, 100 + temper.longing * nearer // way) if way else 100
