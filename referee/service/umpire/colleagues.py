"""The umpires that a game has of its own: named and taken off by the club's, told of it, and written into the game's log."""

from __future__ import annotations

import json
import logging
import re

from referee.bots import SECOND, STRENGTHS, remark_on
from referee.bots.trial import ANSWERS
from referee.config import address_fault, language_fault, zone_fault
from referee.core import N_, ConfigError, Fields, NotFound, Texts, View, Words, from_typed
from referee.core.agreement import BUILT_IN as NAME
from referee.report.templates import Stationery
from referee.store import LogRow, PlayerRow, codes, games, insert, opengames, orders, outbox, transaction

from ..club import Club
from ..commands.addresses import fault_at, seat_of
from ..letters.identify import is_own
from ..letters.interpretation import set_to_run
from ..positions import Position
from ..post.codes import code_of_umpire, tag_of_code
from ..post.readers import BUILT_IN_DOMAIN, is_built_in, keep_seats, language_of, seats_kept
from ..post.writing import Occasion, player_values, tell_player, to_umpire
from ..seats import give_seat, parse_person, person_at, standbys_for
from ..umpires import Command, CommandFault, Umpire, Umpires, keep_umpires, log_act, own_umpires, umpires_act
from .filing import file_as_written


def name_umpire(club: Club, game_id: str, person: str) -> Umpires:
    """Make a *person* (``Bea <bea@example.org>``) an umpire of a game, tell them, and return all that it has of its own.

    Raises:
        NotFound: there is no such game.
        ConfigError: that is no name with an address, the referee's own, or one who is umpire of it already.
        PassRunning: a pass is being made.
    """
    named, address = parse_person(person)
    name = " ".join(named.split())
    fault = (
        "write a name and an address, as Bea <bea@example.org>" if not name else address_fault(address, "bea@x.example")
    )
    if fault or is_own(club, address):
        raise ConfigError(f"{person}: {fault or 'this is the address of the referee itself'}")
    with umpires_act(club):
        game = id_of(club, game_id)
        known = own_umpires(club, game)
        if any(each.address.lower() == address.lower() or each.name == name for each in known):
            raise ConfigError(f"{name} <{address}>: an umpire of {game} has this name or address already")
        umpire = Umpire(address=address, name=name)
        _keep(club, game, (*known, umpire), "named", umpire)
    return (*known, umpire)


def remove_umpire(club: Club, game_id: str, address: str) -> Umpires:
    """Take somebody off the umpires of a game, tell them, and return those that remain. Raises NotFound, PassRunning."""
    with umpires_act(club):
        game = id_of(club, game_id)
        known = own_umpires(club, game)
        gone = next((each for each in known if each.address.lower() == address.lower()), None)
        if not gone:
            there = ", ".join(f"{each.name} <{each.address}>" for each in known) or "none but the club's"
            raise NotFound(f"nobody at {address} is an umpire of {game} (there is {there})")
        remain = tuple(each for each in known if each != gone)
        _keep(club, game, remain, "removed", gone)
    return remain


def umpires_named(club: Club, game_id: str) -> Umpires:
    """Return the umpires that a game has of its own. Raises NotFound."""
    return own_umpires(club, id_of(club, game_id))


def id_of(club: Club, game_id: str) -> str:
    """Return the id of a game, one that waits for players too. Raises NotFound."""
    waiting = opengames.known(club, game_id)
    return waiting.id if waiting and waiting.is_open else games.game(club, game_id).id


def _keep(club: Club, game: str, umpires: Umpires, what: str, umpire: Umpire) -> None:
    """Write who is umpire now, and tell whom it concerns. Inside a transaction."""
    row, now = games.known(club, game), club.now
    keep_umpires(club, game, umpires)
    insert(club, LogRow(at=now, game=row.id if row else None, what=f"umpire-{what}", text=f"{game}: {umpire.name}"))
    if row:  # who led a game before it began stands in its log with its beginning
        log_act(club, row, "umpire", {what: umpire.name})
    key = f"umpire:{what}:{game}:{umpire.address}:{now:%Y%m%d%H%M%S}"
    code = code_of_umpire(club, game, umpire, key) if what == "named" else None
    if code:
        codes.issue(club, code)
    occasion = Occasion(key, f"umpire-{what}", tag=tag_of_code(code) if code else None)
    others = [each.name for each in umpires if each != umpire]
    letter = to_umpire(club, occasion, {"tag": game, "others": others}, row.id if row else None, to=umpire.address)
    if letter:
        outbox.put(club, letter)


