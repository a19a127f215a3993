"""The position of a running game as a table that people type: ``place`` reads it, ``facts`` writes it back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, get_args

from msgspec.structs import replace

from referee.core.dice import Dice
from referee.core.game import Outcome
from referee.core.hexes import Hex, Side, format_side, side
from referee.core.record import complete
from referee.core.rulings import Ruled
from referee.core.texts.wording import N_
from referee.games.dampfross.adjudicate import ask_for_first
from referee.games.dampfross.agenda import builds_after_a_race
from referee.games.dampfross.build.costs import TYPED_SIDES
from referee.games.dampfross.intake.tracklines import track_lines
from referee.games.dampfross.intake.typedfields import PositionReader
from referee.games.dampfross.position.changes import CHANGES, Record
from referee.games.dampfross.position.events import Event, PositionTaken
from referee.games.dampfross.position.names import place_name
from referee.games.dampfross.position.options import word
from referee.games.dampfross.position.state import BUILD, OVER, RACE, START_BALANCE, Jump, Race, State


def _after_position_taken(event: PositionTaken, state: State) -> State:
    return place(state, json.loads(event.told))


# A ruling is applied by what reads its changes.
TYPED_CHANGES = complete(get_args(Event), {**CHANGES, PositionTaken: _after_position_taken}, but=(Ruled,))


def take_position(state: State, told: str, dice: Dice) -> Outcome:
    """Return the opening of a game that begins at the position *told*, a table as JSON.

    Raises:
        PositionError: as ``place``.
    """
    record = Record(state, TYPED_CHANGES)
    record.add(PositionTaken(told=told))
    ask_for_first(record, dice)
    return record.outcome()


def place(state: State, told: Mapping[str, Any]) -> State:
    """Return *state* with everything the table says; what it does not say stays, or is as at the opening of a game.

    Raises:
        PositionError: with every fault that was found, each beginning with its key.
    """
    reader = PositionReader(_opened(state))
    reader.read(told, _PLACERS)
    if "round" in told or "phase" in told:
        _set_phase(reader, told)
    if not reader.faults:
        _finish(reader, told)
    reader.stop_if_faulty()
    return reader.state


def facts(state: State) -> dict[str, Any]:
    """Return the position as the table that ``place`` reads, hexes and towns by name, in one canonical form."""
    board, codes = state.table.board, state.table.codes

    def names(hexes: Iterable[Hex]) -> list[str]:
        return [station.name for station in board.stations if station.hex in set(hexes)]

    return {
        "round": state.round,
        "phase": state.phase,
        "racing_from": state.racing_from,
        "rolls": {code: list(rolls) for code, rolls in state.own_rolls.items()} or list(state.rolls),
        "balances": {code: state.balance.get(code, START_BALANCE) for code in codes},
        "homes": {code: place_name(board, state.home[code]) for code in codes if code in state.home},
        "track": {code: list(track_lines(state, code)) for code in codes},
        "jumps": [
            {
                "company": jump.company,
                "rival": jump.rival,
                "start": place_name(board, jump.start),
                "end": place_name(board, jump.end),
            }
            for jump in state.jumps
        ],
        "banked": {
            code: {format_side(each): points for each, points in sorted(state.banked.get(code, {}).items())}
            for code in codes
        },
        "connected": names(state.connected),
        "unpaid_homes": names(state.unpaid_homes),
        "races": [
            {"number": race.number, "start": race.start, "end": race.end, "round": race.round, "status": race.status}
            for race in state.races
        ],
        "races_run": [race.number for race in state.races if race.status == "run"],
    }


def _opened(state: State) -> State:
    """Return *state* with open accounts, as far as it has none. Rule: D1.2."""
    codes = state.table.codes
    balance = {code: state.balance.get(code, START_BALANCE) for code in codes}
    return replace(
        state,
        balance=balance,
        reached={code: state.reached.get(code, frozenset()) for code in codes},
        totals={code: state.totals.get(code, (balance[code],)) for code in codes},
    )


# --- the keys of the table, in the order in which they are read ---


def _place_round(reader: PositionReader, value: Any) -> None:
    number = reader.whole("round", value, 1, 999)
    if number is not None:
        reader.state = replace(reader.state, round=number, turn=number)


def _place_phase(reader: PositionReader, value: Any) -> None:
    if value not in (BUILD, RACE, OVER):
        reader.blame("phase", f"{value!r} is read; build or race expected")


def _place_racing_from(reader: PositionReader, value: Any) -> None:
    number = reader.whole("racing_from", value, 0, 999)
    if number is not None:
        reader.state = replace(reader.state, racing_from=number)


def _place_balances(reader: PositionReader, value: Any) -> None:
    for code, told in reader.by_company("balances", value):
        amount = reader.whole(f"balances.{code}", told, -9999, 9999)
        if amount is not None:
            totals = (*reader.state.totals[code][:-1], amount)
            reader.state = replace(
                reader.state,
                balance={**reader.state.balance, code: amount},
                totals={**reader.state.totals, code: totals},
            )


def _place_homes(reader: PositionReader, value: Any) -> None:
    for code, told in reader.by_company("homes", value):
        home = reader.city(f"homes.{code}", told)
        if home is not None:
            reached = {**reader.state.reached, code: reader.state.reached[code] | {home}}
            reader.state = replace(reader.state, home={**reader.state.home, code: home}, reached=reached)


def _place_track(reader: PositionReader, value: Any) -> None:
    """Lay companies' lines anew; owners of a shared hex-side then stand in order of play."""
    for code, told in reader.by_company("track", value):
        sides: set[Side] = set()
        for line in reader.lines(f"track.{code}", told):
            for path in reader.paths(f"track.{code}", line):
                for one, other in pairwise(path):
                    _note_side(reader, code, sides, side(one, other))
        laid = {each: owners for each, owners in _without(reader.state, code).items() if owners}
        for each in sorted(sides):
            owners = {*laid.get(each, ()), code}
            laid[each] = tuple(other for other in reader.state.table.codes if other in owners)
        home = {reader.state.home[code]} if code in reader.state.home else set()
        reached = frozenset(home.union(*sides))
        reader.state = replace(reader.state, track=laid, reached={**reader.state.reached, code: reached})


