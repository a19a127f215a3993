"""Making clubs and games, and saying how they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import click

from referee.cli.base import Where, private, write_file
from referee.cli.desk import act
from referee.cli.players import OPEN_GAMES
from referee.cli.printing import (
    CommandMaker,
    asked_passphrase,
    hand_out,
    list_rows,
    say,
    say_json,
)
from referee.config import FILE, SettingValue
from referee.service.audit.export import format_revealed, revealed
from referee.service.club import make_club
from referee.service.post.observers import observers_of, watch_code
from referee.service.umpire.colleagues import name_umpire, remove_umpire, umpires_named
from referee.service.upkeep.backup import MOST, read_whole_game, take_in, whole_game
from referee.store import games, opengames

command = CommandMaker(__file__)

_OF_GAME = {"game": "id", "kind": "kind", "status": "status", "turn": "turn", "deadline": "deadline"}


@command("init")
def init(folder: Path, **settings: SettingValue | None) -> None:
    """Make a club's folder.

    It holds referee.toml, referee.db and the Maildirs mail/in and mail/out. What is there already stays as it is.
    """
    paths = {
        "name": "club.name",
        "zone": "club.zone",
        "address": "mail.address",
        "umpire_address": "mail.umpire",
        "language": "club.language",
        "identity": "identity.policy",
        "early_delay": "deadlines.early_delay",
    }
    given: dict[str, SettingValue] = {paths[name]: value for name, value in settings.items() if value is not None}
    was_there = (folder / FILE).exists()
    with private():
        config = make_club(folder, given)
    if was_there:
        kept = "; what you say here was not written into it" if given else ""
        say(f"{config.folder}: there was a club already, its {FILE} was kept as it is{kept}")
    arrive = f"on {config.imap.host}" if config.imap.host else f"in {config.mail_in}"
    leave = config.smtp.host or config.mail_out
    say(f"{config.folder}: letters arrive {arrive}, letters leave through {leave}")


@click.group()
def game() -> None:
    """Make games and list them."""


for _command in (*OPEN_GAMES, *map(act, ("ARCHIVE", "END", "FACES", "RULES"))):
    game.add_command(_command)


@command("game list", game)
def game_list(where: Where, everything: bool, as_json: bool) -> None:
    """List the games.

    A line each: id, kind, status, awaited turn, deadline: on a terminal a table, in a pipe with tabs and times in UTC. Games that
    wait for players come first.
    """
    with where.opened() as club:
        rows: list[dict[str, Any]] = [
            {"game": each.id, "kind": each.kind, "status": "open", "turn": None, "deadline": None}
            for each in opengames.waiting(club.db)
        ]
        listed = [row for row in games.all_games(club.db) if everything or not row.is_archived]
        rows += [{name: getattr(row, member) for name, member in _OF_GAME.items()} for row in listed]
        list_rows(rows, {name: name for name in _OF_GAME}, club.config.zone, as_json=as_json)


@command("game export", game)
def game_export(where: Where, game_id: str, output: Path | None, secrets: bool, passphrase: BinaryIO | None) -> None:
    """Write what has been revealed of a game, as one JSON file.

    It holds all that `referee verify FILE` needs on any machine: what was agreed, and of each turn played its seed, salts,
    orders, events and hash. No seed of a turn to come, no address, letter or note is in it.

    With --secrets it holds everything: seeds to come, addresses, letters. Stop the game first (`referee hold`); `referee import`
    takes it into a club on another machine.
    """
    if secrets:
        if output is None:
            raise click.UsageError("--secrets needs a file: -o FILE")
        with where.opened() as club, private():
            write_file(output, whole_game(club, game_id, asked_passphrase(passphrase, again=True)))
        say(f"{output}: the whole game; keep the passphrase elsewhere")
        return
    with where.opened() as club:
        text = format_revealed(revealed(club, game_id))
    if output is None:
        hand_out(text)
    else:
        write_file(output, text.encode())


@command("import")
def import_(where: Where, file: BinaryIO, passphrase: BinaryIO | None, yes: bool) -> None:
    """Take a whole game into this club, with its secrets, letters and log.

    FILE is what `referee game export GAME --secrets` wrote. You read first what is in it: the game, its players and umpires with
    their addresses, its turns and letters. It is verified, else nothing of it is kept; what is another game's or the club's is
    not taken. A game that ran stands still until `referee resume GAME` tells its players that it goes on here.
    """
    with where.opened() as club:
        whole = read_whole_game(club.config, file.read(MOST + 1), asked_passphrase(passphrase))
        for line in whole.told():
            say(line)
        if not yes:
            click.confirm("Take this game into the club?", abort=True)
        name = take_in(club, whole)
        stopped = games.game(club.db, name).stopped_at is not None
    then = f"; `referee resume {name}` lets it go on, and tells its players so from here" if stopped else ""
    say(f"{name} is in this club, and verified{then}")


@command("game watch", game)
def game_watch(where: Where, game_id: str, as_json: bool) -> None:
    """Print the code with which anybody can watch a game, and who does.

    Who writes `WATCH CODE` to the referee's address, alone on a line, is asked whether he wants it, and once he has confirmed it
    is sent the newsletters with what everybody may see; nobody else's letters are answered. A line with what is
    to be written, then a line for each observer.
    """
    with where.opened() as club:
        code, watching = watch_code(club, game_id), observers_of(club, game_id)
    if as_json:
        say_json({"watch": str(code), "observers": list(watching)})
        return
    say(f"WATCH {code}")
    for address in watching:
        say(address)


@command("game umpire", game)
def game_umpire(where: Where, game_id: str, person: str | None, remove: str | None, as_json: bool) -> None:
    """Name an umpire of one game, or list those that it has of its own.

    What its umpire is to know then goes to them, not to mail.umpire of the settings, and each may command this game by mail, with
    his own code. The club's umpire may command it as before. A line each: name, address. It holds for a game that waits for
    players, too.
    """
    if person and remove:
        raise click.UsageError("name either an umpire or one to --remove")
    with where.opened() as club:
        if person:
            umpires = name_umpire(club, game_id, person)
        else:
            umpires = remove_umpire(club, game_id, remove) if remove else umpires_named(club, game_id)
        rows = [{"name": each.name, "address": each.address} for each in umpires]
        list_rows(rows, {"name": "name", "address": "address"}, club.config.zone, as_json=as_json)
