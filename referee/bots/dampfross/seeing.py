"""What a built-in player sees: the position that its newsletter shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.game import Player
from referee.core.hexes import Side
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.options import Options
from referee.games.dampfross.position.state import BUILD, Company, Race, State, Table


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
        racing_from=seen["building_rounds"] + 1 if seen["phase"] != BUILD else 0,
        races=tuple(
            Race(number=race["number"], start=race["start"]["key"], end=race["end"]["key"], round=race["round"])
            for race in seen["calendar"]
        ),
    )


def _side(text: str) -> Side:
    one, _, other = text.partition("-")
    return one, other
