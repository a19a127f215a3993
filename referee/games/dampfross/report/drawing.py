"""The board as a drawing: ground, rivers, cities, every company's track, with rulers and a legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec.structs import replace

from referee.core.agreement import called
from referee.core.hexes import Hex, Side, side
from referee.core.picture.drawing import POSITION_ALONE, Drawing, Layer, Point, Print, Shape, Translate
from referee.core.picture.placing import Box, Clutter
from referee.core.texts.wording import N_
from referee.core.values import Value
from referee.games.dampfross.agenda import may_build
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.events import Event, TrackLaid, TrainEntered, TrainPlaced
from referee.games.dampfross.position.state import State, homes_of
from referee.games.dampfross.report.picture import (
    areas,
    crossings,
    discs,
    hexes,
    legend,
    palette,
    places,
    rivers,
    track,
)
from referee.games.dampfross.report.picture import turn as trains
from referee.games.dampfross.report.picture.layout import middle
from referee.games.dampfross.report.picture.palette import COLOURS, CompanyLook
from referee.games.dampfross.report.picture.turn import Run, Train, Turn, boxes_of
from referee.games.dampfross.report.prices import ground_prices
from referee.games.dampfross.report.view import player_name, told_race

__all__ = ["COLOURS", "CompanyLook", "draw", "draw_state"]

_LABEL, _RIVER, _WAY_OUT, _SIGN, _PLACE, _TRACK = 9, 2, 6, 40, 100, 20  # how much names keep clear of what
_BOARDS = 16  # whose paper is kept, one for each language in which its areas have other names

HEADING = N_("{map} after round {round}")
HEADING_FIRST = N_("{map} in round 1")
HEADING_ALONE = N_("{map} after round {round}: {codes} alone")
RACE = N_("Race {number}, {start} - {end}")
NOTHING = Turn()


def draw_state(state: State, translate: Translate = str, show: Print = POSITION_ALONE) -> Drawing:
    """Return the picture of a position, as it is mailed with the newsletter of the round before."""
    table, board = state.table, state.table.board
    listed = [table.company(code) for code in table.codes]
    alone = tuple(each.code for each in listed if show.alone in (each.code, each.player))
    companies = tuple(
        CompanyLook(
            code=each.code,
            name=each.name,
            colour=each.colour,
            player=called(player_name(state, each.code), translate),
            balance=state.balance.get(each.code),
        )
        for each in listed
        if not alone or each.code in alone
    )
    open_homes = {city for each in listed if each.code not in state.home for city in homes_of(state, each.code)}
    drawn = draw(
        board,
        {crossing: kept for crossing, owners in state.track.items() if (kept := _of(owners, alone))},
        companies,
        state.home,
        translate(HEADING_ALONE if alone else HEADING if state.round > 1 else HEADING_FIRST).format(
            map=translate(board.title), round=state.round - 1, codes=", ".join(alone)
        ),
        translate,
        frozenset({*state.home.values(), *places.worth_a_ring(board, open_homes)}),
        {each.what: each.amounts[0] for each in ground_prices(board, table.options)},
        turn_of(state, show.events, alone, translate),
        paper=show.paper,
    )
    return replace(drawn, needs_fine=may_build(state))


def turn_of(state: State, events: tuple[Event, ...], alone: tuple[str, ...], translate: Translate) -> Turn:
    """Return what a picture shows of the turn that led to a position; *alone*: the companies that it shows, none for all."""
    laid: dict[str, set[Side]] = {}
    trains: dict[int, list[Train]] = {}
    placed = {(each.race, each.train): each.place for each in events if isinstance(each, TrainPlaced)}
    for event in events:
        if isinstance(event, TrackLaid) and _of((event.company,), alone):
            laid.setdefault(event.company, set()).add(side(event.start, event.end))
        elif isinstance(event, TrainEntered) and _of(event.companies, alone):
            place = placed.get((event.race, event.train), 0)
            lead = next(code for code in event.companies if _of((code,), alone))
            train = Train(name=event.train, company=lead, route=event.route, place=place)
            trains.setdefault(event.race, []).append(train)
    runs = tuple(
        Run(
            number=number,
            words=_race_words(state, number, translate),
            trains=tuple(sorted(ran, key=lambda it: it.place or len(ran) + 1)),
        )
        for number, ran in trains.items()
    )
    return Turn(laid={code: frozenset(sides) for code, sides in laid.items()}, runs=runs)


def _of(owners: tuple[str, ...], alone: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(owner for owner in owners if not alone or owner in alone)


def _race_words(state: State, number: int, translate: Translate) -> str:
    race = state.race(number)
    assert race is not None
    names = told_race(state, race)
    return translate(RACE).format(
        number=number, start=translate(names["start"]["name"]), end=translate(names["end"]["name"])
    )


def draw(
    board: RailMap,
    lines: Mapping[Side, tuple[str, ...]],
    companies: tuple[CompanyLook, ...],
    homes: Mapping[str, Hex],
    heading: str,
    translate: Translate = str,
    starts: frozenset[Hex] | None = None,
    prices: Mapping[str, int] | None = None,
    turn: Turn = NOTHING,
    *,
    paper: bool = False,
) -> Drawing:
    """Return the picture of a board.

    *lines*: hex-side to the codes of its owners; *companies* in order of play (their place gives the line pattern);
    *homes*: code to home hex, of the companies that have one. *translate* is asked for the words of the legend.
    *starts*: the cities with the ring of a home terminal; else those where some number of companies may start.
    *prices*: points by what the price list calls it; else the legend says what the map alone does. *turn*: what is shown of it.
    *paper*: the edition to be printed. The same arguments give the same drawing.
    """
    starts = places.home_terminals(board) if starts is None else starts
    width, bottom = legend.map_size(board)
    says = legend.wording(board, translate, prices or {}, paper=paper)
    afloat = {crossing: owners for crossing, owners in lines.items() if crossing in board.ferries}
    lines = {crossing: owners for crossing, owners in lines.items() if crossing not in board.ferries}
    lasting = _paper(board, areas.foreign_names(board, translate))
    clutter = lasting.clutter.copy()
    marks = tuple(track.marks(board, lines, companies, clutter))
    for box in boxes_of(lines):
        clutter.add(box, _TRACK)
    places_won = tuple(trains.marks(lines, companies, turn, clutter, translate))
    parts: tuple[Shape | Layer, ...] = (
        lasting.land,
        lasting.lines,
        lasting.rulers,
        *trains.fresh(lines, companies, turn),
        *track.track(board, lines, companies),
        *trains.routes(lines, companies, turn),
        lasting.bridges,
        lasting.labels,
        *marks,
        *crossings.boats(board, afloat, companies),
        _discs(board, starts),
        lasting.names,
        *_names(lasting, homes, companies),
        *places_won,
        legend.heading_text(heading, width),
        *legend.legend(board, companies, translate, says, turn),
    )
    drawn = Drawing(
        width=width,
        height=bottom + legend.legend_height(board, companies, says, turn) + 30,
        background=palette.SEA,
        parts=parts,
        title=heading,
        description=", ".join(f"{look.code} {look.name} ({translate(look.colour)})" for look in companies),
    )
    return drawn.recoloured(palette.PAPER) if paper else drawn


class _Paper(Value):
    """What of a board is the same in every position; ``clutter`` is what acronyms on lines keep clear of."""

    land: Layer
    lines: Layer
    bridges: Layer
    labels: Layer
    names: Layer
    rulers: Layer
    plates: tuple[tuple[places.Plate, Box], ...]
    clutter: Clutter


@lru_cache(maxsize=_BOARDS)
def _paper(board: RailMap, abroad: tuple[tuple[str, str], ...]) -> _Paper:
    """Return it with the names of foreign areas *abroad*, by their letters.

    Names are placed here, most important first, so that they stand where they stood the turn before.
    """
    width, bottom = legend.map_size(board)
    taken = tuple(_taken(board))
    exits = tuple((box, _WAY_OUT) for box in places.ways_out(board))
    plates = places.spots(board, (90, 190, width - 90, bottom - 40), (*taken, *exits))
    clutter = Clutter()
    for box, weight in (*taken, *((box, _PLACE) for _, box in plates)):
        clutter.add(box, weight)
    lesser = (*crossings.names(board, clutter), *rivers.river_names(board, clutter))
    return _Paper(
        land=Layer(shapes=(*hexes.land(board), *areas.written_names(board, abroad, clutter, (90, width - 90)))),
        lines=Layer(
            shapes=(*hexes.shores(board), *areas.borders(board), *rivers.rivers(board), *crossings.sides(board))
        ),
        bridges=Layer(shapes=tuple(crossings.bridges(board))),
        labels=Layer(shapes=tuple(hexes.labels(board)), fine=True),
        names=Layer(shapes=lesser),
        rulers=Layer(shapes=tuple(legend.rulers(board))),
        plates=plates,
        clutter=clutter,
    )


def _names(paper: _Paper, homes: Mapping[str, Hex], companies: tuple[CompanyLook, ...]) -> Iterator[Shape]:
    """Yield the names of places with the flags of those who are at home there."""
    at_home: dict[Point, list[CompanyLook]] = {}
    for look in companies:
        if look.code in homes:
            at_home.setdefault(middle(homes[look.code]), []).append(look)
    for plate, spot in paper.plates:
        yield from places.written(plate, spot, tuple(at_home.get(plate.at, ())))


@lru_cache(maxsize=2 * _BOARDS)
def _discs(board: RailMap, starts: frozenset[Hex]) -> Layer:
    return Layer(shapes=tuple(discs.discs(board, starts)))


def _taken(board: RailMap) -> Iterator[tuple[Box, int]]:
    """Yield what names keep clear of on the empty board, and how much."""
    yield from ((hexes.label_box(label), _LABEL) for label in board.ground)
    yield from ((box, _RIVER) for box in (*rivers.river_boxes(board), *hexes.sign_boxes(board)))
    yield from ((box, _SIGN) for box in crossings.sign_boxes(board))
    yield from ((box, _PLACE) for box in discs.place_boxes(board))
