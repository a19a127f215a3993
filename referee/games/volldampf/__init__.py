"""Volldampf by Martin Wallace: auction, track cards and goods cubes on a network of German cities."""

from __future__ import annotations

from functools import partial
from typing import get_args

from msgspec.structs import asdict

from referee.core import Complaint, OptionError
from referee.core.agreement import check_colours, check_table
from referee.core.game import Awaited, Game, Setup
from referee.core.record import Change
from referee.core.texts import Codec
from referee.core.texts.positiontable import words_of
from referee.core.texts.shipped import shipped_names, shipped_rulebook, shipped_text

from .board import check_cards
from .board.boardfile import board_of, read_board
from .editor import ATLAS
from .forecast import forecast
from .notation import lexicon
from .options import PRESETS, choose_options
from .position import ALL_CHANGES, KEYS, facts, place, start
from .report import desk, view
from .report.drawing import chart, draw_state, film
from .report.prices import help_lines, prices
from .report.story import story
from .report.summary import summary, tallies
from .round import adjudicate, players_asked
from .state import Bar, Delivery, Item, Kept, Order, Site, State, Table, Target, Wish, about
from .understand import understand

PLAYERS = (2, 6)  # Rule: V2.2
COLOURS = ("blue", "red", "green", "yellow", "black", "orange")

CODEC = Codec(State, Item, Kept, Bar, Complaint, *get_args(Order), Wish, Site, Delivery, Target, Change, *ALL_CHANGES)


def lay_out(setup: Setup) -> State:
    """Return the position before the first event.

    Raises:
        OptionError: too few or many players, two with one code or colour, an unknown preset, pace, option or colour.
        MapError: the board cannot be read.
    """
    check_table(setup, "Volldampf", PLAYERS)
    codes = [player.code for player in setup.players]
    if len(set(codes)) < len(codes):
        raise OptionError(f"players need codes of their own; read were {', '.join(codes)}")
    check_colours([(player.code, player.colour) for player in setup.players], COLOURS, "player")
    for player in setup.players:
        if player.second_code:
            raise OptionError(f"{player.code}: nobody has two sides in Volldampf")
    board = board_of(setup.board, setup.board_name)
    options = choose_options(setup.preset, setup.options)
    table = Table(board=board, options=options, players=setup.players, pace=setup.pace, position=setup.position)
    if not setup.position:
        check_cards(board, len(setup.players))
    return State(table=table)


def awaiting(state: State) -> tuple[Awaited, ...]:
    """Return who owes orders: everybody for a letter, one for a decision, nobody when the game is over."""
    return tuple(Awaited(player=player, what=state.stage) for player in players_asked(state))


def takes_press(state: State) -> bool:
    """Return whether talk is printed. Rule: DIFF 70."""
    return state.options.press == "open"


GAME = Game(
    name="volldampf",
    title="Volldampf",
    rules=5,
    players=PLAYERS,
    colours=COLOURS,
    presets={name: asdict(options) for name, options in PRESETS.items()},
    default_preset="post",
    boards=partial(shipped_names, __package__),
    board_text=partial(shipped_text, __package__),
    check_board=read_board,
    lay_out=lay_out,
    start=start,
    awaiting=awaiting,
    lexicon=lexicon,
    understand=understand,
    forecast=forecast,
    about=about,
    adjudicate=adjudicate,
    place=place,
    facts=facts,
    changes=ALL_CHANGES,
    codec=CODEC,
    view=view,
    story=story,
    drawing=draw_state,
    chart=chart,
    film=film,
    desk=desk,
    rulebook=partial(shipped_rulebook, __package__),
    prices=prices,
    summary=summary,
    examples=help_lines,
    tallies=tallies,
    adjustable=words_of(KEYS),
    atlas=ATLAS,
    takes_press=takes_press,
    has_secrets=True,
)
