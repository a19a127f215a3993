"""Positions of running games as tables that umpires type in and change by rulings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any

from referee.core import N_, Amounts, Complaint, Dice, Fields, Hex, Numbers, Side, format_side, side
from referee.core.game import Changes, Outcome
from referee.core.record import Change, Ruled, changed_table
from referee.core.texts.positiontable import (
    CODE,
    LINES,
    LISTED_NUMBERS,
    Clash,
    Form,
    Key,
    PositionFault,
    PositionReader,
    Unknown,
    by_company,
    codes_of,
    list_of,
    optional,
    read_keys,
    rows,
    show_value,
    table_of,
    whole,
    word,
    write_keys,
)

from .board import RailMap
from .changes import CHANGES, lay, with_homes
from .draws import TYPED_SIDES
from .events import GameStarted, PositionTaken
from .names import hexes_named, land_run, place_name, places
from .notation import track_lines
from .round import Round, builds_after_a_race
from .state import START_BALANCE, Jump, Race, State

Reader = PositionReader[State]

_PIECES = re.compile(r"\s*;\s*")
_STEPS = re.compile(r"\s+[-–—]+>?\s+|\s*→\s*")


# --- places ---


def _read_hex(reader: Reader, typed: Any) -> Hex:
    """Return the hex of a town, a junction, a label, or a key that one town alone has."""
    board = reader.state.board
    found = hexes_named(board, str(typed)) if isinstance(typed, (str, int)) else ()
    if len(found) == 1:
        return found[0]
    if found:
        raise PositionFault(
            N_("{value} is the key of {count} towns; name the town"), value=show_value(typed), count=len(found)
        )
    raise Unknown(N_("there is no place {value} on this map{like}"), typed, [term.name for term in places(board)])


def _read_city(reader: Reader, typed: Any, or_paying: bool = False) -> Hex:
    found, board = _read_hex(reader, typed), reader.state.board
    if found in (board.paying if or_paying else board.station_at):
        return found
    raise Clash(N_("{value} is no city"), value=show_value(typed))


HEX, CITY = (Form(read, lambda state, label: place_name(state.board, label)) for read in (_read_hex, _read_city))
_LISTED = list_of(Form(partial(_read_city, or_paying=True)), N_("{value} is read; a list of cities expected"), object)
CITIES = Form(
    lambda reader, typed: frozenset(_LISTED.read(reader, typed)),
    lambda state, hexes: [place.name for place in state.board.paying.values() if place.hex in hexes],
)


# --- track, and what it reaches ---


def _read_line(reader: Reader, line: str) -> list[Side]:
    """Return the hex-sides of a line of pieces: ``(Dublin) - Y17 ; (Athlone) - Q20 - P21``. Rule: D2.2, R1."""
    sides: list[Side] = []
    for piece in filter(None, _PIECES.split(line.strip())):
        named = [reader.read(HEX, name) for name in _names(reader.state.board, piece)]
        if len(named) < 2 and None not in named:
            told = N_("{value} has one place; two or more expected, with ' - ' between them")
            reader.note(PositionFault(told, value=show_value(piece)))
        for start, end in pairwise(named) if None not in named else ():
            run = land_run(reader.state.board, start, end)
            if isinstance(run, Complaint):
                told = (
                    N_("{run}: several ways, name a hex between: {hexes}")
                    if run.hint
                    else N_("{run}: no way over land")
                )
                reader.note(PositionFault(told, run=run.text, hexes=run.hint))
            else:
                sides += (side(*each) for each in pairwise(run))
    return sides


def _names(board: RailMap, piece: str) -> list[str]:
    """Return the places of a piece; ``A3-B3`` is two of them unless it is a name."""
    words = [name.strip(" ()") for name in _STEPS.split(piece)]
    return [part for name in words for part in ((name,) if hexes_named(board, name) else name.split("-")) if part]


_LINES = list_of(Form(_read_line), LINES, example="Dublin - Y17 - X17")


def _read_sides(reader: Reader, typed: Any) -> frozenset[Side]:
    """Return the hex-sides of a company's lines; note those that nobody can have built. Rule: D2.2, D2.3, D2.5."""
    board = reader.state.board
    sides: set[Side] = set()
    for laid in (laid for line in _LINES.read(reader, typed) for laid in line):
        name = format_side(laid)
        if laid in sides:
            reader.note(PositionFault(N_("hex-side {side} is there twice"), side=name))
        elif laid in board.closed:
            reader.note(Clash(N_("hex-side {side} is closed on this map"), side=name))
        elif set(laid) - board.ground.keys():
            reader.note(Clash(N_("hex-side {side} does not join two hexes of the land"), side=name))
        sides.add(laid)
    return frozenset(sides)


