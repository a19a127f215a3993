"""What a built-in player sees: the position that its newsletter shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.core import Hex, Side, Value, distance
from referee.core.game import Player
from referee.games.dampfross.board import RailMap
from referee.games.dampfross.options import Options
from referee.games.dampfross.state import Company, Race, State, Table


def position_of(seen: Mapping[str, Any], board: RailMap) -> State:
    """Return the position that a view shows. *seen*: ``Game.view`` as mailed."""
    companies = tuple(
        Company(code=each["code"], colour=each["colour"], name=each["name"], player=each["leader"])
        for each in seen["companies"]
    )
    leaders = [company for company in companies if company.player == company.code]
    players = tuple(Player(code=each.code, colour=each.colour, name=each.name) for each in leaders)
    options = Options(**seen["options"])
    named = {station.name: station.hex for station in board.stations}
    home = {each["code"]: named[each["home"]] for each in seen["companies"] if each["home"]}
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


def _side(text: str) -> Side:
    one, _, other = text.partition("-")
    return one, other


# How those who lead the companies of Dampfross differ: in what they pay rivals, how they bear a crowd, where they
# want to go.
#
# A company has its temper by its place at the table: no two of up to five are alike, and nothing is left to chance.


class Temper(Value):
    """``fee_weight``: what a unit that goes to a rival weighs, in tenths of a point of building.

    ``crowd``: the per cent of a town's worth that each rival who is there already leaves of it. ``longing``: the per cent by
    which a town is worth more that lies straight on the way to the one dreamt of, and less in the opposite direction.
    """

    fee_weight: int
    crowd: int
    longing: int


TEMPERS = (
    Temper(fee_weight=12, crowd=70, longing=80),  # plans far ahead
    Temper(fee_weight=20, crowd=45, longing=60),  # is mean, and keeps away from everybody
    Temper(fee_weight=8, crowd=100, longing=30),  # trades wherever others do
    Temper(fee_weight=14, crowd=60, longing=150),  # has one goal
    Temper(fee_weight=10, crowd=85, longing=60),  # takes what comes
)
LEAST = 40  # per cent of its worth that a town keeps, however far off the way


def temper_of(codes: Sequence[str], company: str) -> Temper:
    """Return the temper of a company; *codes*: those at the table in order of play; the first temper for any other."""
    return TEMPERS[codes.index(company) % len(TEMPERS)] if company in codes else TEMPERS[0]


@lru_cache(maxsize=64)
def dream_of(towns: tuple[Hex, ...], homes: tuple[Hex, ...], place: int) -> Hex:
    """Return the town that the company at a *place* of the table, from 0, dreams of: far from homes and other dreams."""
    taken = list(homes)
    for _ in range(place + 1):
        taken.append(max(towns, key=lambda town: (min(distance(town, other) for other in taken), town)))
    return taken[-1]


def leaning(temper: Temper, home: Hex, town: Hex, dream: Hex) -> int:
    """Return how much of its worth a town has for who lives in *home* and longs for another, in per cent."""
    way = distance(home, town)
    nearer = distance(home, dream) - distance(town, dream)  # at most as much as the way
    return max(LEAST, 100 + temper.longing * nearer // way) if way else 100
