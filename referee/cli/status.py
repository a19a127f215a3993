"""How the games of a club stand, at a glance and in numbers for a monitor; whether all is in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click
from msgspec.structs import asdict

from referee.config import address_fault, club_folder
from referee.core import ConfigError, Texts, count_of, fields_of, from_typed
from referee.service.audit.export import read_revealed, whole_log
from referee.service.audit.replay import replay as replayed
from referee.service.audit.verify import Verified, verify_game
from referee.service.audit.verify import verify as verified
from referee.service.club import Club, utc_now
from referee.service.deadlines.downtime import leap
from referee.service.deadlines.missing import AWAY, IN, NOTHING_OWED
from referee.service.deadlines.rescheduling import due_words
from referee.service.post.lockout import lockout
from referee.service.site.publish import trouble
from referee.service.turns.opengames import signup_list
from referee.service.umpire.ahead import foretell, span, tell
from referee.service.umpire.overview import Standing, by_urgency, standing
from referee.store import LoggedTurn, codes, games, letters, opengames, outbox

from .base import SOFTWARE, ClubFolder, CommandMaker
from .printing import COLOURS, pad, say, say_coloured, say_json, show_progress, utc

if TYPE_CHECKING:
    from referee.service.doctor.finding import Finding

command = CommandMaker(__file__)


@command("status")
def status(club: Club, game_id: str | None, ahead: str | None, as_json: bool) -> None:
    """Say how the games stand: what waits for whom, what is due when, and what went wrong.

    Of several games a line each, what needs you first: whose orders are missing, and what is doubtful (errors in the orders, a
    letter that waits for its player's CONFIRM, letters that come back, a player who has resigned). Of GAME, or of the only game
    that runs, a line for each player.
    """
    if ahead:
        _print_ahead(club, ahead, games.game(club, game_id).id if game_id else "", as_json)
        return
    rows = [games.game(club, game_id)] if game_id else games.all_games(club)
    standings = [standing(club, row.id) for row in rows if game_id or not row.is_archived]
    if as_json:
        say_json([asdict(each) | {"missing": each.missing, "doubtful": each.doubtful} for each in standings])
        return
    running = by_urgency(standings)
    if len(running) > 1:
        zone = club.config.zone
        head = ("game", "turn", f"due ({zone})", "in", "missing", "doubtful", "")
        rows_told = pad((head, *(_row(each, zone) for each in running)))
        # Red for what stands still, yellow for what is missing or doubtful.
        for cells, colour in zip(rows_told, ("bold", *map(_colour, running)), strict=True):
            say_coloured(("  ".join(cells).rstrip(), colour))
        over = [each.game for each in standings if each.status != "running"]
        if over:
            say(f"over: {', '.join(over)}")
    else:
        for each in standings:
            _print_game(each, club.config.zone)
    troubles = [] if game_id else [*_troubles(club)]
    for line in troubles:
        say_coloured((line, "yellow"))
    if not standings and not troubles:
        say(
            "no game runs: `referee game open KIND` lets players sign up for one, `referee game new KIND` begins one",
            err=True,
        )


def _print_ahead(club: Club, ahead: str, game: str, as_json: bool) -> None:
    seen = [each for each in foretell(club, span(ahead)) if game in ("", each.game)]
    if as_json:
        say_json(seen)
        return
    for each in seen:
        when = f"{each.at.astimezone(ZoneInfo(club.config.zone)):%a %Y-%m-%d %H:%M}"
        say(f"{when}  {each.game:<6} {tell(club, each)}")
    if not seen:
        say(f"nothing will happen within {ahead} if nobody writes", err=True)


def _colour(each: Standing) -> str | None:
    if each.stopped or each.overdue or not each.deadline:
        return "red"
    return "yellow" if each.missing or each.doubtful else None


def _row(each: Standing, zone: str) -> Texts:
    owed = [word for word in each.orders.values() if word != NOTHING_OWED]
    away = [code for code, word in each.orders.items() if word == AWAY]
    if each.stopped:
        due = "stopped"
    elif not each.deadline:
        due = "when all are in"
    else:
        due = f"{each.deadline.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"
    remarks = (
        "overdue" if each.overdue else "",
        "given more time" if each.extended else "",
        "undone" if each.undone else "",
        f"away: {' '.join(away)}" if away else "",
        f"asked: {' '.join(each.asked)}" if each.asked else "",
    )
    return (
        each.game,
        str(each.turn),
        due,
        f"{sum(word == IN for word in owed)}/{len(owed)}",
        " ".join(each.missing) or "-",
        " ".join(each.doubtful) or "-",
        ", ".join(filter(None, remarks)),
    )


def _print_game(each: Standing, zone: str) -> None:
    head = f"{each.game}  {each.title}, {each.board}  "
    if each.status != "running":
        say(f"{head}over after turn {each.turn}")
        return
    due = "stopped for now" if each.stopped else due_words(each.deadline, zone)
    asked = f", {' and '.join(each.asked)} asked" if each.asked else ""
    say(
        f"{head}turn {each.turn}, {due}{asked}{', given more time' if each.extended else ''}{', undone' if each.undone else ''}"
    )
    for code, orders in each.orders.items():
        lost = ", unreachable: letters to this player come back" if code in each.unreachable else ""
        waits = ", a letter waits for the player's word" if code in each.held else ""
        colour = "green" if orders == IN else "red" if orders == "missing" else "yellow" if orders == "faulty" else None
        say_coloured((f"  {code:<8} ", None), (orders, colour), (f"{waits}{lost}", "yellow"))


def _troubles(club: Club) -> Iterator[str]:
    """Yield what waits for the umpire in all the club, or went wrong."""
    for row in opengames.waiting(club):
        free = signup_list(club, row.id).stand["free"]
        begins = f", begin it with `referee game start {row.id}`" if not free else ""
        yield f"{row.id} waits for players, {free} of {row.seats} seats are free{begins}: see `referee game signups {row.id}`"
    for word, number in (("parked", len(letters.listed(club, "parked"))), ("held", len(codes.to_decide(club)))):
        if number:
            sentence = count_of(number, f"letter is {word}", f"letters are {word}")
            yield f"{sentence}: see `referee letters --status {word}`"
    failed = sum(row.state == "failed" for row in outbox.unsent(club))
    if failed:
        yield f"{count_of(failed, 'letter of ours has failed', 'letters of ours have failed')}: see `referee outbox`"
    for section in ("imap", "smtp"):
        refused = lockout(club, section)
        if refused:
            often = count_of(refused.count, "time", "times")
            rest = refused.rests_until
            then = f"not before {utc(rest)}, unless the login is mended" if rest else "with the next pass"
            last = f"refused {often}, last at {utc(refused.at)}; tried again {then}"
            yield f"{section}: {refused.why} ({last})"
    since, why = trouble(club)
    if why:
        yield f"publish: the club's pages could not be written since {since}: {why}"
    leapt = leap(club.config, club, club.uptime(), club.now)
    if leapt:
        yield f"clock: {leapt}"
    paused = outbox.pause(club)
    if paused:
        yield f"smtp: no letter could leave since {utc(paused.since)}: {paused.why}"


@command("metrics")
def metrics(club: Club) -> None:
    """Print how the club is doing in the text format of Prometheus.

    Letters in and out by what became of them, the oldest that waits, turns due and late, bounces, seconds of CPU, size of the
    database. With the setting `log.metrics` each pass writes the same into a file for the node exporter.
    """
    from referee.service.metrics import exposition  # here, because all other commands need not wait for it

    say(exposition(club).rstrip("\n"))


# Commands that check: turns by replaying them or by what was revealed, a club by its doctor.

DIFFERS = 1

_GAME = re.compile(r"[A-Za-z]{1,8}[0-9]{1,6}")


@command("replay")
def replay(club: Club, game_id: str, as_json: bool) -> None:
    """Play a game's stored turns again and compare.

    Each turn is adjudicated from its stored orders and seed; events and states must be the same, byte by byte.
    """
    name = games.game(club, game_id).id
    turns = len(whole_log(club, name).played)
    compared = list(show_progress("replaying", replayed(club, name), turns))
    end = games.chain_end(games.game(club, name))
    if as_json:
        say_json({"game": name, "turns": compared, "end": end})
    for each in () if as_json else compared:
        result = f"differs: {', '.join(each.differs)}" if each.differs else "same"
        edition = f", edition {each.edition}" if each.edition > 1 else ""
        say(f"{name}\tturn {each.turn}{edition}\trules {each.rules}\t{each.events} events\t{each.size} bytes\t{result}")
    if not as_json:
        say(f"{name}\tend of the chain of seeds\t{end}")
    if any(each.differs for each in compared):
        raise click.exceptions.Exit(SOFTWARE)


@command("verify")
def verify(where: ClubFolder, what: str, throws: bool, as_json: bool) -> None:
    """Check a game's dice and turns from what was revealed, and say what was checked.

    GAME is a game of the club; FILE what `referee game export` wrote, and needs no club. The seeds must lead to one another
    and to the published end of their chain, each hash must follow from the one before, and every turn, played again from
    its orders and seed, must give the same events, byte by byte. Ends with 1 if something differs, named by its turn; a turn
    that was played by another version of the rules is only noted.
    """
    if _GAME.fullmatch(what):
        with where.open() as club:
            found = verify_game(club, what, _watch)
    else:
        found = verified(read_revealed(Path(what)), watch=_watch)
    if as_json:
        say_json(_plain(found, throws=throws))
    elif throws:
        for throw in found.throws:
            typed = "\ttyped" if throw.typed else ""
            say(f"turn {throw.turn}\t{throw.name}\td{throw.sides}\t{throw.number}{typed}")
    for sentence in () if as_json else _sentences(found):
        say(sentence)
    if found.faults:
        raise click.exceptions.Exit(DIFFERS)


def _watch(turns: Sequence[LoggedTurn]) -> Iterator[LoggedTurn]:
    return show_progress("verifying", turns, len(turns))


def _plain(found: Verified, *, throws: bool) -> dict[str, Any]:
    """Return what was checked, and each throw where they are wanted, as plain values."""
    turn, hash_ = found.log.last
    told = {
        "game": found.log.game,
        "turns": len(found.log.turns),
        "proved": len(found.played),
        **fields_of(found, "over", "sealed", "undone", "notes", "faults"),
        "end": found.log.end,
        "last": {"turn": turn, "hash": hash_},
        "acts": len(found.log.acts),
    }
    return {**told, "throws": found.throws} if throws else told


def _sentences(found: Verified) -> Iterator[str]:
    log, setup = found.log, found.setup
    players = ", ".join(player.code for player in setup.players)
    if found.sealed:
        yield f"{log.game}: {found.rules.title}, map {setup.board_name}, preset {setup.preset}, players {players}."
        yield "Players of this game have secrets, so that no turn is revealed before it is over: nothing could be checked."
        yield f"End of the chain of seeds: {log.end}."
        yield f"Hash of turn {log.last[0]}: {log.last[1]}. Compare both with those in your newsletters."
        return
    yield (
        f"{log.game}: {found.rules.title}, map {setup.board_name}, preset {setup.preset}, players {players}; "
        f"the opening and {count_of(len(log.turns) - 1, 'turn')}{', the game is over' if found.over else ''}."
    )
    yield (
        f"Turns: {len(found.played)} of {len(log.turns)}, played again from orders and seed, gave the same "
        f"{count_of(sum(events for _, events in found.played), 'event')}, byte by byte; "
        f"{count_of(len(found.throws), 'throw')} recomputed."
    )
    yield from (f"note, turn {note.turn}: {note.text}" for note in found.notes)
    if found.faults:
        yield from (f"turn {fault.turn}: {fault.text}" for fault in found.faults)
        yield f"NOT IN ORDER: {count_of(len(found.faults), 'fault')}, the first in turn {found.faults[0].turn}."
        return
    salts = log.turns[-1].salts
    yield f"Rules: {_versions(found)}."
    yield f"Seeds: each of {len(log.turns)} hashes to the one before, that of the opening to the end of the chain, {log.end}."
    yield f"Salts: {salts or 'nobody gave any'}. Map: {setup.map_hash}."
    typed = [throw for throw in found.throws if throw.typed]
    if typed:
        turns = ", ".join(str(turn) for turn in dict.fromkeys(throw.turn for throw in typed))
        yield f"Typed: {count_of(len(typed), 'throw')} of the umpire's own dice, which no seed can prove; by turn: {turns}."
    yield f"Hashes: each of {len(log.turns)} follows from the one before; that of turn {log.last[0]} is {log.last[1]}."
    if log.undone:
        undone = count_of(len(log.undone), "turn")
        yield f"Undone: {undone}, by the umpire's log; played again as they were then, {found.undone} came out as told."
    if log.acts:
        yield f"Log: each of {count_of(len(log.acts), 'act')} of the umpire's follows from the one before."
    unproved = len(log.turns) - len(found.played)
    if unproved:
        yield f"In order, but {count_of(unproved, 'turn')} not proved, because of other rules: see the notes."
    proved = "" if unproved else "All is in order. "
    yield f"{proved}Compare end, salts and last hash with those in your newsletters."


def _versions(found: Verified) -> str:
    """Return by which version of the rules each turn was played."""
    ours, turns = found.rules.rules, found.log.turns
    if all(turn.rules == ours for turn in turns):
        return f"every turn was played by version {ours}, which is this program's"
    stretches = [
        (version, [turn.turn for turn in group]) for version, group in groupby(turns, key=lambda turn: turn.rules)
    ]
    named = (
        f"turns {first} to {rest[-1]} by version {version}" if rest else f"turn {first} by version {version}"
        for version, (first, *rest) in stretches
    )
    return f"{', '.join(named)}; this program has version {ours}"


# Whether a club can do its work.

FAULTS = 1


@command("doctor")
def doctor(where: ClubFolder, local: bool, send: str, selector: str, as_json: bool) -> None:
    """Look whether the club can do its work, and say what to do where it cannot.

    A line for each thing: `ok`, `warning` or `fault`, what it is about, what was found, what to do. Settings, permissions, disk,
    database, clock, your own templates and maps, mailboxes, mail servers, DNS records (with the extra `dns`). Nothing is changed
    but that folders for letters are made on the IMAP server where they are missing. Ends with 1 if there is a fault.
    """
    # Here, because a `referee tick` by cron should not wait for it.
    from referee.service.doctor import examine, examine_post, settings_of
    from referee.service.doctor.dns import dns_lookup

    if send and (local or address_fault(send)):
        raise ConfigError("--send goes without --local" if local else f"--send: {address_fault(send)}")
    config, first = settings_of(club_folder(where.club))
    found = [first]
    if not as_json:
        say_finding(first)
    if config:
        now = utc_now()
        post = iter(()) if local else examine_post(config, now, dns_lookup(), selector, from_typed(send))
        for finding in chain(examine(config, now), post):  # each as it is made: a server may let us wait
            found.append(finding)
            if not as_json:
                say_finding(finding)
    if as_json:
        say_json(found)
    if not config:
        raise click.exceptions.Exit(ConfigError.exit_code)
    if any(finding.level == "fault" for finding in found):
        raise click.exceptions.Exit(FAULTS)


def say_finding(finding: Finding) -> None:
    """Print what was found; on a terminal its first word has a colour."""
    line = str(finding)
    say_coloured((line[: len(finding.level)], COLOURS.get(finding.level)), (line[len(finding.level) :], None))
