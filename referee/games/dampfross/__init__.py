"""Dampfross (Railway Rivals) by David Watts: a rail network on a hex map, then races over it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from referee.core.codec import Codec
from referee.core.errors import ConfigError, OptionError
from referee.core.game import Awaited, Game, Setup
from referee.core.orders import Complaint
from referee.games.dampfross import events, orders
from referee.games.dampfross.adjudicate import adjudicate, start
from referee.games.dampfross.drawing import COLOURS, draw_state
from referee.games.dampfross.forecast import forecast
from referee.games.dampfross.lexicon import lexicon
from referee.games.dampfross.mapfile import map_of, read_map, shipped_map_text, shipped_maps
from referee.games.dampfross.options import PRESETS, choose_options
from referee.games.dampfross.reading import understand
from referee.games.dampfross.state import OVER, Race, State, Table
from referee.games.dampfross.story import story
from referee.games.dampfross.view import view

PLAYERS = (3, 6)  # Rule: D1.1

CODEC = Codec(
    State,
    Race,
    Complaint,
    orders.ChooseHome,
    orders.Piece,
    orders.Build,
    orders.Route,
    orders.Run,
    *(kind for kind in vars(events).values() if isinstance(kind, type) and kind.__module__ == events.__name__),
)


def lay_out(setup: Setup) -> State:
    """Return the position before the first event.

    Raises:
        OptionError: too few or many players, an unknown preset or option, a home city for nobody.
        MapError: the board cannot be read.
    """
    fewest, most = PLAYERS
    if not fewest <= len(setup.players) <= most:
        raise OptionError(f"Dampfross is played by {fewest} to {most} companies; {len(setup.players)} were named")
    colours = [player.colour for player in setup.players]
    for player in setup.players:
        if player.colour not in COLOURS:
            raise OptionError(f"colour {player.colour!r} of {player.code} is not one of {', '.join(COLOURS)}")
        if colours.count(player.colour) > 1:
            raise OptionError(f"colour {player.colour!r} was given to more than one company")
    board = map_of(setup.board, setup.board_name)
    options = choose_options(setup.preset, setup.options)
    if board.specials:
        raise OptionError(f"map {board.title!r} has specials; they are not played yet")
    return State(table=Table(board=board, options=options, players=setup.players))


def board_text(name: str) -> str:
    """Return the text of a shipped map.

    Raises:
        ConfigError: there is none of that name.
    """
    if name not in shipped_maps():
        raise ConfigError(f"there is no map {name!r}; shipped with Dampfross: {', '.join(shipped_maps())}")
    return shipped_map_text(name)


def check_board(text: str, file: str) -> None:
    """Raise MapError with every fault of a map file."""
    read_map(text, file)


def turn(state: State) -> int:
    """Return the round whose orders are awaited: a turn is a round."""
    return state.round


def awaiting(state: State) -> tuple[Awaited, ...]:
    """Return who owes orders: everybody, until the game is over."""
    if state.phase == OVER:
        return ()
    return tuple(Awaited(player=code, what=state.phase) for code in state.table.codes)


def decode(text: str, setup: Setup) -> Any:
    """Return a value written by ``encode``; a position gets its table back from the setup."""
    return CODEC.decode(text, {"table": lay_out(setup).table})


def apply(state: State, event: events.Event) -> State:
    """Return the position after *event*."""
    return events.apply(event, state)


GAME = Game(
    name="dampfross",
    title="Dampfross",
    rules=1,
    players=PLAYERS,
    colours=tuple(COLOURS),
    presets={name: asdict(options) for name, options in PRESETS.items()},
    default_preset="postal",
    boards=shipped_maps,
    board_text=board_text,
    check_board=check_board,
    lay_out=lay_out,
    start=start,
    turn=turn,
    awaiting=awaiting,
    lexicon=lexicon,
    understand=understand,
    forecast=forecast,
    adjudicate=adjudicate,
    apply=apply,
    view=view,
    story=story,
    drawing=draw_state,
    encode=CODEC.encode,
    decode=decode,
)
