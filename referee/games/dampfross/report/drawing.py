"""The board as a drawing: ground, rivers, cities, every company's track, with rulers and a legend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from referee.core.hexes import Hex, Side
from referee.core.picture.drawing import Drawing, Layer, Shape, Translate
from referee.core.picture.placing import Clutter
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.homes import homes_of
from referee.games.dampfross.position.state import State
from referee.games.dampfross.report.picture import crossings, ground, legend, palette, places, track
from referee.games.dampfross.report.picture.legend import N_
from referee.games.dampfross.report.picture.palette import COLOURS, CompanyLook
from referee.games.dampfross.report.prices import ground_prices

__all__ = ["COLOURS", "CompanyLook", "draw", "draw_state"]

_LABEL, _RIVER, _TRACK, _SIGN, _PLACE = 9, 2, 5, 40, 100  # how much names keep clear of what
_BOARDS = 8  # whose paper is kept

HEADING = N_("{map} after round {round}")


def draw_state(state: State, translate: Translate = str) -> Drawing:
    """Return the picture of a position, as it is mailed with the newsletter of the round before."""
    told = [state.table.company(code) for code in state.table.codes]
    companies = tuple(CompanyLook(code=each.code, name=each.name, colour=each.colour) for each in told)
    heading = translate(HEADING).format(map=state.table.board.title, round=state.round - 1)
    open_homes = {city for each in told if each.code not in state.home for city in homes_of(state, each.code)}
    starts = frozenset({*state.home.values(), *places.worth_a_ring(state.table.board, open_homes)})
    points = {each.what: each.amounts[0] for each in ground_prices(state.table.board, state.table.options)}
    return draw(state.table.board, state.track, companies, state.home, heading, translate, starts, points)


def draw(
    board: RailMap,
    lines: Mapping[Side, tuple[str, ...]],
    companies: tuple[CompanyLook, ...],
    homes: Mapping[str, Hex],
    heading: str,
    translate: Translate = str,
    starts: frozenset[Hex] | None = None,
    prices: Mapping[str, int] | None = None,
) -> Drawing:
    """Return the picture of a board.

    *lines*: hex-side to the codes of its owners; *companies* in order of play (their place gives the line pattern);
    *homes*: code to home hex, of the companies that have one. *translate* is asked for the words of the legend.
    *starts*: the cities with the ring of a home terminal; else those where some number of companies may start.
    *prices*: points by what the price list calls it; else the legend says what the map alone does.
    The same arguments give the same drawing.
    """
    starts = places.home_terminals(board) if starts is None else starts
    width, bottom = legend.map_size(board)
    says = legend.wording(board, translate, prices or {})
    afloat = {crossing: owners for crossing, owners in lines.items() if crossing in board.ferries}
    lines = {crossing: owners for crossing, owners in lines.items() if crossing not in board.ferries}
    paper = _paper(board)
    clutter = paper.clutter.copy()
    for box in track.track_boxes(lines):
        clutter.add(box, _TRACK)
    # Names are placed first, most important first; they are painted last.
    edge = (90, 190, width - 90, bottom - 40)
    names = tuple(places.names(board, homes, companies, clutter, edge))
    crossing_names = tuple(crossings.names(board, clutter))
    river_names = tuple(ground.river_names(board, clutter))
    for box in track.track_boxes(lines):
        clutter.remove(box, _TRACK)  # acronyms stand on the track
    marks = tuple(track.marks(board, lines, companies, clutter))
    parts: tuple[Shape | Layer, ...] = (
        paper.land,
        *ground.foreign_names(board, clutter),
        paper.lines,
        *track.track(board, lines, companies),
        paper.labels,
        *marks,
        *crossings.boats(board, afloat, companies),
        _discs(board, starts),
        *river_names,
        *crossing_names,
        *names,
        paper.rulers,
        legend.heading_text(heading, width),
        *legend.legend(board, companies, translate, says),
    )
    return Drawing(
        width=width,
        height=bottom + legend.legend_height(board, companies, says) + 30,
        background=palette.SEA,
        parts=parts,
        title=heading,
        description=", ".join(
            (board.title, *(f"{look.code} {look.name} ({translate(look.colour)})" for look in companies))
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Paper:
    """What of a board is the same in every position; ``clutter`` is what names keep clear of on the empty board."""

    land: Layer
    lines: Layer
    labels: Layer
    rulers: Layer
    clutter: Clutter


@lru_cache(maxsize=_BOARDS)
def _paper(board: RailMap) -> _Paper:
    return _Paper(
        land=Layer(shapes=tuple(ground.land(board))),
        lines=Layer(shapes=(*ground.edges(board), *ground.rivers(board), *crossings.sides(board))),
        labels=Layer(shapes=(*crossings.bridges(board), *ground.labels(board))),
        rulers=Layer(shapes=tuple(legend.rulers(board))),
        clutter=_clutter(board),
    )


@lru_cache(maxsize=2 * _BOARDS)
def _discs(board: RailMap, starts: frozenset[Hex]) -> Layer:
    return Layer(shapes=tuple(places.discs(board, starts)))


def _clutter(board: RailMap) -> Clutter:
    clutter = Clutter()
    for label in board.ground:
        clutter.add(ground.label_box(label), _LABEL)
    for box in ground.river_boxes(board):
        clutter.add(box, _RIVER)
    for box in crossings.sign_boxes(board):
        clutter.add(box, _SIGN)
    for box in places.place_boxes(board):
        clutter.add(box, _PLACE)
    return clutter
