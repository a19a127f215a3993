"""The board as a drawing: ground, rivers, cities, every company's track, with rulers and a legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from referee.core import N_, Amounts, Hex, Side, Value, View, of_kind, side
from referee.core.agreement import display_name
from referee.core.picture import (
    POSITION_ALONE,
    Drawing,
    Focus,
    Layer,
    Polygon,
    Print,
    Shape,
    Spot,
    Style,
    Translate,
    layer,
    shade_of,
)
from referee.core.picture.closeup import keepsake
from referee.core.picture.legend import Course, Look, Looks, description, draw_chart, heading
from referee.core.picture.shapes import Box, Obstacles, between, strokes

from ..board import RailMap
from ..events import Events, TrackLaid, TrainEntered, trains_in
from ..notation import roll_label
from ..round import may_build
from ..state import Codes, State, homes_of
from . import player_name, race_view
from .picture import COLOURS, LINES, PAPER, ground, legend, line_styles, places, track
from .picture.ground import NAME, SIGN, UNIT_X, UNIT_Y, letters, map_size, middle
from .picture.track import Lanes, LineRun, TrainWay, TurnTrack
from .prices import ground_prices, priced_pieces

_LABEL, _RIVER, _WAY_OUT, _SIGN, _TRACK = 9, 2, 6, 40, 20  # how much names keep clear of what
_BOARDS = 16  # whose paper is kept

TITLE = N_("Balances by rounds")
HEADING = N_("{map} after round {round}")
HEADING_FIRST = N_("{map} in round 1")
SHOWN = N_("after round {round}")
SHOWN_FIRST = N_("in round 1")
SHOWN_ALONE = N_("after round {round}: {codes} alone")
HEADING_ALONE = N_("{map} after round {round}: {codes} alone")
RACE = N_("Race {number}, {start} – {end}")
NOTHING = TurnTrack()


def draw_state(state: State, translate: Translate = str, show: Print = POSITION_ALONE) -> Drawing:
    """Return the picture of a position, as it is mailed with the newsletter of the round before."""
    table, board = state.table, state.board
    alone = tuple(each.code for each in table.companies if show.alone and show.alone in (each.code, each.player))
    companies = tuple(
        Look(
            code=each.code,
            name=each.name,
            colour=each.colour,
            person=display_name(player_name(state, each.code), translate),
            balance=state.balance.get(each.code),
        )
        for each in table.companies
        if not alone or each.code in alone
    )
    open_homes = {city for code in table.codes if code not in state.home for city in homes_of(state, code)}
    title, shown = (
        translate(words[0] if alone else words[1] if state.round > 1 else words[2]).format(
            map=translate(board.title), round=state.round - 1, codes=", ".join(alone)
        )
        for words in ((HEADING_ALONE, HEADING, HEADING_FIRST), (SHOWN_ALONE, SHOWN, SHOWN_FIRST))
    )
    drawn = draw(
        board,
        {crossing: kept for crossing, owners in state.track.items() if (kept := _of(owners, alone))},
        companies,
        state.home,
        title,
        translate,
        frozenset({*state.home.values(), *places.worth_a_ring(board, open_homes)}),
        {each.what: each.amounts[0] for each in ground_prices(board, table.options)},
        turn_of(state, show.events, alone, translate),
        paper=show.paper,
        shown=shown,
    )
    assert drawn.focus
    examples = () if state.track or show.paper or not may_build(state) else tuple(_examples(state, companies))
    # Where track was laid, and where trains of races ran.
    spots = list[Spot]()
    for event in show.events:
        if isinstance(event, TrackLaid):
            spots.append(Spot(at=middle(event.end), owners=_owners(state, (event.company,))))
        elif isinstance(event, TrainEntered):
            spots += (Spot(at=middle(each), owners=_owners(state, event.companies)) for each in event.route)
    focus = drawn.focus.but(spots=tuple(spots), examples=examples)
    if show.keepsake:
        won = dict.fromkeys(each.name or each.code for each in table.companies if each.player in state.winners)
        land = _paper(board).land
        ranges = Layer(tuple(ground.relief(board, land)))
        wall = drawn.but(parts=tuple(ranges if part is land else part for part in drawn.parts))
        scale = legend.scale((drawn.width // 2, drawn.top + drawn.height + 200), translate)
        return keepsake(wall, won, translate, scale)
    # After a turn the close-ups have the names of the hexes where something happened.
    return drawn.but(needs_fine=may_build(state) and not focus.spots, focus=focus)


def turn_of(state: State, events: Events, alone: Codes, translate: Translate) -> TurnTrack:
    """Return what a picture shows of the turn that led to a position; *alone*: the companies that it shows, none for all."""
    laid: dict[str, set[Side]] = {}
    trains: dict[int, list[TrainWay]] = {}

    def words(number: int) -> str:
        told = race_view(state, state.race(number))
        ends = {end: translate(told[end]["name"]) for end in ("start", "end")}
        return translate(RACE).format(number=number, **ends)

    for event in of_kind(TrackLaid, events):
        if _of((event.company,), alone):
            laid.setdefault(event.company, set()).add(side(event.start, event.end))
    for entry, _, place, _ in trains_in(events):
        if lead := _of(entry.companies, alone)[:1]:
            train = TrainWay(name=entry.train, company=lead[0], route=entry.route, place=place)
            trains.setdefault(entry.race, []).append(train)
    runs = tuple(
        LineRun(
            number=number,
            words=words(number),
            trains=tuple(sorted(ran, key=lambda it: it.place or len(ran) + 1)),
        )
        for number, ran in trains.items()
    )
    return TurnTrack(laid={code: frozenset(sides) for code, sides in laid.items()}, runs=runs)


def _examples(state: State, companies: Looks) -> Iterator[Spot]:
    """Yield the first orders of each company, drawn with the number of the roll and what each hex-side costs."""
    for place, look in enumerate(companies):
        ways = [
            (roll_label(state, roll)[:-1], piece)
            for roll, pieces in enumerate(priced_pieces(state, look.code), start=1)
            for piece in pieces
        ]
        obstacles = Obstacles()
        obstacles.add(*places.sign_boxes(state.board))
        shapes = (
            *strokes(
                (
                    tuple(
                        between(middle(near), middle(far), 35 * state.board.is_city(near))
                        for near, far in (step, step[::-1])
                    )
                    for _, piece in ways
                    for step in pairwise(piece)
                ),
                (*LINES["fresh"], *LINES["casing"], *line_styles(look, place)),
            ),
            *track.priced_steps(ways, obstacles),
        )
        if ways:
            x, y = (
                sum(along) // len(along)
                for along in zip(*(middle(each) for _, piece in ways for each in piece), strict=True)
            )
            yield Spot(at=(x, y), owners=_owners(state, (look.code,)), shapes=shapes)


def _owners(state: State, codes: Codes) -> Codes:
    """Return companies and their players."""
    return (*codes, *(state.table.company(code).player for code in codes))


def _of(owners: Codes, alone: Codes) -> Codes:
    return tuple(owner for owner in owners if not alone or owner in alone)


def draw(
    board: RailMap,
    lines: Mapping[Side, Codes],
    companies: Looks,
    homes: Mapping[str, Hex],
    title: str,
    translate: Translate = str,
    starts: frozenset[Hex] | None = None,
    prices: Amounts | None = None,
    turn: TurnTrack = NOTHING,
    *,
    paper: bool = False,
    shown: str = "",
) -> Drawing:
    """Return the picture of a board.

    *lines*: hex-side to the codes of its owners; *companies* in order of play (their place gives the line pattern);
    *homes*: code to home hex, of the companies that have one. *shown*: the title without the map's name.
    *translate* is asked for the words of the legend.
    *starts*: the cities with the ring of a home terminal; else those where some number of companies may start.
    *prices*: points by what the price list calls it; else the legend says what the map alone does. *turn*: what is shown of it.
    *paper*: the edition to be printed. The same arguments give the same drawing.
    """
    width, _ = map_size(board)
    afloat = {crossing: owners for crossing, owners in lines.items() if crossing in board.ferries}
    lines = {crossing: owners for crossing, owners in lines.items() if crossing not in board.ferries}
    lasting = _paper(board)
    obstacles = lasting.obstacles.copy()
    at_home = [(look, middle(homes[look.code])) for look in companies if look.code in homes]
    names = [
        shape
        for plate, spot in lasting.plates.items()
        if not plate.is_lesser
        for shape in (
            *places.name_shapes(plate, spot),
            *places.flag_shapes(plate, spot, [look for look, at in at_home if at == plate.at], width - 90, obstacles),
        )
    ]
    lanes = Lanes(board, lines, [look.code for look in companies])
    tags = tuple(track.tags(lanes, lines, companies, obstacles, letters(board, SIGN)))
    obstacles.add(*track.line_boxes(lines), weight=_TRACK)
    # What runs south from a hex is painted over the name of the next.
    below = sorted({south for north, south in lines if middle(north)[0] == middle(south)[0]})
    rides = track.rides(lines, companies, turn, translate)
    corner = legend.room_for_cartouche(board, len(companies), lasting.obstacles) if companies and shown else None
    areas = tuple(ground.area_names(board, translate, obstacles, (90, width - 90)))
    won = tuple(track.places_won(rides, obstacles))
    many = len(rides) > track.RIDES
    legends, races, end, bottom = legend.legend(
        board, companies, translate, prices or {}, turn, paper=paper, listed=bool(corner)
    )
    titled = legend.cartouche(board, corner, shown, companies, translate) if corner else [heading(title, width)]
    seen: tuple[Shape | Layer, ...] = (
        lasting.land,
        lasting.lines,
        lasting.rulers,
        lasting.hexes,
        layer((*track.fresh(lanes, companies, turn), *track.track(lanes, companies, board))),
        layer(tuple(line for ride in rides for line in strokes([ride.line], ride.styles)), fine=many),
        lasting.bridges,
        layer(tuple(ground.hex_names(board, below)), fine=True),
        _signs(board, places.home_terminals(board) if starts is None else starts),
        lasting.specials,
        # From here on all has its place in a close-up.
        *tags,
        *track.boats(board, afloat, companies),
        *names,
        *areas,
        lasting.names,
        lasting.junctions,
        layer(won, fine=True),
    )
    top = legend.neat_line(board)[0][1] - 20 if corner else 0
    drawn = Drawing(
        width=width,
        height=bottom - top,
        top=top,
        background=COLOURS["sheet"],
        foot=many * (bottom - end),
        parts=(*seen, *titled, *legends, layer(tuple(races), fine=many)),
        title=title,
        description=description(companies, translate),
        focus=Focus(
            lettering=letters(board, NAME),
            area=legend.neat_line(board)[1],
            spots=(),
            ground=tuple(Polygon(each[::4], Style(COLOURS["hill"])) for each in ground.coasts(board)),
            parts=len(seen),
            mesh=(*middle("A1"), 3 * UNIT_X, 2 * UNIT_Y),
        ),
    )
    return drawn.recolour(PAPER) if paper else drawn


class _Paper(Value):
    """What of a board is the same in every position; ``obstacles`` is what acronyms on lines keep clear of."""

    land: Layer
    lines: Layer
    bridges: Layer
    hexes: Layer
    names: Layer
    junctions: Layer
    specials: Layer
    rulers: Layer
    plates: Mapping[places.Plate, Box]
    obstacles: Obstacles


@lru_cache(maxsize=_BOARDS)
def _paper(board: RailMap) -> _Paper:
    """Names are placed here, most important first, so that they stand where they stood the turn before."""
    width, bottom = map_size(board)
    obstacles = Obstacles()
    obstacles.add(*ground.hex_name_boxes(board), weight=_LABEL)
    obstacles.add(*ground.sign_boxes(board), weight=_RIVER)
    obstacles.add(*track.sign_boxes(board), weight=_SIGN)
    obstacles.add(*places.sign_boxes(board))
    clear = obstacles.copy()
    clear.add(*places.ways_out(board), weight=_WAY_OUT)
    plates = places.name_boxes(board, (90, 190, width - 90, bottom - 40), clear)
    obstacles.add(*plates.values())
    return _Paper(
        specials=Layer((*places.specials(board), *track.names(board, obstacles)), fine=True),
        names=Layer(tuple(ground.river_names(board, obstacles))),
        land=Layer((legend.sheet(board), *ground.land(board)), lasting=True),
        lines=Layer((*ground.lines(board), *track.sides(board)), lasting=True),
        bridges=Layer(tuple(track.bridges(board))),
        junctions=Layer(
            shapes=tuple(
                shape for plate, spot in plates.items() if plate.is_lesser for shape in places.name_shapes(plate, spot)
            ),
            fine=True,
        ),
        hexes=Layer((*ground.hex_names(board, board.ground), *legend.other_grid(board)), fine=True, lasting=True),
        rulers=Layer(tuple(legend.rulers(board)), lasting=True),
        plates=plates,
        obstacles=obstacles,
    )


@lru_cache(maxsize=2 * _BOARDS)
def _signs(board: RailMap, starts: frozenset[Hex]) -> Layer:
    return Layer(tuple(places.signs(board, starts)))


def chart(state: State, translate: Translate = str) -> Drawing | None:
    """Return the balances of all companies over the rounds; None before the second: the first is as the standings say."""
    looks = [Look(code=each.code, name=each.name, colour=each.colour) for each in state.table.companies]
    courses = [
        Course(code=look.code, amounts=state.totals.get(look.code, ()), styles=line_styles(look, place))
        for place, look in enumerate(looks)
    ]
    return draw_chart(translate(TITLE), courses, state.round - 1) if state.round > 2 else None


# What moves in a turn, for the film of a game: track in the order in which it was laid, trains throw by throw.


def film(state: State, events: Events) -> View:
    """Return what happened in the turn that led to *state*; see ``Game.film``. Points are those of the drawing."""

    def shade(code: str) -> str:
        return shade_of(state.table.company(code).colour)

    races: dict[int, View] = {}
    for entry, moves, place, _ in trains_in(events):
        if entry.race not in races:
            told = race_view(state, state.race(entry.race))
            start, end = told["start"]["name"], told["end"]["name"]
            races[entry.race] = {"number": entry.race, "from": start, "to": end, "trains": []}
        train = {
            "code": entry.train,
            "colour": shade(entry.companies[0]),
            "way": [middle(each) for each in entry.route],
            "moves": [{"round": each.round, "throw": each.throw, "at": each.at} for each in moves],
            "place": place,
        }
        races[entry.race]["trains"].append(train)
    laid = [
        {"code": each.company, "colour": shade(each.company), "from": middle(each.start), "to": middle(each.end)}
        for each in of_kind(TrackLaid, events)
    ]
    return {"laid": laid, "races": [*races.values()]}