def _note_side(reader: PositionReader, code: str, sides: set[Side], laid: Side) -> None:
    """Note a hex-side of a company's track, or why nobody can have built it. Rule: D2.2, D2.3, D2.5."""
    board = reader.state.table.board
    if laid in sides:
        reader.blame(f"track.{code}", N_("hex-side {side} is there twice"), side=format_side(laid))
    elif laid in board.closed:
        reader.clash(f"track.{code}", N_("hex-side {side} is closed on this map"), side=format_side(laid))
    elif any(label not in board.ground for label in laid):
        told = N_("hex-side {side} does not join two hexes of the land")
        reader.clash(f"track.{code}", told, side=format_side(laid))
    sides.add(laid)


def _without(state: State, company: str) -> dict[Side, tuple[str, ...]]:
    return {each: tuple(code for code in owners if code != company) for each, owners in state.track.items()}


def _place_jumps(reader: PositionReader, value: Any) -> None:
    jumps = []
    for where, told in reader.tables("jumps", value, ("company", "rival", "start", "end")):
        codes = [reader.company(f"{where}.{name}", told.get(name)) for name in ("company", "rival")]
        hexes = [reader.hex(f"{where}.{name}", told.get(name)) for name in ("start", "end")]
        if codes[0] and codes[1] and hexes[0] and hexes[1]:
            jumps.append(Jump(company=codes[0], rival=codes[1], start=hexes[0], end=hexes[1]))
    reader.state = replace(reader.state, jumps=tuple(jumps))


