"""Games that wait for their players: opened, told, begun or given up."""

from __future__ import annotations

import json
import logging
import re
import secrets
from collections.abc import Iterator

from referee.config import address_fault
from referee.core import (
    CHAIN_END,
    N_,
    ConfigError,
    NotFound,
    OptionError,
    RefereeError,
    StoreDamaged,
    TemporaryTrouble,
    Texts,
    Value,
    View,
    from_typed,
    mailbox,
    seed_of_turn,
    shared_fields,
)
from referee.core.game import Game
from referee.games import game_named
from referee.store import (
    LaterRow,
    OpenGameRow,
    SignupRow,
    games,
    insert,
    last_tick,
    letters,
    opengames,
    orders,
    outbox,
    transaction,
)

from ..club import Club
from ..commands.joining import open_values, signup_letter, tell_of_seat
from ..deadlines import rescheduling
from ..letters.identify import is_own
from ..positions import OPENING, Position, title_of_board
from ..post.codes import JOIN, tag_of
from ..post.readers import language_of
from ..post.writing import Occasion, tell_umpire
from ..seats import Seat, numbered_code, person_at, seats_for, wishes_of
from ..umpires import REFEREE, Command, CommandFault, checked_reason, log_act
from .gamefile import Invited, Proposal, format_proposal, parse_proposal
from .inputs import join_salts
from .newgames import ambiguous_names, lay_out, new_game

log = logging.getLogger(__name__)


class SignupList(Value):
    """An open game as the umpire sees it: what a newcomer writes, how it stands (``open_values``), and everybody in it."""

    game: OpenGameRow
    word: str
    stand: dict[str, object]
    signups: tuple[SignupRow, ...]


# Of what the umpire does while a game waits for its players: the act that tells of it when it begins, and what is told of it.
_KINDS = {
    "game-opened": ("open", ""),
    "invited": ("invite", "people"),
    "signup-removed": ("remove", ""),
    "umpire-named": ("umpire", "named"),
    "umpire-removed": ("umpire", "removed"),
}


def open_game(
    club: Club, proposal: Proposal, seats: int = 0, *, when_full: bool = False, dry_run: bool = False
) -> OpenGameRow:
    """Let a game wait for players, and return it. It is laid out to see that it can be played; nothing of that is kept.

    *seats*: how many it has, 0 for as many as the game can have; those of named players are counted. *when_full*: it starts by
    itself as soon as all are taken. *dry_run*: nothing at all is kept.

    Raises:
        ConfigError, NotFound: as ``new_game``; or there are too few or too many seats, or the first deadline is fixed already.
    """
    rules = game_named(proposal.kind)
    least, most = rules.players
    seats = seats or most
    if not least <= seats <= most:
        raise ConfigError(f"{rules.title} is for {least} to {most} players; {seats} seats are none of these")
    if len(proposal.players) >= seats:
        full = f"{len(proposal.players)} players are named for {seats} seats"
        raise ConfigError(f"{full}: nobody can sign up, use `referee game new`")
    if second := next((each.second_code for each in proposal.players if each.second_code), ""):
        raise ConfigError(
            f"{second}: second companies of a game that waits for players are called when it begins; leave it out"
        )
    if proposal.deadline:
        raise ConfigError("a game that waits for players has no deadline: its first one is set when it starts")
    setup, state, players = lay_out(club, _fitting(club, _with_somebody(proposal, rules, seats), rules))
    named = players[: len(proposal.players)]
    proposal = proposal.but(players=(), board=setup.board_name, map_text=setup.board)
    root = secrets.token_hex(32)
    told = {
        "title": rules.title,
        "board": title_of_board(rules, setup, state),
        "preset": setup.preset,
        "options": {name: value for name, value in setup.options if rules.presets[setup.preset].get(name) != value},
        "pace": setup.pace,
        "least": least,
        "anonymous": proposal.anonymous,
        "colours": [each for each in rules.colours if each not in {player.colour for player in named}],
        "end": seed_of_turn(root, CHAIN_END),
        "map_hash": setup.map_hash,
    }
    row = OpenGameRow(
        id="",
        proposal=format_proposal(proposal),
        told=json.dumps(told, ensure_ascii=False),
        kind=rules.name,
        seats=seats,
        when_full=when_full,
        chain=root,
        opened_at=club.now,
    )
    if dry_run:
        return row
    with transaction(club):
        row, by = row.but(id=games.next_id(club, club.config.prefix)), json.dumps({"actor": club.actor})
        insert(club, row)
        club.log("game-opened", row.id, kept=by)
        for player in named:
            seat = shared_fields(player, SignupRow) | {"colours": player.colour, "asked_at": row.opened_at}
            opengames.sign_up(club, SignupRow(game=row.id, seated_at=row.opened_at, **seat))
        for signup in opengames.seated(club, row.id):
            _mail(club, row, signup, "named", f"named:{row.id}:{signup.id}", coded=True)
        if not last_tick(club):  # an outage is counted from here on
            last_tick.write(club, club.now)
    return row


