"""The board as a drawing: links, sections, cities with their cubes, the income track round them, players and legend below."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.drawing import Drawing, Point, Shape
from referee.core.paper import Box, Clutter
from referee.games.volldampf.board import Board
from referee.games.volldampf.picture import income, legend, links, palette, places
from referee.games.volldampf.picture.legend import N_, Translate
from referee.games.volldampf.picture.palette import COLOURS, PlayerLook
from referee.games.volldampf.picture.scene import Scene
from referee.games.volldampf.picture.sheet import Sheet, lay_out
from referee.games.volldampf.state import State
from referee.games.volldampf.view import shows_cash

__all__ = ["COLOURS", "PlayerLook", "Scene", "draw", "draw_board", "draw_state"]

HEADING = N_("{map}: round {round} of {rounds}")
OVER = N_("{map}: end of the game")

_TURNS = 4  # in which symbols and names are placed
_DISC = 100  # weight: how much names keep clear of cities


def draw_state(state: State, translate: Translate = str) -> Drawing:
    """Return the picture of a position: what everybody may see of it, and nothing else."""
    table = state.table
    words = OVER if state.is_over else HEADING
    shown = [code for code in table.codes if shows_cash(state, code, None)]
    scene = Scene(
        board=table.board,
        heading=translate(words).format(map=table.board.title, round=state.round, rounds=table.numbers.rounds),
        players=tuple(
            PlayerLook(code=it.code, name=it.company, colour=it.colour, person=it.name) for it in table.players
        ),
        order=state.order,
        built=state.built,
        cubes=state.cubes,
        income={code: state.income.get(code, 0) for code in table.codes},
        bonds={code: state.bonds.get(code, 0) for code in table.codes},
        cash={code: state.cash.get(code, 0) for code in shown},
        action_cards={code: len(state.actions.get(code, ())) for code in table.codes},
        sections_left={code: state.sections_left(code) for code in table.codes},
        hands=state.hands,
        groups=state.groups,
        income_max=table.options.income_max,
    )
    return draw(scene, translate)


def draw_board(board: Board) -> Drawing:
    """Return the picture of a board before a game."""
    return draw(Scene(board=board, heading=board.title))


def draw(scene: Scene, translate: Translate = str) -> Drawing:
    """Return the picture of a position; *translate* is asked for the words of the legend.

    The same arguments give the same drawing.
    """
    sheet = lay_out(scene.board)
    spots, plates = arrange(scene, sheet)
    layers: tuple[Shape, ...] = (
        legend.frame(sheet),
        *places.ground(scene.board, sheet),
        *links.lines(scene, sheet),
        *places.discs(scene.board, sheet),
        *links.marks(scene, spots),
        *places.names(scene, plates),
        *income.track(scene, sheet),
        legend.heading(scene.heading, sheet.width),
        *legend.legend(scene, sheet, translate),
    )
    looks = (f"{look.code} {look.name} ({translate(look.colour)})" for look in scene.players)
    return Drawing(
        width=sheet.width,
        height=sheet.frame[3] + legend.height(scene),
        background=palette.PAPER,
        shapes=layers,
        title=scene.heading,
        description=", ".join((scene.board.title, *looks)),
    )


def arrange(scene: Scene, sheet: Sheet) -> tuple[Mapping[str, Point], Mapping[str, Box]]:
    """Return where the links' symbols stand, and the cities' names with their cubes: none on another.

    Symbols and names take turns, each knowing where the others went.
    """
    clutter = Clutter()
    for box in places.disc_boxes(sheet):
        clutter.add(box, _DISC)
    links.add_lines(scene, sheet, clutter)
    spots: Mapping[str, Point] = {}
    plates: Mapping[str, Box] = {}
    for _ in range(_TURNS):
        before = spots, plates
        spots = links.places(scene, sheet, clutter, spots)
        plates = places.plates(scene, sheet, clutter, plates)
        if (spots, plates) == before:
            break
    return spots, plates