# Seats that the umpire lets a built-in player play: it sees what would be mailed to it, and writes orders as text.

log = logging.getLogger(__name__)
_JOINT, _NUMBER = re.compile(r"RUN (\d+) WITH (\w+)"), re.compile(r"\d+")


_LONGEST_NAME = 40


def replace_player(club: Club, command: Command) -> View:
    """Give a seat to a person, told as ``Cecil <cecil@example.org>`` or by their address, to the first STANDBY who does not play
    there, or to a BUILT-IN player. All are told, the newcomer by a briefing.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: nobody stands by, this game has no built-in player or is over, or the person cannot have the seat.
    """
    game, code, who = command.game, command.word(1, "player"), " ".join(command.words[2:])
    given, strength = command.given, command.given.get("STRENGTH", SECOND)
    is_built = "BUILT-IN" in given
    if [bool(who), "STANDBY" in given, is_built].count(True) != 1 or ("STRENGTH" in given and not is_built):
        raise CommandFault("one-newcomer")
    if strength not in STRENGTHS:
        raise CommandFault("no-strength", word=strength, known=", ".join(STRENGTHS))
    position, player = seat_of(club, game, code)
    before = games.seat(club, game, code)
    zone, language = given.get("ZONE", ""), given.get("LANGUAGE", "")
    if "STANDBY" in given:
        if not (listed := standbys_for(club, position)):
            raise ConfigError(N_("nobody stands by for this game (`referee standby` lists them)"))
        first = listed[0]
        who, zone, language = f"{first.name} <{first.address}>", zone or first.zone, language or first.language
    elif is_built:
        if position.rules.name not in ANSWERS:
            lacking = N_("{game} has no built-in player: name a person or a stand-by")
            raise ConfigError(lacking, game=position.rules.title)
        who, zone, language = f"{NAME} <{player.code.lower()}@{BUILT_IN_DOMAIN}>", "", ""
    if position.row.is_over:
        raise ConfigError(f"{position.id} is over: its seats stay as they are")
    name, written = person_at(club, who)
    seat = player.but(
        name=name,
        address=from_typed(written),
        zone=zone or club.config.zone,
        language=language or language_of(club, from_typed(written)),
    )
    _check_newcomer(club, seat, written)
    with transaction(club):
        give_seat(club, position, player, seat, command.reason, club.actor)
        if is_built:
            keep_seats(club, (*seats_kept(club), (seat.game, seat.code, strength)))
    had = {"person": f"{before.name} <{before.address}>"} if before and not is_built_in(before.address) else {}
    told = seat.name if is_built_in(seat.address) else f"{seat.name} <{seat.address}>"
    return {"game": seat.game, "player": seat.code, "name": told, **had}


def _check_newcomer(club: Club, seat: PlayerRow, written: str) -> None:
    """Raise ConfigError where somebody cannot have a seat, at the address as it was *written*."""
    faults = (
        f"name {seat.name!r} must be 1 to {_LONGEST_NAME} printable characters"
        if len(seat.name) > _LONGEST_NAME or not seat.name.isprintable()
        else "",
        address_fault(written, "cecil@example.org"),
        zone_fault(seat.zone),
        language_fault(seat.language),
        fault_at(club, seat.address, (seat,)),
    )
    if fault := next(filter(None, faults), ""):
        raise ConfigError(f"player {seat.code}: {fault}")


