"""Dampfross (Railway Rivals) by David Watts: a rail network on a hex map, then races over it."""

from __future__ import annotations

from functools import partial

from msgspec.structs import asdict

from referee.core import Complaint, Dice, OptionError
from referee.core.agreement import check_colours, check_table
from referee.core.game import ONE_BY_ONE, Awaited, Game, Outcome, Setup
from referee.core.picture import SHADES
from referee.core.record import Change
from referee.core.texts import Codec
from referee.core.texts.positiontable import words_of
from referee.core.texts.shipped import shipped_names, shipped_rulebook, shipped_text

from .board import on_numbered_grid
from .board.mapfile import board_of, read_map
from .draws import is_special, needs_typed, races_in_all
from .editor import ATLAS
from .forecast import forecast
from .names import lexicon
from .options import PRESETS, Options, choose_options, number, word
from .position import ALL_CHANGES, KEYS, facts, place, take_position
from .racing import decider
from .report import desk, view
from .report.drawing import chart, draw_state, film
from .report.prices import help_lines, prices
from .report.story import story
from .report.summary import summary, tallies
from .round import adjudicate
from .round import start as start_anew
from .state import (
    DAVID,
    ROUNDS_OF_RACES,
    STORED,
    State,
    Table,
    about,
    all_homes,
    companies_of,
    races_a_round,
)
from .understand import understand

PLAYERS = (2, 6)  # Rule: D1.1, D8
ALL_KEYS = 36  # of every map; a scenario's sketch may leave out those it does not need
CODEC = Codec(*STORED, Complaint, Change, *ALL_CHANGES)


def lay_out(setup: Setup) -> State:
    """Return the position before the first event.

    Raises:
        OptionError: too few or many players, an unknown preset or option, a home city for nobody.
        MapError: the board cannot be read.
    """
    check_table(setup, "Dampfross", PLAYERS)
    options = choose_options(setup.preset, setup.options)
    if setup.pace == ONE_BY_ONE and options.order_of_building == "simultaneous":
        raise OptionError("pace = one-by-one asks company after company: set order_of_building = in-turn")
    check_seats(setup, options)
    companies = companies_of(setup.players, options.two_players)
    check_colours([(company.code, company.colour) for company in companies], SHADES, "company")
    board = board_of(setup.board, setup.board_name)
    if options.grid != "letters" and not board.grid_letters:
        raise OptionError(
            f"grid = {options.grid} tells hexes by the map's numbered grid, and map {board.title!r} declares none"
        )
    board = board if options.grid == "letters" else on_numbered_grid(board)
    table = Table(
        board=board,
        options=options,
        players=setup.players,
        companies=companies,
        pace=setup.pace,
        position=setup.position,
    )
    state = State(table=table)
    if not all_homes(state):
        raise OptionError(f"map {board.title!r} has no home terminals for {len(companies)} companies")
    return state


def check_seats(setup: Setup, options: Options) -> None:
    """Raise OptionError where second companies are missing or too many. Rule: D8."""
    pairs = len(setup.players) == 2 and options.two_players == "pairs"
    for player in setup.players:
        if pairs and not (player.second_code and player.second_colour):
            raise OptionError(
                f"two_players = pairs gives each player two companies: name a second one for {player.code}, "
                'as "GSW+WLW:red+pink:Ann <ann@example.org>"'
            )
        if player.second_code and not pairs:
            raise OptionError(
                f"{player.second_code}: only with two players and two_players = pairs has anybody two companies"
            )
    codes = setup.codes
    if len(set(codes)) < len(codes) or DAVID in codes:
        raise OptionError(f"companies need names of their own (and none may be {DAVID}); read were {', '.join(codes)}")


def start(state: State, dice: Dice) -> Outcome:
    """Open the game: anew, or at the position that was typed in.

    Raises:
        PositionError: as ``place``.
        OptionError: companies stay without a home, there is nothing to build for, or races go beyond the keys. A running game
            is never refused.
    """
    fault = _homeless(state) or _nothing_to_build(state) or _too_many_races(state)
    if fault:
        raise OptionError(fault)
    return take_position(state, state.table.position, dice) if state.table.position else start_anew(state, dice)


def _homeless(state: State) -> str:
    """With homes of their own there must be one for each company. Rule: D1.3."""
    homes, companies = len(all_homes(state)), len(state.codes)
    if state.options.homes != "distinct" or homes >= companies:
        return ""
    return (
        f"homes = distinct gives each of {companies} companies a home terminal of its own, "
        f"but map {state.board.title!r} has {homes} for them"
    )


def _nothing_to_build(state: State) -> str:
    """A new game's building must not be over as soon as the homes are chosen. Rule: D2.7."""
    ends = state.options.building_ends
    if state.table.position or word(ends) != "cities-left":
        return ""
    cities, companies = len(state.board.station_at), len(state.codes)
    left = cities - min(companies, len(all_homes(state)))
    if left > number(ends):
        return ""
    return (
        f"building_ends = {ends} ends building before it begins: besides the home terminals map "
        f"{state.board.title!r} has {left} cities to connect"
    )


def _too_many_races(state: State) -> str:
    """A short game has no more races than a full one may have: no key is used oftener than the rules say. Rule: D5.1, D5.6."""
    board, options = state.board, state.options
    if not isinstance(options.races, int):
        return ""
    by_sectors = ROUNDS_OF_RACES * races_a_round(board)
    most = by_sectors if options.race_schedule == "sectors" else _races_for_keys(state)
    if options.races <= most:
        return ""
    return f"races = {options.races} is more than map {board.title!r} has keys for: {most} at the most"


def _races_for_keys(state: State) -> int:
    """Return for how many races drawn with dice the keys suffice: two each, one for a special one. Rule: D5.1."""
    keys = ALL_KEYS
    for race in range(1, races_in_all(state) + 1):
        keys -= 1 if is_special(state, race) else 2
        if keys < 0:
            return race - 1
    return races_in_all(state)


def awaiting(state: State) -> tuple[Awaited, ...]:
    """Return who owes orders: everybody, or the one who is asked; nobody when the game is over."""
    if state.phase == "over":
        return ()
    if state.one_by_one:
        return (Awaited(player=decider(state), what=state.agenda[0].what),)
    return tuple(Awaited(player=player.code, what=state.phase) for player in state.table.players)


GAME = Game(
    name="dampfross",
    title="Dampfross",
    rules=6,
    players=PLAYERS,
    colours=tuple(SHADES),
    presets={name: asdict(options) for name, options in PRESETS.items()},
    default_preset="postal",
    boards=partial(shipped_names, __package__),
    board_text=partial(shipped_text, __package__),
    check_board=read_map,
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
    tells_all_alike=True,
    needs_typed=needs_typed,
)
