"""A seat is given to another person, who is told all that he needs to play on."""

from __future__ import annotations

from msgspec.structs import replace

from referee.config import address_fault, language_fault, zone_fault
from referee.core.address import mailbox, typed
from referee.core.errors import ConfigError
from referee.core.regex import regex
from referee.mail.compose import Attachment
from referee.service.club.acts import REFEREE, UMPIRE, checked_reason, log_act
from referee.service.club.club import Club
from referee.service.club.positions import Position, veiled
from referee.service.commands.playercodes import seat_of
from referee.service.commands.signupletters import nameless
from referee.service.letters.identify import is_own
from referee.service.letters.interpretation import set_to_run, set_values
from referee.service.letters.questions import content_of, rules_values
from referee.service.post.languages import language_of
from referee.service.post.observers import tell_observers
from referee.service.post.writing import Occasion, player_values, render, somebody, tell_player, to_player, to_somebody
from referee.store import addresschanges, games, held, later, orders, outbox, seats, standbys
from referee.store.database.database import transaction
from referee.store.database.rows import ActRow, PlayerRow
from referee.store.files import with_files

NEWSLETTERS = 3  # the last ones that a newcomer is sent

_PERSON = regex(r"\s*([^<>]*[^<>\s])\s*<([^<>]+)>\s*")
_LONGEST_NAME = 40


def replace_player(
    club: Club, game_id: str, code: str, told: str, because: str, zone: str = "", language: str = ""
) -> PlayerRow:
    """Give a seat to the person *told* as ``Cecil <cecil@example.org>``, or by his address, and return it. All are told,
    the newcomer by a briefing.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: the game is over, the person cannot have the seat, or no reason is given.
    """
    reason = checked_reason(because, needed=True)
    position, player = seat_of(club, game_id, code)
    if position.row.status != "running":
        raise ConfigError(f"{position.row.id} is over: its seats stay as they are")
    person = person_at(club, told)
    newcomer = replace(
        player,
        name=person[0],
        address=typed(person[1]),
        zone=zone or club.config.zone,
        language=language or language_of(club, typed(person[1])),
    )
    fault = _fault(club, position, newcomer, person[1])
    if fault:
        raise ConfigError(f"player {player.code}: {fault}")
    with transaction(club.db):
        give_seat(club, position, player, newcomer, reason, UMPIRE)
    return newcomer


def parse_person(text: str) -> tuple[str, str]:
    """Return name and address of somebody written as ``Cecil <cecil@example.org>``. Raises ConfigError: it is not written so."""
    found = _PERSON.fullmatch(text)
    if found is None:
        raise ConfigError(f'{text!r}: write name and address as "Cecil <cecil@example.org>"')
    return found[1], found[2].strip()


def person_at(club: Club, text: str) -> tuple[str, str]:
    """Return name and address of somebody told as ``parse_person`` has it or by his address alone: then his name is that of a
    seat that he has, if any. Raises ConfigError.
    """
    if "<" in text or "@" not in text:
        return parse_person(text)
    seat = next(iter(games.seats_of(club.db, typed(text.strip()))), None)
    return seat.name if seat else nameless(club), text.strip()


def give_seat(club: Club, position: Position, player: PlayerRow, newcomer: PlayerRow, because: str, actor: str) -> None:
    """Give a seat to somebody: codes of before are void, absences over, and everybody is told. Inside a transaction."""
    row, now = position.row, club.clock()
    (known,) = veiled(row, (newcomer,))
    seats.give(club.db, newcomer)
    standbys.end(club.db, newcomer.address, now)
    later.give_up(club.db, row.id, player.code, now)
    addresschanges.forget(club.db, row.id, player.code)
    seats.end_absences(club.db, row.id, player.code, now)
    seats.end_wait(club.db, row.id, row.turn, player.code, now)
    held.renew(club.db, row.id, player.code)
    act = log_act(club, row.id, row.turn, "replace", {"player": player.code, "name": known.name}, because, actor=actor)
    after = club.positions.of(club.db, games.game(club.db, row.id))
    _brief(club, after, player, known, act)
    _tell(club, after, player, known, act)