TRACK = Form(_read_sides, lambda state, lines: list(lines))


# --- points ---


def _put_balances(state: State, balances: Amounts) -> State:
    totals = {code: (*state.totals[code][:-1], amount) for code, amount in balances.items()}
    return state.but(balance={**state.balance, **balances}, totals={**state.totals, **totals})


def _read_bridge(reader: Reader, typed: str) -> Side:
    """Return the hex-side of a bridge that points may be banked for, and that the company has not built."""
    one, _, other = typed.partition("-")
    laid = side(_read_hex(reader, one.strip()), _read_hex(reader, other.strip()))
    bridge, code = reader.state.board.bridges.get(laid), reader.where.split(".")[1]
    if not bridge or not bridge.banked:
        raise PositionFault(N_("there is no bridge for which points may be banked"))
    if code in reader.state.owners(laid):
        raise Clash(N_("{code} has built this bridge"), code=code)
    return laid


def _read_points(reader: Reader, typed: Any) -> int:
    """Return points for a bridge that are less than its price. Rule: R28."""
    bridge = reader.state.board.bridges[_read_bridge(reader, reader.where.split(".", 2)[2])]
    points: int = whole(1, bridge.price - 1).read(reader, typed)
    return points


BANKED = table_of(
    Form(_read_bridge, lambda state, bridge: format_side(bridge)),
    Form(_read_points),
    lambda state: sorted(state.board.bridges),
    None,
    N_("a table by bridges expected, as {example}"),
    '{ "B3-B4" = 3 }',
)


# --- races and rolls ---


def _read_end(reader: Reader, typed: Any) -> int:
    """Return a key of the map or the number of a special."""
    board = reader.state.board
    if type(typed) is int and (typed in board.ends_of or any(typed == special.number for special in board.specials)):
        return typed
    raise _no_end(typed)


def _no_end(typed: Any) -> PositionFault:
    return PositionFault(f"{show_value(typed)} is no key of this map and no special")


_NUMBER = whole(1, 999)
_NUMBERS = list_of(_NUMBER, LISTED_NUMBERS, object)
_STATUS = word(("open", "run", "dropped", "cancelled"), "{value} is read; open or run or dropped or cancelled expected")
_END = optional(Form(_read_end), 0)
_RACES = rows(Race, number=_NUMBER, start=_END, end=_END, round=_NUMBER, status=_STATUS)


def _read_races(reader: Reader, typed: Any) -> tuple[Race, ...]:
    """Return the races; the number of one that has none is its place in the list."""
    if isinstance(typed, list) and all(isinstance(each, dict) for each in typed):
        usual = {"round": reader.state.round, "status": "open"}
        typed = [{"number": at, **usual, **each} for at, each in enumerate(typed, 1)]
    races: tuple[Race, ...] = _RACES.read(reader, typed)
    for at, race in enumerate(races):
        if any(race.number == other.number for other in races[:at]):
            reader.note(Clash(f"race {race.number} is there twice"), f"races[{at + 1}]")
        for name in ("start", "end") if race.status != "cancelled" else ():
            if getattr(race, name) == 0:
                reader.note(_no_end(typed[at].get(name)), f"races[{at + 1}].{name}")
    return tuple(sorted(races, key=lambda race: race.number or 0))


