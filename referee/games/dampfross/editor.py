"""For people who make boards: an empty sheet, remarks on a board that has no faults, and its picture."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Mapping

from referee.core import (
    Fields,
    Hex,
    Hexes,
    Side,
    Texts,
    centre,
    corner_points,
    count_of,
    first_of,
    format_column,
    format_side,
    hex_at,
    neighbours,
    parse_hex,
    side,
)
from referee.core.game import Atlas
from referee.core.picture import Point
from referee.core.texts.boardfields import FORM_FAULTS
from referee.core.texts.shipped import shipped_faults, shipped_sheet

from .board import (
    CITY_BONUS,
    COMPANIES,
    FAULTS,
    FORM,
    KEYS,
    MINOR_BONUS,
    MOUNTAIN,
    NORMAL_RACES,
    RACES_WITH_SPECIALS,
    RailMap,
    says,
)
from .board.mapfile import FORMAT, draft_of_map, read_map
from .costs import PLAIN_STEP, SLOPE_STEPS, may_bank, points_of
from .report.drawing import draw
from .report.picture.ground import middle

# A mapmaker's eye on a map that has no faults: what is on it, and what may play badly.

HIGHEST_ROLL = 6
DEAR = 3  # a town is dear that costs this many times as much as the middle one
LEAST = 10  # points below which a town is never dear: three rolls pay for them
REMOTE = 12  # points from the nearest city beyond which a hex is of no use

_COSTS = "standard"
_SHOWN = 6  # hexes named in a remark


Reached = Mapping[Hex, tuple[int, Hex]]  # points of the cheapest line to a hex, and the start it leaves from


def summary(board: RailMap) -> str:
    """Return what is on the map: ``Ireland, 34 towns, 667 hexes (147 mountains), 18 races``."""
    mountains = sum(kind == MOUNTAIN for kind in board.ground.values())
    foreign = sum(board.is_foreign(label) for label in board.ground)
    parts = [board.title, count_of(len(board.stations), "town")]
    if board.junctions:
        parts.append(count_of(len(board.junctions), "junction"))
    kinds = [count_of(mountains, "mountain")] + [f"{foreign} foreign"] * bool(foreign)
    parts.append(f"{count_of(len(board.ground), 'hex', 'hexes')} ({', '.join(kinds)})")
    for found, word, plural in (
        (board.specials, "special", "specials"),
        (set(board.bridges.values()) - set(board.causeways.values()), "bridge", "bridges"),
        (set(board.causeways.values()), "causeway", "causeways"),
        (board.ferries, "ferry", "ferries"),
    ):
        if found:
            parts.append(count_of(len(found), word, plural))
    parts.append(count_of(board.race_count, "race"))
    return ", ".join(parts)


def remarks(board: RailMap) -> Texts:
    """Return a sentence for everything a mapmaker would look at again. None of it is a fault."""
    reached = _spread(board, tuple(station.hex for station in board.stations))
    return (
        *_dear_towns(board),
        *_dear_specials(board, reached),
        *_useless_hexes(board, reached),
        *_unpaid_sides(board),
        *_gaps(board),
        *_homes(board),
    )


def approach(board: RailMap, ends: Iterable[Hex], starts: Iterable[Hex]) -> tuple[int, Hex] | None:
    """Return the points of the cheapest line from any of *starts* to any of *ends*, and the start it leaves from.

    A step dearer than a roll cannot be built unless points may be banked for it; lines end in foreign hexes where the map
    says so (D2.6). None: no way.
    """
    reached = _spread(board, tuple(starts))
    found = [reached[label] for label in ends if label in reached]
    return min(found) if found else None


def _spread(board: RailMap, starts: Hexes) -> Reached:
    """Return (points, start) of the cheapest line from *starts* to every hex that can be reached. Rule: D2.3."""
    reached: dict[Hex, tuple[int, Hex]] = {}
    queue = [(0, label, label) for label in starts]
    heapq.heapify(queue)
    while queue:
        points, here, start = heapq.heappop(queue)
        if here in reached:
            continue
        reached[here] = (points, start)
        for there, price in _steps(board, here):
            if there not in reached:
                heapq.heappush(queue, (points + price, there, start))
    return reached


def _steps(board: RailMap, here: Hex) -> Iterable[tuple[Hex, int]]:
    for there in board.open_from(here):
        price = points_of(board, _COSTS, here, there)
        if price <= HIGHEST_ROLL or may_bank(board, here, there):
            yield there, price


def _dear_towns(board: RailMap) -> Iterable[str]:
    """A town should not cost many times as much to reach as the others."""
    by_hex = {station.hex: station for station in board.stations}
    prices = {label: approach(board, (label,), by_hex.keys() - {label}) for label in by_hex}
    sorted_prices = sorted(found[0] for found in prices.values() if found) or [0]
    usual = sorted_prices[(len(sorted_prices) - 1) // 2]  # ``statistics`` would be imported with every letter
    for label, found in prices.items():
        if found is None:
            yield says("alone-town", name=by_hex[label].name, hex=label, roll=HIGHEST_ROLL)
        elif found[0] >= max(DEAR * usual, LEAST):
            near = by_hex[found[1]].name
            yield says("dear-town", name=by_hex[label].name, hex=label, points=found[0], near=near, usual=usual)


def _dear_specials(board: RailMap, reached: Reached) -> Iterable[str]:
    for special in board.specials:
        found = [reached[label][0] for label in special.hexes if label in reached]
        named = {"number": special.number, "title": special.title}
        if not found or min(found) > REMOTE:
            yield says(
                "dear-special" if found else "lost-special", **named, points=min(found, default=0), roll=HIGHEST_ROLL
            )
        lost = [label for label in special.hexes if label not in reached]
        if found and lost:
            yield says("special-lost", **named, hexes=first_of(lost, _SHOWN))


def _useless_hexes(board: RailMap, reached: Reached) -> Iterable[str]:
    lost = [label for label in board.ground if label not in reached]
    if lost:
        yield says("useless", count=count_of(len(lost), "hex", "hexes"), hexes=first_of(lost, _SHOWN))
    remote = [label for label in board.ground if label in reached and reached[label][0] > REMOTE]
    if remote:
        yield says("remote", count=count_of(len(remote), "hex", "hexes"), points=REMOTE, hexes=first_of(remote, _SHOWN))


def _unpaid_sides(board: RailMap) -> Iterable[str]:
    dear = [
        (label, other)
        for label in board.ground
        for other in neighbours(label)
        if other in board.ground and (label, other) == side(label, other) and (label, other) not in board.closed
        if points_of(board, _COSTS, label, other) > HIGHEST_ROLL and not may_bank(board, label, other)
    ]
    if dear:
        sides = first_of([f"{one}-{other}" for one, other in dear], _SHOWN)
        yield says("unpaid", count=count_of(len(dear), "hex-side"), roll=HIGHEST_ROLL, sides=sides)
    for crossing, ferry in board.ferries.items():
        if ferry.price > HIGHEST_ROLL:
            ends = format_side(crossing)
            yield says("unpaid-ferry", name=ferry.name, ends=ends, points=ferry.price, roll=HIGHEST_ROLL)


def _gaps(board: RailMap) -> Iterable[str]:
    """A river is drawn from source to mouth; through lakes, along the sea and off the sheet it flows on unseen."""
    for river in board.river_lines:
        joined: dict[Point | None, int] = {}  # corner to the piece of the river that it belongs to; None: any water
        for n, crossing in enumerate(river.sides):
            ends = [_dry_end(board, crossing, end) for end in corner_points(*crossing)]
            met = {joined[end] for end in ends if end in joined} | {n}
            joined = {end: min(met) if piece in met else piece for end, piece in joined.items()}
            joined |= dict.fromkeys(ends, min(met))
        anew = [format_side(river.sides[piece]) for piece in sorted({*joined.values()})[1:]]
        if anew:
            yield says("river-gap", name=river.name, sides=first_of(anew, _SHOWN))


def _dry_end(board: RailMap, crossing: Side, end: Point) -> Point | None:
    """Return a corner of a hex-side; None where the third hex at it is water or off the sheet."""
    (x1, y1), (x2, y2) = map(centre, crossing)
    return end if hex_at((3 * end[0] - x1 - x2, 3 * end[1] - y1 - y2)) in board.ground else None


def _homes(board: RailMap) -> Iterable[str]:
    """A map without homes for some number of companies is not for that number."""
    missing = [str(count) for count in COMPANIES[1:] if str(count) not in board.homes and "any" not in board.homes]
    if missing:
        yield says("homeless", counts=" or ".join(missing))


# An empty sheet to fill in: a map file of a given size with a word on every section.

NUMBERED_FROM = 27  # columns: from here on postal sheets start again at A


def empty_sheet(columns: int, rows: int, name: str, title: str) -> str:
    """Return the text of a map without towns: all plains of one area, every section explained.

    *title*: without quotes, backslashes and control characters.
    """
    margin = len(str(rows))
    head = " " * (margin + 1) + "".join(f"{format_column(column):>3}" for column in range(columns))
    numbered = "numbered_grid = { letters = 26 }  # on the printed sheet AA1 is also called A" + str(rows + 1)
    return shipped_sheet(__package__).format(
        title=title,
        name=name,
        columns=columns,
        rows=rows,
        numbered=numbered if columns >= NUMBERED_FROM else "# numbered_grid = { letters = 26 }",
        grid="\n".join([head, *(f"{row:>{margin}}:{' H.' * columns}" for row in range(1, rows + 1))]),
    )


# What Dampfross offers to mapmakers: a survey of a map, its picture, an empty sheet.

_HEX = re.compile(r"(?<![A-Za-z])([A-Z]{1,2}[1-9]\d{0,2})(?!\w)")


def spots(board: RailMap, words: str) -> tuple[Point, ...]:
    """Return the middles of the hexes that the sentence of a fault names, by themselves or by what lies in them."""
    named = {each.name: each.hex for each in board.named}
    hexes = {label: parse_hex(label) for label in _HEX.findall(words)}
    labels = [label for label, (column, row) in hexes.items() if column < board.columns and row < board.rows]
    labels = labels or [label for name, label in named.items() if name and re.search(rf"\b{re.escape(name)}\b", words)]
    return tuple(middle(label) for label in dict.fromkeys(labels))


def missing(board: RailMap) -> Texts:
    """Return what an unfinished map has not: towns, or their keys; where to start."""
    keys = [str(key) for key in KEYS if key not in board.ends_of]
    lacking = (
        ("towns", not board.stations),
        (f"keys ({first_of(keys, _SHOWN)})", bool(board.stations and keys)),
        ("home terminals", not any(board.homes.values())),
    )
    return tuple(word for word, lacks in lacking if lacks)


def kit() -> Fields:
    """Return what the map desk checks a map by: the format's fields, sentences and numbers."""
    slope, ridge = SLOPE_STEPS[_COSTS]
    return {
        "fields": {name: fields for name, fields in FORM.items() if name != "sketch"},
        "says": {**shipped_faults(FORM_FAULTS), **shipped_faults(FAULTS)},
        "types": shipped_faults(FORM_FAULTS)["types"],
        "choices": (FORMAT,),
        "numbers": {
            "plain": PLAIN_STEP,
            "slope": slope,
            "ridge": ridge,
            "city": CITY_BONUS,
            "minor": MINOR_BONUS,
            "races": NORMAL_RACES,
            "races_with_specials": RACES_WITH_SPECIALS,
            "roll": HIGHEST_ROLL,
            "dear": DEAR,
            "least": LEAST,
            "remote": REMOTE,
            "shown": _SHOWN,
        },
    }


ATLAS = Atlas(
    read=read_map,
    summary=summary,
    remarks=remarks,
    draw=lambda board: draw(board, {}, (), {}, board.title),
    sheet=empty_sheet,
    largest=(702, 999),
    draft=draft_of_map,
    spots=spots,
    format=FORMAT,
    missing=missing,
    kit=kit,
)
