"""Who plays in the club and how reliably, who takes a seat, and games that wait for their players."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from referee.cli.base import Where
from referee.cli.desk import act
from referee.cli.printing import CommandMaker, list_rows, say
from referee.service.commands.addresses import address_of_player, current, give_address
from referee.service.commands.addresses import renew as renew_code
from referee.service.commands.commands import language_of_player
from referee.service.deadlines.rescheduling import parse_setting
from referee.service.letters.reliability import merge, part, persons, records
from referee.service.post.codes import address_of
from referee.service.site.parts import ratings
from referee.service.turns.adjudicate import parse_throw
from referee.service.turns.newgames import ambiguous_names, new_game
from referee.service.turns.opengames import open_game, signup_list
from referee.service.turns.proposals import Proposal, merged, parse_option, parse_player, read_proposal

command = CommandMaker(__file__)

HEADS = {
    "name": "name",
    "address": "address",
    "seats": "games",
    "owed": "turns",
    "sent": "in",
    "missed": "missed",
    "reminded": "reminded",
    "resigned": "resigned",
    "rating": "rating",
}


@command("players")
def players(where: Where, one_person: tuple[str, str] | None, parted: str, as_json: bool) -> None:
    """List everybody who has a seat, with how reliably orders came, over all games.

    A line each: name, address, number of games, turns in which orders were owed, for how many they were in and for how many not,
    reminders, seats left. Who has missed the most comes first. It is reckoned from what the club keeps; a seat that somebody
    took over counts from then on.

    The rating goes by the places in all games that are over (Plackett-Luce, by openskill): the mean that a player is thought to
    have less three times the doubt about it, 0 for a newcomer; built-in players are left out. It needs the extra ratings.

    Example: referee players --json | jq '.[] | select(.missed > 2)'
    """
    with where.opened() as club:
        if one_person:
            merge(club, *one_person)
            say(
                f"{one_person[0]} and {one_person[1]} are one person; `referee players --part {one_person[1]}` takes that back"
            )
        elif parted:
            part(club, parted)
            say(f"{parted} is a person of its own again")
        else:
            rated, whose = ratings(club), persons(club.db)
            found = [
                (each, {"seats": len(each.games), "rating": rated.get(whose(each.address))}) for each in records(club)
            ]
            rows = [{**to_builtins(each), **more} for each, more in found]
            for row in rows if not as_json else ():
                row["address"] = " ".join((row["address"], *row["also"]))
            list_rows(rows, HEADS, club.config.zone, as_json=as_json)


# Where letters to a player go.


@command("address")
def address(where: Where, game_id: str, player: str, new: str | None) -> None:
    """Print the address that letters to PLAYER go to, or give him another one.

    With ADDRESS all his games have it at once, whoever reads there: ask him before. He has new codes then, and the next
    `referee tick` tells both addresses. So a player can go on whose mailbox is lost, and what a rival did is undone.
    """
    with where.opened() as club:
        sentence = give_address(club, game_id, player, new) if new else address_of_player(club, game_id, player)
    say(sentence)


# The code by which a player's letters are known.


@command("code")
def code(where: Where, game_id: str, player: str, renew: bool) -> None:
    """Print the code that PLAYER's letters to a game carry now: a secret.

    A line with the address, where the club uses such addresses, and a line with what the subject holds. With --renew the codes
    of all earlier letters are void, and a letter with the new one leaves with the next `referee tick`.
    """
    with where.opened() as club:
        tag = renew_code(club, game_id, player) if renew else current(club, game_id, player)
        address = address_of(club, tag)
    if address:
        say(address)
    say(f"[{tag}]")


# In which language a player is written to.


@command("language")
def language(where: Where, game_id: str, player: str, new: str | None) -> None:
    """Print the language that PLAYER is written to in, or give him another one.

    With LANGUAGE, as de, all his letters are in it from the next one on, in all his games. By mail he says so himself. Example:

    referee language RR7 GSW de
    """
    with where.opened() as club:
        said = language_of_player(club, game_id, player, new or "")
    say(said)


def proposal_of(said: dict[str, Any]) -> Proposal:
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
    return merged(read_proposal(file), proposal) if file else proposal


@command("game new")
def game_new(where: Where, /, **said: Any) -> None:
    """Make a new game and print its id.

    KIND names the rules, as dampfross. The opening newsletter is written at once; the letters leave with the next `referee tick`.
    """
    with where.opened() as club:
        game_id = new_game(club, proposal_of(said))
        say(game_id)
        for sentence in ambiguous_names(club, game_id):
            say(f"referee: {sentence}", err=True)


@command("game open")
def game_open(where: Where, /, seats: int | None, when_full: bool, dry_run: bool, **said: Any) -> None:
    """Let a new game wait for players, and print its id, what they write to have a seat, what fixes its dice, and a sentence for
    a zine with the address that they write to.

    KIND names the rules, as dampfross. Whoever mails the printed words to the referee's address is asked whether he wants a seat,
    and has it once he has confirmed it; print both lines in a zine or send them to whom you like. `referee game invite` writes to
    people one by one, `referee game signups` shows who has come, `referee game start` begins the game. Players whom you name
    have a seat already, and are told at once. Example:

    referee game open dampfross --map ireland --seats 4 --rhythm "every=3 weeks"
    """
    with where.opened() as club:
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


OPEN_GAMES = (game_new, game_open, act("INVITE"), act("SIGNUPS"), act("START"), act("CLOSE"))


# The umpire's commands about who plays.

replace, standby = act("REPLACE"), act("STANDBY")
