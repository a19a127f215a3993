"""The keys of a typed-in position of Dampfross: what each of them holds, how it is typed, and what it puts where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from referee.core.hexes import Hex, Hexes, Path, Side, are_neighbours, format_side, side
from referee.core.orders import Complaint
from referee.core.texts.positiontable import (
    CODE,
    LINES,
    LISTED_NUMBERS,
    Clash,
    Fault,
    Form,
    Key,
    PositionReader,
    Unknown,
    by_company,
    codes_of,
    list_of,
    optional,
    rows,
    shown,
    table_of,
    whole,
    word,
)
from referee.core.texts.wording import N_, fold
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.draws import TYPED_SIDES
from referee.games.dampfross.names import format_path, land_run, place_name, places, turns
from referee.games.dampfross.state import BUILD, OVER, RACE, Jump, Race, State

Reader = PositionReader[State]

_PIECES = re.compile(r"\s*;\s*")
_STEPS = re.compile(r"\s+[-–—]+>?\s+|\s*→\s*")


# --- places ---


def _read_hex(reader: Reader, typed: Any) -> Hex:
    """Return the hex of a town, a junction, a label, or a key that one town alone has."""
    board = reader.state.board
    found = _hexes_named(board, str(typed)) if isinstance(typed, (str, int)) else ()
    if len(found) == 1:
        return found[0]
    if found:
        raise Fault(N_("{value} is the key of {count} towns; name the town"), value=shown(typed), count=len(found))
    raise Unknown(N_("there is no place {value} on this map{like}"), typed, [term.name for term in places(board)])


def _hexes_named(board: RailMap, name: str) -> Hexes:
    return _hexes(board).get(fold(name), ())


@lru_cache(maxsize=16)
def _hexes(board: RailMap) -> dict[str, Hexes]:
    """Return the hexes of all names and keys; more than one where towns share a key."""
    named = {fold(term.name): (term.value,) for term in reversed(places(board))}
    return named | {str(key): hexes for key, hexes in board.ends_of.items()}


def _read_city(reader: Reader, typed: Any, or_paying: bool = False) -> Hex:
    found, board = _read_hex(reader, typed), reader.state.board
    if found in (board.paying if or_paying else board.station_at):
        return found
    raise Clash(N_("{value} is no city"), value=shown(typed))


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
            reader.note(Fault(told, value=shown(piece)))
        for start, end in pairwise(named) if None not in named else ():
            sides += (side(*each) for each in pairwise(_run(reader, start, end)))
    return sides


def _names(board: RailMap, piece: str) -> list[str]:
    """Return the places of a piece; ``A3-B3`` is two of them unless it is a name."""
    words = [name.strip(" ()") for name in _STEPS.split(piece)]
    return [part for name in words for part in ((name,) if _hexes_named(board, name) else name.split("-")) if part]


def _run(reader: Reader, start: Hex, end: Hex) -> Path:
    run = land_run(reader.state.board, start, end)
    if not isinstance(run, Complaint):
        return run
    told = N_("{run}: several ways, name a hex between: {hexes}") if run.hint else N_("{run}: no way over land")
    reader.note(Fault(told, run=run.text, hexes=run.hint))
    return ()


_LINES = list_of(Form(_read_line), LINES, example="Dublin - Y17 - X17")


def _read_sides(reader: Reader, typed: Any) -> frozenset[Side]:
    """Return the hex-sides of a company's lines; note those that nobody can have built. Rule: D2.2, D2.3, D2.5."""
    board = reader.state.board
    sides: set[Side] = set()
    for laid in (laid for line in _LINES.read(reader, typed) for laid in line):
        name = format_side(laid)
        if laid in sides:
            reader.note(Fault(N_("hex-side {side} is there twice"), side=name))
        elif laid in board.closed:
            reader.note(Clash(N_("hex-side {side} is closed on this map"), side=name))
        elif set(laid) - board.ground.keys():
            reader.note(Clash(N_("hex-side {side} does not join two hexes of the land"), side=name))
        sides.add(laid)
    return frozenset(sides)


TRACK = Form(_read_sides, lambda state, lines: list(lines))


def lay(state: State, told: Mapping[str, frozenset[Side]]) -> State:
    """Lay companies' track anew; whose track lies there already keeps its place among the owners of a hex-side."""
    for code, sides in told.items():
        track = dict(state.track)
        for each in (*track, *sorted(sides - track.keys())):
            owners = track.get(each, ())
            if (code in owners) != (each in sides):
                track[each] = (*owners, code) if each in sides else tuple(owner for owner in owners if owner != code)
        jumps = (end for jump in state.jumps if jump.company == code for end in (jump.start, jump.end))
        home = (state.home[code],) if code in state.home else ()
        state = replace(state, track={each: owners for each, owners in track.items() if owners})
        state = _reach(state, code, frozenset((*home, *jumps)).union(*sides))
    return state