def _place_banked(reader: PositionReader, value: Any) -> None:
    """Put points aside for bridges, instead of what a company had. Rule: R28."""
    for code, told in reader.by_company("banked", value):
        if not isinstance(told, dict):
            reader.blame(f"banked.{code}", N_("a table by bridges expected, as {example}"), example='{ "B3-B4" = 3 }')
            continue
        own: dict[Side, int] = {}
        for name, points in told.items():
            laid = _banked_bridge(reader, code, name)
            if laid is not None:
                most = reader.state.table.board.bridges[laid].price - 1
                own[laid] = reader.whole(f"banked.{code}.{name}", points, 1, most) or 0
        others = {other: theirs for other, theirs in reader.state.banked.items() if other != code}
        reader.state = replace(reader.state, banked={**others, code: own} if own else others)


def _banked_bridge(reader: PositionReader, code: str, name: str) -> Side | None:
    """Return the hex-side of a bridge that points may be banked for, and that the company has not built."""
    where = f"banked.{code}.{name}"
    one, _, other = name.partition("-")
    ends = reader.hex(where, one.strip()), reader.hex(where, other.strip())
    if ends[0] is None or ends[1] is None:
        return None
    laid = side(ends[0], ends[1])
    bridge = reader.state.table.board.bridges.get(laid)
    if bridge is None or not bridge.banked:
        reader.blame(where, N_("there is no bridge for which points may be banked"))
        return None
    if code in reader.state.owners(laid):
        reader.clash(where, N_("{code} has built this bridge"), code=code)
        return None
    return laid


def _place_connected(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, connected=reader.cities("connected", value))


def _place_unpaid_homes(reader: PositionReader, value: Any) -> None:
    reader.state = replace(reader.state, unpaid_homes=reader.cities("unpaid_homes", value))


def _place_races(reader: PositionReader, value: Any) -> None:
    races: list[Race] = []
    for where, told in reader.tables("races", value, ("number", "start", "end", "round", "status")):
        race = _race(reader, where, told, len(races) + 1)
        if any(race.number == other.number for other in races):
            reader.clash(where, f"race {race.number} is there twice")
        races.append(race)
    reader.state = replace(reader.state, races=tuple(sorted(races, key=lambda race: race.number)))


_STATUS = ("open", "run", "dropped", "cancelled")


def _race(reader: PositionReader, where: str, told: Mapping[str, Any], number: int) -> Race:
    number = reader.whole(f"{where}.number", told.get("number", number), 1, 999) or number
    status = told.get("status", "open")
    if status not in _STATUS:
        reader.blame(f"{where}.status", f"{status!r} is read; {' or '.join(_STATUS)} expected")
    cancelled = status == "cancelled"
    return Race(
        number=number,
        start=reader.race_end(f"{where}.start", told.get("start"), may_lack=cancelled),
        end=reader.race_end(f"{where}.end", told.get("end"), may_lack=cancelled),
        round=reader.whole(f"{where}.round", told.get("round", reader.state.round), 1, 999) or 1,
        status=status,
    )


def _place_races_run(reader: PositionReader, value: Any) -> None:
    """Exactly these races were run: the others that were are open again."""
    known = {race.number for race in reader.state.races}
    wanted = reader.wholes("races_run", value, 1, 999)
    for number in wanted:
        if number not in known:
            reader.clash("races_run", N_("there is no race {number} in races"), number=number)

    def status(race: Race) -> str:
        return "run" if race.number in wanted else "open" if race.status == "run" else race.status

    races = tuple(replace(race, status=status(race)) for race in reader.state.races)
    reader.state = replace(reader.state, races=races)


def _place_rolls(reader: PositionReader, value: Any) -> None:
    most = TYPED_SIDES if reader.state.table.options.roll == "typed" else 6
    if isinstance(value, dict):
        rolls = {
            code: reader.wholes(f"rolls.{code}", told, 1, most) for code, told in reader.by_company("rolls", value)
        }
        reader.state = replace(reader.state, own_rolls={**reader.state.own_rolls, **rolls})
    else:
        reader.state = replace(reader.state, rolls=reader.wholes("rolls", value, 1, most))


