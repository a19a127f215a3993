"""New games: agreed, laid out, opened, and told to everybody."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from referee.config.reading import Misplaced, locate
from referee.core import ConfigError, MapError, SeededDice, Texts, View, add_salt, seed_of_turn, shared_fields
from referee.core.game import Game, Outcome, Player, Setup
from referee.games import game_named
from referee.orderbook.names import shared_names
from referee.store import GameRow, PlayerRow, games, last_tick, outbox, transaction

from ..club import Club
from ..deadlines.rescheduling import checked_rhythm, count_from, format_rhythm
from ..duetimes import next_deadline, rhythm_of
from ..pictures import board_names, read_board
from ..positions import OPENING, Position, format_setup, title_of_board, veil
from ..post.readers import language_of
from .adjudicate import turn_row
from .gamefile import Invited, Proposal, checked_players, first_deadline, pace_of
from .inputs import TriedDice, format_typed
from .newsletters import newsletters
from .turnnews import TurnNews


def new_game(
    club: Club,
    proposal: Proposal,
    root: str = "",
    *,
    game_id: str = "",
    salts: str = "",
    seating: tuple[View, ...] = (),
    beside: Callable[[Position], None] = lambda position: None,
) -> str:
    """Make a game and put its opening newsletters into the outbox; return its id.

    *root* of the chain of seeds is given by tests, by a game that is played again and by one that people signed up for; else it
    is drawn now. *game_id*: what it is called already; *salts*: the players', given when they signed up; *seating*: what is told
    of who got which seat (``seating.txt.j2``); *beside*: writes what else belongs to it, in the same transaction.

    Raises:
        ConfigError, NotFound: the game, map, preset, an option or a player is wrong; nothing is made. The sentence names
            the file and line, where a file says it.
    """
    with locate(proposal.origin, tuple(name for name, _ in proposal.options)):
        rules = game_named(proposal.kind)
        invited = checked_players(_in_their_languages(club, proposal), rules, club.config)
        setup = _setup(club, proposal, rules, invited)
        now = club.now
        root = root or secrets.token_hex(32)
        seed = seed_of_turn(root, OPENING)
        outcome, typed = _throw_opening(rules, setup, add_salt(seed, salts), proposal)
        kept = checked_rhythm(proposal.rhythm or {}, club.config)
        row = GameRow(
            id=game_id or games.next_id(club, club.config.prefix),
            kind=rules.name,
            setup=format_setup(setup),
            rules=rules.rules,
            status="running",
            turn=rules.turn(outcome.state),
            deadline=None,
            rhythm=format_rhythm(kept),
            chain=root,
            created=now,
            anonymous=proposal.anonymous,
        )
        rhythm = rhythm_of(club.config, row)
        due = first_deadline(proposal, rhythm, now) or next_deadline(rhythm, now)
        row = row.but(deadline=due, rhythm=format_rhythm(count_from(due, kept, rhythm.zone)))
        seats = tuple(
            PlayerRow(game=row.id, place=place, **shared_fields(each, PlayerRow))
            for place, each in enumerate(invited, 1)
        )
        position = Position(
            row=row,
            players=veil(row, seats),
            rules=rules,
            setup=setup,
            state=outcome.state,
            board_title=title_of_board(rules, setup, outcome.state),
            order_languages=club.positions.order_languages,
        )
        opening = turn_row(position, OPENING, seed, outcome, now, {}).but(deadline=None, salts=salts, typed=typed)
        opening = games.chain_turn(opening, games.agreement_hash(row))
        news = TurnNews(
            position=position,
            row=opening,
            state=outcome.state,
            events=outcome.events,
            next_turn=row.turn,
            deadline=due,
            seating=seating,
        )
        post = newsletters(club, news)
    with transaction(club):
        games.add_game(club, position.row, seats, opening)
        beside(position)
        for letter in post:
            outbox.put(club, letter)
        if not last_tick(club):  # an outage is counted from here on
            last_tick.write(club, position.row.created)
    return position.id


def lay_out(club: Club, proposal: Proposal) -> tuple[Setup, Any, tuple[Invited, ...]]:
    """Return a game to come as it would be agreed, its position after an opening, and its players; nothing is written.

    Raises:
        ConfigError, NotFound: as ``new_game``.
    """
    with locate(proposal.origin, tuple(name for name, _ in proposal.options)):
        rules = game_named(proposal.kind)
        invited = checked_players(_in_their_languages(club, proposal), rules, club.config)
        setup = _setup(club, proposal, rules, invited)
        checked_rhythm(proposal.rhythm or {}, club.config)
        outcome, _ = _throw_opening(rules, setup, seed_of_turn(secrets.token_hex(32), OPENING), proposal)
        return setup, outcome.state, invited


def ambiguous_names(club: Club, game_id: str) -> Texts:
    """Return a sentence for each word that names two players or companies of a game in its orders."""
    position = club.position(game_id)
    return tuple(
        f"warning: {first.name!r} in an order means {first.value}, though {', '.join(each.value for each in others)} "
        "may be called so, too: better choose other acronyms, names or colours"
        for first, *others in shared_names(position.rules.lexicon(position.state))
        if {*position.setup.codes} & {first.value, *(each.value for each in others)}
    )


def _in_their_languages(club: Club, proposal: Proposal) -> Proposal:
    """Return a game whose players have the language that they have asked for, unless the umpire names another one."""
    players = (each.but(language=each.language or language_of(club, each.address)) for each in proposal.players)
    return proposal.but(players=tuple(players))


def _throw_opening(rules: Game, setup: Setup, seed: str, proposal: Proposal) -> tuple[Outcome, str]:
    """Return the opening and the typed throws it asked for, as JSON.

    Raises:
        Misplaced: throws are missing that only the umpire's dice make, or one is asked for by nothing or not on its die.
    """
    state = rules.lay_out(setup)
    dice = TriedDice(given=dict(sorted(proposal.throws)), otherwise=SeededDice(seed))
    outcome = rules.start(state, dice)
    untyped = dice.still_lacking(rules.needs_typed(state))
    if untyped:
        names = " ".join(f"--throw {name}=NUMBER" for name, _ in untyped)
        raise Misplaced(
            f"the opening asks for throws that only your dice make: name them, as {names}", section="throws"
        )
    for each in dice.misfits:
        sentence = f"throw {each.name}={each.number}: 1 to {each.sides} possible"
        raise Misplaced(sentence, section="throws", name=each.name)
    for name in dice.unused:
        raise Misplaced(f"throw {name}: nothing asks for it in the opening", section="throws", name=name)
    return outcome, format_typed(dice.used)


def _only_board(rules: Game) -> str:
    """Return the board of a game that comes with a single one, "" where there is a choice."""
    boards = rules.boards()
    return boards[0] if len(boards) == 1 else ""


def _setup(club: Club, proposal: Proposal, rules: Game, invited: tuple[Invited, ...]) -> Setup:
    named = proposal.board or _only_board(rules)
    if not named:
        known = ", ".join(board_names(rules, club.config.folder)) or "none"
        raise Misplaced(f"no map is named ({rules.title} has {known})")
    preset = proposal.preset or rules.default_preset
    if preset not in rules.presets:
        raise Misplaced(f"{rules.title} has no preset {preset!r} (there is {', '.join(rules.presets)})", name="preset")
    try:
        board_name, board = (
            (named, proposal.map_text) if proposal.map_text else read_board(rules, named, club.config.folder)
        )
    except MapError:
        raise
    except ConfigError as error:
        raise Misplaced(str(error), name="map") from error
    return Setup(
        game=rules.name,
        board_name=board_name,
        board=board,
        preset=preset,
        options=proposal.options,
        # Of an anonymous player the name is no part of what was agreed.
        players=tuple(
            Player(**shared_fields(seat, Player) | ({"name": seat.company or seat.code} if proposal.anonymous else {}))
            for seat in invited
        ),
        pace=pace_of(proposal),
        position=proposal.position,
    )
