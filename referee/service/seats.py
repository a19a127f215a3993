"""Seats of a game: who gets which at its start, stand-bys, and a seat given to another person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.config import address_fault
from referee.core import ConfigError, NotFound, Pair, Texts, Value, View, from_typed, shared_fields
from referee.mail.compose import Attachment
from referee.store import (
    ActRow,
    PlayerRow,
    SignupRow,
    StandbyRow,
    codes,
    games,
    orders,
    outbox,
    transaction,
    with_files,
)

from .club import Club
from .commands.joining import nameless
from .duetimes import rhythm_of
from .letters.identify import is_own
from .letters.interpretation import set_to_run, set_values
from .letters.questions import content_of, rules_values
from .positions import Position, veil
from .post.codes import is_seats
from .post.observers import tell_all
from .post.readers import language_of
from .post.writing import player_values, somebody, tell_player
from .umpires import REFEREE, Command, log_act

# Who gets which colour and code in a game that people signed up for.
#
# The rule, as all players read it: in the order of sign-up each gets the first colour of their list that is still free. Who named
# none, or none that is left, gets one of those that remain, after all others, in the same order.

_LONGEST = 8  # letters and digits of a code
_USUAL = 3


class Seat(Value):
    """What somebody gets. ``choice``: which of their list the colour was, from 1; 0: none of it. ``renamed``: the
    code that they wanted was another's.
    """

    signup: SignupRow
    code: str
    colour: str
    choice: int
    renamed: bool = False


def seats_for(signups: Sequence[SignupRow], colours: Sequence[str], *, veil: bool = False) -> tuple[Seat, ...]:
    """Return the seats of those who signed up, in that order. *colours*: of the game, at least as many as players. *veil*: no
    code may tell a name.
    """
    given, codes, made = _colours(signups, [*colours]), set[str](), []
    for signup in signups:
        code = _code(signup, codes, veil=veil)
        codes.add(code)
        wished = wishes_of(signup)
        colour = given[signup.id]
        choice = wished.index(colour) + 1 if colour in wished else 0
        renamed = bool(signup.code) and code != signup.code
        made.append(Seat(signup=signup, code=code, colour=colour, choice=choice, renamed=renamed))
    return tuple(made)


def wishes_of(signup: SignupRow) -> list[str]:
    """Return the colours that somebody would like, the dearest first."""
    return [each for each in signup.colours.split(",") if each]


def _colours(signups: Sequence[SignupRow], free: list[str]) -> dict[int, str]:
    given: dict[int, str] = {}
    for signup in signups:
        wished = next((each for each in wishes_of(signup) if each in free), None)
        if wished is not None:
            given[signup.id] = wished
            free.remove(wished)
    for signup in signups:
        if signup.id not in given:
            given[signup.id] = free.pop(0)
    return given


def _code(signup: SignupRow, taken: set[str], *, veil: bool) -> str:
    """Return the code that somebody wants, else the initials of their company, else the beginning of their name, if
    others may know that (no *veil*); with a number behind it where another has it.
    """
    wished = signup.code if is_seats(signup.code) else ""
    name = "" if veil else _letters(signup.name)[:_USUAL]
    for word in (wished, _initials(signup.company), name):
        if len(word) > 1 and word not in taken and is_seats(word):
            return word
    stem = wished or name or "CO"
    return numbered_code(stem, taken, 1 if stem == "CO" else 2)


def numbered_code(stem: str, taken: set[str], first: int = 2) -> str:
    """Return a code that nobody has: *stem*, shortened where it must be, and the lowest number from *first* on."""
    numbered = (f"{stem[: _LONGEST - len(str(number))]}{number}" for number in range(first, len(taken) + 3))
    return next(each for each in numbered if each not in taken)


def _initials(text: str) -> str:
    return "".join(word[0] for word in re.findall(r"[A-Za-z]+", text)).upper()[:_LONGEST]


def _letters(text: str) -> str:
    return "".join(re.findall(r"[A-Za-z]", text)).upper()


# A seat is given to another person, who is told all that is needed to play on.

NEWSLETTERS = 3  # the last ones that a newcomer is sent

_PERSON = re.compile(r"\s*([^<>]*[^<>\s])\s*<([^<>]+)>\s*")


def parse_person(text: str) -> Pair:
    """Return name and address of somebody written as ``Cecil <cecil@example.org>``. Raises ConfigError: it is not written so."""
    found = _PERSON.fullmatch(text)
    if not found:
        raise ConfigError(f'{text!r}: write name and address as "Cecil <cecil@example.org>"')
    return found[1], found[2].strip()


def person_at(club: Club, text: str) -> Pair:
    """Return name and address of somebody told as ``parse_person`` has it or by their address alone: then the name is that of
    a seat they have, if any. Raises ConfigError.
    """
    if "<" in text or "@" not in text:
        return parse_person(text)
    seat = next(iter(games.seats_of(club, from_typed(text.strip()))), None)
    return seat.name if seat else nameless(club), text.strip()


def give_seat(club: Club, position: Position, player: PlayerRow, newcomer: PlayerRow, because: str, actor: str) -> None:
    """Give a seat to somebody: codes of before are void, absences over, and everybody is told. Inside a transaction."""
    row, now = position.row, club.now
    (known,) = veil(row, (newcomer,))
    orders.give_seat(club, newcomer)
    orders.end_standby(club, newcomer.address, now)
    orders.give_up_kept(club, now, row.id, player.code)
    codes.void_move(club, row.id, player.code)
    orders.end_absences(club, row.id, player.code, now)
    orders.end_wait(club, *row.turn_key, player.code, now)
    codes.renew(club, row.id, player.code)
    act = log_act(club, row, "replace", {"player": player.code, "name": known.name}, because, actor=actor)
    after = club.position(row.id)
    _brief(club, after, player, known, act)
    # Write to the other players, and to whom the seat was before.
    row = after.row
    values = {
        "missed": act.actor == REFEREE and player.resigned_at is None,
        "what": "replaced",
        "who": player_values(player),
        "now": player_values(known),
        "because": act.reason,
    }
    tell_all(club, after, "seat", values, f"seat:{row.id}:{act.number}", known.code)
    if player.address.lower() != known.address.lower():
        reader = somebody(club, row.id, player.address).but(zone=player.zone, language=player.language)
        tell_player(club, after, reader, "seat", {**values, "former": True}, f"seat:{row.id}:{act.number}:before")


def _brief(club: Club, position: Position, before: PlayerRow, newcomer: PlayerRow, act: ActRow) -> None:
    """Write to the newcomer how the game stands, with its last newsletters, board and rules."""
    row, code = position.row, newcomer.code
    newest = games.last_turn(club, row.id).turn
    sent = [outbox.newsletter_to(club, row.id, code, turn) for turn in range(newest, newest - NEWSLETTERS, -1)]
    told = [(each.turn, *content_of(with_files(club, each))) for each in sent if each]
    runs = set_to_run(orders.sets(club, *row.turn_key), code)
    values = {
        "before": player_values(before),
        "because": act.reason,
        "owes": code in position.awaited,
        "on_file": set_values(position, runs) if runs else None,
        "newsletter": told[0][1] if told else "",
    }
    files = list(told[0][2]) if told else []
    files += [_text_file(f"{row.id}-turn-{turn}.txt", text) for turn, text, _ in told]
    files.append(_text_file(f"{row.id}-rules.txt", _rules(club, position, newcomer)))
    key = f"briefing:{row.id}:{act.number}:{code}"
    tell_player(club, position, newcomer, "briefing", values, key, attachments=tuple(files))


def _rules(club: Club, position: Position, reader: PlayerRow) -> str:
    setup = position.setup
    values = {"one": rules_values(position.rules, setup.preset, dict(setup.options), reader.language, [""])}
    return club.stationery.letter("rulesfile", position.rules.name, reader.language, reader.zone, values).text


def _text_file(name: str, text: str) -> Attachment:
    return Attachment(name, "text/plain", text.encode())


# Stand-bys: who would take the seat of a player who vanishes, and taking it.

STANDBY = "stand-by"  # what a calendar says where they take seats by themselves


def standby(club: Club, command: Command) -> View:
    """Tell who stands by; a person who is named, as ``Cecil <cecil@example.org>``, is put at the end of the list, and has at once
    a seat that waits for one; whose address is to be withdrawn is taken from it.

    Raises:
        NotFound: they are not on it.
        ConfigError: somebody is not written so, or the address is none, or our own.
    """
    if address := command.given.get("WITHDRAW"):
        with transaction(club):
            if not orders.end_standby(club, address, club.now):
                known = ", ".join(each.address for each in orders.standbys(club)) or "nobody"
                raise NotFound(f"nobody stands by at {address} (there is {known})")
    if command.words:
        _add_standby(club, " ".join(command.words))
    listed = orders.standbys(club)
    return {"people": [{"name": each.name, "address": each.address, "since": each.since} for each in listed]}


def _add_standby(club: Club, told: str) -> None:
    name, written = parse_person(told)
    fault = address_fault(written, "cecil@example.org") or ("that is our own address" if is_own(club, written) else "")
    if fault:
        raise ConfigError(fault)
    row = StandbyRow(
        name=name,
        address=from_typed(written),
        zone=club.config.zone,
        language=language_of(club, from_typed(written)),
        since=club.now,
    )
    with transaction(club):
        orders.add_standby(club, row)
        fill_resigned(club)


def standbys_for(club: Club, position: Position) -> tuple[StandbyRow, ...]:
    """Return who stands by and does not play in a game, the longest first."""
    playing = {player.address.lower() for player in position.players}
    return tuple(each for each in orders.standbys(club) if each.address.lower() not in playing)


def fill_resigned(club: Club) -> None:
    """Give seats whose players have left to stand-bys, in the games whose calendar wants it; what is not filled waits for the
    next who stands by. Inside a transaction.
    """
    for row in games.running_games(club):
        position = club.position(row)
        left = tuple(player.code for player in position.players if player.resigned_at)
        if left and rhythm_of(club.config, row).missing == STANDBY and not row.stopped_at:
            seat_standbys(club, position, left)


def seat_standbys(club: Club, position: Position, codes: Texts) -> Texts:
    """Give seats to stand-bys, as many as there are; return which seats. Inside a transaction."""
    taken = []
    for code, standby in zip(codes, standbys_for(club, position), strict=False):
        player = position.player(code)
        give_seat(club, position, player, player.but(**shared_fields(standby, PlayerRow)), "", REFEREE)
        taken.append(code)
    return tuple(taken)
