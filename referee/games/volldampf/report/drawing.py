"""The board as a drawing: links, sections, cities with their cubes, the income track round them, players and legend below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import cycle

from referee.core import N_, Amounts, View, of_kind
from referee.core.agreement import display_name
from referee.core.picture import (
    INK,
    OTHER,
    POSITION_ALONE,
    SHADES,
    Drawing,
    Focus,
    Layer,
    Polygon,
    Print,
    Spot,
    Style,
    Translate,
    layer,
    pen,
    shade_of,
)
from referee.core.picture.closeup import keepsake
from referee.core.picture.legend import Course, Look, description, draw_chart, heading
from referee.core.picture.shapes import DASHES, Box, Obstacles, any_overlap, between, rectangle

from ..board import Board
from ..events import CubeDelivered, Events, LinkBuilt, RoundEnded
from ..state import State
from . import player_view
from .picture import COLOURS, CUBE_PAINT, NAME, ON_PAPER, Scene, lay_out, legend, links, places

TITLE = N_("The income track, round by round")
HEADING = N_("{map}: round {round} of {rounds}")
OVER = N_("{map}: end of the game")
SHOWN, SHOWN_OVER = N_("round {round} of {rounds}"), N_("end of the game")
ALONE = N_(", {code} alone")

# Players' figures beside the board, as a view has them.
_FIGURES = ("income", "bonds", "cash", "sections_left", "action_count")
_HELD = 400  # weight: how much signs of deliveries keep clear of cities and names

Placed = Mapping[str, Box]  # symbols by link, names by city


def draw_state(state: State, translate: Translate = str, show: Print = POSITION_ALONE) -> Drawing:
    """Return the picture of a position: what everybody may see of it, and nothing else."""
    table = state.table
    words = (OVER, SHOWN_OVER) if state.is_over else (HEADING, SHOWN)
    alone = translate(ALONE).format(code=show.alone) if show.alone else ""
    played = next((event.round for event in of_kind(RoundEnded, show.events)), state.round)
    seen = [player_view(state, code, None) for code in table.codes]
    figures: dict[str, Amounts] = {
        name: {each["code"]: each[name] for each in seen if each[name] is not None} for name in _FIGURES
    }
    told = [event for event in show.events if show.alone in ("", getattr(event, "player", ""))]
    title, shown = (
        translate(each).format(map=translate(table.board.title), round=played, rounds=table.numbers.rounds) + alone
        for each in words
    )
    scene = Scene(
        board=table.board,
        heading=title,
        shown=shown,
        wall=show.keepsake,
        scores=state.scores or {code: state.income.get(code, 0) - state.bonds.get(code, 0) for code in table.codes},
        players=tuple(
            Look(
                code=it.code,
                name=it.company,
                colour=it.colour,
                person="" if it.name in (it.code, it.company) else display_name(it.name, translate),
            )
            for it in table.players
        ),
        order=state.order,
        built=state.built,
        cubes=state.cubes,
        income=figures["income"],
        figures={word: amounts for word, amounts in (figures | {"score": state.scores}).items() if amounts},
        hands={} if state.is_over else state.hands,
        groups=() if state.is_over else state.groups,
        winners=state.winners,
        fresh=frozenset(event.link for event in of_kind(LinkBuilt, told)),
        hauls=of_kind(CubeDelivered, told),
        alone=show.alone,
        income_max=table.options.income_max,
    )
    drawn = draw(scene, translate, tuple(_spots(scene)))
    if show.keepsake:
        named = drawn.but(title=translate(table.board.title)) if state.is_over else drawn
        return keepsake(named, (scene.look(code).name or code for code in state.winners), translate)
    return drawn.recolour(ON_PAPER) if show.paper else drawn


def draw_board(board: Board) -> Drawing:
    """Return the picture of a board before a game."""
    return draw(Scene(board=board, heading=board.title))


def _spots(scene: Scene) -> Iterator[Spot]:
    """Yield where sections were laid and cubes went."""
    spots = scene.sheet.spots
    for built in (scene.board.link_by_id(each) for each in sorted(scene.fresh)):
        yield Spot(at=between(spots[built.a], spots[built.b]), owners=(scene.built[built.id],))
    yield from (Spot(at=spots[city], owners=(haul.player,)) for haul in scene.hauls for city in haul.route)


def draw(scene: Scene, translate: Translate = str, spots: tuple[Spot, ...] = ()) -> Drawing:
    """Return the picture of a position; *translate* is asked for the words of the legend; *spots*: what close-ups are made by.

    The same arguments give the same drawing.
    """
    sheet = scene.sheet
    placed = arrange(scene)
    ways = links.ways(scene)
    obstacles = _obstacles(scene, placed)
    corner = legend.room_for_cartouche(scene, obstacles) if scene.shown else None
    # On a wall the cartouche says enough, and the board has the room of the legend.
    bare = corner and scene.wall
    below, bottom = ((), sheet.frame[3] + 30) if bare else legend.legend(scene, translate)
    obstacles.add(*filter(None, (corner,)), weight=_HELD)
    seen = (
        _land(scene.board),
        layer((*links.lines(scene), *links.haul_lines(scene, ways), *places.discs(scene.board, sheet))),
        *links.marks(scene, placed, translate),
        *links.haul_marks(scene, ways, obstacles),
        *places.names(scene, placed),
    )
    titled = legend.cartouche(scene, corner, translate) if corner else [heading(scene.heading, sheet.width)]
    top = sheet.frame[1] - 30 if corner else 0
    return Drawing(
        width=sheet.width,
        height=bottom - top,
        top=top,
        background=COLOURS["paper"],
        parts=(*seen, *legend.track(scene), *titled, *below),
        title=scene.heading,
        focus=Focus(
            lettering=NAME,
            area=sheet.inside,
            spots=spots,
            ground=tuple(
                each.but(style=Style(COLOURS["border"]))
                for each in places.ground(scene.board, sheet)
                if isinstance(each, Polygon)
            ),
            parts=len(seen),
        ),
        description=", ".join(filter(None, (translate(scene.board.title), description(scene.players, translate)))),
    )


@lru_cache(maxsize=8)
def _land(board: Board) -> Layer:
    sheet = lay_out(board)
    abroad = Polygon(rectangle(sheet.inside), Style(COLOURS["abroad"]))
    return Layer((abroad, *places.ground(board, sheet)), lasting=True)


def arrange(scene: Scene) -> Placed:
    """Return where the links' symbols stand, and the cities' names with their cubes: none on another.

    Symbols keep their places from turn to turn, and names go round them; only where there is no room for both do they take
    turns again, with all that lies on this board.
    """
    obstacles, symbols = _ground(scene), links.rooms(scene, symbol_places(scene.board))
    obstacles.add(*symbols.values())
    around = places.candidates(scene)
    placed = {**symbols, **obstacles.settle(around, passes=1)}
    if any_overlap((*places.disc_boxes(scene.sheet), *placed.values())):
        return obstacles.settle({**links.candidates(scene), **around}, placed)
    return placed


@lru_cache(maxsize=8)
def symbol_places(board: Board) -> Placed:
    """Return where the symbols of a board's links stand when nothing is built."""
    scene = Scene(board=board, heading="")
    return _ground(scene).settle({**links.candidates(scene), **places.candidates(scene)})