def _read_races_run(reader: Reader, typed: Any) -> Numbers:
    numbers: Numbers = _NUMBERS.read(reader, typed)
    for number in numbers:
        if all(number != race.number for race in reader.state.races):
            reader.note(Clash(N_("there is no race {number} in races"), number=number))
    return numbers


def _put_races_run(state: State, numbers: Numbers) -> State:
    """Exactly these races were run: the others that were are open again."""
    others = {"run": "open"}
    status = {each.number: others.get(each.status, each.status) for each in state.races} | dict.fromkeys(numbers, "run")
    return state.but(races=tuple(race.but(status=status[race.number]) for race in state.races))


_ROLLS = list_of(whole(1, lambda state: TYPED_SIDES if state.options.roll == "typed" else 6), LISTED_NUMBERS, object)


def _rolls(one: Any) -> Form:
    """Return how rolls like *one* are typed: by company, or those of all as a list."""
    return by_company(_ROLLS) if isinstance(one, Mapping) else _ROLLS


# In the order in which they are read: a later one may lean on an earlier one.
KEYS = (
    Key("round", _NUMBER, put=lambda state, number: state.but(round=number, turn=number)),
    Key(
        "phase",
        word(("build", "race", "over"), "{value} is read; build or race expected"),
        put=lambda state, phase: state,  # it hangs on other keys
    ),
    Key("racing_from", whole(0, 999)),
    Key("balances", by_company(whole(-9999, 9999), 0), "balance", "money", put=_put_balances),
    Key("homes", by_company(CITY), "home", "home", put=with_homes),
    Key("jumps", rows(Jump, company=CODE, rival=CODE, start=HEX, end=HEX)),
    Key(
        "track",
        by_company(TRACK),
        word="track",
        get=lambda state: {code: track_lines(state, code) for code in codes_of(state)},
        put=lay,
    ),
    Key("banked", by_company(BANKED, {}), word="banked", sparse=True),
    Key("connected", CITIES, word="connected"),
    Key("unpaid_homes", CITIES, word="unpaid_homes"),
    Key("races", Form(_read_races, _RACES.write)),
    Key(
        "races_run",
        Form(_read_races_run, _NUMBERS.write),
        word="races_run",
        get=lambda state: [race.number for race in state.races if race.status == "run"],
        put=_put_races_run,
    ),
    Key(
        "rolls",
        Form(
            lambda reader, typed: _rolls(typed).read(reader, typed),
            lambda state, rolls: _rolls(rolls).write(state, rolls),
        ),
        get=lambda state: state.own_rolls or state.rolls,
        put=lambda state, rolls: (
            state.but(own_rolls={**state.own_rolls, **rolls}) if isinstance(rolls, dict) else state.but(rolls=rolls)
        ),
    ),
)


# --- the whole table ---


def take_position(state: State, told: str, dice: Dice) -> Outcome:
    """Return the opening of a game that begins at the position *told*, a table as JSON. Raises PositionError."""
    played = Round(state, {}, dice, ALL_CHANGES)
    played.add(PositionTaken(told=told))
    return played.ask_for_first()


def place(state: State, told: Fields) -> State:
    """Return *state* with everything the table says; what it does not say stays, or is as at the opening of a game.

    Raises:
        PositionError: with every fault that was found, each beginning with its key.
    """
    if not state.balance:  # Rule: D1.2
        state = CHANGES[GameStarted](GameStarted(balance=START_BALANCE), state)
    reader = PositionReader(state)
    read_keys(reader, KEYS, told)
    if "round" in told or "phase" in told:
        _set_phase(reader, told)
    reader.stop_if_faulty()
    for code in told.get("track", {}):
        _check_network(reader, code)
    if {"round", "phase", "rolls"} & told.keys():
        _check_round(reader)
    reader.stop_if_faulty()
    return reader.state


