"""Commands that check: turns by replaying them or by what was revealed, a club by its doctor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.base import SOFTWARE, CommandMaker, Where
from referee.cli.printing import COLOURS, say, say_coloured, say_json, shown
from referee.config import address_fault, club_folder
from referee.core.address import typed
from referee.core.errors import ConfigError
from referee.core.texts.wording import counted
from referee.service.audit.export import read_revealed, whole_log
from referee.service.audit.replay import replay as replayed
from referee.service.audit.verify import Verified, verify_game
from referee.service.audit.verify import verify as verified
from referee.service.club import Club, utc_now
from referee.store import games
from referee.store.hashes import LoggedTurn

command = CommandMaker(__file__)

if TYPE_CHECKING:
    from referee.service.doctor.finding import Finding


DIFFERS = 1

_GAME = re.compile(r"[A-Za-z]{1,8}[0-9]{1,6}")


@command("replay")
def replay(club: Club, game_id: str, as_json: bool) -> None:
    """Play a game's stored turns again and compare.

    Each turn is adjudicated from its stored orders and seed; events and states must be the same, byte by byte.
    """
    name = games.game(club.db, game_id).id
    turns = len(whole_log(club, name).played)
    compared = list(shown("replaying", replayed(club, name), turns))
    end = games.chain_end(games.game(club.db, name))
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
def verify(where: Where, what: str, throws: bool, as_json: bool) -> None:
    """Check a game's dice and turns from what was revealed, and say what was checked.

    GAME is a game of the club; FILE what `referee game export` wrote, and needs no club. The seeds must lead to one another
    and to the published end of their chain, each hash must follow from the one before, and every turn, played again from
    its orders and seed, must give the same events, byte by byte. Ends with 1 if something differs, named by its turn; a turn
    that was played by another version of the rules is only noted.
    """
    if _GAME.fullmatch(what):
        with where.opened() as club:
            found = verify_game(club, what, _watched)
    else:
        found = verified(read_revealed(Path(what)), watch=_watched)
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


def _watched(turns: Sequence[LoggedTurn]) -> Iterator[LoggedTurn]:
    return shown("verifying", turns, len(turns))


def _plain(found: Verified, *, throws: bool) -> dict[str, Any]:
    """Return what was checked, and each throw where they are wanted, as plain values."""
    turn, hash_ = found.log.last
    told = {
        "game": found.log.game,
        "turns": len(found.log.turns),
        "proved": len(found.played),
        "over": found.over,
        "sealed": found.sealed,
        "end": found.log.end,
        "last": {"turn": turn, "hash": hash_},
        "acts": len(found.log.acts),
        "undone": found.undone,
        "notes": found.notes,
        "faults": found.faults,
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
        f"the opening and {counted(len(log.turns) - 1, 'turn')}{', the game is over' if found.over else ''}."
    )
    yield (
        f"Turns: {len(found.played)} of {len(log.turns)}, played again from orders and seed, gave the same "
        f"{counted(sum(events for _, events in found.played), 'event')}, byte by byte; "
        f"{counted(len(found.throws), 'throw')} recomputed."
    )
    yield from (f"note, turn {note.turn}: {note.text}" for note in found.notes)
    if found.faults:
        yield from (f"turn {fault.turn}: {fault.text}" for fault in found.faults)
        yield f"NOT IN ORDER: {counted(len(found.faults), 'fault')}, the first in turn {found.faults[0].turn}."
        return
    salts = log.turns[-1].salts
    yield f"Rules: {_versions(found)}."
    yield f"Seeds: each of {len(log.turns)} hashes to the one before, that of the opening to the end of the chain, {log.end}."
    yield f"Salts: {salts or 'nobody gave any'}. Map: {setup.map_hash}."
    typed = [throw for throw in found.throws if throw.typed]
    if typed:
        turns = ", ".join(str(turn) for turn in dict.fromkeys(throw.turn for throw in typed))
        yield f"Typed: {counted(len(typed), 'throw')} of the umpire's own dice, which no seed can prove; by turn: {turns}."
    yield f"Hashes: each of {len(log.turns)} follows from the one before; that of turn {log.last[0]} is {log.last[1]}."
    if log.undone:
        undone = counted(len(log.undone), "turn")
        yield f"Undone: {undone}, by the umpire's log; played again as they were then, {found.undone} came out as told."
    if log.acts:
        yield f"Log: each of {counted(len(log.acts), 'act')} of the umpire's follows from the one before."
    unproved = len(log.turns) - len(found.played)
    if unproved:
        yield f"In order, but {counted(unproved, 'turn')} not proved, because of other rules: see the notes."
    proved = "" if unproved else "All is in order. "
    yield f"{proved}Compare end, salts and last hash with those in your newsletters."


def _versions(found: Verified) -> str:
    """Return by which version of the rules each turn was played."""
    ours, turns = found.rules.rules, found.log.turns
    if all(turn.rules == ours for turn in turns):
        return f"every turn was played by version {ours}, which is this program's"
    stretches = [[turn.turn for turn in group] for _, group in groupby(turns, key=lambda turn: turn.rules)]
    versions = [version for version, _ in groupby(turns, key=lambda turn: turn.rules)]
    named = (
        f"turn {stretch[0]} by version {version}"
        if len(stretch) == 1
        else f"turns {stretch[0]} to {stretch[-1]} by version {version}"
        for version, stretch in zip(versions, stretches, strict=True)
    )
    return f"{', '.join(named)}; this program has version {ours}"


# Whether a club can do its work.

FAULTS = 1


@command("doctor")
def doctor(where: Where, local: bool, send: str, selector: str, as_json: bool) -> None:
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
    if config is not None:
        now = utc_now()
        post = iter(()) if local else examine_post(config, now, dns_lookup(), selector, typed(send))
        found += _told(chain(examine(config, now), post), as_json)
    if as_json:
        say_json(found)
    if config is None:
        raise click.exceptions.Exit(ConfigError.exit_code)
    if any(finding.level == "fault" for finding in found):
        raise click.exceptions.Exit(FAULTS)


def say_finding(finding: Finding) -> None:
    """Print what was found; on a terminal its first word has a colour."""
    line = str(finding)
    say_coloured((line[: len(finding.level)], COLOURS.get(finding.level)), (line[len(finding.level) :], None))


def _told(findings: Iterator[Finding], as_json: bool) -> Iterator[Finding]:
    """Print each finding as it is made: a server may let us wait."""
    for finding in findings:
        if not as_json:
            say_finding(finding)
        yield finding