def _obstacles(scene: Scene, placed: Placed) -> Obstacles:
    """Return what signs of deliveries keep clear of."""
    obstacles = _ground(scene)
    obstacles.add(*(placed[link.id] for link in scene.board.links))
    obstacles.add(*places.disc_boxes(scene.sheet), *(placed[city] for city in scene.sheet.spots), weight=_HELD)
    return obstacles


def _ground(scene: Scene) -> Obstacles:
    """Return where cities and links lie."""
    obstacles = Obstacles()
    obstacles.add(*places.disc_boxes(scene.sheet))
    links.add_lines(scene, obstacles)
    return obstacles


def chart(state: State, translate: Translate = str) -> Drawing | None:
    """Return the income of all players over the rounds when the game is over: before, the track round the board tells it."""
    if not state.is_over:
        return None
    courses = [
        Course(
            code=each.code,
            amounts=state.rounds.get(each.code, ()),
            styles=(pen(INK, 13, dash), pen(SHADES.get(each.colour, INK), 9, dash)),  # dark edges, for pale colours
        )
        for each, dash in zip(state.table.players, cycle(DASHES))
    ]
    return draw_chart(translate(TITLE), courses, state.round)


# What moves in a turn, for the film of a game: sections in the order in which they were laid, cubes on their ways.


def film(state: State, events: Events) -> View:
    """Return what happened in the turn that led to *state*; see ``Game.film``. Points are those of the drawing."""
    board, spots = state.board, lay_out(state.board).spots

    def whose(event: LinkBuilt | CubeDelivered) -> View:
        return {"code": event.player, "colour": shade_of(state.table.player(event.player).colour)}

    laid = ((each, board.link_by_id(each.link)) for each in of_kind(LinkBuilt, events))
    return {
        "laid": [{**whose(each), "from": spots[link.a], "to": spots[link.b]} for each, link in laid],
        "trips": [
            {
                **whose(each),
                "cube": CUBE_PAINT.get(each.colour, OTHER),
                "from": board.name(each.route[0]),
                "to": board.name(each.route[-1]),
                "way": [spots[city] for city in each.route],
            }
            for each in of_kind(CubeDelivered, events)
        ],
    }