_PLACERS = {
    "round": _place_round,
    "phase": _place_phase,
    "racing_from": _place_racing_from,
    "balances": _place_balances,
    "homes": _place_homes,
    "track": _place_track,
    "banked": _place_banked,
    "jumps": _place_jumps,
    "connected": _place_connected,
    "unpaid_homes": _place_unpaid_homes,
    "races": _place_races,
    "races_run": _place_races_run,
    "rolls": _place_rolls,
}


# --- what the keys mean together ---


def _set_phase(reader: PositionReader, told: Mapping[str, Any]) -> None:
    """Building or racing: as told, else by the number of building rounds, else racing if there are races. Rule: D2.7."""
    state = reader.state
    if state.racing_from:
        following = RACE if state.round >= state.racing_from else BUILD
    elif word(state.table.options.building_ends) == "rounds":
        following = RACE if state.round > state.building_rounds else BUILD
    else:
        following = RACE if state.races else BUILD
    phase = told.get("phase", following)
    racing_from = 0 if phase == BUILD else state.racing_from or _first_racing_round(state)
    reader.state = replace(state, phase=phase, racing_from=racing_from)
    if phase == RACE and "rolls" not in told:
        reader.state = replace(reader.state, rolls=(), own_rolls={})


def _first_racing_round(state: State) -> int:
    if word(state.table.options.building_ends) == "rounds":
        return state.building_rounds + 1
    return min((race.round for race in state.races), default=state.round)


def _finish(reader: PositionReader, told: Mapping[str, Any]) -> None:
    """Check what only the whole position shows, and reckon which cities are connected where that was not told."""
    state = reader.state
    if "connected" not in told and ({"homes", "track"} & set(told)):
        reached = frozenset[Hex]().union(*state.reached.values())
        reader.state = replace(state, connected=frozenset(filter(state.table.board.is_city, reached)))
    for code in told.get("track", {}):
        check_network(reader, code)
    if {"round", "phase", "rolls"} & set(told):
        _check_round(reader)


def check_network(reader: PositionReader, code: str) -> None:
    """Blame track that is not one network from its company's home on, but for jumps. Rule: D2.4, D7.2."""
    state, board = reader.state, reader.state.table.board
    own = [each for each, owners in state.track.items() if code in owners]
    if own and code not in state.home:
        reader.clash(f"track.{code}", N_("{code} has track but no home (homes.{code})"), code=code)
        return
    ends = [(jump.start, jump.end) for jump in state.jumps if jump.company == code]
    joined = {state.home[code]} if own else set[Hex]()
    while more := {label for pair in (*own, *ends) for label in pair if joined & set(pair)} - joined:
        joined |= more
    apart = sorted({label for pair in own for label in pair} - joined)
    if apart:
        home = place_name(board, state.home[code])
        told = N_("{place} is not joined to the home {home} by {code}'s track")
        reader.clash(f"track.{code}", told, place=place_name(board, apart[0]), home=home, code=code)


def _check_round(reader: PositionReader) -> None:
    """A building round has its rolls, a racing round its races. Rule: D4.4, D5.6."""
    state = reader.state
    options = state.table.options
    if state.phase == OVER:
        return
    if state.phase == RACE:
        if state.rolls or state.own_rolls:
            reader.clash("rolls", f"round {state.round} is a racing round; it has none")
        if not state.offered() and not builds_after_a_race(state):  # a round may be for building alone. Rule: R34
            reader.clash("races", f"round {state.round} is a racing round; its races expected, with status open")
        return
    own = {f"rolls.{code}": state.own_rolls.get(code, ()) for code in state.table.codes}
    for where, rolls in own.items() if options.roll_per == "company" else (("rolls", state.rolls),):
        if len(rolls) != options.rolls_per_round:
            says = f"{len(rolls)} given; the {options.rolls_per_round} of round {state.round} expected"
            reader.clash(where, says)