def signup_list(club: Club, game_id: str) -> SignupList:
    """Return who has signed up for an open game. Raises NotFound."""
    row = opengames.open_game(club, game_id)
    return SignupList(
        game=row,
        word=f"JOIN {tag_of(club, JOIN, row.id)}",
        stand=open_values(club, row),
        signups=opengames.signups(club, row.id),
    )


_PEOPLE = re.compile(r"[^,<>]*<[^<>]*>|[^\s,<>]+")


def invite(club: Club, command: Command) -> View:
    """Invite people to an open game, told as ``Cecil <cecil@example.org>`` or by their addresses alone. Each has a letter of
    their own with the umpire's words, and takes the seat by answering it.

    Raises:
        NotFound: there is no such open game.
        ConfigError: an address is none, is our own, or has signed up already; nobody is invited.
    """
    people = [each.strip() for each in _PEOPLE.findall(" ".join(command.words[1:]))]
    if not people:
        raise CommandFault("missing-people")
    words, row = checked_reason(command.reason), opengames.open_game(club, command.game)
    with transaction(club):
        made = tuple(_invite(club, row, person, words) for person in people)
        club.log("invited", f"{row.id}: {len(made)}")
    return {"invited": made}


def remove_signup(club: Club, command: Command) -> None:
    """Take somebody out of an open game, and tell them so. Raises NotFound, ConfigError."""
    row, words = opengames.open_game(club, command.game), checked_reason(command.reason)
    address = command.given["WITHDRAW"]
    with transaction(club):
        found = opengames.signup_of(club, row.id, address)
        if not found:
            known = ", ".join(each.address for each in opengames.signups(club, row.id)) or "nobody"
            raise NotFound(f"nobody at {address} has signed up for {row.id} (there is {known})")
        opengames.rewrite(club, found.but(ended_at=club.now))
        club.log("signup-removed", f"{row.id}: sign-up {found.id}")
        if found.seated_at is not None or found.invited:
            _mail(club, row, found, "removed", f"signup-removed:{found.id}", words)


def close(club: Club, command: Command) -> View:
    """Give up a game of which no turn was played, and tell everybody who has a seat or was invited. Raises NotFound,
    ConfigError.
    """
    if games.known(club, command.game):
        return rescheduling.give_up(club, command)
    row, words = opengames.open_game(club, command.game), checked_reason(command.reason)
    with transaction(club):
        opengames.close(club, row.id, club.now)
        club.log("game-closed", f"{row.id}: {words}")
        for each in opengames.signups(club, row.id):
            if each.seated_at or each.invited:
                _mail(club, row, each, "closed", f"game-closed:{row.id}:{each.id}", words)
    return {"game": row.id}