def _reach(state: State, code: str, network: frozenset[Hex]) -> State:
    """Return the position with another network of a company; its cities are connected, others if a network has them."""
    reached = {**state.reached, code: network}
    known = state.connected & frozenset[Hex]().union(*reached.values())
    return replace(state, reached=reached, connected=known.union(state.board.paying.keys() & network))


def _put_homes(state: State, homes: Mapping[str, Hex]) -> State:
    for code, home in homes.items():
        state = _reach(replace(state, home={**state.home, code: home}), code, state.reached[code] | {home})
    return state


# --- track as lines: the fewest that walking on until it ends gives, always the same ---


def _track_lines(state: State, company: str) -> tuple[str, ...]:
    """Return the lines of a company's track from its home outward: straight on where possible, branches afterwards."""
    links: dict[Hex, set[Hex]] = {}
    for one, other in state.track_of(company):
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    lines, todo = [], [state.home[company]] if state.home.get(company) in links else []
    while any(links.values()):
        start = next((label for label in todo if links[label]), None) or min(label for label in links if links[label])
        path = _walk(links, start)
        todo += path
        lines.append(path)
    return tuple(_format_line(state, path) for path in lines)


def _walk(links: Mapping[Hex, set[Hex]], start: Hex) -> Path:
    """Take a way out of *links* until it ends."""
    path = [start]
    while onward := links[path[-1]]:
        here = path[-1]
        straight = [label for label in onward if len(path) > 1 and not turns((path[-2], here, label), 1)]
        following = straight[0] if straight else min(onward)
        links[here].remove(following)
        links[following].remove(here)
        path.append(following)
    return tuple(path)


def _format_line(state: State, path: Path) -> str:
    """Return a path as orders write it; the ends of a ferry are named, too."""
    ferries = state.board.ferries
    marked = {
        index + more
        for index, pair in enumerate(pairwise(path))
        if side(*pair) in ferries and not are_neighbours(*pair)
        for more in (0, 1)
    }
    return format_path(state.board, path, marked)


# --- points ---


def _put_balances(state: State, balances: Mapping[str, int]) -> State:
    totals = {code: (*state.totals[code][:-1], amount) for code, amount in balances.items()}
    return replace(state, balance={**state.balance, **balances}, totals={**state.totals, **totals})


def _read_bridge(reader: Reader, typed: str) -> Side:
    """Return the hex-side of a bridge that points may be banked for, and that the company has not built."""
    one, _, other = typed.partition("-")
    laid = side(_read_hex(reader, one.strip()), _read_hex(reader, other.strip()))
    bridge, code = reader.state.board.bridges.get(laid), reader.where.split(".")[1]
    if bridge is None or not bridge.banked:
        raise Fault(N_("there is no bridge for which points may be banked"))
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


def _no_end(typed: Any) -> Fault:
    return Fault(f"{shown(typed)} is no key of this map and no special")


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


def _read_races_run(reader: Reader, typed: Any) -> tuple[int, ...]:
    numbers: tuple[int, ...] = _NUMBERS.read(reader, typed)
    for number in numbers:
        if all(number != race.number for race in reader.state.races):
            reader.note(Clash(N_("there is no race {number} in races"), number=number))
    return numbers


def _put_races_run(state: State, numbers: tuple[int, ...]) -> State:
    """Exactly these races were run: the others that were are open again."""
    others = {"run": "open"}
    races = (
        replace(race, status="run" if race.number in numbers else others.get(race.status, race.status))
        for race in state.races
    )
    return replace(state, races=tuple(races))


_ROLLS = list_of(whole(1, lambda state: TYPED_SIDES if state.options.roll == "typed" else 6), LISTED_NUMBERS, object)


def _rolls(one: Any) -> Form:
    """Return how rolls like *one* are typed: by company, or those of all as a list."""
    return by_company(_ROLLS) if isinstance(one, Mapping) else _ROLLS


# In the order in which they are read: a later one may lean on an earlier one.
KEYS = (
    Key("round", _NUMBER, put=lambda state, number: replace(state, round=number, turn=number)),
    Key(
        "phase",
        word((BUILD, RACE, OVER), "{value} is read; build or race expected"),
        put=lambda state, phase: state,  # it hangs on other keys
    ),
    Key("racing_from", whole(0, 999)),
    Key("balances", by_company(whole(-9999, 9999), 0), "balance", "money", put=_put_balances),
    Key("homes", by_company(CITY), "home", "home", put=_put_homes),
    Key("jumps", rows(Jump, company=CODE, rival=CODE, start=HEX, end=HEX)),
    Key(
        "track",
        by_company(TRACK),
        word="track",
        get=lambda state: {code: _track_lines(state, code) for code in codes_of(state)},
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
            replace(state, own_rolls={**state.own_rolls, **rolls})
            if isinstance(rolls, dict)
            else replace(state, rolls=rolls)
        ),
    ),
)