def press_by(stationery: Stationery, language: str, seen: Fields, player: str) -> Texts:
    """Return the lines with which a built-in player prints what it has to say of the round, none for nothing."""
    remark = remark_on(seen, player)
    if not remark:
        return ()
    named = {each["code"]: each.get("company") or each["name"] for each in seen.get("companies") or seen["players"]}
    values = {"company": named[player], "rival": named[remark.rival], "gain": remark.gain}
    say = stationery.sentences("", language).word
    # It is printed with the next round: what it speaks of is over by then.
    said = say(
        "press",
        "totals" if seen.get("totals") else "rounds",
        round=seen["round"] - 1,
        said=say(f"press-{remark.manner}", remark.topic, **values),
    )
    return ("", f"PRESS: {said}", "END PRESS")


def order_for_built_in(club: Club) -> None:
    """File the orders of built-in players that are awaited, and drop seats that are theirs no more. Outside of transactions."""
    kept = seats_kept(club)
    running = {row.id for row in games.running_games(club)}
    seated = ((each, games.seat(club, *each[:2])) for each in kept if each[0] in running)
    still = tuple(each for each, seat in seated if seat and is_built_in(seat.address))
    if still != kept:
        with transaction(club):
            keep_seats(club, still)
    for game, code, strength in still:
        try:
            _order(club, game, code, strength)
        except Exception:  # one who knows no answer is missing, as any player
            log.exception("the built-in player %s of %s knows no orders", code, game)


def _order(club: Club, game: str, code: str, strength: str) -> None:
    position = club.position(game)
    filed = orders.sets(club, game, position.row.turn)
    if position.row.stopped_at or code not in position.awaited:
        return
    letters = [
        each for each in orders.texts(club, game, position.row.turn, "private") if code in each.readers.split(",")
    ]
    runs = set_to_run(filed, code)  # orders that stand beside and do not run keep nobody from ordering
    if runs and not letters:
        return
    seen = json.loads(json.dumps(position.rules.view(position.state, code)))  # as it would be mailed, and no more
    # Who names a race in a letter to another asks to run it together.
    races = {str(race["number"]) for race in seen.get("races", ())}
    offers = {race: each.player for each in letters for race in races.intersection(_NUMBER.findall(each.text))}
    if runs and all(outbox.written(club, _offer_key(position, code, who, offers)) for who in offers.values()):
        return
    seen["offers"] = offers
    lines = ANSWERS[position.rules.name](seen, code, strength, position.setup.board)
    text = "\n".join(("ORDERS", *lines, "END", *press_by(club.stationery, club.config.language, seen, code)))
    with transaction(club):
        if file_as_written(club, position, code, text):
            _write_of_runs(club, position, code, lines, seen)
        else:
            log.warning(
                "orders of the built-in player %s for turn %d of %s are not clean", code, position.row.turn, game
            )


def _offer_key(position: Position, code: str, reader: str, offers: Words) -> str:
    """Return what a letter of joint runs is known by: the races that its reader has asked for stand in it."""
    asked = sorted(race for race, who in offers.items() if who == reader)
    return ":".join(("offer", position.id, str(position.row.turn), code, reader, *asked))


def _write_of_runs(club: Club, position: Position, code: str, lines: Texts, seen: Fields) -> None:
    """Ask the people with whom a built-in player has ordered joint runs to order them, too, and answer those who asked for some.
    Inside a transaction.
    """
    joint = {match.groups() for line in lines if (match := _JOINT.match(line))}
    offers = seen["offers"]
    ends = {str(race["number"]): f"{race['start']['name']} – {race['end']['name']}" for race in seen.get("races", ())}
    for reader in position.players:
        pacts = [each for each in sorted(joint | offers.items()) if each[1] == reader.code]
        if pacts and not is_built_in(reader.address):
            say = club.stationery.sentences(position.rules.name, reader.language)
            told = (
                say.word(
                    "press",
                    "offer" if pact not in offers.items() else "accept" if pact in joint else "decline",
                    race=pact[0],
                    ends=ends[pact[0]],
                    order=say.spoken.line(f"JOINT {pact[0]} WITH {code}"),
                )
                for pact in pacts
            )
            values = {"writer": player_values(position.player(code)), "to": [reader.code], "text": "\n".join(told)}
            tell_player(club, position, reader, "press", values, _offer_key(position, code, reader.code, offers))