facts = partial(write_keys, keys=KEYS)  # the position as the table that ``place`` reads, in one canonical form


# --- what the keys mean together ---


def _set_phase(reader: Reader, told: Fields) -> None:
    """Building or racing: as told, else by the number of building rounds, else racing if there are races. Rule: D2.7."""
    state = reader.state
    known = state.building_rounds
    first = known + 1 if known else state.racing_from or min((race.round for race in state.races), default=state.round)
    racing = state.round >= first if known or state.racing_from else state.races
    phase = told.get("phase", "race" if racing else "build")
    reader.state = state.but(phase=phase, racing_from=0 if phase == "build" else first)
    if phase == "race" and "rolls" not in told:
        reader.state = reader.state.but(rolls=(), own_rolls={})


def _check_network(reader: Reader, code: str) -> None:
    """Note track that is not one network from its company's home on, but for jumps. Rule: D2.4, D7.2."""
    state, board = reader.state, reader.state.board
    own = state.track_of(code)
    ends = [(jump.start, jump.end) for jump in state.jumps if jump.company == code]
    joined = {state.home.get(code, "")}
    while more := {label for pair in (*own, *ends) for label in pair if joined & set(pair)} - joined:
        joined |= more
    apart = min({label for pair in own for label in pair} - joined, default="")
    if apart:
        place, home = (place_name(board, label) for label in (apart, state.home.get(code, apart)))
        told = N_("{place} is not joined to the home {home} by {code}'s track")
        lone = N_("{code} has track but no home (homes.{code})")
        reader.note(Clash(told if code in state.home else lone, code=code, place=place, home=home), f"track.{code}")


def _check_round(reader: Reader) -> None:
    """A building round has its rolls, a racing round its races. Rule: D4.4, D5.6."""
    state, options = reader.state, reader.state.options
    if state.is_racing:
        if state.rolls or state.own_rolls:
            reader.note(Clash(f"round {state.round} is a racing round; it has none"), "rolls")
        if not state.offered_races() and not builds_after_a_race(state):  # a round may be for building alone. Rule: R34
            reader.note(Clash(f"round {state.round} is a racing round; its races expected, with status open"), "races")
    if state.is_building:
        own = {f"rolls.{code}": state.own_rolls.get(code, ()) for code in state.codes}
        for where, rolls in (own if options.roll_per == "company" else {"rolls": state.rolls}).items():
            if len(rolls) != options.rolls_per_round:
                says = f"{len(rolls)} given; the {options.rolls_per_round} of round {state.round} expected"
                reader.note(Clash(says), where)


# --- rulings: ``place`` makes them, but for single lines of track ---


def after_ruled(event: Ruled, state: State) -> State:
    """Return the position after a ruling. Raises PositionError: a change does not fit it."""
    for change in event.changes:
        lines = change.key == "track" and change.how != "="
        state = _after_track(state, change) if lines else place(state, changed_table(facts(state), change))
    return state


def _after_track(state: State, change: Change) -> State:
    """Lay or take up hex-sides."""
    reader = PositionReader(state)
    where = f"track.{change.name}"
    code = reader.read(CODE, change.name, where)
    sides = reader.read(TRACK, json.loads(change.value), where) or frozenset()
    own = frozenset(state.track_of(code))
    for each in sorted(sides) if code else ():
        if (each in own) == (change.how == "+"):
            told, none = N_("hex-side {side} has track of {code}"), N_("hex-side {side} has no track of {code}")
            reader.note(Clash(told if each in own else none, side=format_side(each), code=code), where)
    reader.stop_if_faulty()
    reader.state = lay(state, {code: own ^ sides})
    _check_network(reader, code)
    reader.stop_if_faulty()
    return reader.state


ALL_CHANGES: Changes = {
    **CHANGES,
    PositionTaken: lambda event, state: place(state, json.loads(event.told)),
    Ruled: after_ruled,
}