def _brief(club: Club, position: Position, before: PlayerRow, newcomer: PlayerRow, act: ActRow) -> None:
    """Write to the newcomer how the game stands, with its last newsletters, board and rules."""
    row, code = position.row, newcomer.code
    newest = games.last_turn(club.db, row.id).turn
    sent = [outbox.newsletter_to(club.db, row.id, code, turn) for turn in range(newest, newest - NEWSLETTERS, -1)]
    told = [(each.turn, *content_of(with_files(club.db, each))) for each in sent if each is not None]
    runs = set_to_run(orders.sets(club.db, row.id, row.turn), code)
    values = {
        "before": player_values(before),
        "because": act.reason,
        "turn": row.turn,
        "deadline": row.deadline,
        "owes": code in position.awaited,
        "on_file": set_values(position, runs) if runs is not None else None,
        "newsletter": told[0][1] if told else "",
    }
    files = list(told[0][2]) if told else []
    files += [_text_file(f"{row.id}-turn-{turn}.txt", text) for turn, text, _ in told]
    files.append(_text_file(f"{row.id}-rules.txt", _rules(club, position, newcomer)))
    occasion = Occasion(
        key=f"briefing:{row.id}:{act.number}:{code}", kind="briefing", turn=row.turn, attachments=tuple(files)
    )
    outbox.put(
        club.db, to_player(club, position, newcomer, render(club, "briefing", position, newcomer, values), occasion)
    )


def _tell(club: Club, position: Position, before: PlayerRow, newcomer: PlayerRow, act: ActRow) -> None:
    """Write to the other players, and to whom the seat was before."""
    row = position.row
    values = {
        "missed": act.actor == REFEREE and before.resigned_at is None,
        "what": "replaced",
        "who": player_values(before),
        "now": player_values(newcomer),
        "because": act.reason,
        "turn": row.turn,
        "deadline": row.deadline,
    }
    tell_observers(club, position, "seat", values, f"seat:{row.id}:{act.number}")
    for player in position.players:
        if player.code != newcomer.code:
            tell_player(club, position, player, "seat", values, f"seat:{row.id}:{act.number}:{player.code}")
    if before.address.lower() != newcomer.address.lower():
        reader = replace(somebody(club, row.id, before.address), zone=before.zone, language=before.language)
        occasion = Occasion(key=f"seat:{row.id}:{act.number}:before", kind="seat", turn=row.turn)
        rendered = render(club, "seat", position, reader, {**values, "former": True})
        outbox.put(club.db, to_somebody(club, position, before.address, rendered, occasion))


def _rules(club: Club, position: Position, reader: PlayerRow) -> str:
    setup = position.setup
    values = {"one": rules_values(position.rules, setup.preset, dict(setup.options), reader.language, [""])}
    return club.stationery.letter("rulesfile", position.rules.name, reader.language, reader.zone, values).text


def _text_file(name: str, text: str) -> Attachment:
    return Attachment(name=name, media_type="text/plain", content=text.encode())


def _fault(club: Club, position: Position, newcomer: PlayerRow, written: str) -> str:
    """Return why somebody cannot have a seat, "" if he can."""
    faults = (
        f"name {newcomer.name!r} must be 1 to {_LONGEST_NAME} printable characters"
        if len(newcomer.name) > _LONGEST_NAME or not newcomer.name.isprintable()
        else "",
        address_fault(written, "cecil@example.org"),
        zone_fault(newcomer.zone),
        language_fault(newcomer.language),
        f"{newcomer.address} is the referee's own address: a player needs another"
        if is_own(club, newcomer.address)
        else "",
        *(
            f"{newcomer.address} is the address of {each.code} in {each.game}"
            for each in position.players
            if each.code != newcomer.code and mailbox(each.address) == mailbox(newcomer.address)
        ),
    )
    return next(filter(None, faults), "")
