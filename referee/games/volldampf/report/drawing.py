"""The board as a drawing: links, sections, cities with their cubes, the income track round them, players and legend below."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from referee.core.agreement import called
from referee.core.picture.drawing import POSITION_ALONE, Drawing, Point, Print, Shape, Translate
from referee.core.picture.placing import Box, Clutter, any_overlap
from referee.core.texts.wording import N_
from referee.games.volldampf.board.board import Board
from referee.games.volldampf.position.events import LinkBuilt
from referee.games.volldampf.position.state import State
from referee.games.volldampf.position.tripevents import CubeDelivered
from referee.games.volldampf.report.picture import hauls, income, legend, links, palette, places
from referee.games.volldampf.report.picture.hauls import Haul
from referee.games.volldampf.report.picture.layout import Sheet, lay_out
from referee.games.volldampf.report.picture.palette import COLOURS, PlayerLook
from referee.games.volldampf.report.picture.scene import Scene
from referee.games.volldampf.report.view import shows_cash

__all__ = ["COLOURS", "PlayerLook", "Scene", "draw", "draw_board", "draw_state"]

HEADING = N_("{map}: round {round} of {rounds}")
OVER = N_("{map}: end of the game")
ALONE = N_(", {code} alone")

_TURNS = 4  # in which symbols and names are placed
_DISC, _HELD = 100, 400  # weights: how much names keep clear of cities, and signs of deliveries of cities and names

Placed = tuple[Mapping[str, Point], Mapping[str, Box]]  # symbols by link, names by city


def draw_state(state: State, translate: Translate = str, show: Print = POSITION_ALONE) -> Drawing:
    """Return the picture of a position: what everybody may see of it, and nothing else."""
    table = state.table
    words = OVER if state.is_over else HEADING
    alone = translate(ALONE).format(code=show.alone) if show.alone else ""
    shown = [code for code in table.codes if shows_cash(state, code, None)]
    scene = Scene(
        board=table.board,
        heading=translate(words).format(
            map=translate(table.board.title), round=state.round, rounds=table.numbers.rounds
        )
        + alone,
        players=tuple(
            PlayerLook(
                code=it.code,
                name=it.company,
                colour=it.colour,
                person="" if it.name in (it.code, it.company) else called(it.name, translate),
            )
            for it in table.players
        ),
        order=state.order,
        built=state.built,
        cubes=state.cubes,
        income={code: state.income.get(code, 0) for code in table.codes},
        bonds={code: state.bonds.get(code, 0) for code in table.codes},
        cash={code: state.cash.get(code, 0) for code in shown},
        action_cards={code: len(state.actions.get(code, ())) for code in table.codes},
        sections_left={code: state.sections_left(code) for code in table.codes},
        hands={} if state.is_over else state.hands,
        groups=() if state.is_over else state.groups,
        scores=state.scores,
        winners=state.winners,
        fresh=frozenset(it.link for it in show.events if isinstance(it, LinkBuilt) and show.alone in ("", it.player)),
        hauls=tuple(
            Haul(player=it.player, trip=it.trip, colour=it.colour, route=it.route)
            for it in show.events
            if isinstance(it, CubeDelivered) and show.alone in ("", it.player)
        ),
        alone=show.alone,
        income_max=table.options.income_max,
    )
    drawn = draw(scene, translate)
    return drawn.recoloured(palette.ON_PAPER) if show.paper else drawn


def draw_board(board: Board) -> Drawing:
    """Return the picture of a board before a game."""
    return draw(Scene(board=board, heading=board.title))


def draw(scene: Scene, translate: Translate = str) -> Drawing:
    """Return the picture of a position; *translate* is asked for the words of the legend.

    The same arguments give the same drawing.
    """
    sheet = lay_out(scene.board)
    spots, plates = arrange(scene, sheet)
    ways, looks = hauls.ways(scene.hauls, sheet), {look.code: look for look in scene.players}
    layers: tuple[Shape, ...] = (
        legend.frame(sheet),
        *places.ground(scene.board, sheet),
        *links.lines(scene, sheet),
        *hauls.lines(scene.hauls, ways, looks),
        *places.discs(scene.board, sheet),
        *links.marks(scene, spots, translate),
        *hauls.marks(scene.hauls, ways, looks, _taken(scene, sheet, (spots, plates))),
        *places.names(scene, plates),
        *income.track(scene, sheet),
        legend.heading(scene.heading, sheet.width),
        *legend.legend(scene, sheet, translate),
    )
    players = (f"{look.code} {look.name} ({translate(look.colour)})" for look in scene.players)
    return Drawing(
        width=sheet.width,
        height=sheet.frame[3] + legend.height(scene),
        background=palette.PAPER,
        parts=layers,
        title=scene.heading,
        description=", ".join((translate(scene.board.title), *players)),
    )


def arrange(scene: Scene, sheet: Sheet) -> Placed:
    """Return where the links' symbols stand, and the cities' names with their cubes: none on another.

    Symbols keep their places from turn to turn, and names go round them; only where there is no room for both do they take
    turns again, with all that lies on this board.
    """
    clutter, spots = _ground(scene, sheet), settled(scene.board)
    links.add_marks(scene, spots, clutter)
    plates = places.plates(scene, sheet, clutter, {})
    if not any_overlap((*places.disc_boxes(sheet), *links.rooms(scene, spots), *plates.values())):
        return spots, plates
    return _by_turns(scene, sheet, clutter, (spots, plates))


@lru_cache(maxsize=8)
def settled(board: Board) -> Mapping[str, Point]:
    """Return where the symbols of a board's links stand when nothing is built."""
    scene, sheet = Scene(board=board, heading=""), lay_out(board)
    return _by_turns(scene, sheet, _ground(scene, sheet), ({}, {}))[0]


def _by_turns(scene: Scene, sheet: Sheet, clutter: Clutter, placed: Placed) -> Placed:
    """Let symbols and names take turns, each knowing where the others went."""
    for _ in range(_TURNS):
        before, (spots, plates) = placed, placed
        spots = links.places(scene, sheet, clutter, spots)
        placed = spots, places.plates(scene, sheet, clutter, plates)
        if placed == before:
            break
    return placed


def _taken(scene: Scene, sheet: Sheet, placed: Placed) -> Clutter:
    """Return what signs of deliveries keep clear of."""
    clutter, (spots, plates) = _ground(scene, sheet), placed
    links.add_marks(scene, spots, clutter)
    for box in (*places.disc_boxes(sheet), *plates.values()):
        clutter.add(box, _HELD)
    return clutter


def _ground(scene: Scene, sheet: Sheet) -> Clutter:
    """Return where cities and links lie."""
    clutter = Clutter()
    for box in places.disc_boxes(sheet):
        clutter.add(box, _DISC)
    links.add_lines(scene, sheet, clutter)
    return clutter