def start(club: Club, command: Command) -> View:
    """Begin an open game with those who have a seat in it; tell what each of them got. The first deadline is the one that is
    given, else by the game's rhythm.

    Raises:
        NotFound: there is no such open game.
        ConfigError: too few have a seat, or the game cannot be laid out (any more).
    """
    row = opengames.open_game(club, command.game)
    seats = _start(club, row, command.until, club.actor)
    return {"game": row.id, "seats": seats, "alike": ambiguous_names(club, row.id)}


def fill_seats(club: Club) -> None:
    """Give free seats to those who wait for them, the first in turn first, and tell them and the umpire."""
    for row in opengames.with_free_seats(club):
        free = row.seats - len(opengames.seated(club, row.id))
        for waits in opengames.in_turn(club, row.id)[:free]:
            signup = waits.but(seated_at=club.now)
            with transaction(club):
                opengames.rewrite(club, signup)
                _mail(club, row, signup, "moved-up", f"moved-up:{signup.id}:{club.now}", coded=True)
                tell_of_seat(club, row, signup, "seated")


def start_full(club: Club) -> Texts:
    """Begin the games that start by themselves and whose seats are taken; return their ids. One that cannot begin is told to the
    umpire, once.

    Raises:
        StoreBusy, StoreDamaged.
    """
    begun = []
    for row in opengames.full(club):
        try:
            _start(club, row, "", REFEREE)
            begun.append(row.id)
        except RefereeError as error:
            if isinstance(error, StoreDamaged | TemporaryTrouble):
                raise
            log.warning("%s could not begin: %s", row.id, error)
            with transaction(club):
                tell_umpire(club, f"not-begun:{row.id}", "not-begun", {"tag": row.id, "why": str(error)})
    return tuple(begun)


def _start(club: Club, row: OpenGameRow, deadline: str, actor: str) -> tuple[Seat, ...]:
    proposal, signups = parse_proposal(row.proposal), opengames.seated(club, row.id)
    rules = game_named(row.kind)
    lacking = rules.players[0] - len(signups)
    if lacking > 0:
        one = N_(
            "{game} lacks 1 more player: `referee game signups {game}` says what to write; `referee tick` reads what has come"
        )
        several = N_(
            "{game} lacks {number} more players: `referee game signups {game}` says what they write;"
            " `referee tick` reads what has come"
        )
        raise ConfigError(one if lacking == 1 else several, game=row.id, number=lacking)
    seats = seats_for(signups, rules.colours, veil=proposal.anonymous)
    players = tuple(Invited(**shared_fields(each.signup, Invited) | shared_fields(each, Invited)) for each in seats)
    told_seats = tuple(
        {
            "place": place,
            "name": (each.signup.company or each.code) if proposal.anonymous else each.signup.name,
            "code": each.code,
            "colour": each.colour,
            "choice": each.choice,
            "wished": wishes_of(each.signup),
            "wanted": each.signup.code if each.renamed else "",
        }
        for place, each in enumerate(seats, 1)
    )

    def beside(position: Position) -> None:
        now = opengames.known(club, row.id)
        if now != row or opengames.seated(club, row.id) != signups:
            told = N_("{game}: somebody signed up or withdrew at this moment; nothing was done, start it again")
            raise ConfigError(told, game=row.id)
        opengames.start(club, row.id, club.now)
        for each in opengames.in_turn(club, row.id):
            _mail(club, row, each, "started", f"begun-without:{each.id}")
        opening = position.row.but(turn=OPENING)
        for kind, done in _umpires_acts(club, row):
            log_act(club, opening, kind, done)
        log_act(club, opening, "start", {"signups": len(seats)}, actor=actor)
        for seat in seats:
            if seat.signup.orders is not None:
                sent = LaterRow(
                    letter=seat.signup.orders,
                    game=row.id,
                    player=seat.code,
                    turn=position.row.turn,
                    arrived=letters.letter(club, seat.signup.orders).arrived,
                )
                orders.keep_for_later(club, sent)

    asked = _fitting(club, proposal.but(players=players, deadline=deadline), rules)
    salts = join_salts((each.code for each in seats), {each.code: each.signup.salt for each in seats})
    new_game(club, asked, row.chain, game_id=row.id, salts=salts, seating=told_seats, beside=beside)
    return seats


