"""Making clubs and games, listing them, and who plays in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import click
from msgspec import to_builtins

from referee.config import FILE, SettingValue
from referee.core import Pair, View
from referee.games import games as rules
from referee.service.audit.export import format_revealed, reveal
from referee.service.backup import MOST, check_movable, check_sealed, read_whole_game, take_in, whole_game
from referee.service.club import Club, make_club
from referee.service.commands.addresses import code_of, give_address, seat_of
from referee.service.commands.commands import language_of_player
from referee.service.deadlines.rescheduling import parse_setting
from referee.service.letters.reliability import merge, part, persons, records
from referee.service.post.codes import address_of
from referee.service.post.observers import observers_of, watch_code
from referee.service.site.parts import ratings
from referee.service.turns.adjudicate import parse_throw
from referee.service.turns.gamefile import Proposal, merge_proposals, parse_option, parse_player, read_proposal
from referee.service.turns.newgames import ambiguous_names, new_game
from referee.service.turns.opengames import open_game, signup_list
from referee.service.umpire.colleagues import name_umpire, remove_umpire, umpires_named
from referee.store import games, opengames

from .base import ClubFolder, CommandMaker, private, write_file
from .desk import act
from .printing import asked_passphrase, hand_out, list_rows, say, say_json

command = CommandMaker(__file__)

_OF_GAME = {"game": "id", "kind": "kind", "status": "status", "turn": "turn", "deadline": "deadline"}


@command("init")
def init(folder: Path, **settings: SettingValue | None) -> None:
    """Make a club's folder.

    It holds referee.toml, referee.db and the Maildirs mail/in and mail/out. What is there already stays as it is.
    """
    # Each option is called as its setting: club__name for club.name.
    given = {name.replace("__", "."): value for name, value in settings.items() if value is not None}
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


def proposal_of(said: View) -> Proposal:
    """Return the game that is meant. Raises ConfigError."""
    days, file = said["days"], said["file"]
    proposal = Proposal(
        kind=said["kind"],
        board=said["board"],
        preset=said["preset"],
        options=tuple(parse_option(text) for text in said["options"]),
        players=tuple(parse_player(text) for text in said["players"]),
        rhythm=({} if days is None else {"days": days}) | dict(parse_setting(text) for text in said["rhythm"]),
        deadline=said["deadline"],
        pace=said["pace"] or "",
        anonymous=said["anonymous"],
        throws=tuple(parse_throw(text) for text in said["throws"]),
    )
    proposal = merge_proposals(read_proposal(file), proposal) if file else proposal
    if not proposal.kind:
        raise click.UsageError(f"name the KIND of game: {', '.join(rules())}; or --from a file that says it")
    return proposal


@command("game new", game)
def game_new(club: Club, /, **said: Any) -> None:
    """Make a new game and print its id.

    KIND names the rules, as dampfross. The opening newsletter is written at once; the letters leave with the next `referee tick`.
    """
    game_id = new_game(club, proposal_of(said))
    say(game_id)
    for sentence in ambiguous_names(club, game_id):
        say(f"referee: {sentence}", err=True)


@command("game open", game)
def game_open(club: Club, /, seats: int | None, when_full: bool, dry_run: bool, **said: Any) -> None:
    """Let a new game wait for players, and print its id, what they write to have a seat, what fixes its dice, and a sentence for
    a zine with the address that they write to.

    KIND names the rules, as dampfross. Whoever mails the printed words to the referee's address is asked to confirm it, and then
    has a seat; print both lines in a zine or send them to whom you like. `referee game invite` writes to people one by one,
    `referee game signups` shows who has come, `referee game start` begins the game. Players whom you name have a seat already,
    and are told at once. Example:

    referee game open dampfross --map ireland --seats 4 --rhythm "every=3 weeks"
    """
    row = open_game(club, proposal_of(said), seats or 0, when_full=when_full, dry_run=dry_run)
    if dry_run:
        say(f"the game can be played with {row.seats} seats; nothing was kept")
        return
    address = club.config.address
    listed = signup_list(club, row.id)
    say(row.id)
    say(listed.word)
    say(f"end of the chain of seeds: {listed.stand['end']}")
    told = f"{listed.stand['title']}, {listed.stand['board']}, {row.seats} seats"
    say(f'for a zine: {told}: mail the line "{listed.word}" to {address}, and you are asked whether you want a seat.')


for _command in map(act, ("INVITE", "SIGNUPS", "START", "CLOSE", "ARCHIVE", "END", "FACES", "RULES")):
    game.add_command(_command)


@command("game list", game)
def game_list(club: Club, everything: bool, as_json: bool) -> None:
    """List the games.

    A line each: id, kind, status, awaited turn, deadline: on a terminal a table, in a pipe with tabs and times in UTC. Games that
    wait for players come first.
    """
    rows: list[View] = [
        {"game": each.id, "kind": each.kind, "status": "open", "turn": None, "deadline": None}
        for each in opengames.waiting(club)
    ]
    listed = [row for row in games.all_games(club) if everything or not row.is_archived]
    rows += [{name: getattr(row, member) for name, member in _OF_GAME.items()} for row in listed]
    list_rows(rows, {name: name for name in _OF_GAME}, club.config.zone, as_json=as_json)


@command("game export", game)
def game_export(
    where: ClubFolder, game_id: str, output: Path | None, secrets: bool, passphrase: BinaryIO | None
) -> None:
    """Write what has been revealed of a game, as one JSON file.

    It holds all that `referee verify FILE` needs on any machine: what was agreed, and of each turn played its seed, salts,
    orders, events and hash. No seed of a turn to come, no address, letter or note is in it.

    With --secrets it holds everything: seeds to come, addresses, letters. Stop the game first (`referee hold`); `referee import`
    takes it into a club on another machine.
    """
    if secrets:
        if not output:
            raise click.UsageError("--secrets needs a file: -o FILE")
        with where.open() as club, private():
            check_movable(club, game_id)  # before a passphrase is typed in vain
            write_file(output, whole_game(club, game_id, asked_passphrase(passphrase, again=True)))
        say(f"{output}: the whole game; keep the passphrase elsewhere")
        return
    with where.open() as club:
        text = format_revealed(reveal(club, game_id))
    if not output:
        hand_out(text)
    else:
        write_file(output, text.encode())


@command("import")
def import_(club: Club, file: BinaryIO, passphrase: BinaryIO | None, yes: bool) -> None:
    """Take a whole game into this club, with its secrets, letters and log.

    FILE is what `referee game export GAME --secrets` wrote. You read first what is in it: the game, its players and umpires with
    their addresses, its turns and letters. It is verified, else nothing of it is kept; what is another game's or the club's is
    not taken. A game that ran stands still until `referee resume GAME` tells its players that it goes on here.
    """
    raw = file.read(MOST + 1)
    check_sealed(raw)
    whole = read_whole_game(club.config, raw, asked_passphrase(passphrase))
    for line in whole.lines():
        say(line)
    if not yes:
        click.confirm("Take this game into the club?", abort=True)
    name = take_in(club, whole)
    stopped = games.game(club, name).stopped_at is not None
    then = f"; `referee resume {name}` lets it go on, and tells its players so from here" if stopped else ""
    say(f"{name} is in this club, and verified{then}")


@command("game watch", game)
def game_watch(club: Club, game_id: str, as_json: bool) -> None:
    """Print the code with which anybody can watch a game, and who does.

    Who writes `WATCH CODE` to the referee's address, alone on a line, is asked to confirm it, and from then on is sent
    the newsletters with what everybody may see; nobody else's letters are answered. A line with what is to be written, then a
    line for each observer.
    """
    code, watching = watch_code(club, game_id), observers_of(club, game_id)
    if as_json:
        say_json({"watch": str(code), "observers": list(watching)})
        return
    say(f"WATCH {code}")
    for address in watching:
        say(address)


@command("game umpire", game)
def game_umpire(where: ClubFolder, game_id: str, person: str | None, remove: str | None, as_json: bool) -> None:
    """Name an umpire of one game, or list those that it has of its own.

    What its umpire is to know then goes to them, not to mail.umpire of the settings, and each may command this game by mail, with
    a code of their own. The club's umpire may command it as before. A line each: name, address. It holds for a game that waits
    for players, too.
    """
    if person and remove:
        raise click.UsageError("name either an umpire or one to --remove")
    with where.open() as club:
        if person:
            umpires = name_umpire(club, game_id, person)
        else:
            umpires = remove_umpire(club, game_id, remove) if remove else umpires_named(club, game_id)
        rows = [{"name": each.name, "address": each.address} for each in umpires]
        list_rows(rows, {"name": "name", "address": "address"}, club.config.zone, as_json=as_json)


# Who plays in the club and how reliably, who takes a seat.

replace, standby = act("REPLACE"), act("STANDBY")


@command("players")
def players(club: Club, one_person: Pair | None, parted: str, as_json: bool) -> None:
    """List everybody who has a seat, with how reliably orders came, over all games.

    A line each: name, address, number of games, turns in which orders were owed, for how many they were in and for how many not,
    reminders, seats left. Who has missed the most comes first. It is reckoned from what the club keeps; a seat that somebody
    took over counts from then on.

    The rating goes by the places in all games that are over (Plackett-Luce, by openskill): the mean that a player is thought to
    have less three times the doubt about it, 0 for a newcomer; built-in players are left out. It needs the extra ratings.

    Example: referee players --json | jq '.[] | select(.missed > 2)'
    """
    if one_person:
        merge(club, *one_person)
        say(
            f"{one_person[0]} and {one_person[1]} are one person; `referee players --part {one_person[1]}` takes that back"
        )
    elif parted:
        part(club, parted)
        say(f"{parted} is a person of its own again")
    else:
        rated, whose = ratings(club), persons(club)
        found = [(each, {"seats": len(each.games), "rating": rated.get(whose(each.address))}) for each in records(club)]
        rows = [{**to_builtins(each), **more} for each, more in found]
        for row in rows if not as_json else ():
            row["address"] = " ".join((row["address"], *row["also"]))
        list_rows(rows, command.heads["players"], club.config.zone, as_json=as_json)


# Where letters to a player go.


@command("address")
def address(club: Club, game_id: str, player: str, new: str | None) -> None:
    """Print the address that letters to PLAYER go to, or give the player another one.

    With ADDRESS all the player's games have it at once, whoever reads there: ask before. Codes are new then, and the next
    `referee tick` tells both addresses. So a player can go on whose mailbox is lost, and what a rival did is undone.
    """
    sentence = give_address(club, game_id, player, new) if new else seat_of(club, game_id, player)[1].address
    say(sentence)


# The code by which a player's letters are known.


@command("code")
def code(club: Club, game_id: str, player: str, renew: bool) -> None:
    """Print the code that PLAYER's letters to a game carry now: a secret.

    A line with the address, where the club uses such addresses, and a line with what the subject holds. With --renew the codes
    of all earlier letters are void, and a letter with the new one leaves with the next `referee tick`.
    """
    tag = code_of(club, game_id, player, renewed=renew)
    address = address_of(club, tag)
    if address:
        say(address)
    say(f"[{tag}]")


# In which language a player is written to.


@command("language")
def language(club: Club, game_id: str, player: str, new: str | None) -> None:
    """Print the language that PLAYER is written to in, or give the player another one.

    With LANGUAGE, as de, all letters to PLAYER are in it from the next one on, in all games. Players say so themselves by mail.
    Example:

    referee language RR7 GSW de
    """
    say(language_of_player(club, game_id, player, new or ""))
