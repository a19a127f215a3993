"""Who plays in the club, and how reliably."""

from __future__ import annotations

import click
from msgspec import to_builtins

from referee.cli.base import Where
from referee.cli.printing import GAME, JSON, list_rows, say
from referee.service.commands.addresses import address_of_player, current, give_address
from referee.service.commands.addresses import renew as renew_code
from referee.service.commands.commands import language_of_player
from referee.service.letters.reliability import merge, part, persons, records
from referee.service.post.codes import address_of
from referee.service.site.parts import ratings

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


@click.command()
@click.option("--merge", "one_person", nargs=2, metavar="ADDRESS ADDRESS", help="Count two addresses as one person's.")
@click.option("--part", "parted", metavar="ADDRESS", help="Count a merged address as a person of its own again.")
@JSON
@click.pass_obj
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


@click.command()
@GAME
@click.argument("player", metavar="PLAYER")
@click.argument("new", metavar="[ADDRESS]", required=False)
@click.pass_obj
def address(where: Where, game_id: str, player: str, new: str | None) -> None:
    """Print the address that letters to PLAYER go to, or give him another one.

    With ADDRESS all his games have it at once, whoever reads there: ask him before. He has new codes then, and the next
    `referee tick` tells both addresses. So a player can go on whose mailbox is lost, and what a rival did is undone.
    """
    with where.opened() as club:
        sentence = give_address(club, game_id, player, new) if new else address_of_player(club, game_id, player)
    say(sentence)


# The code by which a player's letters are known.


@click.command()
@GAME
@click.argument("player", metavar="PLAYER")
@click.option("--renew", is_flag=True, help="Make older codes void and send the player a new one.")
@click.pass_obj
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


@click.command()
@click.argument("game_id", metavar="GAME")
@click.argument("player", metavar="PLAYER")
@click.argument("new", metavar="[LANGUAGE]", required=False)
@click.pass_obj
def language(where: Where, game_id: str, player: str, new: str | None) -> None:
    """Print the language that PLAYER is written to in, or give him another one.

    With LANGUAGE, as de, all his letters are in it from the next one on, in all his games. By mail he says so himself. Example:

    referee language RR7 GSW de
    """
    with where.opened() as club:
        said = language_of_player(club, game_id, player, new or "")
    say(said)