def _umpires_acts(club: Club, row: OpenGameRow) -> Iterator[tuple[str, View]]:
    """Yield what the umpire did with a game that waited for its players, as acts of its log: kind and parameters."""
    for each in outbox.logged_about(club, row.id, tuple(_KINDS)):
        who = each.text.partition(": ")[2]
        done = {_KINDS[each.what][1]: who} if who and _KINDS[each.what][1] else {}
        yield _KINDS[each.what][0], {"day": f"{each.at:%Y-%m-%d}", **done}


def _fitting(club: Club, proposal: Proposal, rules: Game) -> Proposal:
    """Return a game in which each player leads two companies, where its rules want that of so many players; else the same one.
    Raises as ``new_game``.
    """
    try:
        lay_out(club, proposal)
    except OptionError:
        pairs = proposal.but(players=_with_seconds(proposal.players, rules))
        try:
            lay_out(club, pairs)
        except (OptionError, ConfigError):  # for more than three there are no colours left
            pass
        else:
            return pairs
        raise
    return proposal


def _with_seconds(players: tuple[Invited, ...], rules: Game) -> tuple[Invited, ...]:
    """Return players with a second company each, in the colours that are left, the first player's first."""
    taken = {colour for each in players for colour in (each.colour, each.second_colour)}
    free = iter([each for each in rules.colours if each not in taken])
    codes = {code for each in players for code in (each.code, each.second_code)}
    made = []
    for each in players:
        if not each.second_code:
            each = each.but(second_code=numbered_code(each.code, codes), second_colour=next(free, ""))
        codes.add(each.second_code)
        made.append(each)
    return tuple(made)


def _with_somebody(proposal: Proposal, rules: Game, seats: int) -> Proposal:
    """Return the game with somebody in each seat, to see whether it can be played."""
    taken = {each.colour for each in proposal.players}
    free = [each for each in rules.colours if each not in taken]
    lacking = seats - len(proposal.players)
    somebody = tuple(
        Invited(code=f"X{number}", colour=colour, name=f"X{number}", address=f"x{number}@example.invalid")
        for number, colour in enumerate(free[:lacking], 1)
    )
    return proposal.but(players=(*proposal.players, *somebody))


def _mail(
    club: Club, row: OpenGameRow, signup: SignupRow, what: str, key: str, because: str = "", *, coded: bool = False
) -> None:
    """Write to somebody who has signed up, once for each *key*; *coded*: an answer speaks for the seat."""
    letter = signup_letter(club, row, signup, what, Occasion(key, "signup"), coded=coded, because=because)
    outbox.put(club, letter)


def _invite(club: Club, row: OpenGameRow, person: str, words: str) -> SignupRow:
    name, written = person_at(club, person)
    address = from_typed(written)
    if fault := address_fault(written, "cecil@example.org"):
        raise ConfigError(f"{person}: {fault}")
    if is_own(club, address):
        raise ConfigError(N_("{person}: {address} is the referee's own address"), person=person, address=address)
    if any(mailbox(each.address) == mailbox(address) for each in opengames.seated(club, row.id)):
        told = N_("{person}: {address} has a seat in {game} already")
        raise ConfigError(told, person=person, address=address, game=row.id)
    seat = next(iter(games.seats_of(club, address)), None)
    signup = SignupRow(
        game=row.id,
        address=address,
        name=name,
        zone=seat.zone if seat else club.config.zone,
        language=seat.language if seat else language_of(club, address),
        invited=True,
        asked_at=club.now,
    )
    signup = signup.but(id=opengames.sign_up(club, signup))
    _mail(club, row, signup, "invited", f"invitation:{row.id}:{signup.id}", words, coded=True)
    return signup
